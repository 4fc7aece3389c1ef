"""One part of the report with servers of its own: `python -m benchmarks.part NAME [LIMIT]`.

A process of its own, so that no part works beside what another has left in the database and the queues.
"""

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path

from tests.servers import servers


def prepare(stack: ExitStack, kept: Path | None = None) -> None:
    """Start PostgreSQL and Valkey, and create the tables and static files; `kept`: in a folder that stays."""
    os.environ.update(stack.enter_context(servers(kept)))
    os.environ["DJANGO_SETTINGS_MODULE"] = "annotator.settings"
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    for command in (["migrate", "-v0"], ["collectstatic", "--noinput", "-v0"]):
        subprocess.run([sys.executable, "manage.py", *command], check=True)
    import django

    django.setup()


def main(name: str, limit: str = "") -> None:
    """Print the text of the part as JSON."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    kept = os.environ.get("GOLDPAN_SCALE_KEPT") if name == "scale" else None
    with ExitStack() as stack:
        prepare(stack, Path(kept) if kept else None)
        text = import_module(f"benchmarks.{name}").run(int(limit) if limit else None)
    print(json.dumps({"text": text}))


if __name__ == "__main__":
    main(*sys.argv[1:])
