"""The states of a corpus's pages, and what needs an admin's attention."""

from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotator.agreement.queries import compared_rounds
from annotator.annotations.eligibility import rounds_without_annotator
from annotator.annotations.models import Purpose, Round, Slot
from annotator.common.progress import work_counts
from annotator.common.roles import ADJUDICATOR
from annotator.common.work import Work, WorkQuerySet, work_models
from annotator.common.work_kinds import WorkKind
from annotator.corpora.models import Corpus, Membership
from annotator.gold.models import Adjudication, Gold
from annotator.gold.queries import annotates, open_adjudications
from annotator.home.states import PageStage, with_state
from annotator.pages.models import Page

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

PAGES_AT_ONCE = 25


# How the list of pages may be sorted, by the name in the address; "-" before it turns it round.
SORTS = ("title", "done", "agreement", "captured_at")


def in_order(
    pages: "QuerySet[WithAnnotations[Page, ListedPage]]", sort: str
) -> "QuerySet[WithAnnotations[Page, ListedPage]]":
    """The pages sorted by one of `SORTS`; what has no value comes last either way."""
    name = sort.removeprefix("-")
    column = F("title__folded" if name == "title" else name)
    order = column.desc(nulls_last=True) if sort.startswith("-") else column.asc(nulls_last=True)
    return pages.order_by(order, "-pk")


class ListedPage(PageStage):
    """What the list shows of a page besides its fields."""

    done: int
    slots: int
    agreement: float | None
    source: str | None
    verdict: str | None


def pages_of(
    corpus: Corpus, *, state: str = "", text: str = ""
) -> "QuerySet[WithAnnotations[Page, ListedPage]]":
    """Pages, newest first, with their state, slots, agreement and gold."""
    pages = with_state(Page.objects.filter(corpus=corpus)).order_by("-pk")
    if state:
        pages = pages.filter(stage=state)
    if text:
        pages = pages.filter(
            Q(title__folded__contains=text)
            | Q(site__icontains=text)
            | Q(url__icontains=text)
            | Q(note__folded__contains=text)
        )
    main = Q(round__page=OuterRef("pk"), round__purpose=Purpose.MAIN)
    slots = Slot.objects.filter(main).order_by().values("round")
    submitted = slots.filter(submitted_at__isnull=False)
    compared = compared_rounds(corpus).filter(round__page=OuterRef("pk"))
    gold = Gold.objects.filter(page=OuterRef("pk"), current=True)
    return pages.annotate(
        done=Coalesce(Subquery(submitted.annotate(n=Count("pk")).values("n")), 0),
        slots=Coalesce(Subquery(slots.annotate(n=Count("pk")).values("n")), 0),
        agreement=Subquery(compared.values("f1")[:1]),
        source=Subquery(gold.values("source")[:1]),
        verdict=Subquery(gold.values("verdict")[:1]),
    ).defer("error")


# ---- needs attention ----


def without_taker(corpus: Corpus) -> QuerySet[Round]:
    """Rounds that wait for an annotator whom nobody can be; `skipped` is how many people skipped each.

    The main round of a page with gold, as of a corpus that came with its gold, waits for nobody. A round of
    re-annotation does: somebody asked for it.
    """
    gold = Gold.objects.filter(page=OuterRef("page"), current=True)
    waiting = rounds_without_annotator(corpus).exclude(Exists(gold), purpose=Purpose.MAIN)
    return waiting.annotate(skipped=Count("skips"))


def without_adjudicator(corpus: Corpus) -> QuerySet[Adjudication]:
    """Disputes that nobody gets by `gold.queries.adjudications_for`: every adjudicator annotated the page."""
    disputes = open_adjudications().filter(round__page__corpus=corpus)
    digest = OuterRef(OuterRef("round__page__sha256"))
    adjudicators = Membership.objects.filter(corpus=corpus, role=ADJUDICATOR, ended_at=None)
    adjudicators = adjudicators.exclude(annotates(OuterRef("user"), digest, corpus))
    return disputes.exclude(Exists(adjudicators)).select_related("round__page").order_by("pk")


class TroubledWork(NamedTuple):
    """Failed or overloaded rows of one kind of background work, the latest first; can workers retry any?"""

    name: str
    kind: WorkKind
    rows: list[Work]
    total: int
    can_retry: bool


SHOWN_FAILURES = 20


def to_retry(corpus: Corpus, name: str) -> WorkQuerySet[Work] | None:
    """The failed and overloaded rows of this kind of work that may be retried; None: no such kind."""
    model = next((model for model in work_models() if _name(model) == name), None)
    if model is None:
        return None
    rows = model.objects.of_corpus(corpus)
    return rows.retriable() if model.kind.can_retry else rows.retriable().overloaded()


def troubled_work(corpus: Corpus) -> tuple[list[TroubledWork], list[TroubledWork]]:
    """What has failed, and what the machine could not do so far, kind by kind.

    Pages that could not be parsed are listed apart.
    """
    now = timezone.now()
    failed, overloaded = [], []
    for model, state, total, _oldest in work_counts(corpus):
        rows: WorkQuerySet[Work] = model.objects.of_corpus(corpus)
        if state == "failed" and model is not Page:
            latest = rows.filter(model.kind.needs_attention(now)).order_by("-finished_at")
            failed.append(_first(latest, total))
        elif state == "overloaded":
            overloaded.append(_first(rows.overloaded().order_by("-enqueued_at"), total))
    return failed, overloaded


def _first(rows: WorkQuerySet[Work], total: int) -> TroubledWork:
    kind = rows.model.kind
    beyond = kind.beyond_workers
    can_retry = kind.can_retry and (not beyond or rows.exclude(beyond).exists())
    return TroubledWork(
        _name(rows.model), kind, list(_described(rows, kind)[:SHOWN_FAILURES]), total, can_retry
    )


def _name(model: type[Work]) -> str:
    return str(model._meta.model_name)


def _described(rows: QuerySet[Work], kind: WorkKind) -> QuerySet[Work]:
    """Each row with the `page_title` and `site` of its page, and its `label`, where it has them."""
    if kind.page:
        rows = rows.annotate(page_title=F(f"{kind.page}__title"), site=F(f"{kind.page}__site"))
    return rows.annotate(label=F(kind.label)) if kind.label else rows
