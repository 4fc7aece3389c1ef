from django.urls import path

from annotator.scoring.leaderboard import error_causes_views, pair_views, retrieval_views, shrunk_views, views

urlpatterns = [
    path("leaderboard/", views.leaderboard, name="leaderboard"),
    path("leaderboard/version/", views.version, name="leaderboard-version"),
    path("leaderboard/figures.csv", views.as_csv, name="leaderboard-csv"),
    path("leaderboard/figures.json", views.as_json, name="leaderboard-json"),
    path("leaderboard/table/", views.table, name="leaderboard-table"),
    path("leaderboard/retrieval/", retrieval_views.retrieval, name="leaderboard-retrieval"),
    path("leaderboard/retrieval/figures.csv", retrieval_views.as_csv, name="leaderboard-retrieval-csv"),
    path("leaderboard/retrieval/figures.json", retrieval_views.as_json, name="leaderboard-retrieval-json"),
    path("leaderboard/compare/", pair_views.pair, name="leaderboard-compare"),
    path("leaderboard/compare/pages.csv", pair_views.as_csv, name="leaderboard-compare-csv"),
    path("leaderboard/compare/figures.json", pair_views.as_json, name="leaderboard-compare-json"),
    path("leaderboard/pairs/", pair_views.all_pairs, name="leaderboard-all-pairs"),
    path("leaderboard/pairs/figures.csv", pair_views.all_pairs_csv, name="leaderboard-all-pairs-csv"),
    path("leaderboard/pairs/figures.json", pair_views.all_pairs_json, name="leaderboard-all-pairs-json"),
    path("leaderboard/shrunk/<id:pk>/", shrunk_views.shrunk_page, name="shrunk-page"),
    path("leaderboard/<id:extractor>/<id:page>/shrink/", shrunk_views.shrink, name="shrink"),
    path("leaderboard/<id:extractor>/", views.pages, name="leaderboard-pages"),
    path("leaderboard/<id:extractor>/errors/", error_causes_views.error_causes, name="error-causes"),
    path("leaderboard/<id:extractor>/errors.csv", error_causes_views.as_csv, name="error-causes-csv"),
    path("leaderboard/<id:extractor>/errors.json", error_causes_views.as_json, name="error-causes-json"),
    path("leaderboard/<id:extractor>/<id:page>/", views.error_view, name="error-view"),
    path("leaderboard/<id:extractor>/<id:page>/view.json", views.view_document, name="error-view-document"),
]
