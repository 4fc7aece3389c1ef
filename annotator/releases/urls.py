from django.urls import path

from annotator.releases import neighbours, views

urlpatterns = [
    path("releases/", views.releases, name="releases"),
    path("releases/make/", views.make, name="release-make"),
    path("releases/terms/", views.say_terms, name="release-terms"),
    path("releases/compare/", views.compare, name="releases-compare"),
    path("releases/report/", views.report, name="report"),
    path("releases/near-duplicates/", neighbours.near_duplicates, name="near-duplicates"),
    path("releases/near-duplicates/<int:page>/", neighbours.cluster, name="cluster"),
    path("releases/take-down/", views.take_down, name="take-down"),
    path("releases/<int:number>/", views.release, name="release"),
    path("releases/<int:number>/state/", views.state, name="release-state"),
    path("releases/<int:number>/stop/", views.stop, name="release-stop"),
    path("releases/<int:number>/errata/", views.write_erratum, name="release-erratum"),
    path("releases/<int:number>/datasheet.md", views.datasheet, name="release-datasheet"),
    path("releases/<int:number>/manifest.json", views.manifest, name="release-manifest"),
]
