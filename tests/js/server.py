"""A tiny server on loopback for tests of modules: static files, tests, views, the frame's skeletons."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from annotator.common import catalogue

ROOT = Path(__file__).parents[2]
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8"}
SERVED = {"static/": ROOT / "annotator/static", "tests/js/": ROOT / "tests/js"}

# As the application's own screens have it, with Trusted Types.
SCREEN = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
FRAME = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; sandbox allow-same-origin"
)
STAGE = (
    '<!doctype html><title>Test</title><main id="page">'
    '<iframe id="frame" width="1000" height="700" sandbox="allow-same-origin"></iframe></main>'
    '<script type="module" src="/tests/js/%s.js"></script>'
)
CAPTURED = "captured"  # its frame may show images from beside it
UNGUARDED = "unguarded"  # its frame has neither sandbox nor policy
STAGES = ("stage", "exact", UNGUARDED)
SKELETON = "<html><head><title>Page</title></head><body></body></html>"


def _file(path: str) -> Path:
    prefix = next(prefix for prefix in SERVED if path.startswith(prefix))
    return SERVED[prefix] / path.removeprefix(prefix)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # a connection carries many files
    wbufsize = -1  # head and body go together: the second of two small writes waits for the first

    views: dict[str, dict[str, Any]]
    images: dict[str, tuple[bytes, str]]

    def do_GET(self) -> None:
        path = self.path.lstrip("/").partition("?")[0]
        if path.startswith("jsi18n/"):
            self._send(catalogue.script("en").decode(), TYPES[".js"])
        elif path.startswith("views/"):
            self._send(json.dumps(self.views[path.removeprefix("views/")]), "application/json")
        elif path.startswith(("frame", f"{UNGUARDED}/frame", CAPTURED)):
            self._send_framed(path)
        elif path.startswith(tuple(SERVED)) and ".." not in path and (file := _file(path)).is_file():
            self._send(file.read_text(encoding="utf-8"), TYPES.get(file.suffix, "text/plain"), is_kept=True)
        else:
            page = STAGE % path if path in STAGES else "<!doctype html><title>Test</title>"
            if path == UNGUARDED:
                page = page.replace(' sandbox="allow-same-origin"', "")
            self._send(page, policy=SCREEN)

    def _send_framed(self, path: str) -> None:
        """The skeleton of a frame, or an image of the page in it."""
        name = path.rpartition("/")[2]
        if name in self.images:
            self._send(*self.images[name])
            return
        doctype = "" if path.rstrip("/").endswith("quirks") else "<!doctype html>"
        images = f"img-src data: http://{self.headers['Host']}/{CAPTURED}/;"
        policy = FRAME.replace("img-src data:;", images) if path.startswith(CAPTURED) else FRAME
        self._send(doctype + SKELETON, policy="" if path.startswith(UNGUARDED) else policy)

    def _send(
        self, text: str | bytes, kind: str = TYPES[".html"], policy: str = "", *, is_kept: bool = False
    ) -> None:
        body = text.encode() if isinstance(text, str) else text
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if policy:
            self.send_header("Content-Security-Policy", policy)
        if is_kept:
            self.send_header("Cache-Control", "max-age=3600")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: Any) -> None:
        """Say nothing: the tests' output is for the tests."""


@contextmanager
def serving(
    views: dict[str, dict[str, Any]], images: dict[str, tuple[bytes, str]] | None = None
) -> Iterator[str]:
    """Serve until the block ends; gives the address, without a slash at its end.

    `images` are those of the views, by digest: bytes and media type.
    """
    handler = type("Handler", (_Handler,), {"views": views, "images": {} if images is None else images})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
