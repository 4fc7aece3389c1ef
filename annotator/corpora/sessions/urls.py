from django.urls import path

from annotator.corpora.sessions import views

urlpatterns = [
    path("account/", views.account, name="account"),
    path("account/name/", views.change_name, name="account-name"),
    path("account/password/", views.change_password, name="account-password"),
    path("account/sessions/end/", views.end_session, name="account-session-end"),
]
