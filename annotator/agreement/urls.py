from django.urls import path

from annotator.agreement import views

urlpatterns = [path("agreement/", views.agreement, name="agreement")]
