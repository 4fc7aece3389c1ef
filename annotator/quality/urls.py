from django.urls import path

from annotator.quality.bias import views as bias
from annotator.quality.checks import views as checks

urlpatterns = [
    path("agreement/suggestion-bias/", bias.bias, name="suggestion-bias"),
    path("agreement/suggestion-bias/tables/", bias.tables_fragment, name="suggestion-bias-tables"),
    path("agreement/suggestion-bias/<id:pk>/", bias.report_state, name="suggestion-bias-report"),
    path("agreement/suggestion-bias.csv", bias.observations, name="suggestion-bias-observations"),
    path("quality-checks/", checks.quality_checks, name="quality-checks"),
]
