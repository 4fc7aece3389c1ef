from django.urls import path

from annotator.agreement import views

urlpatterns = [
    path("agreement/", views.agreement, name="agreement"),
    path("agreement/tables/", views.tables_fragment, name="agreement-tables"),
    path("agreement/reports/<id:pk>/", views.report_state, name="agreement-report"),
    path("agreement/sites/", views.sites, name="agreement-sites"),
    path("agreement/pages/", views.pages, name="agreement-pages"),
    path("agreement/counts.csv", views.counts, name="agreement-counts"),
]
