"""Releases of ten thousand pages: building two, exporting one twice, and comparing them."""

import tempfile
import uuid
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from django.utils import timezone

from annotator.annotations.models import Annotation, Revision, Round, Slot, Submission
from annotator.common import storage
from annotator.corpora.actions import create_corpus
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Gold
from annotator.pages.models import Page, StoredDocument
from benchmarks.load import LINKS, PARAGRAPH, documents_like
from benchmarks.steps import printed_by
from extraction.sandbox import Parser
from tests.factories import make_user, page_maker

PAGES = 10_000
AT_ONCE = 1_000
SLUG = "bench-releases"
STEPS = ("build", "export", "export again", "build the next", "compare")
SITES, PEOPLE, PARAGRAPHS = 500, 2, 40
MISSED_SHARE = 0.05
TEMPLATE = (
    "<title>Ferry</title><nav>{links}</nav><article><h1>Ferry returns</h1>{body}</article>"
    "<footer>Contact</footer><!-- {number} -->"
)


def run(limit: int | None = None) -> str:
    """Measure the CPU time, queries and peak memory of each step; check that both exports are identical."""
    pages = min(limit or PAGES, PAGES)
    fill(create_corpus(slug=SLUG, name="Releases", languages=["en", "es"]), pages)
    with tempfile.TemporaryDirectory() as folder:
        took = {step: _measured(step, Path(folder)) for step in STEPS}
    same = took["export"]["digest"] == took["export again"]["digest"]
    return "\n".join(
        [
            "## Releases",
            "",
            f"A corpus of {pages} synthetic pages of {PARAGRAPHS} paragraphs, each annotated by {PEOPLE}, "
            "with gold that is not counted yet. Each step is a process of its own: its CPU time without that "
            "of the database, its queries, and its peak memory including imports. Before the next release, "
            "the gold of one page in a hundred changes.",
            "",
            "| step | CPU s per 1,000 pages | queries per page | peak MB |",
            "| --- | ---: | ---: | ---: |",
            *(_row(step, pages, took[step]) for step in STEPS),
            "",
            f"Both exports are {'identical' if same else 'NOT IDENTICAL'}.",
        ]
    )


def _row(step: str, pages: int, took: dict[str, Any]) -> str:
    cpu, queries = 1_000 * took["cpu"] / pages, took["queries"] / pages
    return f"| {step} | {cpu:.2f} | {queries:.3f} | {took['peak'] / 1024:.0f} |"


def _measured(step: str, folder: Path) -> dict[str, Any]:
    path = folder / ("release.zip" if step.startswith("export") else "nothing")
    return printed_by("benchmarks.release_step", step, SLUG, str(path))


# ---- the corpus ----


def fill(corpus: Corpus, pages: int) -> None:
    """Create rows for so many pages with gold: one page is parsed, the others copy its document."""
    with Parser() as parser:
        like = page_maker(corpus, parser)(_html(0), opened=False).documents.get()
    people, dice = [make_user(f"release{n}") for n in range(PEOPLE)], Random(1)
    for begin in range(1, pages + 1, AT_ONCE):
        documents = _documents(corpus, like, range(begin, min(begin + AT_ONCE, pages + 1)))
        _annotate(corpus, documents, people, dice)
        _add_gold(documents, dice)


def _html(number: int) -> str:
    body = "".join(PARAGRAPH.format(n=n) for n in range(PARAGRAPHS))
    return TEMPLATE.format(links=LINKS, body=body, number=number)


def _documents(corpus: Corpus, like: StoredDocument, numbers: range) -> list[StoredDocument]:
    now = timezone.now()
    pages = Page.objects.bulk_create(
        Page(
            corpus=corpus,
            sha256=storage.put(_html(number).encode()),
            size=like.page.size,
            url=f"https://news{number % SITES}.example.com/{number}",
            site=f"news{number % SITES}.example.com",
            title=f"Ferry {number}",
            language="es" if number % 5 == 0 else "en",
            captured_at=now - timedelta(days=number % 90),
            finished_at=now,
        )
        for number in numbers
    )
    for page in pages:
        page.cluster = page
    Page.objects.bulk_update(pages, ["cluster"])
    return documents_like(like, pages)


def _annotate(
    corpus: Corpus, documents: Sequence[StoredDocument], people: Sequence[User], dice: Random
) -> None:
    """Annotate each page by everybody; each misses other paragraphs."""
    now, before = timezone.now(), Round.objects.filter(page__corpus=corpus).count()
    rounds = Round.objects.bulk_create(
        Round(page=document.page, blind=True, draw=before + index, finalised_at=now)
        for index, document in enumerate(documents)
    )
    claim = {"corpus": corpus, "claimed_at": now, "lease_until": now, "submitted_at": now}
    slots = Slot.objects.bulk_create(
        Slot(round=round_, number=number, annotator=person, **claim)
        for round_ in rounds
        for number, person in enumerate(people, start=1)
    )
    annotations = Annotation.objects.bulk_create(
        Annotation(
            slot=slot,
            annotator=slot.annotator,
            document=documents[index // len(people)],
            guideline_version=1,
            revision=1,
            submitted_at=now,
        )
        for index, slot in enumerate(slots)
    )
    revisions = Revision.objects.bulk_create(
        Revision(
            annotation=each,
            number=1,
            based_on=0,
            operation=uuid.uuid4(),
            verdict="article",
            spans=list(_spans(each.document, dice)),
        )
        for each in annotations
    )
    Submission.objects.bulk_create(
        Submission(annotation=each.annotation, number=1, revision=each, submitted_at=now)
        for each in revisions
    )


def _add_gold(documents: Sequence[StoredDocument], dice: Random) -> None:
    Gold.objects.bulk_create(
        Gold(
            page=document.page,
            number=1,
            document=document,
            verdict="article",
            spans=[[*span, "adjudicated"] for span in _spans(document, dice)],
            distinguishable_labels=["headline", "body", "supplemental"],
            source="adjudicated",
        )
        for document in documents
    )


def _spans(document: StoredDocument, dice: Random) -> Iterator[tuple[int, int, str]]:
    """Yield headline and paragraphs, without some."""
    article = document.blocks[-PARAGRAPHS - 2 : -1]
    for index, (start, end) in enumerate(article):
        if dice.random() > MISSED_SHARE:
            yield start, end, "body" if index else "headline"
