from django.urls import path

from annotator.runs import views

urlpatterns = [
    path("runs/", views.runs, name="runs"),
    path("runs/now/", views.now, name="runs-now"),
    path("runs/start/", views.start, name="run-start"),
    path("runs/upload/", views.upload, name="run-upload"),
    path("runs/<id:pk>/", views.run, name="run"),
    path("runs/<id:pk>/report.csv", views.report, name="run-report"),
    path("runs/<id:pk>/state/", views.state, name="run-state"),
    path("runs/<id:pk>/pause/", views.pause, name="run-pause"),
    path("runs/<id:pk>/resume/", views.resume, name="run-resume"),
    path("runs/<id:pk>/cancel/", views.cancel, name="run-cancel"),
]
