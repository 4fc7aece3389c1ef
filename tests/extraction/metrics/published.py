"""What published systems extracted from the Scrapinghub pages, where it lies; our own toy output always."""

import json
from collections.abc import Iterator
from typing import Any

from tests.extraction.corpora import PUBLISHED
from tests.extraction.metrics.test_toy_texts import FOUND, GOLD

FOLDER = PUBLISHED / "output"
#: Gold and output of three pages; on the second the system found nothing.
TOY = [(GOLD, FOUND), (GOLD, ""), (GOLD, GOLD)]
OUTPUTS = ["toy", *sorted(path.stem for path in FOLDER.glob("*.json"))]


def read_outputs(system: str) -> Iterator[tuple[str, str]]:
    """Gold and extracted text, page by page."""
    if system == "toy":
        yield from TOY
        return
    truth = _json(PUBLISHED / "ground-truth.json")
    output = _json(FOLDER / f"{system}.json")
    for page, said in sorted(output.get("output", output).items()):
        yield truth[page]["articleBody"], said["articleBody"] or ""


def _json(path: Any) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
