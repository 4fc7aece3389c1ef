from django.urls import path

from annotator.gold import history, views

urlpatterns = [
    path("settle/", views.next_dispute, name="adjudicate-next"),
    path("adjudications/<int:pk>/", views.adjudicate, name="adjudicate"),
    path("adjudications/<int:pk>/view.json", views.view, name="adjudicate-view"),
    path("adjudications/<int:pk>/verdict/", views.verdict, name="adjudicate-verdict"),
    path("adjudications/<int:pk>/decide/", views.decide, name="adjudicate-decide"),
    path("adjudications/<int:pk>/settle/", views.settle, name="adjudicate-settle"),
    path("adjudications/<int:pk>/later/", views.later, name="adjudicate-later"),
    path("adjudications/<int:pk>/heartbeat/", views.heartbeat, name="adjudicate-heartbeat"),
    path("gold/<int:page>/", history.page_gold, name="page-gold"),
    path("gold/<int:page>/reopen/", history.reopen, name="gold-reopen"),
    path("audits/", history.audits, name="audits"),
    path("audits/share/", history.audit_share, name="audit-share"),
]
