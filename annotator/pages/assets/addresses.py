"""The unguessable address under which a page's images are served to one person.

It is made of the person and the page with the secret key, so that it is the same each time and its images
stay in the browser's cache. A screen that shows a page to a person hands it out; the frame's content security
policy allows images from there and from nowhere else.
"""

from typing import NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from annotator.corpora.models import User
from annotator.pages.assets.queries import look_of
from annotator.pages.models import StoredDocument

_SALT = "annotator.pages.assets"
# Of the digest in an address: enough to tell one look of a page from another.
_VERSION = 12


class StageUrls(NamedTuple):
    """Where a screen fetches a view, and the skeleton of the frame that it is built in."""

    view: str
    frame: str
    frame_quirks: str


def stage_urls(view: str, document: StoredDocument, user: User) -> StageUrls:
    """The addresses for a document whose plain view is at `view`."""
    look = look_of(document)
    if not look:
        return StageUrls(view, reverse("frame"), reverse("frame-quirks"))
    key = [document.page_id, token_of(user, document.page_id)]
    return StageUrls(
        versioned(view, look), reverse("captured-frame", args=key), reverse("captured-frame-quirks", args=key)
    )


def versioned(view: str, look: str) -> str:
    """The address of a view, another one for each look, since browsers keep what is there."""
    return f"{view}?look={look[:_VERSION]}" if look else view


def token_of(user: User, page_id: int) -> str:
    return salted_hmac(_SALT, f"{user.pk} {page_id}", algorithm="sha256").hexdigest()


def is_token_of(user: User, page_id: int, token: str) -> bool:
    return constant_time_compare(token, token_of(user, page_id))


def image_source(request: HttpRequest, page_id: int, token: str) -> str:
    """The source for a content security policy: all addresses below this one."""
    return request.build_absolute_uri(reverse("captured-frame", args=[page_id, token]))
