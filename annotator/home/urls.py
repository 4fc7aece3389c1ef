from django.urls import path

from annotator.home import creating, monitoring, people, views

urlpatterns = [
    path("", views.home, name="home"),
    path("new-corpus/", creating.new_corpus, name="new-corpus"),
    path("sign-out/", views.sign_out, name="sign-out"),
    path("health/", views.health, name="health"),
    path("alive/", monitoring.alive, name="alive"),
    path("ready/", monitoring.ready, name="ready"),
    path("metrics/", monitoring.metrics, name="metrics"),
]

corpus_patterns = [
    path("", views.corpus, name="corpus"),
    path("pages/", views.corpus_pages, name="corpus-pages"),
    path("gold/<id:page>/", views.page_gold, name="page-gold"),
    path("gold/<id:page>/view-<id:number>.json", views.page_gold_view, name="page-gold-view"),
    path("my-pages/", views.own_pages, name="own-pages"),
    path("my-pages/list/", views.own_pages_list, name="own-pages-list"),
    path("attention/", views.attention, name="attention"),
    path("attention/retry/", views.attention_retry, name="attention-retry"),
    path("settings/people/", people.people, name="people"),
    path("settings/people/invite/", people.invite, name="invite"),
    path("settings/people/invitations/<id:pk>/revoke/", people.revoke, name="invitation-revoke"),
    path("settings/people/<id:pk>/roles/", people.change_roles, name="roles-change"),
    path("settings/people/<id:pk>/password/", people.reset_password, name="password-reset"),
    path("settings/people/<id:pk>/leave/", people.leave, name="member-leave"),
]
