from django.urls import path

from annotator.annotations import views
from annotator.annotations.study import views as study

urlpatterns = [
    path("study/", study.design, name="study"),
    path("next/", views.next_page, name="next"),
    path("slots/<int:pk>/", views.annotate, name="annotate"),
    path("slots/<int:pk>/view.json", views.view, name="annotate-view"),
    path("slots/<int:pk>/reserve/", views.reserve, name="annotate-reserve"),
    path("slots/<int:pk>/save/", views.save, name="annotate-save"),
    path("slots/<int:pk>/heartbeat/", views.heartbeat, name="annotate-heartbeat"),
    path("slots/<int:pk>/submit/", views.submit, name="annotate-submit"),
    path("slots/<int:pk>/skip/", views.skip, name="annotate-skip"),
    path("slots/<int:pk>/take-up/", views.take_up, name="annotate-take-up"),
]
