"""Which settled pages are annotated anew: by what they are chosen, and what that would be."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from hashlib import md5
from math import ceil
from typing import Any, Self

from django.db.models import BooleanField, Exists, F, Func, OuterRef, Q, QuerySet, Value

from annotator.annotations.again import Takers, takers
from annotator.annotations.models import TO_GOLD, Annotation, Purpose, Round
from annotator.annotations.study.queries import standing
from annotator.corpora.guideline.differences import changed_numbers
from annotator.corpora.guideline.queries import text_of
from annotator.corpora.guideline.text import read
from annotator.corpora.models import Corpus, Guideline
from annotator.gold.models import Gold, Segment
from annotator.gold.queries import open_disputes
from annotator.pages.models import Page

# The least of a page's digest that names it.
LEAST_OF_KEY = 8


@dataclass(frozen=True)
class Asked:
    """What is asked of the pages; all of it must hold, and what is empty asks nothing.

    Of `clauses` one is enough. `keys` are digests of pages or how they begin. `share` in (0, 1] of what is
    left is drawn by `seed`.
    """

    clauses: tuple[str, ...] = ()
    site: str = ""
    label: str = ""
    language: str = ""
    verdict: str = ""
    share: float = 1.0
    seed: int = 0
    keys: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Self:
        return cls(**{**value, "clauses": tuple(value["clauses"]), "keys": tuple(value["keys"])})


@dataclass(frozen=True)
class Plan:
    """What would be done. `pages` by key, as they are drawn; `fresh` of them go to people new to them."""

    fitting: int
    in_work: int
    too_few: int
    pages: tuple[int, ...]
    fresh: int
    slots_a_page: int

    @property
    def slots(self) -> int:
        return len(self.pages) * self.slots_a_page


def plan(corpus: Corpus, asked: Asked) -> Plan:
    """Choose among the settled pages; nothing is written."""
    fitting = dict(_fitting(corpus, asked).order_by("pk").values_list("pk", "sha256"))
    in_work = set(Page.objects.filter(being_worked_on(), corpus=corpus).values_list("pk", flat=True))
    free = [pk for pk in fitting if pk not in in_work]
    slots = standing(corpus).slots
    people = takers(corpus, free)
    open_to = [pk for pk in free if len(people[pk].may) >= slots]
    drawn = sorted(open_to, key=lambda pk: _place(asked.seed, fitting[pk]))
    pages = drawn[: ceil(asked.share * len(drawn) - 1e-9)]
    return Plan(
        fitting=len(fitting),
        in_work=len(fitting) - len(free),
        too_few=len(free) - len(open_to),
        pages=tuple(pages),
        fresh=sum(_has_fresh(people[pk], slots) for pk in pages),
        slots_a_page=slots,
    )


def _place(seed: int, digest: str) -> str:
    return md5(f"{seed}:{digest}".encode(), usedforsecurity=False).hexdigest()


def _has_fresh(people: Takers, slots: int) -> bool:
    return len(people.fresh) >= slots


# ---- pages ----


def outdated(corpus: Corpus) -> QuerySet[Page]:
    """Pages that people here settled, in no round altogether under the guideline that stands."""
    older = Annotation.objects.filter(
        slot__round=OuterRef("pk"),
        submitted_at__isnull=False,
        guideline_version__lt=corpus.guideline_version,
    )
    settled = Round.objects.filter(page=OuterRef("pk"), purpose__in=TO_GOLD, settled_at__isnull=False)
    main = settled.filter(purpose=Purpose.MAIN)
    gold = Gold.objects.filter(page=OuterRef("pk"), current=True)
    pages = Page.objects.filter(Exists(gold), Exists(main), corpus=corpus, takedown=None)
    return pages.exclude(Exists(settled.exclude(Exists(older))))


def being_worked_on() -> Q:
    """Pages with a round that is not settled, or before an adjudicator: they are not opened twice at once."""
    unsettled = Round.objects.filter(page=OuterRef("pk"), settled_at=None)
    disputed = open_disputes().filter(round__page=OuterRef("pk"))
    return Q(Exists(unsettled)) | Q(Exists(disputed))


def _fitting(corpus: Corpus, asked: Asked) -> QuerySet[Page]:
    gold = Gold.objects.filter(page=OuterRef("pk"), current=True)
    pages = outdated(corpus)
    if asked.clauses:
        pages = pages.filter(Exists(_reasons(asked.clauses)))
    if asked.site:
        pages = pages.filter(site__iexact=asked.site)
    if asked.language:
        pages = pages.filter(language=asked.language)
    if asked.verdict:
        pages = pages.filter(Exists(gold.filter(verdict=asked.verdict)))
    if asked.label:
        pages = pages.filter(Exists(gold.filter(_MarkedAs.label(asked.label))))
    return pages.filter(_with_keys(asked.keys)) if asked.keys else pages


def _reasons(clauses: Iterable[str]) -> QuerySet[Segment]:
    """Segments of the page in question that were settled by one of these clauses."""
    return Segment.objects.filter(
        adjudication__round__page=OuterRef("pk"), adjudication__settled_at__isnull=False, clause__in=clauses
    )


class _MarkedAs(Func):
    """Whether rows of [start, end, label, ...] have the label."""

    function = "jsonb_path_exists"
    output_field = BooleanField()

    @classmethod
    def label(cls, name: str) -> Self:
        return cls(F("spans"), Value("strict $[*] ? (@[2] == $label)"), Value(json.dumps({"label": name})))


def _with_keys(keys: Iterable[str]) -> Q:
    whole = {key for key in keys if len(key) == 64}
    found = Q(sha256__in=whole)
    for key in set(keys) - whole:
        found |= Q(sha256__startswith=key)
    return found


def unknown_keys(corpus: Corpus, keys: Iterable[str]) -> list[str]:
    """Those of which no page of the corpus is meant."""
    given = list(keys)
    pages = Page.objects.filter(_with_keys(given), corpus=corpus)
    digests = list(pages.values_list("sha256", flat=True)) if given else []
    return [key for key in given if not any(digest.startswith(key) for digest in digests)]


# ---- clauses ----


@dataclass(frozen=True)
class Cited:
    """A clause that was a reason on settled pages; `changed` since a version from which it was cited."""

    number: str
    pages: int
    changed: bool


def cited(corpus: Corpus) -> list[Cited]:
    """The clauses by which outdated pages were settled, in the order of the guideline."""
    segments = Segment.objects.filter(
        adjudication__round__page__in=outdated(corpus), adjudication__settled_at__isnull=False
    ).exclude(clause="")
    rows = segments.values_list("clause", "guideline_version", "adjudication__round__page").distinct()
    pages: dict[str, set[int]] = {}
    versions: dict[str, set[int]] = {}
    for clause, version, page in rows:
        pages.setdefault(clause, set()).add(page)
        versions.setdefault(clause, set()).add(version)
    changed = _changed_since(corpus, {number for found in versions.values() for number in found})
    return [
        Cited(clause, len(pages[clause]), any(clause in changed[number] for number in versions[clause]))
        for clause in sorted(pages, key=_in_order)
    ]


def _changed_since(corpus: Corpus, versions: Iterable[int]) -> dict[int, set[str]]:
    """Of earlier versions the parts that read otherwise in the one that stands, in any language."""
    wanted = {*versions, corpus.guideline_version}
    known = {each.number: each for each in corpus.guidelines.filter(number__in=wanted)}
    stands = known[corpus.guideline_version]
    return {number: _changed(each, stands) for number, each in known.items()}


def _changed(old: Guideline, new: Guideline) -> set[str]:
    both = old.texts.keys() & new.texts.keys()
    pairs = [(read(old.texts[each]), read(new.texts[each])) for each in both] or [
        (text_of(old), text_of(new))
    ]
    return set().union(*(changed_numbers(*pair) for pair in pairs))


def _in_order(number: str) -> list[int]:
    return [int(part) for part in number.split(".")]


def sites(corpus: Corpus) -> Iterator[str]:
    """Of outdated pages, by name."""
    return outdated(corpus).order_by("site").values_list("site", flat=True).distinct().iterator()
