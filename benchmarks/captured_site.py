"""A local server that plays every site on the web: real pages, with style sheets and images made by rule.

The published corpora hold pages alone. For each address that a page names, a sheet or an image is made of the
address's digest: the same address gives the same bytes. Sheets dress the classes that the page uses, by what
their names say, with what sheets of news sites are made of: columns by float, flex and grid, pinned bars,
backgrounds, imports, media queries, hidden boxes, generated content.
"""

import io
import random
import re
import ssl
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from PIL import Image, ImageDraw

_CLASSES = re.compile(r"""class\s*=\s*["']?([\w\s-]+)""", re.IGNORECASE)
_CLASS = re.compile(r"[A-Za-z_][\w-]{1,40}")
MAX_CLASSES = 60  # that one sheet dresses

# What most sheets begin with; {n} is a digit of the address.
_RESET = """@charset "utf-8";
@import url("imported-{n}.css") screen;
*, *::before { box-sizing: border-box }
body { margin: 0; font: 1{n}px/1.5 Arial, sans-serif; color: #222; background: #fff url(paper-{n}.png) }
h1 { font-size: 32px; line-height: 1.2; margin: 12px 0 } h2 { font-size: 22px; margin: 10px 0 }
h3 { font-size: 18px; margin: 8px 0 } p { margin: 0 0 12px } a { color: #124; text-decoration: none }
ul, ol { margin: 0; padding: 0 0 0 18px } nav ul { list-style: none; display: flex; flex-wrap: wrap }
img { max-width: 100%; height: auto; vertical-align: middle } figure { margin: 0 0 14px }
iframe, video { max-width: 100% } svg { width: 24px; height: 24px; fill: currentColor }
button { padding: 6px 12px; border: 1px solid #ccc; background: url(button.svg) } form { margin: 0 0 10px }
input, select, textarea { width: 180px; height: 32px; padding: 4px; border: 1px solid; vertical-align: top }
table { border-collapse: collapse } td, th { padding: 4px 6px }
body > *:first-child { border-top: 2px solid #c00 } p + p { text-indent: 1em }
"""
# By what the name of a class says, as sheets of news sites lay out what is called so.
_LAYOUTS = (
    (r"wrap|container|inner|site$|page$", "max-width: 1140px; margin: 0 auto; padding: 0 15px"),
    (r"sidebar|aside|secondary|widget-area", "float: right; width: 31%"),
    (r"primary|content|main|article|post|entry", "overflow: hidden; padding: 6px 10px; max-width: 52em"),
    (r"nav|menu|breadcrumb|tabs", "display: flex; flex-wrap: wrap; gap: 4px 12px; list-style: none"),
    (r"header|masthead|topbar", "position: sticky; top: 0; background: #fff url(bar-{n}.png) repeat-x"),
    (r"modal|popup|overlay|hidden|sr-only|screen-reader", "display: none"),
    (r"cookie|consent|banner", "position: fixed; bottom: 0; left: 0; right: 0; background: #ffd"),
    (r"list|grid|related|cards|row|gallery", "display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 10px"),
    (r"foot", "columns: 3; column-gap: 24px; padding: 20px 0"),
    (r"image|img|thumb|photo|media|figure", "position: relative; background: #eee; margin: 0 0 8px"),
    (r"btn|button|tag|label|badge", "display: inline-block; padding: 2px 8px; border: 1px solid #bbb"),
    (r"title|headline|heading", "font-size: 26px; line-height: 1.25; margin: 8px 0; font-weight: bold"),
    (r"meta|date|author|byline|caption", "font-size: 12px; color: #666; text-transform: uppercase"),
)
# Of the others: what changes no layout much.
_RULES = (
    "margin: 0 0 12px; border-bottom: 1px solid #ddd",
    "padding: 4px 0; background: #f6f6f6 url('box-{n}.png') no-repeat right top",
    "font-size: 14px; line-height: 1.4; color: #444",
    "background-image: image-set(url(wide-{n}.jpg) 1x, url(wide2-{n}.jpg) 2x); min-height: 20px",
    "padding: .5rem .75rem; border-radius: 4px; background: linear-gradient(#fff, #eee)",
    "letter-spacing: .02em; font-weight: bold",
)


def style_sheet(url: str, classes: list[str]) -> str:
    """The sheet of an address, for a page that uses these classes."""
    dice = random.Random(sha256(url.encode()).digest())
    digit = str(dice.randrange(4, 9))
    if "imported-" in url:
        return f"@media (min-width: 600px) {{ body {{ padding: 0 {digit}px }} aside {{ font-size: 13px }} }}"
    rules = [_RESET.replace("{n}", digit)] if dice.random() < 0.5 else []
    for name in dice.sample(classes, min(len(classes), MAX_CLASSES)):
        rules.append(f".{name} {{ {_rule(name, dice)} }}".replace("{n}", digit))
        if dice.random() < 0.1:
            rules.append(f".{name}::before {{ content: '»'; padding-right: 4px }}")
        if dice.random() < 0.1:
            rules.append(f"@media (max-width: 700px) {{ .{name} {{ float: none; width: auto }} }}")
    return "\n".join(rules)


