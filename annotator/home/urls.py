from django.urls import path

from annotator.home import people, views

urlpatterns = [
    path("", views.home, name="home"),
    path("sign-out/", views.sign_out, name="sign-out"),
    path("health/", views.health, name="health"),
    path("alive/", views.alive, name="alive"),
]

corpus_patterns = [
    path("", views.corpus, name="corpus"),
    path("pages/", views.corpus_pages, name="corpus-pages"),
    path("stuck/", views.stuck, name="stuck"),
    path("stuck/retry/", views.stuck_retry, name="stuck-retry"),
    path("people/", people.people, name="people"),
    path("people/invite/", people.invite, name="invite"),
    path("people/invitations/<int:pk>/take-back/", people.take_back, name="invitation-take-back"),
    path("people/<int:pk>/roles/", people.change_roles, name="roles-change"),
    path("people/<int:pk>/password/", people.reset_password, name="password-reset"),
    path("people/<int:pk>/leave/", people.leave, name="member-leave"),
]
