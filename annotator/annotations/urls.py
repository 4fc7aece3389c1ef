from django.urls import path

from annotator.annotations.study import views as study
from annotator.annotations.workbench import views

urlpatterns = [
    path("study/", study.design, name="study"),
    path("next/", views.next_page, name="next"),
    path("slots/<id:pk>/", views.annotate, name="annotate"),
    path("slots/<id:pk>/view.json", views.view, name="annotate-view"),
    path("slots/<id:pk>/reserve/", views.reserve, name="annotate-reserve"),
    path("slots/<id:pk>/save/", views.save, name="annotate-save"),
    path("slots/<id:pk>/heartbeat/", views.heartbeat, name="annotate-heartbeat"),
    path("slots/<id:pk>/submit/", views.submit, name="annotate-submit"),
    path("slots/<id:pk>/skip/", views.skip, name="annotate-skip"),
    path("slots/<id:pk>/reopen/", views.reopen, name="annotate-reopen"),
]
