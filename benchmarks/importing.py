"""Import throughput: pages per second, from files to extractions and scores."""

from django.core.management import call_command

from annotator.corpora.actions import create_corpus
from annotator.home.pending import run_pending
from annotator.runs.actions import enable_defaults
from annotator.runs.models import Extraction
from benchmarks.stopwatch import clock
from tests.corpora import source


def run(limit: int | None = None) -> str:
    """Import, parse, extract, align gold and score, in this process."""
    corpus = create_corpus(slug="bench-import", name="Import")
    enabled = enable_defaults(corpus=corpus)
    format_, path = source()
    with clock() as seconds:
        call_command("import_pages", corpus.slug, format_, str(path), with_gold=True)
        imported = seconds()
        failed = run_pending(corpus)
        done = seconds()
    pages = corpus.pages.count()
    extractions = Extraction.objects.filter(document__page__corpus=corpus).count()
    return "\n".join(
        [
            "## Importing",
            "",
            f"{pages} pages, {len(enabled)} extractors, one process: "
            f"{pages / imported:.0f} pages per second stored, {pages / done:.1f} pages per second "
            f"fully processed ({extractions} extractions, gold aligned, everything scored; {failed} failed).",
        ]
    )
