"""Stands in for Django's commands: leaves traces that the launcher's tests read."""

import json
import os
import secrets
import sys
import time
from pathlib import Path

HOME = Path(os.environ["GOLDPAN_HOME"])


def main(name: str, *arguments: str) -> None:
    assert os.environ["DJANGO_SETTINGS_MODULE"] == "annotator.settings"
    with (HOME / "commands.txt").open("a", encoding="utf-8") as trace:
        trace.write(f"{name} {os.environ['DATABASE_URL']}\n")
    if os.environ.get("STANDIN_FAILS") == name:
        sys.exit("the stand-in was told to fail")
    if name == "create_demo":
        _write_credentials(Path(arguments[1]))
    if name == "wait":
        try:
            print("waiting", flush=True)
            time.sleep(60)
        except KeyboardInterrupt:
            time.sleep(1)
            sys.exit("stopped in peace")


def _write_credentials(path: Path) -> None:
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(json.dumps({"admin": {"name": "ada", "password": secrets.token_urlsafe(9)}}))


main(*sys.argv[1:])
