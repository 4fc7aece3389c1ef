from django.urls import path

from annotator.bias import views

urlpatterns = [
    path("agreement/shown/", views.bias, name="bias"),
    path("agreement/shown.csv", views.observations, name="bias-observations"),
]