def _rule(name: str, dice: random.Random) -> str:
    layouts = [rule for words, rule in _LAYOUTS if re.search(words, name, re.IGNORECASE)]
    return layouts[0] if layouts and dice.random() < 0.8 else dice.choice(_RULES)


def image(url: str) -> tuple[bytes, str]:
    """The image of an address, and its media type."""
    dice = random.Random(sha256(url.encode()).digest())
    width, height = dice.choice([(640, 360), (300, 200), (120, 120), (1200, 630), (32, 32), (468, 60)])
    if urlsplit(url).path.lower().endswith(".svg"):
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
            f'<circle cx="50" cy="50" r="40" fill="teal"/></svg>'
        )
        return svg.encode(), "image/svg+xml"
    kind = dice.choice(["JPEG", "PNG", "GIF", "WEBP"])
    picture = Image.new("RGB", (width, height), (dice.randrange(256), dice.randrange(256), 160))
    ImageDraw.Draw(picture).ellipse((5, 5, width - 5, height - 5), fill="white")
    out = io.BytesIO()
    picture.save(out, kind)
    return out.getvalue(), f"image/{kind.lower()}"


class Served(NamedTuple):
    """The page that is served at the moment, at its own address."""

    url: str
    raw: bytes
    charset: str


class ServedSite:
    """What the server answers with."""

    def __init__(self) -> None:
        self.page = Served("", b"", "")
        self.classes: list[str] = []

    def show(self, page: Served) -> None:
        found = _CLASSES.findall(page.raw.decode("latin-1"))
        names = {name for names in found for name in names.split() if _CLASS.fullmatch(name)}
        self.page, self.classes = page, sorted(names)

    def answer(self, url: str, destination: str) -> tuple[int, bytes, dict[str, str]]:
        if _without_scheme(url) == _without_scheme(self.page.url) and destination == "document":
            # No script runs; `noscript` is not shown, as to readers.
            headers = {
                "Content-Type": f"text/html; charset={self.page.charset}",
                "Content-Security-Policy": "script-src 'none'; font-src 'none'",
            }
            return 200, self.page.raw, headers
        if destination == "style":
            sheet = style_sheet(_without_scheme(url), self.classes)
            return 200, sheet.encode(), {"Content-Type": "text/css", "Access-Control-Allow-Origin": "*"}
        if destination == "image":
            data, kind = image(_without_scheme(url))
            return 200, data, {"Content-Type": kind, "Access-Control-Allow-Origin": "*"}
        if destination == "iframe":
            return 200, b"<!doctype html><p>A frame.", {"Content-Type": "text/html"}
        return 404, b"", {}


def _without_scheme(url: str) -> str:
    return url.partition("://")[2].partition("#")[0]


class _Handler(BaseHTTPRequestHandler):
    site: ServedSite

    def do_GET(self) -> None:
        url = f"http://{self.headers.get('Host', '')}{self.path}"
        status, body, headers = self.site.answer(url, self.headers.get("Sec-Fetch-Dest", _guess(self)))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""


def _guess(handler: BaseHTTPRequestHandler) -> str:
    """What a request is for, where the browser does not say: it does so over TLS alone."""
    accepts = handler.headers.get("Accept", "")
    if accepts.startswith("text/html"):
        return "iframe" if handler.headers.get("Referer") else "document"
    return "style" if accepts.startswith("text/css") else "image" if accepts.startswith("image") else ""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """A browser that goes away is no error."""


@contextmanager
def playing_the_web(site: ServedSite) -> Iterator[list[str]]:
    """Serve until the block ends; gives the flags with which Chromium comes here whatever it asks for."""
    handler = type("Handler", (_Handler,), {"site": site})
    servers = [_Server(("127.0.0.1", 0), handler) for _ in range(2)]
    with tempfile.TemporaryDirectory() as folder:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(_certificate(Path(folder)))
    servers[1].socket = context.wrap_socket(
        servers[1].socket, server_side=True, do_handshake_on_connect=False
    )
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    plain, secure = (server.server_port for server in servers)
    try:
        rules = f"MAP *:80 127.0.0.1:{plain}, MAP *:443 127.0.0.1:{secure}"
        yield [f"--host-resolver-rules={rules}", "--ignore-certificate-errors"]
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()


def _certificate(folder: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "the web")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=1))
    made = builder.sign(key, hashes.SHA256())
    path = folder / "certificate.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return path
