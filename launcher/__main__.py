"""The command `goldpan`, in a checkout `python -m launcher`.

list, extract, evaluate and agreement are those of `python -m extraction`: they need no server.
"""

import argparse
import os
import runpy
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from launcher import backup, servers
from launcher.application import MANAGE, SETTINGS
from launcher.command import environment, run_command
from launcher.data_folder import DataFolder, default_root
from launcher.errors import LauncherError
from launcher.run import run
from launcher.stop_requests import StopRequests

EXTRACTION = ("list", "extract", "evaluate", "agreement")


def _data_folder() -> DataFolder:
    return DataFolder(Path(os.environ.get("GOLDPAN_HOME") or default_root()))


def _stop_requests() -> StopRequests:
    stops = StopRequests()
    stops.install()
    return stops


def _run(options: argparse.Namespace) -> int:
    run(_data_folder(), os.environ)
    return 0


def _manage(arguments: Sequence[str]) -> int:
    stops = _stop_requests()
    with environment(_data_folder(), os.environ, stops) as values:
        return run_command([*MANAGE, *arguments], values | SETTINGS, stops)


def _backup(options: argparse.Namespace) -> int:
    data = _data_folder()
    target = options.file or Path("backups") / f"goldpan-{datetime.now(UTC):%Y%m%d-%H%M%S}.tar"
    with environment(data, os.environ, _stop_requests()) as values:
        count = backup.back_up(data, values["DATABASE_URL"], target)
    print(f"Backup: {target} (the database and {count} files; keep it private)")
    return 0


def _restore(options: argparse.Namespace) -> int:
    data, stops = _data_folder(), _stop_requests()
    data.prepare()
    with data.locked(), servers.running(data, os.environ, stops) as (urls, _processes):
        count = backup.restore(data, urls["DATABASE_URL"], options.file, force=options.force)
    print(f"Restored: {options.file} (the database and {count} files)")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="goldpan", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("run", help="start everything, until INT or TERM")
    command.set_defaults(act=_run)
    # The arguments of these are not parsed here: see `main`.
    commands.add_parser("manage", help="run one of manage.py's commands, starting the servers if need be")
    for name in EXTRACTION:
        commands.add_parser(name, help=f"the same as python -m extraction {name}")
    command = commands.add_parser("backup", help="write database and files into one archive")
    command.add_argument("file", nargs="?", type=Path)
    command.set_defaults(act=_backup)
    command = commands.add_parser("restore", help="restore an archive; Goldpan must not be running")
    command.add_argument("file", type=Path)
    command.add_argument("--force", action="store_true", help="replace existing data")
    command.set_defaults(act=_restore)
    return parser


def main() -> int:
    """Run one command; return the exit status."""
    name, arguments = sys.argv[1:2], sys.argv[2:]
    if name and name[0] in EXTRACTION:
        runpy.run_module("extraction", run_name="__main__", alter_sys=True)
    try:
        if name == ["manage"]:
            return _manage(arguments)
        options = _parser().parse_args()
        return int(options.act(options))
    except LauncherError as error:
        print(error, file=sys.stderr)
    except OSError as error:
        what = error.strerror or str(error)
        where = f" The data folder is {_data_folder().root}; GOLDPAN_HOME chooses another."
        print(f"{error.filename}: {what}.{where}" if error.filename else what, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
