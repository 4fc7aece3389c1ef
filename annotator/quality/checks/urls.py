from django.urls import path

from annotator.quality.checks import views

urlpatterns = [path("quality-checks/", views.quality_checks, name="quality-checks")]
