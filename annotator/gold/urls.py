from django.urls import path

from annotator.gold import history_views, views

urlpatterns = [
    path("adjudicate/next/", views.next_adjudication, name="adjudicate-next"),
    path("adjudications/<id:pk>/", views.adjudicate, name="adjudicate"),
    path("adjudications/<id:pk>/view.json", views.view, name="adjudicate-view"),
    path("adjudications/<id:pk>/verdict/", views.verdict, name="adjudicate-verdict"),
    path("adjudications/<id:pk>/decide/", views.decide, name="adjudicate-decide"),
    path("adjudications/<id:pk>/submit/", views.submit, name="adjudicate-submit"),
    path("adjudications/<id:pk>/defer/", views.defer, name="adjudicate-defer"),
    path("adjudications/<id:pk>/heartbeat/", views.heartbeat, name="adjudicate-heartbeat"),
    path("gold/<id:page>/reopen/", history_views.reopen, name="gold-reopen"),
    path("audits/", history_views.audits, name="audits"),
    path("audits/share/", history_views.audit_share, name="audit-share"),
]
