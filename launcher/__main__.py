"""The command `goldpan`, in a checkout `python -m launcher`.

list, extract, evaluate, agreement, shrink and train are those of `python -m extraction`: they need no server.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from launcher import application, backup, encryption, schedule, servers
from launcher.application import MANAGE, SETTINGS
from launcher.command import environment, run_command
from launcher.data_folder import DataFolder, default_root, read_json
from launcher.errors import LauncherError
from launcher.run import run
from launcher.stop_requests import StopRequests

EXTRACTION = {
    "list": "list the extractors",
    "extract": "print the text that an extractor takes from a saved page",
    "evaluate": "score extractors on a corpus with gold",
    "agreement": "measure how far annotators agree",
    "shrink": "print the smallest page on which an extractor still makes an error",
    "train": "learn an extractor from pages with gold",
}


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
    rule = schedule.read(os.environ, data)
    if options.scheduled:
        return _scheduled_backups(data, rule)
    suffix = ".tar.age" if rule.recipients else ".tar"
    folder = rule.folder if os.environ.get("GOLDPAN_BACKUP_FOLDER") else Path("backups")
    target = options.file or folder / f"goldpan-{datetime.now(UTC):{schedule.MOMENT}}{suffix}"
    if not options.file:
        backup.make_folder(folder)
    stops = _stop_requests()
    with environment(data, os.environ, stops) as values, stops.raised():
        count = backup.back_up(data, values["DATABASE_URL"], target, rule.recipients)
    print(f"Backup: {target} (the database and {count} files; {_secrecy(target)})")
    if bucket := values.get("FILES_BUCKET"):
        print(f"The files in the bucket {bucket} are not in it: back that up by its own means.")
    return 0


def _scheduled_backups(data: DataFolder, rule: schedule.Schedule) -> int:
    if not os.environ.get("DATABASE_URL"):
        raise LauncherError("DATABASE_URL is not set. `goldpan run` makes scheduled backups by itself.")
    data.prepare()
    schedule.run(data, os.environ["DATABASE_URL"], rule)
    return 0


def _backups(options: argparse.Namespace) -> int:
    data = _data_folder()
    folder = schedule.read(os.environ, data).folder
    found = schedule.scheduled(folder)
    if not found:
        print(f"There are no scheduled backups in {folder}; GOLDPAN_BACKUP_FOLDER names another folder.")
    for path, moment in found.items():
        print(f"{moment:%Y-%m-%d %H:%M} UTC {path.stat().st_size / 1e6:>12,.1f} MB  {path}  {_secrecy(path)}")
    outcome = read_json(data.backups_file)
    if outcome.get("error"):
        raise LauncherError(f"The backup of {outcome['failed_at']} failed: {outcome['error']}")
    return 0


def _secrecy(archive: Path) -> str:
    return "encrypted" if encryption.is_encrypted(archive) else "not encrypted: keep it private"


def _make_key(options: argparse.Namespace) -> int:
    public = encryption.make_identity(options.file)
    print(f"GOLDPAN_BACKUP_RECIPIENTS={public}")
    return 0


def _restore(options: argparse.Namespace) -> int:
    data, stops = _data_folder(), _stop_requests()
    data.prepare()
    with data.locked(), servers.running(data, os.environ, stops) as (urls, _processes):
        url, identity = urls["DATABASE_URL"], options.identity
        with stops.raised():
            count = backup.restore(data, url, options.file, force=options.force, identity_file=identity)
        print(f"Restored: {options.file} (the database and {count} files)", flush=True)
        _say_where_files_lie(data, os.environ.get("FILES_BUCKET"), count)
        # The archive may be of an earlier version.
        values = application.environment(data, urls, os.environ)
        return run_command([*MANAGE, "migrate", "--noinput", "--verbosity", "0"], values | SETTINGS, stops)


def _say_where_files_lie(data: DataFolder, bucket: str | None, restored: int) -> None:
    """Say what is to be done before the start, where the files are not in a folder as in the archive."""
    if bucket and restored:
        print(f"Goldpan looks for files in the bucket {bucket}: before it starts, copy {data.files} to it.")
    elif bucket:
        print(f"The files in the bucket {bucket} are as they were: restore them by its own means.")
    elif not restored:
        print("No files were in it. If they lie in a bucket, start Goldpan with its FILES_BUCKET.")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="goldpan", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("run", help="start everything, until INT or TERM")
    command.set_defaults(act=_run)
    # The arguments of these are not parsed here: see `main`.
    commands.add_parser("manage", help="run one of manage.py's commands, starting the servers if need be")
    for name, about in EXTRACTION.items():
        commands.add_parser(name, help=about)
    command = commands.add_parser("backup", help="write database and files into one archive")
    command.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        help="the archive; if left out, goldpan-DATE-TIME.tar in GOLDPAN_BACKUP_FOLDER, or in backups/ here",
    )
    command.add_argument(
        "--scheduled", action="store_true", help="make them at GOLDPAN_BACKUP_AT, until TERM"
    )
    command.set_defaults(act=_backup)
    command = commands.add_parser("backups", help="list the scheduled backups")
    command.set_defaults(act=_backups)
    command = commands.add_parser("make-key", help="make a key to encrypt backups; FILE gets the private one")
    command.add_argument("file", type=Path, metavar="FILE")
    command.set_defaults(act=_make_key)
    command = commands.add_parser(
        "restore", help="restore an archive and migrate; Goldpan must not be running"
    )
    command.add_argument("file", type=Path, metavar="FILE", help="the archive")
    command.add_argument("--force", action="store_true", help="replace existing data")
    command.add_argument("--identity", type=Path, help="file with the private key of an encrypted archive")
    command.set_defaults(act=_restore)
    return parser


def main() -> int:
    """Run one command; return the exit status."""
    name, arguments = sys.argv[1:2], sys.argv[2:]
    if name and name[0] in EXTRACTION:
        # By its name: the launcher itself needs none of its libraries.
        extraction = importlib.import_module("extraction.__main__")
        return int(extraction.main(sys.argv[1:], program="goldpan"))
    try:
        if name == ["manage"]:
            return _manage(arguments)
        options = _parser().parse_args()
        return int(options.act(options))
    except LauncherError as error:
        print(error, file=sys.stderr)
    except servers.Interrupted:
        print("Stopped before it began.", file=sys.stderr)
        return 130
    except KeyboardInterrupt as stopped:
        print(str(stopped) or "Stopped. Nothing is lost; run the same command again.", file=sys.stderr)
        return 130
    except OSError as error:
        what = f"{error.filename}: " if error.filename else ""
        what += error.strerror or str(error)
        where = f"The data folder is {_data_folder().root}; GOLDPAN_HOME chooses another."
        print(f"{what}. {where}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
