from django.urls import path

from annotator.pages.feeds import views

urlpatterns = [
    path("feeds/follow/", views.follow, name="feed-follow"),
    path("feeds/<id:pk>/check/", views.check, name="feed-check"),
    path("feeds/<id:pk>/pause/", views.pause, name="feed-pause"),
    path("feeds/<id:pk>/resume/", views.resume, name="feed-resume"),
    path("feeds/<id:pk>/remove/", views.remove, name="feed-remove"),
]
