"""How far the annotators of a corpus agree: compared pages, their counts, what is left out and why."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeVar

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Sum

from annotator import __version__
from annotator.agreement.choice import Cell, Choice
from annotator.agreement.counting import Part
from annotator.agreement.models import Agreement, Report
from annotator.agreement.slices import Names, Record, in_cell
from annotator.annotations.models import TO_GOLD, WITH_SPANS, Purpose, Round
from annotator.annotations.queries import complete_rounds
from annotator.annotations.study import weights as study
from annotator.corpora.models import Corpus, User
from annotator.runs.models import Extraction, Extractor
from extraction.agreement.counts import PageCounts

CHUNK = 200
# The number goes up with every change of what figures are made of: kept ones are then worked out anew.
FIGURES = f"4:{__version__}"

T = TypeVar("T")


def standing() -> QuerySet[Agreement]:
    """Comparisons of what is handed in now; those of earlier editions are superseded."""
    return Agreement.objects.filter(edition=F("round__edition"))


def of_main_rounds(corpus: Corpus) -> QuerySet[Agreement]:
    return standing().filter(round__page__corpus=corpus, round__purpose=Purpose.MAIN)


def finished(corpus: Corpus) -> QuerySet[Agreement]:
    """Finished comparisons of rounds that come to gold, in which there was somebody to compare with."""
    rounds = standing().filter(round__page__corpus=corpus, round__purpose__in=TO_GOLD)
    return rounds.filter(finished_at__isnull=False, error="").exclude(same_verdict=None)


def compared_rounds(corpus: Corpus) -> QuerySet[Agreement]:
    """Of each page the comparison that counts: of its last round, where it has been annotated anew."""
    later = finished(corpus).filter(round__page=OuterRef("round__page"), round__gt=OuterRef("round"))
    return finished(corpus).exclude(Exists(later))


def compared_at_first(corpus: Corpus) -> QuerySet[Agreement]:
    """Of each page the comparison of its main round: the one whose arms were drawn."""
    return finished(corpus).filter(round__purpose=Purpose.MAIN)


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
    """A tally that comes, a comparison that is superseded and odds that change make another state."""
    pages = Count("round__page", distinct=True)
    found = _counted(corpus).aggregate(pages=pages, last=Max("pk"), sum=Sum("pk"))
    parts = [FIGURES, *map(str, found.values()), *label_names(corpus), study.state(corpus)]
    return State(found["pages"], sha256(":".join(parts).encode()).hexdigest())


def label_names(corpus: Corpus) -> list[str]:
    return list(corpus.labels.values_list("name", flat=True))


def left_out(corpus: Corpus) -> dict[str, int]:
    """Pages that all have handed in and that are in no figure, by reason."""
    done = Q(finished_at__isnull=False)
    counted = _counted(corpus).filter(round__page=OuterRef("round__page"))
    found: dict[str, int] = (
        of_main_rounds(corpus)
        .exclude(Exists(counted))
        .aggregate(
            waiting=Count("pk", filter=~done),
            failed=Count("pk", filter=done & ~Q(error="")),
            alone=Count("pk", filter=done & Q(error="", same_verdict=None)),
            uncounted=Count("pk", filter=done & Q(error="", tally=None, same_verdict__isnull=False)),
        )
    )
    return {reason: pages for reason, pages in found.items() if pages}


def latest_report(corpus: Corpus, choice: Choice) -> Report | None:
    """The newest finished report of a choice, of whatever state."""
    made = Report.objects.filter(corpus=corpus, choice=choice.key, finished_at__isnull=False, error="")
    return made.order_by("-pk").first()


# ---- the pages ----

_FACTS = ("pk", "round__page", "round__page__language", "round__page__site", "tally__parts")


def records(corpus: Corpus) -> Iterator[Record]:
    """Every counted round with its counts, in the order of the corpus, the last of each page first."""
    return (record for record, _digest in records_with_digests(corpus))


def records_with_digests(corpus: Corpus) -> Iterator[tuple[Record, str]]:
    """The same with the digest of each page, by which exports call it."""
    weights = study.page_weights(corpus)
    rows = _counted(corpus).values_list(*_FACTS, "tally__counts", "round__page__sha256")
    found = rows.iterator(chunk_size=CHUNK)
    made = ((_record(facts, PageCounts.from_json(counts)), digest) for *facts, counts, digest in found)
    weighed = ((replace(each, weight=weights.get(each.page_id, 1.0)), digest) for each, digest in made)
    yield from _with_later(weighed)


def pages_behind(corpus: Corpus, choice: Choice, cell: Cell) -> list[tuple[int, Names]]:
    """The comparisons behind a cell with those who are compared there, those that agree least first.

    By verdict, then by the F1 of the page; without any mark there is none: last.
    """
    rows = _counted(corpus).values_list(*_FACTS, "same_verdict", "f1").iterator(chunk_size=CHUNK)
    made = ((_record(facts), (same, f1 is None, f1, facts[0])) for *facts, same, f1 in rows)
    named = ((place, in_cell(record, cell, choice.pairs)) for record, place in _with_later(made))
    return [(place[-1], names) for place, names in sorted(named, key=itemgetter(0)) if names]


def _with_later(found: Iterable[tuple[Record, T]]) -> Iterator[tuple[Record, T]]:
    """Each round told of those after it; of each page they come together, the last one first."""
    for _page, of_page in groupby(found, key=lambda row: row[0].page_id):
        later: frozenset[int] = frozenset()
        for record, beside in of_page:
            yield (replace(record, later=later) if later else record), beside
            later |= {part.guideline for part in record.parts}


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
    return finished(corpus).filter(tally__isnull=False).order_by("round__page", "-round")


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
