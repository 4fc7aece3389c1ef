from django.urls import path

from annotator.control import views

urlpatterns = [path("control/", views.control, name="control")]
