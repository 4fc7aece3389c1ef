"""Agreement on the pages of a release: what was handed in for them, before anything was settled."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from annotator.annotations.models import WITH_SPANS, Annotation, Revision
from annotator.annotations.queries import handed_in_of, submissions
from annotator.gold.models import Gold
from annotator.gold.queries import round_behind
from extraction.agreement.counts import PageCounts, count_page
from extraction.agreement.pool import Figures, Pool
from extraction.agreement.units import Units
from extraction.spans import Span, normalise

ARTICLE = ("set", "article")


class Counts(NamedTuple):
    """What a page adds: all its annotators, and those who were shown nothing where they are two or more."""

    all: PageCounts
    blind: PageCounts | None


def agreement(pages: Iterable[tuple[Counts, float]]) -> dict[str, Any]:
    """Figures of all pairs and, as `blind`, of pairs that were shown nothing; pages with their weights."""
    pages = list(pages)
    return {
        "all": _figures([(counts.all, weight) for counts, weight in pages]),
        "blind": _figures([(counts.blind, weight) for counts, weight in pages if counts.blind]),
    }


def counts_of(gold: Gold) -> Counts | None:
    """What the round that the gold came of adds to agreement, all and blind; None below two annotators.

    Annotators are called by the numbers of their slots: no account is in a release.
    """
    round_ = round_behind(gold)
    submitted = submissions(round_) if round_ else []
    if len(submitted) < 2:
        return None
    document, marks = submitted[0].document, handed_in_of(submitted)
    units = Units.of_text(document.text, [(start, end) for start, end in document.blocks])
    counted = _count(submitted, marks, units)
    blind = [annotation for annotation in submitted if annotation.shown_id is None]
    if len(blind) == len(submitted):
        return Counts(counted, counted)
    return Counts(counted, _count(blind, marks, units) if len(blind) > 1 else None)


def _count(submitted: list[Annotation], handed_in: Mapping[int, Revision], units: Units) -> PageCounts:
    spans, verdicts = {}, {}
    for annotation in submitted:
        marks = handed_in.get(annotation.pk)
        verdict = marks.verdict if marks else ""
        given = marks.spans if marks and verdict in WITH_SPANS else []
        spans[str(annotation.slot.number)] = normalise(Span(*span) for span in given)
        verdicts[str(annotation.slot.number)] = verdict
    return count_page(spans, units, verdicts=verdicts)


def _figures(pages: list[tuple[PageCounts, float]]) -> dict[str, Any]:
    pool = Pool([counts for counts, _weight in pages], weights=[weight for _counts, weight in pages])
    return {
        "character": _json(pool.units("character")),
        "word": _json(pool.units("word")),
        "block": _json(pool.units("block")),
        "article": _json(pool.units("character", ARTICLE)),
        "labels": {name: _json(pool.units("character", (kind, name))) for kind, name in pool.views
                   if kind == "label"},
        "span": _json(pool.spans()),
        "unitizing": _json(pool.unitizing()),
        "verdict": _json(pool.verdicts()),
    }  # fmt: skip


def _json(figures: Figures) -> dict[str, Any]:
    return {name: figure.to_json() for name, figure in figures.items()}
