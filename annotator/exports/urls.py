from django.urls import path

from annotator.exports import views

urlpatterns = [
    path("exports/", views.exports, name="exports"),
    path("exports/request/", views.request_export, name="export-request"),
    path("exports/<int:pk>/state/", views.state, name="export-state"),
    path("exports/<int:pk>/stop/", views.stop, name="export-stop"),
    path("exports/<int:pk>/file/", views.file, name="export-file"),
]
