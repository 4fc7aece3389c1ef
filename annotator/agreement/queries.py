"""The compared pages of a corpus with their counts, and why others are excluded."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery

from annotator import __version__
from annotator.agreement.comparison import Participant
from annotator.agreement.models import Agreement, AgreementReport, AgreementVersion
from annotator.agreement.selection import ReportSelection, SliceCell
from annotator.agreement.slices import ComparedRound, Names, in_cell
from annotator.annotations.models import TO_GOLD, Purpose, Round, Slot
from annotator.annotations.queries import complete_rounds
from annotator.annotations.study import weights as study
from annotator.common.verdicts import WITH_SPANS
from annotator.common.work import WorkQuerySet
from annotator.corpora.models import Corpus, User
from annotator.runs.models import Extraction, Extractor
from extraction.agreement.counts import PageTables

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

CHUNK = 200
# To be increased with every change of how figures are computed, which invalidates cached reports.
FIGURES = f"5:{__version__}"

T = TypeVar("T")


def current() -> WorkQuerySet[Agreement]:
    """Comparisons of the rounds' current editions; those of earlier ones are superseded."""
    return Agreement.objects.filter(edition=F("round__edition"))


def finished(corpus: Corpus) -> QuerySet[Agreement]:
    """Finished comparisons of rounds that lead to gold, with two annotators at least."""
    rounds = current().filter(round__page__corpus=corpus, round__purpose__in=TO_GOLD)
    return rounds.done().exclude(same_verdict=None)


def compared_rounds(corpus: Corpus) -> QuerySet[Agreement]:
    """The comparison of each page that counts: that of its last round, if it was re-annotated."""
    later = finished(corpus).filter(round__page=OuterRef("round__page"), round__gt=OuterRef("round"))
    return finished(corpus).exclude(Exists(later))


def compared_at_first(corpus: Corpus) -> QuerySet[Agreement]:
    """The comparison of each page's main round, whose arms were drawn."""
    return finished(corpus).filter(round__purpose=Purpose.MAIN)


def without_comparison(since: datetime | None = None) -> QuerySet[Round]:
    """Rounds that were completed, after `since`, and whose comparison was not requested."""
    requested = Agreement.objects.filter(round=OuterRef("pk"), edition=OuterRef("edition"))
    return complete_rounds(since).filter(finalised_at=None).exclude(Exists(requested))


# ---- the state of a corpus ----


def state_of(corpus: Corpus) -> str:
    """The version under which the figures of the corpus's state are cached.

    It changes with every comparison finished or superseded, and with inclusion probabilities.
    """
    number = AgreementVersion.objects.filter(corpus=corpus).values_list("number", flat=True).first() or 0
    parts = [FIGURES, str(number), *label_names(corpus), study.state(corpus)]
    return sha256(":".join(parts).encode()).hexdigest()


def compared_up_to(corpus: Corpus, most: int) -> int:
    """How many pages were compared; `most` if there are as many comparisons."""
    pages = list(finished(corpus).order_by().values_list("round__page", flat=True)[:most])
    return most if len(pages) == most else len(set(pages))


def label_names(corpus: Corpus) -> list[str]:
    return list(corpus.labels.values_list("name", flat=True))


def excluded_pages(corpus: Corpus) -> dict[str, int]:
    """Pages that all annotators have submitted and that are in no figure, by reason."""
    counted = finished(corpus).filter(round__page=OuterRef("round__page"))
    main = current().filter(round__page__corpus=corpus, round__purpose=Purpose.MAIN)
    # Each of them has an index of its own: most comparisons are none of these.
    reasons = {
        "waiting": main.open(),
        "failed": main.failed(),
        "alone": main.done().filter(same_verdict=None),
    }
    found = {reason: rows.exclude(Exists(counted)).count() for reason, rows in reasons.items()}
    return {reason: pages for reason, pages in found.items() if pages}


def latest_report(corpus: Corpus, selection: ReportSelection) -> AgreementReport | None:
    """The newest finished report of a selection, of any state."""
    made = AgreementReport.objects.done().filter(corpus=corpus, selection=selection.key)
    return made.order_by("-pk").first()


# ---- the pages ----

_COLUMNS = ("pk", "round__page", "round__page__language", "round__page__site", "participants")


def compared_pages(corpus: Corpus) -> Iterator[ComparedRound]:
    """Every compared round with its counts, by page, the last round of each page first."""
    return (record for record, _digest in compared_pages_with_digests(corpus))


