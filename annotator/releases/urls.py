from django.urls import path

from annotator.releases import views

urlpatterns = [
    path("releases/", views.releases, name="releases"),
    path("releases/create/", views.create, name="release-create"),
    path("releases/terms/", views.save_terms, name="release-terms"),
    path("releases/compare/", views.compare, name="releases-compare"),
    path("releases/report/", views.report, name="report"),
    path("releases/near-duplicates/", views.near_duplicates, name="near-duplicates"),
    path("releases/near-duplicates/<id:page>/", views.cluster, name="cluster"),
    path("releases/take-down/", views.take_down, name="take-down"),
    path("releases/<id:number>/", views.release, name="release"),
    path("releases/<id:number>/state/", views.state, name="release-state"),
    path("releases/<id:number>/stop/", views.stop, name="release-stop"),
    path("releases/<id:number>/errata/", views.add_erratum, name="release-erratum"),
    path("releases/<id:number>/datasheet.md", views.datasheet, name="release-datasheet"),
    path("releases/<id:number>/manifest.json", views.manifest, name="release-manifest"),
]
