"""`croissant`: Parquet files described by Croissant 1.1, with its fields of responsible AI.

`croissant.json` is what venues ask for and what search engines of datasets read; it names each file with its
SHA-256, and each column.
"""

import json
from collections.abc import Iterable
from hashlib import file_digest
from typing import Any, NamedTuple

from extraction.formats.licences import licence_of
from extraction.formats.parquet import ANNOTATIONS, UNSPLIT, ParquetColumn, columns_of, parts_of
from extraction.formats.records import PageRecord
from extraction.formats.writing import DatasetFacts, FolderWriter, PageParts, Sink

VERSIONS = ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"]
# The context that the specification prints; validators compare it.
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    **{
        name: f"cr:{name}"
        for name in (
            "arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field",
            "fileObject", "fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset",
            "jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex", "repeated",
            "replace", "samplingRate", "separator", "source", "subField", "transform",
        )
    },
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
}  # fmt: skip


class Described(NamedTuple):
    """A file of the set."""

    split: str
    name: str
    sha256: str
    size: int


def produce(records: Iterable[PageRecord], sink: Sink, facts: DatasetFacts) -> None:
    """Write the parts, then what describes them."""
    files = []
    with parts_of(records, sink.scratch, facts) as parts:
        for part in parts:
            with part.path.open("rb") as stream:
                digest = file_digest(stream, "sha256").hexdigest()
            name, size = f"data/{part.path.name}", part.path.stat().st_size
            files.append(Described(part.split, name, digest, size))
            sink.add(name, part.path)
    sink.write("croissant.json", _json(metadata(files, facts)))


def _json(value: dict[str, Any]) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def metadata(files: list[Described], facts: DatasetFacts) -> dict[str, Any]:
    """The whole of `croissant.json`."""
    licence = licence_of(facts.licence)
    stated = licence.url if licence else facts.licence
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": VERSIONS,
        "name": _name(facts),
        "alternateName": facts.title,
        "description": facts.note or f"Gold standard of content extraction: {facts.title}.",
        "version": f"{facts.version or 0}.0.0",
        "creator": {"@type": "sc:Organization", "name": facts.contributors},
        "citeAs": cite(facts),
        **({"license": stated} if stated else {}),
        **({"inLanguage": list(facts.languages)} if facts.languages else {}),
        **responsible_ai(facts),
        "distribution": [_file(each) for each in files],
        "recordSet": [_splits(files), *(_records(each, facts) for each in files)],
    }


def _name(facts: DatasetFacts) -> str:
    return f"{facts.slug}-{facts.version}" if facts.version else facts.slug


def cite(facts: DatasetFacts) -> str:
    """How to cite it, as BibTeX; braces and backslashes, which would end a field, are left out."""
    title = "".join(char for char in facts.title if char not in "{}\\")
    digest = f", note = {{SHA-256 of the manifest: {facts.sha256}}}" if facts.sha256 else ""
    return f"@misc{{{_name(facts)}, title = {{{title}}}{digest}}}"


def responsible_ai(facts: DatasetFacts) -> dict[str, Any]:
    """What the datasheet says, under the names of Croissant's vocabulary of responsible AI."""
    limitations = [*facts.known_limitations, *([facts.limitations] if facts.limitations else [])]
    return {
        "rai:dataCollection": facts.collection or "Not stated.",
        "rai:dataCollectionType": ["Web Scraping", "Manual Human Curator"],
        "rai:dataCollectionRawData": "News pages as captured, kept byte for byte and known by their SHA-256.",
        **(
            {
                "rai:dataCollectionTimeFrame": [f"{day}T00:00:00+00:00" for day in facts.captured],
            }
            if facts.captured
            else {}
        ),
        "rai:dataPreprocessingProtocol": [
            "Pages are parsed by the HTML standard's rules, and scripts are not run; the text is the visible "
            "text in blocks, with runs of blanks as one."
        ],
        "rai:dataAnnotationProtocol": (
            "Annotators mark a page without seeing each other's marks, and a third person adjudicates where "
            f"they differ. Labels: {', '.join(facts.labels)}."
        ),
        "rai:dataAnnotationPlatform": ["Goldpan"],
        **({"rai:dataAnnotationAnalysis": [facts.agreement]} if facts.agreement else {}),
        "rai:annotationsPerItem": _annotations_per_page(facts),
        "rai:machineAnnotationTools": [
            "A page may have shown an extractor's output to annotate from; at least a fifth showed none."
        ],
        "rai:dataUseCases": ["Training", "Validation", "Testing"],
        "rai:dataLimitations": limitations or ["None stated."],
        "rai:personalSensitiveInformation": [
            "News pages name people. Annotators are not named; a page that is taken down leaves all releases."
        ],
        "rai:dataReleaseMaintenancePlan": (
            "Releases are numbered and never change; errors are listed as errata, and corrected later."
        ),
    }


def _annotations_per_page(facts: DatasetFacts) -> str:
    found = ", ".join(f"{name} {pages}" for name, pages in sorted(facts.sources.items()))
    several = "Two or more where the gold is unanimous or adjudicated, one or none elsewhere."
    return f"{several} Pages by source of the gold: {found}." if found else several


def _file(file: Described) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": f"{file.split}.parquet",
        "name": f"{file.split}.parquet",
        "contentUrl": file.name,
        "encodingFormat": "application/x-parquet",
        "contentSize": f"{file.size} B",
        "sha256": file.sha256,
    }


def _splits(files: list[Described]) -> dict[str, Any]:
    """The names of the splits, as the specification has them."""
    names = [each.split for each in files] or [UNSPLIT]
    return {
        "@type": "cr:RecordSet",
        "@id": "splits",
        "name": "splits",
        "key": {"@id": "splits/name"},
        "dataType": "cr:Split",
        "field": [{"@type": "cr:Field", "@id": "splits/name", "name": "name", "dataType": "sc:Text"}],
        "data": [{"splits/name": name} for name in names],
    }


def _records(file: Described, facts: DatasetFacts) -> dict[str, Any]:
    """The pages of one file and their columns; the column `split` names the set it belongs to."""
    return {
        "@type": "cr:RecordSet",
        "@id": file.split,
        "name": file.split,
        "key": {"@id": f"{file.split}/sha256"},
        "field": [_field(file, column) for column in columns_of(facts)],
    }


def _field(file: Described, column: ParquetColumn) -> dict[str, Any]:
    name = f"{file.split}/{column.name}"
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": name,
        "name": column.name,
        "description": column.meaning,
    }
    source = {"fileObject": {"@id": f"{file.split}.parquet"}, "extract": {"column": column.name}}
    if column.croissant:
        repeated = {"repeated": True} if column.arrow == "strings" else {}
        return {**field, "dataType": column.croissant, **repeated, "source": source}
    parts = ("annotator", "verdict", "reason") if column == ANNOTATIONS else ("start", "end", "label")
    return {
        **field,
        "repeated": True,
        "source": source,
        "subField": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{part}",
                "name": part,
                "dataType": "sc:Integer" if part in ("start", "end") else "sc:Text",
                "source": {**source, "transform": {"jsonPath": part}},
            }
            for part in parts
        ],
    }


WRITER = FolderWriter(
    produce=produce,
    pages=PageParts.OPTIONAL,
    annotations=True,
    at_root=True,
)
