from django.urls import path

from annotator.corpora import views
from annotator.corpora.audit import views as audit
from annotator.corpora.authentication.urls import urlpatterns as authentication
from annotator.corpora.guideline import views as guideline
from annotator.corpora.sessions import views as account

urlpatterns = [
    path("account/", account.account, name="account"),
    path("account/name/", account.change_name, name="account-name"),
    path("account/password/", account.change_password, name="account-password"),
    path("account/sessions/end/", account.end_session, name="account-session-end"),
    path("account/tokens/", account.make_token, name="account-token-make"),
    path("account/tokens/<id:pk>/revoke/", account.revoke_token, name="account-token-revoke"),
    path("audit-log/", audit.site_audit_log, name="site-audit-log"),
    path("audit-log/file/", audit.site_audit_log_file, name="site-audit-log-file"),
    *authentication,
    path("sign-in/", views.sign_in, name="sign-in"),
    path("invitation/<str:token>/", views.invitation, name="invitation"),
    path("password/<str:uid>/<str:token>/", views.password_link, name="password-link"),
]

# The people of a corpus are shown in `home`, which may tell the folders with leases that somebody leaves.
corpus_patterns = [
    path("guideline/", guideline.guideline, name="guideline"),
    path("guideline/<id:number>/", guideline.guideline, name="guideline-version"),
    path("guideline/compare/", guideline.compare, name="guideline-compare"),
    path("guideline/write/", guideline.write, name="guideline-write"),
    path("guideline/examples/<slug:name>/", guideline.example, name="guideline-example"),
    path("audit-log/", audit.audit_log, name="audit-log"),
    path("audit-log/file/", audit.audit_log_file, name="audit-log-file"),
]
