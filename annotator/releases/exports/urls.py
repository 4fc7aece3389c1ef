from django.urls import path

from annotator.releases.exports import views

urlpatterns = [
    path("exports/", views.exports, name="exports"),
    path("exports/request/", views.request_export, name="export-request"),
    path("exports/<id:pk>/state/", views.state, name="export-state"),
    path("exports/<id:pk>/stop/", views.stop, name="export-stop"),
    path("exports/<id:pk>/file/", views.file, name="export-file"),
    path("exports/<id:pk>/sha256/", views.checksum, name="export-checksum"),
]
