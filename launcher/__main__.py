"""python -m launcher: what the Makefile calls."""

import argparse
import os
import subprocess
import sys

from launcher import chromium, testing
from launcher.errors import LauncherError


def _test_servers(options: argparse.Namespace) -> int:
    with testing.servers() as environment:
        return subprocess.run(options.command, env={**os.environ, **environment}, check=False).returncode


def _chromium(options: argparse.Namespace) -> int:
    print(f"Chromium: {chromium.ensure()}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m launcher", description=__doc__)
    commands = parser.add_subparsers(required=True)
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
