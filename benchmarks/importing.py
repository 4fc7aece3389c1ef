"""Import throughput: every published set with its gold, generated pages, and the whole way to scores."""

import io
import random
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from django.core.management import call_command
from django.test import Client

from annotator.corpora.actions import grant_role
from annotator.corpora.models import Corpus, User
from annotator.home.actions import create_corpus
from annotator.home.pending import run_pending
from annotator.pages.imports.models import Import
from annotator.runs.actions import DEFAULT_EXTRACTORS
from annotator.runs.models import Extraction
from benchmarks.steps import printed_by
from benchmarks.stopwatch import clock
from tests.annotator.pages.imports.made import import_all
from tests.corpora import SCRAPINGHUB, source

# Each with the folders in which it lies.
SETS = {
    "scrapinghub": ("scrapinghub",),
    "wcxb": ("wcxb",),
    "cleaneval": ("cleaneval", "cleanportaleval"),
    "dragnet": ("dragnet",),
}
GENERATED = 20_000
PARAGRAPHS, WORDS = 60, 60


def run(limit: int | None = None) -> str:
    """Import published sets by uploads, generated pages by the command, and one set all the way."""
    lines = [*_published(limit), "", _generated(min(limit or GENERATED, GENERATED)), "", _all_the_way()]
    return "\n".join(["## Importing", "", *lines])


# ---- published sets, uploaded as ZIP archives ----


def _published(limit: int | None) -> Iterator[str]:
    if not SCRAPINGHUB.is_dir():
        yield "The published sets do not lie beside the project."
        return
    corpus = create_corpus(slug="bench-sets", name="Sets", extractors=())
    admin = User.objects.create(username="bench-admin")
    grant_role(corpus=corpus, user=admin, role="admin")
    client = Client(headers={"accept": "application/json", "host": "localhost"})
    client.force_login(admin)
    yield "Uploaded as ZIP archives, with a preview first:"
    yield ""
    yield "| set | records | new | already there | refused | with gold | seconds, preview and import |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for name, folders in SETS.items():
        for folder in folders:
            with clock() as seconds:
                run = import_all(
                    client, {f"{folder}.zip": _zipped(folder, limit)}, with_gold=True, slug=corpus.slug
                )
            assert run.format == name, (folder, run.format, run.error)
            yield (
                f"| {folder} | {run.position} | {run.new} | {run.duplicates} | {run.refused} "
                f"| {run.gold} | {seconds():.0f} |"
            )


def _zipped(folder: str, limit: int | None) -> bytes:
    """The set as an archive; with a limit, of the first files of each of its folders."""
    root = SCRAPINGHUB.parent
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for inside in (root / folder, *sorted((root / folder).rglob("*/"))):
            files = [
                file for file in sorted(inside.iterdir()) if file.is_file() and "output" not in file.parts
            ]
            for file in files[: limit and 20 * limit]:
                archive.write(file, file.relative_to(root).as_posix())
    return buffer.getvalue()


# ---- generated pages ----


def _generated(count: int) -> str:
    corpus = create_corpus(slug="bench-import", name="Import", extractors=())
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        size = sum(_write_page(folder, number) for number in range(count))
        took = printed_by("benchmarks.import_step", corpus.slug, str(folder))
    assert Import.objects.get(corpus=corpus).new == count
    return (
        f"{count} generated pages of {size / count / 1024:.0f} KiB, by the command: "
        f"{count / took['seconds']:.0f} pages per second stored; {took['peak'] / 1024:.0f} MB at most in a "
        "process."
    )


def _write_page(folder: Path, number: int) -> int:
    """Write a page of made-up words; return its bytes."""
    draw = random.Random(number)
    words = [f"{draw.getrandbits(40):x}" for _ in range(200)]
    paragraphs = "".join(f"<p>{' '.join(draw.choices(words, k=WORDS))}</p>\n" for _ in range(PARAGRAPHS))
    page = f"<!doctype html><html><head><title>{number}</title></head><body>{paragraphs}</body></html>"
    return (folder / f"{number:06}.html").write_bytes(page.encode())


# ---- all the way ----


def _all_the_way() -> str:
    corpus = create_corpus(slug="bench-scores", name="Scores")
    format_, path = source()
    with clock() as seconds:
        call_command("import_pages", corpus.slug, format_, str(path), with_gold=True)
        failed = run_pending(corpus)
        done = seconds()
    return _figures(corpus, len(DEFAULT_EXTRACTORS), failed, done)


def _figures(corpus: Corpus, enabled: int, failed: int, done: float) -> str:
    pages = corpus.pages.count()
    extractions = Extraction.objects.filter(document__page__corpus=corpus).count()
    return (
        f"{pages} pages, {enabled} extractors, one process: {pages / done:.1f} pages per second fully "
        f"processed ({extractions} extractions, gold aligned, everything scored; {failed} failed)."
    )
