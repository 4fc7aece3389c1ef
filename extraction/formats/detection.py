"""Which corpus a folder holds: known by its files, as nobody should have to say it."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from extraction.formats import (
    boilernet,
    cleaneval,
    dragnet,
    inception,
    l3s,
    label_studio,
    scrapinghub,
    wcxb,
    webanno_tsv,
)

#: Pages and archives of pages, in any mixture; see `files`.
FILES = "files"
# How many folders that hold nothing but one folder are passed through.
_MAX_WRAPPERS = 5


class Detected(NamedTuple):
    """A format and the folder in which it begins."""

    format: str
    path: Path


def detect(folder: Path) -> Detected:
    """The format of a folder, or of the one folder in it; `files` where it is no published set."""
    path = folder
    for _ in range(_MAX_WRAPPERS):
        for name, holds in _SHAPES.items():
            if holds(path):
                return Detected(name, path)
        entries = [entry for entry in path.iterdir() if not entry.name.startswith(".")]
        # Whoever sends a set with a licence beside it means the set.
        folders = [entry for entry in entries if entry.is_dir()]
        if len(folders) != 1 or any(entry.suffix.lower() in _PAGES for entry in entries):
            break
        path = folders[0]
    return Detected(FILES, folder)


_PAGES = frozenset({".html", ".htm", ".mhtml", ".mht", ".warc", ".gz", ".jsonl"})


def _has(*names: str) -> Callable[[Path], bool]:
    return lambda path: all((path / name).exists() for name in names)


def _is_cleaneval(path: Path) -> bool:
    def holds(folder: Path) -> bool:
        return (folder / cleaneval.PAGES).is_dir() and (folder / cleaneval.GROUND_TRUTH).is_dir()

    return holds(path) or any(holds(inner) for inner in path.iterdir() if inner.is_dir())


_SHAPES: dict[str, Callable[[Path], bool]] = {
    "scrapinghub": _has(scrapinghub.GROUND_TRUTH, "html"),
    "wcxb": _has(wcxb.GROUND_TRUTH, "html"),
    "boilernet": _has(boilernet.PAGES, boilernet.PREPARED),
    "dragnet": _has(dragnet.PAGES, dragnet.GROUND_TRUTH),
    "cleaneval": _is_cleaneval,
    "inception": lambda path: _has(inception.TYPES)(path) and any(path.glob("*.xmi")),
    "webanno-tsv": lambda path: any(map(webanno_tsv.is_tsv, path.glob("*.tsv"))),
    "label-studio": lambda path: label_studio.tasks_file(path) is not None,
    "l3s-gn1": lambda path: _has(l3s.PAGES, l3s.ANNOTATED)(path) or l3s.has_annotated_copies(path),
}
