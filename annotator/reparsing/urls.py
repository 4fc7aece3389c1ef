from django.urls import path

from annotator.reparsing import views

urlpatterns = [
    path("reparsing/", views.reparsing, name="reparsing"),
    path("reparsing/state/", views.state, name="reparsing-state"),
    path("reparsing/start/", views.start, name="reparsing-start"),
    path("reparsing/stop/", views.stop, name="reparsing-stop"),
    path("reparsing/pages/<id:pk>/", views.page_detail, name="reparsing-page"),
]
