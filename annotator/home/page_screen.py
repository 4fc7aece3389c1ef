"""One page as researchers and admins see it: its gold on the page itself, with sources and versions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Prefetch
from django.urls import reverse

from annotator.annotations.workbench.payload import choices, document_payload, page_payload, stage_addresses
from annotator.common import display_names
from annotator.corpora.models import Corpus, User
from annotator.gold import queries as golds
from annotator.gold.models import Adjudication, Gold, GoldSource, Segment
from annotator.pages.models import Page, StoredDocument
from annotator.releases.models import ReleasePage
from annotator.scoring.leaderboard import page_scores
from annotator.scoring.leaderboard.error_view import others_of
from annotator.scoring.leaderboard.filters import LeaderboardFilters
from extraction.spans import Span, normalise, subtract

# A source is told by its shape too.
SHAPES = {
    GoldSource.UNANIMOUS: "●",
    GoldSource.ADJUDICATED: "◆",
    GoldSource.SINGLE: "○",
    GoldSource.IMPORTED: "▽",
    GoldSource.PROJECTED: "△",
}


class SourceShare(NamedTuple):
    """The intervals of one source, and its share of the marked characters with its place in the bar."""

    source: str
    shape: str
    intervals: int
    share: float
    x: str
    width: str


class Version(NamedTuple):
    """One version of the gold, the finished releases that hold it, and how much the one before differs."""

    gold: Gold
    releases: list[int]
    # Characters with another label; None for the first, or another document.
    changed: int | None


@dataclass(frozen=True)
class PageScreen:
    # None: the page has no gold yet.
    shown: Gold | None
    versions: list[Version]
    reopening: Adjudication | None
    sources: list[SourceShare]
    extractors: list[dict[str, Any]]
    payload: dict[str, Any]

    @property
    def can_reopen(self) -> bool:
        """Whether the version shown can be sent back to adjudication."""
        return bool(self.shown and self.shown.current and not self.reopening)

    @property
    def characters(self) -> int:
        return sum(end - start for start, end, _label, _source in self.shown.spans) if self.shown else 0


def document_of(page: Page, gold: Gold | None) -> StoredDocument | None:
    """The document that is shown: that of the gold, or the page's newest."""
    return gold.document if gold else page.document


def of_page(corpus: Corpus, page: Page, number: int | None, user: User) -> PageScreen | None:
    """The screen of the page with a version of its gold, the current one if None; None: no such version."""
    found = _versions(page)
    shown = next((each.gold for each in found if number in (each.gold.number, None)), None)
    if number is None:
        shown = next((each.gold for each in found if each.gold.current), shown)
    elif shown is None:
        return None
    return PageScreen(
        shown=shown,
        versions=found,
        reopening=golds.reopening_of(page),
        sources=_sources(shown.spans if shown else []),
        extractors=_extractors(corpus, page),
        payload=_payload(corpus, page, shown, user),
    )


def _versions(page: Page) -> list[Version]:
    released = (
        ReleasePage.objects.exclude(release__sha256="").select_related("release").order_by("release__number")
    )
    made = list(
        golds.versions(page)
        .select_related("document")
        .defer("document__text", "document__blocks")
        .prefetch_related(Prefetch("released_in", released))
    )
    return [
        Version(gold, [row.release.number for row in gold.released_in.all()], _changed(gold, earlier))
        for gold, earlier in zip(made, [*made[1:], None], strict=False)
    ]


def _changed(gold: Gold, earlier: Gold | None) -> int | None:
    if earlier is None or earlier.document_id != gold.document_id:
        return None
    return changed_characters(earlier.marks, gold.marks)


def changed_characters(before: Sequence[Span], after: Sequence[Span]) -> int:
    """Return how many characters have another label, or one in only one of the two."""
    touched: list[Span] = []
    for label in {span.label for span in (*before, *after)}:
        old, new = ([span for span in spans if span.label == label] for spans in (before, after))
        touched += subtract(old, new) + subtract(new, old)
    merged = normalise(Span(span.start, span.end, "") for span in touched)
    return sum(span.end - span.start for span in merged)


def _sources(spans: Sequence[Sequence[Any]]) -> list[SourceShare]:
    """The sources of the intervals, in the order of `SHAPES`."""
    total = sum(end - start for start, end, _label, _source in spans) or 1
    found, before = [], 0.0
    for source, shape in SHAPES.items():
        own = [end - start for start, end, _label, its in spans if its == source]
        share = sum(own) / total
        if own:
            x, width = f"{100 * before:.1f}%", f"{max(100 * share - 0.5, 0.5):.1f}%"
            found.append(SourceShare(source.value, shape, len(own), share, x, width))
        before += share
    return found


def _extractors(corpus: Corpus, page: Page) -> list[dict[str, Any]]:
    """F1 of each extractor on the page against its current gold, with the address of the error view."""
    labels = page_scores.labels_of_page(corpus, page.pk)
    if labels is None:
        return []
    scores = page_scores.scores_of_page(corpus, page.pk, labels)
    return others_of(corpus, scores, LeaderboardFilters(), labels)


def _payload(corpus: Corpus, page: Page, gold: Gold | None, user: User) -> dict[str, Any]:
    document = document_of(page, gold)
    assert document
    labels = list(corpus.labels.all())
    view = reverse("page-gold-view", args=[corpus.slug, page.pk, gold.number if gold else 0])
    return {
        "urls": {
            **stage_addresses(view, document, user),
            "back": reverse("corpus", args=[corpus.slug]),
        },
        "document": document_payload(document),
        "labels": choices(labels)["labels"],
        "sources": {
            source.value: {"shape": shape, "title": str(display_names.SOURCES[source])}
            for source, shape in SHAPES.items()
        },
        "gold": _intervals(gold) if gold else [],
        "page": page_payload(page),
    }


def _intervals(gold: Gold) -> list[list[Any]]:
    """Start, end, label, source, and the clause that an adjudicator named, or ""."""
    cited = list(
        Segment.objects.filter(adjudication=gold.adjudication_id)
        .exclude(clause="")
        .values_list("start", "end", "clause")
    )
    return [
        [start, end, label, source, _clause(cited, start, end) if source == GoldSource.ADJUDICATED else ""]
        for start, end, label, source in gold.spans
    ]


def _clause(cited: Sequence[tuple[int, int, str]], start: int, end: int) -> str:
    return next((clause for first, last, clause in cited if first < end and start < last), "")
