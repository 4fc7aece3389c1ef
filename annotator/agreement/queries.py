"""How far the annotators of a corpus agree: compared pages, their counts, what is left out and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Sum

from annotator import __version__
from annotator.agreement.choice import Cell, Choice
from annotator.agreement.counting import Part
from annotator.agreement.models import Agreement, Report
from annotator.agreement.slices import Names, Record, in_cell
from annotator.annotations.models import WITH_SPANS, Purpose, Round
from annotator.annotations.queries import complete_rounds
from annotator.corpora.models import Corpus, User
from annotator.runs.models import Extraction, Extractor
from extraction.agreement.counts import PageCounts

CHUNK = 200


def standing() -> QuerySet[Agreement]:
    """Comparisons of what is handed in now; those of earlier editions are superseded."""
    return Agreement.objects.filter(edition=F("round__edition"))


def of_main_rounds(corpus: Corpus) -> QuerySet[Agreement]:
    return standing().filter(round__page__corpus=corpus, round__purpose=Purpose.MAIN)


def compared_rounds(corpus: Corpus) -> QuerySet[Agreement]:
    """Finished comparisons of main rounds in which there was somebody to compare with."""
    return of_main_rounds(corpus).filter(finished_at__isnull=False, error="").exclude(same_verdict=None)


def without_comparison() -> QuerySet[Round]:
    """Complete rounds of which no comparison has been asked for."""
    asked = Agreement.objects.filter(round=OuterRef("pk"), edition=OuterRef("edition"))
    return complete_rounds().filter(settled_at=None).exclude(Exists(asked))


def without_tally() -> QuerySet[Agreement]:
    """Finished comparisons of what is handed in now, made before there were tallies."""
    made = standing().filter(finished_at__isnull=False, error="", tally=None)
    return made.exclude(same_verdict=None)


# ---- the state of a corpus ----


@dataclass(frozen=True)
class State:
    """How many pages are counted, and a name of this state, under which its figures are kept."""

    pages: int
    version: str


def state_of(corpus: Corpus) -> State:
    """A tally that comes and a comparison that is superseded make another state."""
    found = _counted(corpus).aggregate(pages=Count("pk"), last=Max("pk"), sum=Sum("pk"))
    parts = [__version__, *map(str, found.values()), *label_names(corpus)]
    return State(found["pages"], sha256(":".join(parts).encode()).hexdigest())


def label_names(corpus: Corpus) -> list[str]:
    return list(corpus.labels.values_list("name", flat=True))


def left_out(corpus: Corpus) -> dict[str, int]:
    """Pages that all have handed in and that are in no figure, by reason."""
    finished = Q(finished_at__isnull=False)
    found: dict[str, int] = of_main_rounds(corpus).aggregate(
        waiting=Count("pk", filter=~finished),
        failed=Count("pk", filter=finished & ~Q(error="")),
        alone=Count("pk", filter=finished & Q(error="", same_verdict=None)),
        uncounted=Count("pk", filter=finished & Q(error="", tally=None, same_verdict__isnull=False)),
    )
    return {reason: pages for reason, pages in found.items() if pages}


def latest_report(corpus: Corpus, choice: Choice) -> Report | None:
    """The newest finished report of a choice, of whatever state."""
    made = Report.objects.filter(corpus=corpus, choice=choice.key, finished_at__isnull=False, error="")
    return made.order_by("-pk").first()


# ---- the pages ----

_FACTS = ("pk", "round__page", "round__page__language", "round__page__site", "tally__parts")


def records(corpus: Corpus) -> Iterator[Record]:
    """Every counted page with its counts, in the order of the corpus."""
    rows = _counted(corpus).values_list(*_FACTS, "tally__counts")
    for *facts, counts in rows.iterator(chunk_size=CHUNK):
        yield _record(facts, PageCounts.from_json(counts))


def records_with_digests(corpus: Corpus) -> Iterator[tuple[Record, str]]:
    """The same with the digest of each page, by which exports call it."""
    rows = _counted(corpus).values_list(*_FACTS, "tally__counts", "round__page__sha256")
    for *facts, counts, digest in rows.iterator(chunk_size=CHUNK):
        yield _record(facts, PageCounts.from_json(counts)), digest


def pages_behind(corpus: Corpus, choice: Choice, cell: Cell) -> list[tuple[int, Names]]:
    """The comparisons behind a cell with those who are compared there, those that agree least first.

    By verdict, then by the F1 of the page; without any mark there is none: last.
    """
    rows = _counted(corpus).order_by("same_verdict", F("f1").asc(nulls_last=True), "pk")
    found = (_record(facts) for facts in rows.values_list(*_FACTS).iterator(chunk_size=CHUNK))
    named = ((record.agreement_id, in_cell(record, cell, choice.pairs)) for record in found)
    return [(pk, names) for pk, names in named if names]


def with_pages(found: Sequence[tuple[int, Names]]) -> list[tuple[Agreement, Record, Names]]:
    """The comparisons of some of these, with their pages and counts."""
    rows = Agreement.objects.select_related("round__page", "tally").defer("confusion")
    rows = rows.annotate(scored_extractor=Subquery(_scored_extractor()))
    by_id = rows.in_bulk([pk for pk, _names in found])
    return [(by_id[pk], record_of(by_id[pk]), names) for pk, names in found if pk in by_id]


def _scored_extractor() -> QuerySet[Extraction]:
    """An extractor that is scored on the page's gold: under its glass the page can be seen."""
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


def record_of(row: Agreement) -> Record:
    page = row.round.page
    counts = PageCounts.from_json(row.tally.counts)
    return _record((row.pk, page.pk, page.language, page.site, row.tally.parts), counts)


def _counted(corpus: Corpus) -> QuerySet[Agreement]:
    return compared_rounds(corpus).filter(tally__isnull=False).order_by("round__page")


def _record(facts: Sequence[Any], counts: PageCounts | None = None) -> Record:
    pk, page, language, site, parts = facts
    return Record(pk, page, language, site, tuple(map(Part.from_json, parts)), counts)


# ---- names ----


def people(corpus: Corpus, *, by_number: bool) -> dict[str, str]:
    """What annotators are called, by id: by name, or by number for those who are not to know who they are."""
    known = User.objects.filter(slots__corpus=corpus).distinct().order_by("pk")
    return {str(user.pk): str(n) if by_number else str(user) for n, user in enumerate(known, start=1)}


def extractors(corpus: Corpus) -> dict[str, str]:
    """Extractors that were or are run in the corpus, by the id that an arm has."""
    known = Extractor.objects.filter(enabled__corpus=corpus).distinct()
    return {str(each.pk): f"{each} {each.version}" for each in known}
