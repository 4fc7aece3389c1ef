from django.urls import path

from annotator.pages import views

urlpatterns = [
    path("frame/", views.frame, name="frame"),
    path("frame/quirks/", views.frame_quirks, name="frame-quirks"),
]
