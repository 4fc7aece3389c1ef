from django.urls import path

from annotator.corpora.audit import views

urlpatterns = [
    path("audit-log/", views.site_audit_log, name="site-audit-log"),
    path("audit-log/file/", views.site_audit_log_file, name="site-audit-log-file"),
]

corpus_patterns = [
    path("audit-log/", views.audit_log, name="audit-log"),
    path("audit-log/file/", views.audit_log_file, name="audit-log-file"),
]
