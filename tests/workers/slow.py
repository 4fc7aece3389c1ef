"""An extractor that waits at a gate until a test lets it go on."""

import os
import time
from pathlib import Path

from extraction.documents.document import Document
from extraction.extractors.spec import ExtractorSpec
from extraction.spans import Span

FOLDER = "SLOW_EXTRACTOR_FOLDER"
OPEN = "open"


class Gate:
    """A folder with a file for each document that the extractor may do; `OPEN` is for all the others."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def close(self, *, after: int) -> None:
        self._folder.mkdir()
        for number in range(after):
            (self._folder / str(number)).touch()

    def open(self) -> None:
        (self._folder / OPEN).touch()

    def lets_pass(self) -> bool:
        for permit in self._folder.iterdir():
            if permit.name == OPEN:
                return True
            try:
                permit.unlink()
            except FileNotFoundError:  # another process was faster
                continue
            return True
        return False


def slow(document: Document) -> list[Span]:
    gate = Gate(Path(os.environ[FOLDER]))
    while not gate.lets_pass():
        time.sleep(0.05)
    return []


SLOW = ExtractorSpec("slow", "1", "slow", slow)
