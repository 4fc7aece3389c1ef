from django.urls import path

from annotator.bias import views

urlpatterns = [
    path("agreement/shown/", views.bias, name="bias"),
    path("agreement/shown/tables/", views.tables, name="bias-tables"),
    path("agreement/shown/<int:pk>/", views.report_state, name="bias-report"),
    path("agreement/shown.csv", views.observations, name="bias-observations"),
]
