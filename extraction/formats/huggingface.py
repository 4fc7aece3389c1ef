"""`huggingface`: a folder that `datasets.load_dataset` opens, and that is uploaded to the Hub as it is.

A Parquet file for each split, and the card, `README.md`, with the header that the Hub reads.
"""

from collections.abc import Iterable
from typing import Any

from extraction.formats.licences import licence_of
from extraction.formats.parquet import Part, columns_of, parts_of
from extraction.formats.records import PageRecord
from extraction.formats.writing import DatasetFacts, FolderWriter, PageParts, Sink
from extraction.formats.yaml_fields import yaml_fields

# What the Hub calls a set's size, by the pages that it stays below.
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LARGEST = "n>1M"


def produce(records: Iterable[PageRecord], sink: Sink, facts: DatasetFacts) -> None:
    """Write the parts and the card."""
    with parts_of(records, sink.scratch, facts) as parts:
        for part in parts:
            sink.add(f"data/{part.path.name}", part.path)
    pages = sum(part.pages for part in parts)
    sink.write("README.md", card(parts, pages, facts).encode())


def card(parts: list[Part], pages: int, facts: DatasetFacts) -> str:
    """The card: a header in YAML, what the columns are, and the datasheet."""
    header = yaml_fields(_header(parts, pages, facts))
    rows = "\n".join(f"| `{column.name}` | {column.meaning} |" for column in columns_of(facts))
    note = (
        ""
        if any(part.split != "train" for part in parts)
        else "\nThe pages are not split: all are in `train`.\n"
    )
    summary = facts.summary or f"# {facts.title}\n"
    return f"---\n{header}---\n\n{summary}\n## Columns\n{note}\n| column | meaning |\n| --- | --- |\n{rows}\n"


def _header(parts: list[Part], pages: int, facts: DatasetFacts) -> dict[str, Any]:
    licence = licence_of(facts.licence)
    return {
        "pretty_name": facts.title,
        **_licence_of(facts),
        **({"language": [each.split("-")[0] for each in facts.languages]} if facts.languages else {}),
        "task_categories": ["token-classification"],
        "tags": ["content-extraction", "boilerplate-removal", "news", "html"],
        "annotations_creators": ["expert-generated"],
        "size_categories": [next((name for most, name in _SIZES if pages < most), _LARGEST)],
        "configs": [
            {
                "config_name": "default",
                "data_files": [
                    {"split": _SPLITS[part.split], "path": f"data/{part.path.name}"} for part in parts
                ],
            }
        ],
        **({"license_link": licence.url} if licence else {}),
    }


_SPLITS = {"train": "train", "dev": "validation", "test": "test"}


def _licence_of(facts: DatasetFacts) -> dict[str, str]:
    licence = licence_of(facts.licence)
    if licence:
        return {"license": licence.key}
    return {"license": "other", "license_name": facts.licence} if facts.licence else {"license": "unknown"}


WRITER = FolderWriter(
    produce=produce,
    pages=PageParts.OPTIONAL,
    annotations=True,
    at_root=True,
)