def compared_pages_with_digests(corpus: Corpus) -> Iterator[tuple[ComparedRound, str]]:
    """The same with the digest of each page."""
    weights = study.page_weights(corpus)
    rows = _counted(corpus).values_list(*_COLUMNS, "counts", "round__page__sha256")
    found = rows.iterator(chunk_size=CHUNK)
    rounds = ((_record(columns, PageTables.from_json(counts)), digest) for *columns, counts, digest in found)
    weighted = ((replace(each, weight=weights.get(each.page_id, 1.0)), digest) for each, digest in rounds)
    yield from _with_later(weighted)


def pages_behind(corpus: Corpus, selection: ReportSelection, cell: SliceCell) -> list[tuple[int, Names]]:
    """The keys of the comparisons in a cell, with those who are compared there.

    Different verdicts come first, then the lowest F1; pages without marks have no F1 and come last.
    """
    compared = _counted(corpus)
    if cell.by in ("language", "site"):
        # Most pages are in other cells. Whether one is in a cell of another slice, its participants say.
        compared = compared.filter(**{f"round__page__{cell.by}": cell.value})
    rows = compared.values_list(*_COLUMNS, "same_verdict", "f1").iterator(chunk_size=CHUNK)
    rounds = ((_record(columns), (same, f1 is None, f1, columns[0])) for *columns, same, f1 in rows)
    named = ((rank, in_cell(record, cell, selection.pairs)) for record, rank in _with_later(rounds))
    found = [(rank, names) for rank, names in named if names]
    return [(rank[-1], names) for rank, names in sorted(found, key=itemgetter(0))]


def _with_later(rounds: Iterable[tuple[ComparedRound, T]]) -> Iterator[tuple[ComparedRound, T]]:
    """Add to each round the guidelines of later ones of its page; rows come by page, last round first."""
    for _page, of_page in groupby(rounds, key=lambda row: row[0].page_id):
        later: frozenset[int] = frozenset()
        for record, beside in of_page:
            yield (replace(record, later=later) if later else record), beside
            later |= {each.guideline for each in record.participants}


class _Scored(TypedDict):
    scored_extractor: int | None


def load_comparisons(
    found: Sequence[tuple[int, Names]],
) -> "list[tuple[WithAnnotations[Agreement, _Scored], ComparedRound, Names]]":
    """The comparisons found by `pages_behind`, with their pages and counts."""
    rows = Agreement.objects.select_related("round__page").defer("confusion", "agreed", "disputes")
    rows = rows.annotate(scored_extractor=Subquery(_scored_extractor()))
    by_id = rows.in_bulk([pk for pk, _names in found])
    return [(by_id[pk], record_of(by_id[pk]), names) for pk, names in found if pk in by_id]


def _scored_extractor() -> QuerySet[Extraction, Any]:
    """An extractor that is scored against the page's current gold."""
    return (
        Extraction.objects.filter(
            document__page=OuterRef("round__page"),
            scores__gold__current=True,
            scores__gold__verdict__in=WITH_SPANS,
            scores__finished_at__isnull=False,
            scores__error="",
        )
        .order_by("extractor")
        .values("extractor")[:1]
    )


def record_of(row: Agreement) -> ComparedRound:
    page = row.round.page
    assert row.counts is not None
    counts = PageTables.from_json(row.counts)
    return _record((row.pk, page.pk, page.language, page.site, row.participants), counts)


def _counted(corpus: Corpus) -> QuerySet[Agreement]:
    return finished(corpus).order_by("round__page", "-round")


def _record(columns: Sequence[Any], counts: PageTables | None = None) -> ComparedRound:
    _pk, page, language, site, participants = columns
    return ComparedRound(page, language, site, tuple(map(Participant.from_json, participants)), counts)


# ---- names ----


def annotator_names(corpus: Corpus, *, by_number: bool) -> dict[str, str]:
    """Names of annotators by id, or numbers for readers who must not know who they are; in their order."""
    slots = Slot.objects.filter(corpus=corpus, annotator=OuterRef("pk"))
    order = ("pk",) if by_number else ("first_name__folded", "username")
    known = User.objects.filter(Exists(slots)).order_by(*order)
    return {str(user.pk): str(n) if by_number else str(user) for n, user in enumerate(known, start=1)}


def extractor_titles(corpus: Corpus) -> dict[str, str]:
    """Titles of the extractors that were ever enabled in the corpus, by id."""
    known = Extractor.objects.filter(enabled__corpus=corpus).distinct()
    return {str(each.pk): f"{each} {each.version}" for each in known}
