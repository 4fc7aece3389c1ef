"""Django's catalogue of the messages that scripts show, at an address that changes with its content."""

from functools import cache
from hashlib import sha256

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import override
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog


@cache
def script(language: str) -> bytes:
    """The script that defines gettext, ngettext, interpolate and get_format in `language`."""
    with override(language):
        request = HttpRequest()
        request.method = "GET"
        response = JavaScriptCatalog.as_view(packages=["annotator"])(request)
        assert isinstance(response, HttpResponse)
        return response.content


@cache
def address(language: str) -> str:
    """Where `language`'s script is; it holds a digest, so browsers may keep the script for good."""
    return reverse("javascript-catalog", args=[language, sha256(script(language)).hexdigest()[:16]])


@require_safe
def javascript_catalog(request: HttpRequest, language: str, digest: str) -> HttpResponse:
    """The script by its address; a screen of another version of Goldpan gets what there is, uncached."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    response = HttpResponse(script(language), content_type="text/javascript; charset=utf-8")
    if request.path == address(language):
        patch_cache_control(response, public=True, max_age=31_536_000, immutable=True)
    else:
        patch_cache_control(response, no_store=True)
    return response
