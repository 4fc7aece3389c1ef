"""What a browser does that it should not: seen at its protocol, in its network log, and by whom it calls."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, Dialog, Page

from tests import chromium
from tests.browser.hostile import CANARY, RAN
from tests.conftest import FLAGS

HOST = CANARY.removeprefix("http://").strip("/")
# Of the protocol's events: what speaks of a request, a window, a download, a dialog or a way out.
_REQUESTS = ("Network.requestWillBeSent", "Network.webSocketCreated", "Network.webTransportCreated")
_MOVES = (
    "Page.windowOpen",
    "Page.downloadWillBegin",
    "Page.javascriptDialogOpening",
    "Page.fileChooserOpened",
    "Page.frameRequestedNavigation",
    "Page.frameScheduledNavigation",
)


class Watch:
    """What happens in a browser window, and in those that it opens, that should not."""

    def __init__(self, page: Page, ours: str) -> None:
        self.scripts: list[str] = []
        self.asked: list[str] = []
        self.moves: list[str] = []
        self.stopped: list[str] = []  # by a policy, which is to be the second lock and not the first
        self._ours = (ours, "about:", "data:", "blob:")
        page.on("popup", self._opened)
        self._listen(page)

    def forget(self) -> None:
        """Start again; for the moves that we make ourselves."""
        for found in (self.scripts, self.asked, self.moves, self.stopped):
            found.clear()

    def look(self, page: Page) -> None:
        """The marks that a script would have left in this page."""
        if page.evaluate("Boolean(window.ran)") or page.title() == RAN:
            self.scripts.append("a mark in the page")

    @property
    def findings(self) -> list[str]:
        return [*self.scripts, *self.asked, *self.moves, *self.stopped]

    def _opened(self, page: Page) -> None:
        self.moves.append(f"a window opened for {page.url}")
        self._listen(page)

    def _listen(self, page: Page) -> None:
        page.on("dialog", self._asks)
        page.on("console", lambda message: self._says(message.text))
        page.on("request", lambda request: self._leaves(self.asked, request.url))
        page.on("websocket", lambda socket: self._leaves(self.asked, socket.url))
        page.on("framenavigated", lambda frame: self._leaves(self.moves, frame.url))

    def listen_to_protocol(self, page: Page) -> None:
        """Hear what Playwright does not tell: sockets, downloads, choosers, moves only asked for."""
        session = page.context.new_cdp_session(page)
        for event in _REQUESTS:
            session.on(event, lambda said: self._leaves(self.asked, _address_in(said)))
        for event in _MOVES:
            session.on(event, lambda said, event=event: self._moved(event, _address_in(said)))
        session.send("Network.enable")
        session.send("Page.enable")

    def _moved(self, event: str, address: str) -> None:
        if not address.startswith(self._ours[0]):
            self.moves.append(f"{event} {address}")

    def _asks(self, dialog: Dialog) -> None:
        self.scripts.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def _says(self, text: str) -> None:
        # A policy quotes the script that it stopped.
        if "Content Security Policy" in text or "Trusted" in text:
            self.stopped.append(text)
        elif RAN in text:
            self.scripts.append(text)

    def _leaves(self, where: list[str], address: str) -> None:
        if not address.startswith(self._ours):
            where.append(address)


def _address_in(said: dict[str, Any]) -> str:
    return str(said.get("url") or said.get("request", {}).get("url", ""))


class Canary:
    """A server to which every hostile address leads, and that notes who calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        canary = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                canary.calls.append(self.path)
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_POST = do_HEAD = do_OPTIONS = do_GET  # noqa: N815  names of the library

            def log_message(self, *_arguments: object) -> None:
                """A test's output is its own."""

        class Server(ThreadingHTTPServer):
            def verify_request(self, *_arguments: object) -> bool:
                canary.calls.append("a connection")
                return True

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port = self._server.server_port
        Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def wild(browser: Browser, canary: Canary, log: Path) -> Iterator[Browser]:
    """Another browser, in which the canary's host leads to the canary, and which logs its network."""
    flags = [
        *FLAGS,
        f"--host-resolver-rules=MAP {HOST} 127.0.0.1:{canary.port}",
        f"--log-net-log={log}",
        "--net-log-capture-mode=Default",
    ]
    started = browser.browser_type.launch(executable_path=chromium.find(), args=flags)
    try:
        yield started
    finally:
        started.close()


def hosts_in(log: Path) -> set[str]:
    """Which hosts the browser asked for, connected to, or only looked up; ours answers at 127.0.0.1."""
    events = json.loads(log.read_text(encoding="utf-8"))["events"]
    said = json.dumps([event.get("params") for event in events])
    return {host for host in (HOST, "127.0.0.1") if host in said}
