"""Every route. `common.roles.ROUTES` says who may use it; a route without a row there is closed."""

from django.urls import include, path
from django.views.i18n import set_language

from annotator.agreement.urls import urlpatterns as agreement
from annotator.annotations.urls import urlpatterns as annotations
from annotator.bias.urls import urlpatterns as bias
from annotator.control.urls import urlpatterns as control
from annotator.corpora.urls import corpus_patterns as corpora
from annotator.corpora.urls import urlpatterns as door
from annotator.exports.urls import urlpatterns as exports
from annotator.gold.urls import urlpatterns as gold
from annotator.home.urls import corpus_patterns as overview
from annotator.home.urls import urlpatterns as home
from annotator.leaderboard.urls import urlpatterns as leaderboard
from annotator.pages.urls import urlpatterns as frames
from annotator.practice.urls import urlpatterns as practice
from annotator.releases.urls import urlpatterns as releases
from annotator.renewal.urls import urlpatterns as renewal
from annotator.reparsing.urls import urlpatterns as reparsing

urlpatterns = [
    path("language/", set_language, name="set_language"),
    *door,
    *home,
    *frames,
    path(
        "c/<slug:slug>/",
        include(
            [
                *overview,
                *corpora,
                *annotations,
                *gold,
                *renewal,
                *control,
                *practice,
                *agreement,
                *bias,
                *reparsing,
                *leaderboard,
                *releases,
                *exports,
            ]
        ),
    ),
]
