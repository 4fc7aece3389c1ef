"""What a fetch brings: bytes, type and charset as sent; conditional requests; TLS; an honest user agent."""

import datetime as dt
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.conf import LazySettings
from django.utils import timezone

from annotator import __version__
from annotator.common.errors import GoldpanError
from annotator.fetching.client import Fetcher, content_type
from annotator.fetching.errors import NotAnswered, NotThere, WrongType
from annotator.fetching.limits import FEED_TYPES
from tests.annotator.fetching.conftest import SMALL
from tests.annotator.fetching.sites import Site, redirect, response, site


def test_bytes_type_and_charset_are_kept_as_sent(good: Site, quick: Fetcher) -> None:
    good.answers["/old"] = redirect("/new#top", "301 Moved Permanently")
    good.answers["/new"] = response(
        "<p>caña".encode("latin-1"), content_type='Text/HTML; Charset="ISO-8859-1"'
    )
    fetched = quick.fetch(good.url("/old"))
    assert fetched.url == good.url("/new")
    assert (fetched.body, fetched.media_type) == (b"<p>ca\xf1a", "text/html")
    assert (fetched.charset, fetched.status) == ("ISO-8859-1", 200)
    assert abs(timezone.now() - fetched.fetched_at) < dt.timedelta(minutes=5)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("", ("", "")),
        ("text/html", ("text/html", "")),
        ("TEXT/HTML;charset=utf8", ("text/html", "utf8")),
        ("text/html; charset='utf-8'; x=y", ("text/html", "")),
        (f"text/html; charset={'x' * 90}", ("text/html", "")),
        ("text/html; charset*=utf-8''utf%2D8", ("text/html", "")),
        (";;;", ("", "")),
    ],
)
def test_strange_content_types_are_read_as_far_as_they_can_be(header: str, expected: tuple[str, str]) -> None:
    assert content_type(header) == expected


def test_only_what_has_changed_is_sent_again(good: Site, quick: Fetcher) -> None:
    good.answers["/feed"] = response(b"<rss/>", etag='"a1"', last_modified="Tue, 01 Sep 2026 10:00:00 GMT")
    first = quick.fetch(good.url("/feed"), accept=FEED_TYPES)
    good.answers["/feed"] = b'HTTP/1.1 304 Not Modified\r\netag: "a1"\r\n\r\n'
    again = quick.fetch(
        good.url("/feed"), accept=FEED_TYPES, etag=first.etag, last_modified=first.last_modified
    )
    assert (first.not_modified, again.not_modified, again.body) == (False, True, b"")
    asked = good.log[-1].headers
    assert (asked["if-none-match"], asked["if-modified-since"]) == ('"a1"', "Tue, 01 Sep 2026 10:00:00 GMT")


def test_no_cookie_and_no_referrer_is_sent(good: Site, quick: Fetcher) -> None:
    good.answers["/"] = redirect("/next").replace(b"\r\n\r\n", b"\r\nset-cookie: id=1; path=/\r\n\r\n")
    good.answers["/next"] = response(set_cookie="id=2")
    quick.fetch(good.url())
    quick.fetch(good.url())
    assert set(good.log[-1].headers) == {"host", "user-agent", "accept", "accept-encoding", "connection"}


def test_the_user_agent_says_who_asks(good: Site, quick: Fetcher, settings: LazySettings) -> None:
    good.answers["/"] = response()
    settings.FETCH_CONTACT = "corpus@example.org"
    quick.fetch(good.url())
    assert good.log[-1].headers["user-agent"] == f"Goldpan/{__version__} (+corpus@example.org)"
    settings.FETCH_CONTACT = ""
    quick.fetch(good.url())
    settings.PRODUCTION = True
    with pytest.raises(GoldpanError, match="GOLDPAN_CONTACT"):
        quick.fetch(good.url())


def test_accepted_types_are_a_parameter(good: Site, quick: Fetcher) -> None:
    good.answers["/a.png"] = response(b"\x89PNG", content_type="image/png")
    assert quick.fetch(good.url("/a.png"), accept={"image/"}).media_type == "image/png"
    assert good.log[-1].headers["accept"] == "image/*"
    with pytest.raises(WrongType, match=r"image/png, not text/css"):
        quick.fetch(good.url("/a.png"), accept={"text/css"})


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
def test_what_a_site_does_not_give_out_is_not_asked_again(status: int, good: Site, quick: Fetcher) -> None:
    good.answers["/"] = response(status=f"{status} No")
    with pytest.raises(NotThere, match=str(status)):
        quick.fetch(good.url())


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_load_is_no_result(status: int, good: Site, quick: Fetcher) -> None:
    good.answers["/"] = response(status=f"{status} Later")
    with pytest.raises(NotAnswered, match=str(status)):
        quick.fetch(good.url())


# ---- TLS ----


def certificate(folder: Path, name: str) -> Path:
    """A file with a self-signed certificate for the name, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = timezone.now()
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = folder / f"{name}.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    pem.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return pem


def test_tls_verifies_the_name_of_the_address_on_the_pinned_connection(
    tmp_path: Path, settings: LazySettings
) -> None:
    pem = certificate(tmp_path, "good.test")
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(pem)
    trusting = ssl.create_default_context(cafile=pem)
    settings.FETCH_PAUSE_SECONDS = 0
    with site(server) as secure:
        settings.FETCH_LOOPBACK_PORTS = frozenset({secure.port})
        secure.answers["/"] = response()
        asking = Fetcher(limits=SMALL, resolve=lambda host, port: ["127.0.0.1"], tls=trusting)
        assert asking.fetch(f"https://good.test:{secure.port}/").body
        with pytest.raises(NotAnswered, match="certificate"):
            asking.fetch(f"https://other.test:{secure.port}/")
        untrusting = Fetcher(limits=SMALL, resolve=lambda host, port: ["127.0.0.1"])
        with pytest.raises(NotAnswered, match="certificate"):
            untrusting.fetch(f"https://good.test:{secure.port}/")
