from django.urls import path

from annotator.api.webhooks import views

corpus_patterns = [
    path("settings/webhooks/", views.webhooks, name="webhooks"),
    path("settings/webhooks/make/", views.make, name="webhook-make"),
    path("settings/webhooks/<id:pk>/pause/", views.pause, name="webhook-pause"),
    path("settings/webhooks/<id:pk>/resume/", views.resume, name="webhook-resume"),
    path("settings/webhooks/<id:pk>/remove/", views.remove, name="webhook-remove"),
]
