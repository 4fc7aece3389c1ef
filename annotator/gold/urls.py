from django.urls import path

from annotator.gold import views

urlpatterns = [
    path("settle/", views.next_dispute, name="adjudicate-next"),
    path("adjudications/<int:pk>/", views.adjudicate, name="adjudicate"),
    path("adjudications/<int:pk>/view.json", views.view, name="adjudicate-view"),
    path("adjudications/<int:pk>/verdict/", views.verdict, name="adjudicate-verdict"),
    path("adjudications/<int:pk>/decide/", views.decide, name="adjudicate-decide"),
    path("adjudications/<int:pk>/settle/", views.settle, name="adjudicate-settle"),
    path("adjudications/<int:pk>/later/", views.later, name="adjudicate-later"),
    path("adjudications/<int:pk>/heartbeat/", views.heartbeat, name="adjudicate-heartbeat"),
]
