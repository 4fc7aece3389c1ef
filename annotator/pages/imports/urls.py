from django.urls import path

from annotator.pages.imports import views

urlpatterns = [
    path("imports/", views.imports, name="imports"),
    path("imports/addresses/", views.import_addresses, name="import-addresses"),
    path("imports/start/", views.start, name="import-start"),
    path("imports/<id:pk>/", views.detail, name="import"),
    path("imports/<id:pk>/files/", views.add_file, name="import-file"),
    path("imports/<id:pk>/files/<id:number>/", views.add_part, name="import-part"),
    path("imports/<id:pk>/ready/", views.ready, name="import-ready"),
    path("imports/<id:pk>/state/", views.state, name="import-state"),
    path("imports/<id:pk>/preview/", views.preview_again, name="import-preview"),
    path("imports/<id:pk>/confirm/", views.confirm, name="import-confirm"),
    path("imports/<id:pk>/pause/", views.pause, name="import-pause"),
    path("imports/<id:pk>/resume/", views.resume, name="import-resume"),
    path("imports/<id:pk>/cancel/", views.cancel, name="import-cancel"),
    path("imports/<id:pk>/undo/", views.undo, name="import-undo"),
    path("imports/<id:pk>/report.csv", views.report, name="import-report"),
]
