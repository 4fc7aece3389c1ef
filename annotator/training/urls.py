from django.urls import path

from annotator.training import views

urlpatterns = [
    path("models/", views.models, name="models"),
    path("models/now/", views.now, name="models-now"),
    path("models/start/", views.start, name="model-start"),
    path("models/curve/start/", views.start_curve, name="curve-start"),
    path("models/curve/<id:pk>/stop/", views.stop_curve, name="curve-stop"),
    path("models/<id:number>/", views.model, name="model"),
    path("models/<id:number>/state/", views.state, name="model-state"),
    path("models/<id:number>/file/", views.file, name="model-file"),
    path("models/<id:number>/stop/", views.stop, name="model-stop"),
    path("models/<id:number>/resume/", views.resume, name="model-resume"),
]
