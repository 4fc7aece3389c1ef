from django.urls import path

from annotator.reparsing import views

urlpatterns = [
    path("parser/", views.reparsing, name="reparsing"),
    path("parser/state/", views.state, name="reparsing-state"),
    path("parser/start/", views.start, name="reparsing-start"),
    path("parser/stop/", views.stop, name="reparsing-stop"),
    path("parser/pages/<int:pk>/", views.moved, name="reparsing-page"),
]
