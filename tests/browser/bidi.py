"""A small client of WebDriver BiDi, with which Firefox is driven: https://www.w3.org/TR/webdriver-bidi/.

Playwright drives only builds of Firefox of its own.
"""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Self

from websockets.sync.client import ClientConnection, connect

from tests import firefox

SECONDS = 120
# Firefox gives each extension an address of its own in each profile; here it is known beforehand.
ADDRESS = "3f1f5c1e-0d5e-4c55-9f6e-5c3a3f7b8a10"

# English, whatever languages are installed, and nothing of its makers' servers.
PREFERENCES = {
    "intl.locale.requested": "en-US",
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.normandy.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    # Pages that ask for something of other machines get nothing: there is no such proxy.
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 47999,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 47999,
}


class BidiError(Exception):
    """What Firefox answered instead of a result."""


class Tab:
    """A tab of Firefox."""

    def __init__(self, firefox: "Firefox", context: str) -> None:
        self._firefox, self._context = firefox, context

    def goto(self, address: str) -> Self:
        """Open an address, and wait until it is loaded."""
        self._firefox.call("browsingContext.navigate", context=self._context, url=address, wait="complete")
        return self

    def evaluate(self, expression: str) -> Any:
        """The value of an expression, or of its promise, as JSON has it."""
        answer = self._firefox.call(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression})))()",
            target={"context": self._context},
            awaitPromise=True,
        )
        if answer["type"] != "success":
            raise BidiError(answer["exceptionDetails"]["text"])
        value = answer["result"].get("value")
        return None if value is None else json.loads(value)

    def wait_for(self, expression: str) -> Any:
        """Evaluate until the value counts as true, and return it."""
        end = monotonic() + SECONDS
        while not (found := self.evaluate(expression)):
            assert monotonic() < end, f"{expression} did not come: {self.evaluate('document.body.innerText')}"
            sleep(0.1)
        return found


class Firefox:
    """A headless Firefox with a new profile."""

    def __init__(self, folder: Path, extension: str = "") -> None:
        self._numbers = count(1)
        profile = folder / "profile"
        profile.mkdir()
        settings = PREFERENCES | {"extensions.webextensions.uuids": json.dumps({extension: ADDRESS})}
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in settings.items())
        (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        with ExitStack() as stack:
            # Pages of extensions count as the system's; else they cannot be opened.
            options = ["--headless", "--no-remote", "--remote-debugging-port", "0"]
            command = [firefox.ensure(), *options, "--remote-allow-system-access", "--profile", str(profile)]
            with (folder / "log").open("wb") as log:
                own = {**os.environ, "HOME": str(folder)}
                process = subprocess.Popen(command, stdout=log, stderr=log, env=own)
            stack.callback(process.wait)
            stack.callback(process.terminate)
            address = _address(folder / "log", process)
            self._socket: ClientConnection = stack.enter_context(
                connect(f"{address}/session", max_size=None, open_timeout=SECONDS, ping_interval=None)
            )
            self.call("session.new", capabilities={})
            self._stack = stack.pop_all()

    def close(self) -> None:
        self._stack.close()

    def call(self, method: str, **parameters: Any) -> Any:
        """Send a command, and return its result."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.recv(timeout=SECONDS))
            if answer.get("id") != number:  # an event
                continue
            if answer["type"] == "error":
                raise BidiError(f"{answer['error']}: {answer['message']}")
            return answer["result"]

    def open(self, address: str) -> Tab:
        """Open an address in a new tab."""
        return Tab(self, self.call("browsingContext.create", type="tab")["context"]).goto(address)

    def install(self, folder: Path) -> str:
        """Install a temporary add-on, and return the address of its pages."""
        self.call("webExtension.install", extensionData={"type": "path", "path": str(folder)})
        return f"moz-extension://{ADDRESS}/"


def _address(log: Path, process: "subprocess.Popen[bytes]") -> str:
    """Where Firefox says that it listens."""
    for _ in _each_moment():
        said = log.read_text(encoding="utf-8", errors="replace")
        if found := re.search(r"ws://[\w.:]+", said):
            return found[0]
        assert process.poll() is None, said
    raise TimeoutError(f"Firefox does not listen after {SECONDS} s: {said}")


def _each_moment() -> Iterator[None]:
    end = monotonic() + SECONDS
    while monotonic() < end:
        yield
        sleep(0.1)
