from django.urls import path

from annotator.corpora import views
from annotator.corpora.audit.urls import corpus_patterns as audit_of_corpus
from annotator.corpora.audit.urls import urlpatterns as audit
from annotator.corpora.authentication.urls import urlpatterns as authentication
from annotator.corpora.guideline.urls import corpus_patterns as guideline
from annotator.corpora.sessions.urls import urlpatterns as account

urlpatterns = [
    *account,
    *audit,
    *authentication,
    path("sign-in/", views.sign_in, name="sign-in"),
    path("invitation/<str:token>/", views.invitation, name="invitation"),
    path("password/<str:uid>/<str:token>/", views.password_link, name="password-link"),
]

# The people of a corpus are shown in `home`, which may tell the folders with leases that somebody leaves.
corpus_patterns = [*guideline, *audit_of_corpus]
