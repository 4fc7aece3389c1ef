from django.urls import path

from annotator.pages import views
from annotator.pages.assets import views as assets

urlpatterns = [
    path("frame/", views.frame, name="frame"),
    path("frame/quirks/", views.frame_quirks, name="frame-quirks"),
    # The images of a page lie beside its frame, whose sheets name them by digest alone.
    path("captured/<slug:token>/", assets.frame, name="captured-frame"),
    path("captured/<slug:token>/quirks", assets.frame_quirks, name="captured-frame-quirks"),
    path("captured/<slug:token>/<slug:digest>", assets.image, name="captured-image"),
]

corpus_patterns = [
    path("styles/", assets.styles, name="styles"),
    path("styles/state/", assets.styles_state, name="styles-state"),
    path("styles/fetch/", assets.styles_fetch, name="styles-fetch"),
]
