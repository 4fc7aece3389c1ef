"""Where the pages of a corpus stand, and which are stuck."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.db.models.lookups import In
from django.utils.translation import gettext_lazy as _

from annotator.agreement.queries import compared_rounds
from annotator.annotations.models import TO_GOLD, Purpose, Round, Skip, Slot, Unblinded
from annotator.common import words
from annotator.common.work import Work, kinds
from annotator.corpora.models import Corpus, Membership, Role
from annotator.gold.models import Adjudication, Gold
from annotator.gold.queries import current_gold, open_disputes
from annotator.pages.models import Page
from annotator.scoring.models import Score

PAGES_AT_ONCE = 25


class State(NamedTuple):
    """A state of a page: its name in addresses, its words, its class in bars and in badges."""

    name: str
    title: str
    bar: str
    badge: str


STATES = (
    State("gold", _("Gold"), "s-gold", "gold"),
    State("due", _("To adjudicate"), "s-due", "due"),
    State("half", _("Partly done"), "s-half", "half"),
    State("waiting", _("Waiting"), "s-wait", ""),
    State("building", _("Being built"), "s-new", ""),
    State("failed", _("Failed"), "s-bad", "bad"),
)
STATE = {state.name: state for state in STATES}


def with_state(pages: QuerySet[Page]) -> QuerySet[Page]:
    """Pages with `stage`: the name of the first of the STATES that holds, as the cases below order them."""
    gold = Gold.objects.filter(page=OuterRef("pk"), current=True)
    dispute = open_disputes().filter(round__page=OuterRef("pk"))
    begun = Slot.objects.filter(
        round__page=OuterRef("pk"), round__purpose=Purpose.MAIN, submitted_at__isnull=False
    )
    return pages.annotate(
        stage=Case(
            When(finished_at=None, then=Value("building")),
            When(~Q(error=""), then=Value("failed")),
            When(Exists(gold), then=Value("gold")),
            When(Exists(dispute), then=Value("due")),
            When(Exists(begun), then=Value("half")),
            default=Value("waiting"),
        )
    )


@dataclass(frozen=True)
class Part:
    """One state's share of the corpus, with its place in the bar in per cent."""

    state: State
    pages: int
    x: str
    width: str
    # The two kinds of which most are: how many, and what they are called.
    kinds: tuple[tuple[int, str], ...] = ()


def progress(corpus: Corpus) -> list[Part]:
    """How many pages are in each state, from gold to failed."""
    counted = with_state(Page.objects.filter(corpus=corpus)).order_by().values("stage")
    pages = dict(counted.annotate(n=Count("pk")).values_list("stage", "n"))
    total = sum(pages.values()) or 1
    told = {"gold": _by_source(corpus), "failed": _by_refusal(corpus)}
    parts, before = [], 0
    for state in STATES:
        n = pages.get(state.name, 0)
        # A gap of 0.15 per cent between two parts; none where that would leave nothing.
        width = max(100 * n / total - 0.15, 0.1 if n else 0)
        x = f"{100 * before / total:.2f}%"
        parts.append(Part(state, n, x, f"{width:.2f}%", told.get(state.name, ())))
        before += n
    return parts


def _by_source(corpus: Corpus) -> tuple[tuple[int, str], ...]:
    return _most(current_gold(corpus).values_list("source"), words.SOURCES)


def _by_refusal(corpus: Corpus) -> tuple[tuple[int, str], ...]:
    return _most(unparseable(corpus).values_list("refusal"), words.REFUSALS)


def _most(rows: QuerySet[Any], titles: Mapping[str, Any]) -> tuple[tuple[int, str], ...]:
    found = rows.order_by().annotate(n=Count("pk")).order_by("-n")[:2]
    return tuple((n, str(titles.get(name, _("Failed")))) for name, n in found)


