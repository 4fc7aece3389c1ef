from django.urls import path

from annotator.annotations.study import views as study
from annotator.annotations.workbench import views

urlpatterns = [
    path("settings/study/", study.design, name="study"),
    path("next/", views.next_page, name="next"),
    path("slots/<uuid:key>/", views.annotate, name="annotate"),
    path("slots/<uuid:key>/view.json", views.view, name="annotate-view"),
    path("slots/<uuid:key>/reserve/", views.reserve, name="annotate-reserve"),
    path("slots/<uuid:key>/save/", views.save, name="annotate-save"),
    path("slots/<uuid:key>/heartbeat/", views.heartbeat, name="annotate-heartbeat"),
    path("slots/<uuid:key>/submit/", views.submit, name="annotate-submit"),
    path("slots/<uuid:key>/skip/", views.skip, name="annotate-skip"),
    path("slots/<uuid:key>/reopen/", views.reopen, name="annotate-reopen"),
]
