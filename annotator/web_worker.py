"""The web server's worker: gunicorn's, but its threads do not wait long for requests that arrive slowly.

A thread that waits for the rest of a request answers nobody else, and gunicorn lets it wait for ever: as many
slow connections as there are threads would stop the site. Here half of a worker's threads at most wait for
longer than a moment, and none for longer than LONGEST_SECONDS. What is cut off is never passed on in part.
"""

import io
import select
import socket
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

# Nearly every request is there at once, with its body.
PROMPT_SECONDS = 0.25
LONGEST_SECONDS = 10.0
WATCH_SECONDS = 0.1
# As much as Django's DATA_UPLOAD_MAX_MEMORY_SIZE allows.
LARGEST_BODY = 16 * 1024 * 1024
# In the environment of a request whose body was larger, and is left out: the application says so, as it knows
# the format and the language in which to. `common.http.understandable` does.
LEFT_OUT = "goldpan.body_left_out"

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class PromptWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """A threaded worker that cuts off requests that arrive slowly."""

    def init_process(self) -> None:
        # By thread: the socket that it reads a request from, and since when.
        self._waiting: dict[int, tuple[socket.socket, float]] = {}
        threading.Thread(target=self._watch, daemon=True).start()
        super().init_process()

    def load_wsgi(self) -> None:
        super().load_wsgi()
        self.wsgi: Application = self._when_complete(self.wsgi)

    def handle(self, conn: TConn) -> object:
        """Handle one request, as gunicorn does; it runs in a thread."""
        self._waiting[threading.get_ident()] = (conn.sock, time.monotonic())
        try:
            return super().handle(conn)
        finally:
            self._waiting.pop(threading.get_ident(), None)

    def _when_complete(self, application: Application) -> Application:
        """Call the application once the whole body is there."""

        def wrapped(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
            length = int(environ.get("CONTENT_LENGTH") or 0)
            if length > LARGEST_BODY or "HTTP_TRANSFER_ENCODING" in environ:
                # Otherwise gunicorn waits for the body that it did not read.
                environ["gunicorn.socket"].shutdown(socket.SHUT_RD)
                if not length:
                    return _refuse(start_response, "411 Length Required")
                length = 0
                environ |= {LEFT_OUT: True, "CONTENT_LENGTH": "0", "wsgi.input": io.BytesIO()}
            body = environ["wsgi.input"].read(length)
            self._waiting.pop(threading.get_ident(), None)
            if len(body) < length:
                return _refuse(start_response, "408 Request Timeout")
            if length:
                environ["wsgi.input"] = io.BytesIO(body)
            return application(environ, start_response)

        return wrapped

    def _watch(self) -> None:
        """Cut off, again and again, whom threads have waited for too long; of the slow, the latest first."""
        while True:
            time.sleep(WATCH_SECONDS)
            now = time.monotonic()
            waits = [(now - since, connection) for connection, since in list(self._waiting.values())]
            late = [wait for wait in waits if wait[0] > PROMPT_SECONDS]
            late.sort(key=lambda wait: wait[0], reverse=True)
            for rank, (seconds, connection) in enumerate(late):
                if rank >= self.cfg.threads // 2 or seconds > LONGEST_SECONDS:
                    _cut_off(connection)


def _cut_off(connection: socket.socket) -> None:
    """End what arrives on the connection, unless we are the slow ones: then there is something to read."""
    try:
        if not select.select([connection], [], [], 0)[0]:
            connection.shutdown(socket.SHUT_RD)
    except (OSError, ValueError):  # it was closed meanwhile
        return


def _refuse(start_response: Callable[..., Any], status: str) -> list[bytes]:
    message = f"{status}\n".encode()
    start_response(status, [("Content-Type", "text/plain"), ("Content-Length", str(len(message)))])
    return [message]