def pages_of(corpus: Corpus, *, state: str = "", text: str = "") -> QuerySet[Page]:
    """The pages of the list, newest first: with state, slots done, agreement, and a scored extractor."""
    pages = with_state(Page.objects.filter(corpus=corpus)).order_by("-pk")
    if state:
        pages = pages.filter(stage=state)
    if text:
        pages = pages.filter(Q(title__icontains=text) | Q(site__icontains=text) | Q(url__icontains=text))
    main = Q(round__page=OuterRef("pk"), round__purpose=Purpose.MAIN)
    places = Slot.objects.filter(main).order_by().values("round")
    submitted = places.filter(submitted_at__isnull=False)
    compared = compared_rounds(corpus).filter(round__page=OuterRef("pk"))
    gold = Gold.objects.filter(page=OuterRef("pk"), current=True)
    scored = Score.objects.filter(gold__page=OuterRef("pk"), gold__current=True, finished_at__isnull=False)
    return pages.annotate(
        done=Coalesce(Subquery(submitted.annotate(n=Count("pk")).values("n")), 0),
        places=Coalesce(Subquery(places.annotate(n=Count("pk")).values("n")), 0),
        agreement=Subquery(compared.values("f1")[:1]),
        source=Subquery(gold.values("source")[:1]),
        verdict=Subquery(gold.values("verdict")[:1]),
        scored_extractor=Subquery(scored.order_by("pk").values("extraction__extractor")[:1]),
    ).defer("error")


class Sheet(NamedTuple):
    """One screenful of a list, with the keys of its neighbours."""

    rows: list[Page]
    newer: int | None
    older: int | None


def sheet(pages: QuerySet[Page], *, before: int | None = None, after: int | None = None) -> Sheet:
    """A screenful of pages below the key `before`, or above the key `after`; by key, so never slower."""
    if after is not None:
        found = list(pages.filter(pk__gt=after).order_by("pk")[: PAGES_AT_ONCE + 1])
        rows, more_newer, more_older = found[:PAGES_AT_ONCE][::-1], len(found) > PAGES_AT_ONCE, True
    else:
        below = pages.filter(pk__lt=before) if before is not None else pages
        found = list(below[: PAGES_AT_ONCE + 1])
        rows, more_newer, more_older = found[:PAGES_AT_ONCE], before is not None, len(found) > PAGES_AT_ONCE
    return Sheet(
        rows=rows,
        newer=rows[0].pk if rows and more_newer else None,
        older=rows[-1].pk if rows and more_older else None,
    )


# ---- stuck ----


def unparseable(corpus: Corpus) -> QuerySet[Page]:
    """Pages of which no document could be made."""
    return Page.objects.filter(corpus=corpus).failed().order_by("-finished_at")


def open_rounds(corpus: Corpus) -> QuerySet[Round]:
    """Rounds on their way to gold with a place that nobody holds."""
    free = Slot.objects.filter(round=OuterRef("pk"), annotator=None)
    return Round.objects.filter(Exists(free), page__corpus=corpus, purpose__in=TO_GOLD, settled_at=None)


def without_taker(corpus: Corpus) -> QuerySet[Round]:
    """Rounds with a free place that no annotator may take.

    Each holds a place there already, has skipped it, or has seen on the page what others marked.

    `skipped` is how many skipped; where it is 0 there are simply too few annotators.
    """
    annotators = Membership.objects.filter(corpus=corpus, role=Role.ANNOTATOR, ended_at=None)
    here, page = OuterRef(OuterRef("pk")), OuterRef(OuterRef("page"))
    takers = (
        annotators.filter(user__is_active=True)
        .exclude(Exists(Slot.objects.filter(round=here, annotator=OuterRef("user"))))
        .exclude(Exists(Skip.objects.filter(round=here, annotator=OuterRef("user"))))
        .exclude(Exists(Unblinded.objects.filter(page=page, user=OuterRef("user"))))
    )
    for person, known in known_from_practice(corpus).items():
        takers = takers.exclude(Q(user=person) & Q(In(page, known)))
    return (
        open_rounds(corpus)
        .exclude(Exists(takers))
        .annotate(skipped=Count("skips"))
        .select_related("page")
        .order_by("pk")
    )


_KNOWN = """
select s.meant_for_id, array_agg(distinct alike.page_id)
    from annotator_slot s join annotator_round r on r.id = s.round_id and r.purpose = 'practice'
        join annotator_shingleband b on b.page_id = r.page_id
        join annotator_shingleband alike on alike.digest = b.digest and alike.corpus_id = %(corpus)s
    where exists (select from annotator_membership m where m.user_id = s.meant_for_id
        and m.corpus_id = %(corpus)s and m.role = 'annotator' and m.ended_at is null)
    group by s.meant_for_id
"""


