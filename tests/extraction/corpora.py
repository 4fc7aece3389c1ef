"""Pages with gold text for tests: our own always, published ones where they lie beside the repository."""

import gzip
import json
from functools import cache
from pathlib import Path

PUBLISHED = Path(__file__).resolve().parents[2].parent / "shared" / "corpora" / "scrapinghub"

P1 = (
    "The council said on Monday that the bridge, which had been closed for most of the year, "
    "would open again in the spring."
)
P2 = (
    "It said the work on it had cost more than it had been told it would when the plan was made "
    "in the first place, but that it was safe."
)
P3 = (
    "People who live near it have been asked to use the other road until then, and buses will go "
    "round by the school."
)
#: The page that both Java versions of Boilerpipe were run on.
EXAMPLE = (
    "<html lang=en><head><title>Bridge opens - Daily</title></head><body><div><ul><li><a>Home</a></li>"
    f"<li><a>News</a></li></ul></div><div><h1>Bridge opens</h1><p>{P1}</p><p>{P2}</p><p>Photo: Ann Lee</p>"
    f"<div><a>Buy cheap tickets</a> <a>More offers</a></div><p>{P3}</p></div>"
    "<div>Copyright 2010 Daily</div></body></html>"
)


@cache
def gold_texts() -> dict[str, list[tuple[bytes, str]]]:
    """Name of a corpus -> its pages as raw bytes with the gold text, in a fixed order."""
    own = {"own": [(EXAMPLE.encode(), f"{P1}\n{P2}\n{P3}")]}
    return own | ({"scrapinghub": _published()} if PUBLISHED.is_dir() else {})


def _published() -> list[tuple[bytes, str]]:
    ground_truth = json.loads((PUBLISHED / "ground-truth.json").read_text(encoding="utf-8"))
    return [
        (gzip.decompress((PUBLISHED / "html" / f"{name}.html.gz").read_bytes()), entry["articleBody"])
        for name, entry in sorted(ground_truth.items())
    ]
