from django.urls import path

from annotator.corpora.guideline import views

corpus_patterns = [
    path("guideline/", views.guideline, name="guideline"),
    path("guideline/<id:number>/", views.guideline, name="guideline-version"),
    path("guideline/compare/", views.compare, name="guideline-compare"),
    path("guideline/write/", views.write, name="guideline-write"),
    path("guideline/examples/<slug:name>/", views.example, name="guideline-example"),
]
