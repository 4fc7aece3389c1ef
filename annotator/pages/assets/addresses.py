"""The unguessable address under which a page's images are served to one person.

Its token is the page's key in the database, encrypted and authenticated for that person: it reveals nothing,
cannot be made without the secret key, and is the same each time, so that images stay in the browser's cache.
A screen that shows a page to a person hands it out; the frame's content security policy allows images from
there and from nowhere else.
"""

import base64
import binascii
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from django.http import HttpRequest
from django.urls import reverse
from django.utils.crypto import salted_hmac

from annotator.corpora.models import User
from annotator.pages.assets.queries import look_of
from annotator.pages.models import StoredDocument

_SALT = "annotator.pages.assets"
_ID_BYTES = 8
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
    token = [token_of(user, document.page_id)]
    frames = (reverse(name, args=token) for name in ("captured-frame", "captured-frame-quirks"))
    return StageUrls(versioned(view, look), *frames)


def versioned(view: str, look: str) -> str:
    """The address of a view, another one for each look, since browsers keep what is there."""
    return f"{view}?look={look[:_VERSION]}" if look else view


def token_of(user: User, page_id: int) -> str:
    """The token of a page for a person: 32 characters of an address."""
    sealed = _cipher().encrypt(page_id.to_bytes(_ID_BYTES), [str(user.pk).encode()])
    return base64.urlsafe_b64encode(sealed).decode()


def page_of(user: User, token: str) -> int | None:
    """The key of the page that a person's token stands for; None if it is no token of theirs."""
    try:
        sealed = base64.urlsafe_b64decode(token)
        return int.from_bytes(_cipher().decrypt(sealed, [str(user.pk).encode()]))
    except (binascii.Error, InvalidTag, ValueError):
        return None


def _cipher() -> AESSIV:
    # Deterministic by design (RFC 5297): one page has one token for each person.
    return AESSIV(salted_hmac(_SALT, "token", algorithm="sha512").digest())


def image_source(request: HttpRequest, token: str) -> str:
    """The source for a content security policy: all addresses below this one."""
    return request.build_absolute_uri(reverse("captured-frame", args=[token]))
