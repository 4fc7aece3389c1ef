from django.urls import path
from django.views.generic import RedirectView

from annotator.administration.labels import views as labels

corpus_patterns = [
    path("settings/", RedirectView.as_view(pattern_name="labels"), name="settings"),
    path("settings/labels/", labels.labels, name="labels"),
    # Where these tabs were screens of their own.
    path("study/", RedirectView.as_view(pattern_name="study", permanent=True), name="old-study"),
    path("people/", RedirectView.as_view(pattern_name="people", permanent=True), name="old-people"),
]
