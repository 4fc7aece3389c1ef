from django.urls import path

from annotator.gold.reannotation import views

urlpatterns = [
    path("reannotation/", views.reannotation, name="reannotation"),
    path("reannotation/open/", views.open_rounds, name="reannotation-open"),
    path("reannotation/state/", views.state, name="reannotation-state"),
    path("reannotation/stop/", views.stop, name="reannotation-stop"),
    path("reannotation/resume/", views.resume, name="reannotation-resume"),
]
