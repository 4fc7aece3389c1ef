from django.urls import path

from annotator.pages import views
from annotator.pages.assets import views as assets
from annotator.pages.feeds import views as feeds
from annotator.pages.imports import views as imports

urlpatterns = [
    path("frame/", views.frame, name="frame"),
    path("frame/quirks/", views.frame, {"quirks": True}, name="frame-quirks"),
    # The images of a page lie beside its frame, whose sheets name them by digest alone.
    path("captured/<slug:token>/", assets.frame, name="captured-frame"),
    path("captured/<slug:token>/quirks", assets.frame, {"quirks": True}, name="captured-frame-quirks"),
    path("captured/<slug:token>/<slug:digest>", assets.image, name="captured-image"),
]

corpus_patterns = [
    path("styles/", assets.styles, name="styles"),
    path("styles/state/", assets.styles_state, name="styles-state"),
    path("styles/fetch/", assets.styles_fetch, name="styles-fetch"),
    path("imports/", imports.imports, name="imports"),
    path("imports/addresses/", imports.import_addresses, name="import-addresses"),
    path("imports/start/", imports.start, name="import-start"),
    path("imports/<id:pk>/", imports.detail, name="import"),
    path("imports/<id:pk>/files/", imports.add_file, name="import-file"),
    path("imports/<id:pk>/files/<id:number>/", imports.add_part, name="import-part"),
    path("imports/<id:pk>/ready/", imports.ready, name="import-ready"),
    path("imports/<id:pk>/state/", imports.state, name="import-state"),
    path("imports/<id:pk>/preview/", imports.preview_again, name="import-preview"),
    path("imports/<id:pk>/confirm/", imports.confirm, name="import-confirm"),
    path("imports/<id:pk>/pause/", imports.pause, name="import-pause"),
    path("imports/<id:pk>/resume/", imports.resume, name="import-resume"),
    path("imports/<id:pk>/cancel/", imports.cancel, name="import-cancel"),
    path("imports/<id:pk>/undo/", imports.undo, name="import-undo"),
    path("imports/<id:pk>/report.csv", imports.report, name="import-report"),
    path("feeds/follow/", feeds.follow, name="feed-follow"),
    path("feeds/<id:pk>/check/", feeds.check, name="feed-check"),
    path("feeds/<id:pk>/pause/", feeds.pause, name="feed-pause"),
    path("feeds/<id:pk>/resume/", feeds.resume, name="feed-resume"),
    path("feeds/<id:pk>/remove/", feeds.remove, name="feed-remove"),
]
