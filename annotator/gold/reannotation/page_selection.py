"""Which finished pages are re-annotated: the criteria, and the preview of what they select."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import md5
from math import ceil

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotator.annotations.eligibility import eligible_annotators
from annotator.annotations.models import TO_GOLD, Annotation, Purpose, Round
from annotator.annotations.study.queries import current as current_settings
from annotator.corpora.guideline.differences import changed_numbers
from annotator.corpora.guideline.queries import text_of
from annotator.corpora.guideline.text import clause_order, read
from annotator.corpora.models import Corpus, Guideline
from annotator.gold.models import Gold, Segment
from annotator.gold.queries import marked_as, open_adjudications
from annotator.pages.models import Page

# The shortest prefix of a page's digest that is accepted.
MIN_KEY_LENGTH = 8


@dataclass(frozen=True)
class PageCriteria:
    """Criteria of which all must hold; an empty one matches all pages.

    One of the `clauses` is enough. `keys` are digests of pages or prefixes. `share` in (0, 1] of the matching
    pages is drawn by `seed`.
    """

    clauses: tuple[str, ...] = ()
    site: str = ""
    label: str = ""
    language: str = ""
    verdict: str = ""
    share: float = 1.0
    seed: int = 0
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReannotationPlan:
    """A preview. `pages` are in the order in which they are drawn; `fresh` of them have new annotators."""

    matching: int
    in_work: int
    too_few: int
    pages: tuple[int, ...]
    fresh: int
    slots_per_page: int

    @property
    def slots(self) -> int:
        return len(self.pages) * self.slots_per_page


def plan(corpus: Corpus, criteria: PageCriteria) -> ReannotationPlan:
    """Select pages without writing anything."""
    matching = dict(_matching(corpus, criteria).order_by("pk").values_list("pk", "sha256"))
    busy = set(Page.objects.filter(in_work(), corpus=corpus).values_list("pk", flat=True))
    free = [pk for pk in matching if pk not in busy]
    slots = current_settings(corpus).slots
    people = eligible_annotators(corpus, free)
    open_to = [pk for pk in free if len(people[pk].everybody) >= slots]
    drawn = sorted(open_to, key=lambda pk: _draw_key(criteria.seed, matching[pk]))
    pages = drawn[: ceil(criteria.share * len(drawn) - 1e-9)]
    return ReannotationPlan(
        matching=len(matching),
        in_work=len(matching) - len(free),
        too_few=len(free) - len(open_to),
        pages=tuple(pages),
        fresh=sum(len(people[pk].new_to_page) >= slots for pk in pages),
        slots_per_page=slots,
    )


def _draw_key(seed: int, digest: str) -> str:
    return md5(f"{seed}:{digest}".encode(), usedforsecurity=False).hexdigest()


# ---- pages ----


def outdated(corpus: Corpus) -> QuerySet[Page]:
    """Pages with gold made here, and no finalised round wholly under the current guideline."""
    older = Annotation.objects.filter(
        slot__round=OuterRef("pk"),
        submitted_at__isnull=False,
        guideline_version__lt=corpus.guideline_version,
    )
    finalised = Round.objects.filter(page=OuterRef("pk"), purpose__in=TO_GOLD, finalised_at__isnull=False)
    main = finalised.filter(purpose=Purpose.MAIN)
    gold = Gold.objects.filter(page=OuterRef("pk"), current=True)
    pages = Page.objects.filter(Exists(gold), Exists(main), corpus=corpus, takedown=None)
    return pages.exclude(Exists(finalised.exclude(Exists(older))))


def in_work() -> Q:
    """Pages with an unfinished round to gold or an open adjudication, which cannot be re-annotated now."""
    unfinished = Round.objects.filter(page=OuterRef("pk"), finalised_at=None, purpose__in=TO_GOLD)
    disputed = open_adjudications().filter(round__page=OuterRef("pk"))
    return Q(Exists(unfinished)) | Q(Exists(disputed))


def _matching(corpus: Corpus, criteria: PageCriteria) -> QuerySet[Page]:
    gold = Gold.objects.filter(page=OuterRef("pk"), current=True)
    pages = outdated(corpus)
    if criteria.clauses:
        pages = pages.filter(Exists(_decided_by(criteria.clauses)))
    if criteria.site:
        pages = pages.filter(site__iexact=criteria.site)
    if criteria.language:
        pages = pages.filter(language=criteria.language)
    if criteria.verdict:
        pages = pages.filter(Exists(gold.filter(verdict=criteria.verdict)))
    if criteria.label:
        pages = pages.filter(Exists(gold.filter(marked_as(criteria.label))))
    return pages.filter(_with_keys(criteria.keys)) if criteria.keys else pages


def _decided_by(clauses: Iterable[str]) -> QuerySet[Segment]:
    """Segments of the outer page that were decided by one of these clauses."""
    return Segment.objects.filter(
        adjudication__round__page=OuterRef("pk"), adjudication__finalised_at__isnull=False, clause__in=clauses
    )


def _with_keys(keys: Iterable[str]) -> Q:
    whole = {key for key in keys if len(key) == 64}
    found = Q(sha256__in=whole)
    for key in set(keys) - whole:
        found |= Q(sha256__startswith=key)
    return found


def unknown_keys(corpus: Corpus, keys: Iterable[str]) -> list[str]:
    """Keys that match no page of the corpus."""
    given = list(keys)
    pages = Page.objects.filter(_with_keys(given), corpus=corpus)
    digests = list(pages.values_list("sha256", flat=True)) if given else []
    return [key for key in given if not any(digest.startswith(key) for digest in digests)]


# ---- clauses ----


@dataclass(frozen=True)
class CitedClause:
    """A clause cited on outdated pages; `changed` since a version in which it was cited."""

    number: str
    pages: int
    changed: bool


def cited_clauses(corpus: Corpus) -> list[CitedClause]:
    """The clauses cited on outdated pages, in the order of the guideline."""
    segments = Segment.objects.filter(
        adjudication__round__page__in=outdated(corpus), adjudication__finalised_at__isnull=False
    ).exclude(clause="")
    rows = segments.values_list("clause", "guideline_version", "adjudication__round__page").distinct()
    pages: dict[str, set[int]] = {}
    versions: dict[str, set[int]] = {}
    for clause, version, page in rows:
        pages.setdefault(clause, set()).add(page)
        assert version is not None, "a clause is stored with its version"
        versions.setdefault(clause, set()).add(version)
    changed = _changed_since(corpus, {number for found in versions.values() for number in found})
    return [
        CitedClause(clause, len(pages[clause]), any(clause in changed[number] for number in versions[clause]))
        for clause in sorted(pages, key=clause_order)
    ]


def _changed_since(corpus: Corpus, versions: Iterable[int]) -> dict[int, set[str]]:
    """By earlier version, the clauses that differ from the current one in any language."""
    wanted = {*versions, corpus.guideline_version}
    known = {each.number: each for each in corpus.guidelines.filter(number__in=wanted)}
    current = known[corpus.guideline_version]
    return {number: _changed(each, current) for number, each in known.items()}


def _changed(old: Guideline, new: Guideline) -> set[str]:
    both = old.texts.keys() & new.texts.keys()
    pairs = [(read(old.texts[each]), read(new.texts[each])) for each in both] or [
        (text_of(old), text_of(new))
    ]
    return set().union(*(changed_numbers(*pair) for pair in pairs))


def sites(corpus: Corpus) -> Iterator[str]:
    """The sites of outdated pages, by name."""
    return outdated(corpus).order_by("site").values_list("site", flat=True).distinct().iterator()
