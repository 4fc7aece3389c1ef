from django.urls import path

from annotator.renewal import views

urlpatterns = [
    path("guideline/rounds/", views.renewal, name="renewal"),
    path("guideline/rounds/open/", views.open_rounds, name="renewal-open"),
    path("guideline/rounds/state/", views.state, name="renewal-state"),
    path("guideline/rounds/stop/", views.stop, name="renewal-stop"),
    path("guideline/rounds/go-on/", views.go_on, name="renewal-go-on"),
]
