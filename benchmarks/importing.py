"""Pages a second, from the files to four extractions and scores each."""

from django.core.management import call_command

from annotator.corpora.actions import create_corpus
from annotator.home.pending import work_off
from annotator.runs.actions import enable_defaults
from annotator.runs.models import Extraction
from benchmarks.stopwatch import clock
from tests.corpora import source


def run(limit: int | None = None) -> str:
    """Import, then build, extract, place gold and score, in this one process."""
    corpus = create_corpus(slug="bench-import", name="Import")
    enabled = enable_defaults(corpus=corpus)
    format_, path = source()
    with clock() as seconds:
        call_command("import_pages", corpus.slug, format_, str(path), with_gold=True)
        imported = seconds()
        failed = work_off(corpus)
        done = seconds()
    pages = corpus.pages.count()
    extractions = Extraction.objects.filter(document__page__corpus=corpus).count()
    return "\n".join(
        [
            "## Importing",
            "",
            f"{pages} pages, {len(enabled)} extractors, one process on this machine: "
            f"{pages / imported:.0f} pages a second stored, {pages / done:.1f} pages a second all the way "
            f"({extractions} extractions, gold placed, everything scored; {failed} failed).",
        ]
    )
