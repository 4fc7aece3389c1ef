"""python -m launcher: what the Makefile calls."""

import argparse
import os
import sys
from pathlib import Path

from launcher import chromium, run, session, testing
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
