from django.urls import path

from annotator.gold import views
from annotator.gold.reannotation import views as reannotation

urlpatterns = [
    path("adjudicate/next/", views.next_adjudication, name="adjudicate-next"),
    path("adjudications/<id:pk>/", views.adjudicate, name="adjudicate"),
    path("adjudications/<id:pk>/view.json", views.view, name="adjudicate-view"),
    path("adjudications/<id:pk>/verdict/", views.verdict, name="adjudicate-verdict"),
    path("adjudications/<id:pk>/decide/", views.decide, name="adjudicate-decide"),
    path("adjudications/<id:pk>/submit/", views.submit, name="adjudicate-submit"),
    path("adjudications/<id:pk>/defer/", views.defer, name="adjudicate-defer"),
    path("adjudications/<id:pk>/heartbeat/", views.heartbeat, name="adjudicate-heartbeat"),
    path("gold/<id:page>/reopen/", views.reopen, name="gold-reopen"),
    path("audits/", views.audits, name="audits"),
    path("audits/share/", views.audit_share, name="audit-share"),
    path("reannotation/", reannotation.reannotation, name="reannotation"),
    path("reannotation/open/", reannotation.open_rounds, name="reannotation-open"),
    path("reannotation/state/", reannotation.state, name="reannotation-state"),
    path("reannotation/stop/", reannotation.stop, name="reannotation-stop"),
    path("reannotation/resume/", reannotation.resume, name="reannotation-resume"),
]
