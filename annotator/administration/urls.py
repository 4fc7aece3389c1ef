from django.urls import path
from django.views.generic import RedirectView

from annotator.administration.danger import views as danger
from annotator.administration.extractors import views as extractors
from annotator.administration.jobs import views as jobs
from annotator.administration.labels import views as labels

corpus_patterns = [
    path("settings/", RedirectView.as_view(pattern_name="labels"), name="settings"),
    path("settings/labels/", labels.labels, name="labels"),
    path("settings/extractors/", extractors.list_, name="extractors"),
    path("settings/extractors/progress/", extractors.progress, name="extractors-progress"),
    path("settings/extractors/enable/", extractors.enable, name="extractor-enable"),
    path("settings/extractors/run/", extractors.run, name="extractors-run"),
    path("settings/extractors/<id:pk>/disable/", extractors.disable, name="extractor-disable"),
    path("settings/extractors/<id:pk>/upgrade/", extractors.upgrade, name="extractor-upgrade"),
    path("settings/jobs/", jobs.jobs, name="jobs"),
    path("settings/jobs/now/", jobs.progress, name="jobs-progress"),
    path("settings/jobs/pause/", jobs.pause_all, name="jobs-pause"),
    path("settings/jobs/jobs.csv", jobs.history, name="jobs-csv"),
    path("settings/danger-zone/", danger.danger_zone, name="danger-zone"),
    path("settings/danger-zone/archive/", danger.archive, name="corpus-archive"),
    path("settings/danger-zone/restore/", danger.restore, name="corpus-restore"),
    path("settings/danger-zone/delete/", danger.delete, name="corpus-delete"),
]
