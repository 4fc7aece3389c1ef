"""Exports at size: small documents with gold, as text and spans, and what that takes of time and memory.

Rows are made in bulk in a corpus of their own; nothing of them is in the file store. Each export is a process
of its own: `python -m benchmarks.exporting FORMAT SLUG PATH`.
"""

import json
import os
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.memory import peak
from benchmarks.results import yes_no
from benchmarks.steps import printed_by

if TYPE_CHECKING:
    from annotator.corpora.models import Corpus

FORMATS = ("jsonl", "csv", "parquet", "huggingface", "label-studio", "web-annotation")
PAGES, SHARE = 100_000, 10
BATCH = 2000
# Documents a second, and MB.
RATE, PEAK = 5_000, 500
SLUG = "bench-exporting"


def run(limit: int | None = None) -> str:
    """Export a tenth of the documents and then all, in each format: memory has to be the same."""
    from annotator.corpora.actions import create_corpus

    pages = min(limit or PAGES, PAGES)
    few = max(1, pages // SHARE)
    corpus = create_corpus(slug=SLUG, name="Exporting", languages=["en"])
    fill(corpus, range(few))
    of_few = {name: _measured(name) for name in FORMATS}
    fill(corpus, range(few, pages))
    of_all = {name: _measured(name) for name in FORMATS}
    return "\n".join(
        [
            "## Exporting",
            "",
            f"{pages:,} documents of six blocks with gold on four, as text and spans, one process an export; "
            f"load {os.getloadavg()[0]:.1f} at the end. Rates by the clock, and by "
            "the CPU time of the process and of the database's together, which is what a free core takes.",
            "",
            f"| format | documents a second | a second of CPU | MB | peak MB | peak MB of {few:,} | met |",
            "| --- | ---: | ---: | ---: | ---: | ---: | --- |",
            *(_row(name, pages, of_all[name], of_few[name]) for name in FORMATS),
            "",
            f"Targets: {RATE:,} a second; a peak of at most {PEAK} MB, and at most a tenth above that of "
            f"{few:,}.",
        ]
    )


def _row(name: str, pages: int, found: dict[str, Any], of_few: dict[str, Any]) -> str:
    rate, of_cpu = pages / found["seconds"], pages / (found["cpu"] + found["database"])
    most, most_of_few = found["peak"] / 1024, of_few["peak"] / 1024
    met = yes_no(rate >= RATE and most <= min(PEAK, 1.1 * most_of_few))
    megabytes = f"{found['size'] / 1e6:.0f} | {most:.0f} | {most_of_few:.0f}"
    return f"| {name} | {rate:,.0f} | {of_cpu:,.0f} | {megabytes} | {met} |"


def _measured(name: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        return printed_by("benchmarks.exporting", name, SLUG, str(Path(folder) / "out"))


def export(name: str, slug: str, path: Path) -> dict[str, Any]:
    """Return seconds, CPU seconds of this process, the file's bytes and the peak of memory in KB."""
    from annotator.corpora.models import Corpus
    from annotator.releases.exports.actions import write
    from annotator.releases.exports.contents import Contents

    contents = Contents(corpus=Corpus.objects.get(slug=slug), format=name, pages=False)
    began, cpu, of_database = time.perf_counter(), time.process_time(), _cpu_of_database()
    write(contents, path)
    return {
        "seconds": time.perf_counter() - began,
        "cpu": time.process_time() - cpu,
        "database": _cpu_of_database() - of_database,
        "size": path.stat().st_size,
        "peak": peak(),
    }


def _cpu_of_database() -> float:
    """CPU seconds of the process of PostgreSQL that answers this one."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("select pg_backend_pid()")
        (pid,) = cursor.fetchone()
    # After the name in brackets: the eleventh and twelfth field are the ticks in user and kernel mode.
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def fill(corpus: "Corpus", all_numbers: range) -> None:
    """Add pages with a document of six blocks and gold on four of them."""
    from annotator.gold.models import Gold
    from annotator.pages.models import Page, StoredDocument

    for begin in range(all_numbers.start, all_numbers.stop, BATCH):
        numbers = range(begin, min(begin + BATCH, all_numbers.stop))
        made = Page.objects.bulk_create(
            Page(
                corpus=corpus,
                sha256=sha256(f"page {number}".encode()).hexdigest(),
                url=f"https://news{number % 500}.example.org/{number}",
                site=f"news{number % 500}.example.org",
                language="en",
                size=20_000,
            )
            for number in numbers
        )
        texts = [_text(number) for number in numbers]
        documents = StoredDocument.objects.bulk_create(
            StoredDocument(
                page=page,
                version="6+made",
                text=text,
                sha256=sha256(text.encode()).hexdigest(),
                length=len(text),
                blocks=[],
                encoding="utf-8",
                encoding_source="made",
                packed_sha256="0" * 64,
                view_sha256="0" * 64,
            )
            for page, text in zip(made, texts, strict=True)
        )
        for page, document in zip(made, documents, strict=True):
            page.document = document
        Page.objects.bulk_update(made, ["document"])
        Gold.objects.bulk_create(
            Gold(
                page=document.page,
                number=1,
                document=document,
                verdict="article",
                spans=_spans(document.text),
                distinguishable_labels=["headline", "body", "supplemental", "comments", "related"],
                source="unanimous",
            )
            for document in documents
        )


def _text(number: int) -> str:
    blocks = [f"Story {number} of the bay 🌉"]
    blocks += [f"Paragraph {part} of story {number}: " + "the ferry sails again. " * 12 for part in range(5)]
    return "\n\n".join(block.strip() for block in blocks)


def _spans(text: str) -> list[tuple[int, int, str, str]]:
    spans, at = [], 0
    for label, block in zip(("headline", "body", "supplemental", "body"), text.split("\n\n"), strict=False):
        spans.append((at, at + len(block), label, "unanimous"))
        at += len(block) + 2
    return spans


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps(export(sys.argv[1], sys.argv[2], Path(sys.argv[3]))))
