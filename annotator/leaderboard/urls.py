from django.urls import path

from annotator.leaderboard import views

urlpatterns = [
    path("leaderboard/", views.leaderboard, name="leaderboard"),
    path("leaderboard/version/", views.version, name="leaderboard-version"),
    path("leaderboard/figures.csv", views.as_csv, name="leaderboard-csv"),
    path("leaderboard/figures.json", views.as_json, name="leaderboard-json"),
    path("leaderboard/table/", views.table, name="leaderboard-table"),
    path("leaderboard/<int:extractor>/", views.pages, name="leaderboard-pages"),
    path("leaderboard/<int:extractor>/<int:page>/", views.glass, name="glass"),
    path("leaderboard/<int:extractor>/<int:page>/view.json", views.view, name="glass-view"),
]
