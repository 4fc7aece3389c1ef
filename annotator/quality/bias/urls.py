from django.urls import path

from annotator.quality.bias import views

urlpatterns = [
    path("agreement/suggestion-bias/", views.bias, name="suggestion-bias"),
    path("agreement/suggestion-bias/tables/", views.tables_fragment, name="suggestion-bias-tables"),
    path("agreement/suggestion-bias/<id:pk>/", views.report_state, name="suggestion-bias-report"),
    path("agreement/suggestion-bias.csv", views.observations, name="suggestion-bias-observations"),
]
