"""python -m launcher: what the Makefile calls."""

import argparse
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from launcher import archive, chromium, run, servers, session, testing
from launcher.application import CODE
from launcher.errors import LauncherError
from launcher.home import Home
from launcher.stops import Stops


def _home() -> Home:
    return Home(Path(os.environ.get("GOLDPAN_HOME") or CODE / "var"))


def _run(options: argparse.Namespace) -> int:
    run.run(_home(), os.environ)
    return 0


def _exec(options: argparse.Namespace) -> int:
    stops = Stops()
    stops.install()
    with session.environment(_home(), os.environ, stops) as environment:
        return session.command(options.command, environment, stops)


def _backup(options: argparse.Namespace) -> int:
    home, stops = _home(), Stops()
    stops.install()
    target = options.file or Path("backups") / f"goldpan-{datetime.now(UTC):%Y%m%d-%H%M%S}.tar"
    with session.environment(home, os.environ, stops) as environment:
        count = archive.back_up(home, environment["DATABASE_URL"], target)
    print(f"Backup: {target} (the database and {count} files; keep it private)")
    return 0


def _restore(options: argparse.Namespace) -> int:
    home, stops = _home(), Stops()
    stops.install()
    home.prepare()
    with home.locked(), servers.running(home, os.environ, stops) as (urls, _children):
        count = archive.restore(home, urls["DATABASE_URL"], options.file, force=options.force)
    print(f"Restored: {options.file} (the database and {count} files)")
    return 0


def _test_servers(options: argparse.Namespace) -> int:
    stops = Stops()
    stops.install()
    with testing.servers() as environment:
        return session.command(options.command, {**os.environ, **environment}, stops)


def _chromium(options: argparse.Namespace) -> int:
    print(f"Chromium: {chromium.ensure()}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m launcher", description=__doc__)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("run", help="start everything, until INT or TERM")
    command.set_defaults(act=_run)
    command = commands.add_parser("exec", help="run a command with the servers up, starting them if need be")
    command.add_argument("command", nargs="+")
    command.set_defaults(act=_exec)
    command = commands.add_parser("backup", help="write database and files into one archive")
    command.add_argument("file", nargs="?", type=Path)
    command.set_defaults(act=_backup)
    command = commands.add_parser("restore", help="put an archive back; Goldpan must not be running")
    command.add_argument("file", type=Path)
    command.add_argument("--force", action="store_true", help="replace the data that is there")
    command.set_defaults(act=_restore)
    command = commands.add_parser("test-servers", help="run a command against throwaway servers")
    command.add_argument("command", nargs="+")
    command.set_defaults(act=_test_servers)
    command = commands.add_parser("chromium", help="find Chromium, or install it if we are root")
    command.set_defaults(act=_chromium)
    return parser


def main() -> int:
    options = _parser().parse_args()
    try:
        return int(options.act(options))
    except LauncherError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
