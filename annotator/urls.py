"""All routes. `common.roles.ROUTES` says who may use each; a route without a row there is closed."""

from django.urls import include, path
from django.views.i18n import set_language

from annotator.administration.urls import corpus_patterns as settings
from annotator.agreement.urls import urlpatterns as agreement
from annotator.annotations.urls import urlpatterns as annotations
from annotator.api.urls import urlpatterns as api
from annotator.api.webhooks.urls import corpus_patterns as webhooks
from annotator.common.catalogue import javascript_catalog
from annotator.corpora.urls import corpus_patterns as corpora
from annotator.corpora.urls import urlpatterns as accounts
from annotator.gold.urls import urlpatterns as gold
from annotator.home.urls import corpus_patterns as overview
from annotator.home.urls import urlpatterns as home
from annotator.pages.urls import corpus_patterns as pages
from annotator.pages.urls import urlpatterns as frames
from annotator.practice.urls import urlpatterns as practice
from annotator.quality.urls import urlpatterns as quality
from annotator.releases.exports.urls import urlpatterns as exports
from annotator.releases.urls import urlpatterns as releases
from annotator.reparsing.urls import urlpatterns as reparsing
from annotator.runs.urls import urlpatterns as runs
from annotator.scoring.leaderboard.urls import urlpatterns as leaderboard
from annotator.training.urls import urlpatterns as models

handler400 = "annotator.common.http.bad_request"
handler404 = "annotator.common.http.not_found"
handler500 = "annotator.common.http.server_error"

urlpatterns = [
    path("language/", set_language, name="set_language"),
    path("jsi18n/<str:language>-<slug:digest>.js", javascript_catalog, name="javascript-catalog"),
    *api,
    *accounts,
    *home,
    *frames,
    path(
        "c/<slug:slug>/",
        include(
            [
                *overview,
                *settings,
                *webhooks,
                *corpora,
                *pages,
                *annotations,
                *gold,
                *practice,
                *agreement,
                *quality,
                *reparsing,
                *runs,
                *leaderboard,
                *releases,
                *exports,
                *models,
            ]
        ),
    ),
]