def known_from_practice(corpus: Corpus) -> dict[int, list[int]]:
    """Pages of the corpus by annotator, by keys, that may be near duplicates of what she has practised on."""
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN, {"corpus": corpus.pk})
        return dict(cursor.fetchall())


def without_adjudicator(corpus: Corpus) -> QuerySet[Adjudication]:
    """Disputes that none of the adjudicators may settle: each has annotated the page (law 4)."""
    disputes = open_disputes().filter(round__page__corpus=corpus)
    adjudicators = Membership.objects.filter(corpus=corpus, role=Role.ADJUDICATOR, ended_at=None)
    if not corpus.annotators_may_adjudicate:
        own = Slot.objects.filter(
            round__page=OuterRef(OuterRef("round__page")), annotations__annotator=OuterRef("user")
        )
        adjudicators = adjudicators.exclude(Exists(own))
    return disputes.exclude(Exists(adjudicators)).select_related("round__page").order_by("pk")


class FailedWork(NamedTuple):
    """Failed rows of one kind."""

    kind: str
    title: str
    rows: list[Work]
    total: int

    @property
    def can_retry(self) -> bool:
        return self.kind in RETRIABLE


# How a kind of work hangs on its corpus. Pages are listed by themselves.
CORPUS_OF = {
    "importedgold": "page__corpus",
    "extraction": "document__page__corpus",
    "agreement": "round__page__corpus",
    "report": "corpus",
    "change": "gold__page__corpus",
    "score": "gold__page__corpus",
    "measurement": "score__gold__page__corpus",
    "export": "corpus",
    "move": "page__corpus",
    "release": "corpus",
    "renewal": "corpus",
    "biasreport": "corpus",
}
TITLES = {
    "importedgold": _("Gold that could not be aligned"),
    "extraction": _("Extractors that failed"),
    "agreement": _("Comparisons that failed"),
    "report": _("Figures of agreement that failed"),
    "change": _("Gold that could not be held against its annotations"),
    "score": _("Scores that failed"),
    "measurement": _("Scores that could not be worked out by some metric"),
    "export": _("Exports that failed"),
    "move": _("Pages that could not be parsed again"),
    "release": _("Releases that failed"),
    "renewal": _("New rounds that could not be opened"),
    "biasreport": _("Reports of what suggestions do that failed"),
}
# A failed extraction is the one result of its extractor (law 7), and a new export is a new row.
RETRIABLE = ("page", "importedgold", "agreement", "report", "biasreport", "change", "score", "measurement")
SHOWN_FAILURES = 20
# What is said of work that is about no page.
_WITHOUT_PAGE = {
    "export": "format",
    "report": "choice",
    "biasreport": "pages",
    "release": "note",
    "renewal": "guideline_version",
}


def failed_rows(corpus: Corpus, kind: str) -> QuerySet[Work]:
    """Failed work of a kind that belongs to the corpus; KeyError for what is no kind of work."""
    model = {each._meta.model_name: each for each in kinds()}[kind]
    path = "corpus" if model is Page else CORPUS_OF[kind]
    return model.objects.filter(**{path: corpus}).failed()


def failed_work(corpus: Corpus) -> list[FailedWork]:
    """What failed beside the parsing of pages, the latest first; such a failure is a result too (law 9)."""
    found = []
    for kind, title in TITLES.items():
        failed = failed_rows(corpus, kind)
        total = failed.count()
        if total:
            rows = list(_with_page(failed, kind).order_by("-finished_at")[:SHOWN_FAILURES])
            found.append(FailedWork(kind, str(title), rows, total))
    return found


def _with_page(rows: QuerySet[Work], kind: str) -> QuerySet[Work]:
    """Each row with the `title` of its page, where it has one, and the extractor's `name`."""
    if kind in _WITHOUT_PAGE:
        return rows.annotate(title=F(_WITHOUT_PAGE[kind]))
    page = CORPUS_OF[kind].removesuffix("__corpus")
    rows = rows.annotate(title=F(f"{page}__title"), site=F(f"{page}__site"))
    return rows.annotate(name=F("extractor__name")) if kind == "extraction" else rows
