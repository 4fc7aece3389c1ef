"""The states of pages, from gold to taken down."""

from typing import TYPE_CHECKING, NamedTuple, TypedDict

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery, Value, When
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotator.annotations.models import Purpose, Slot
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.gold.queries import open_adjudications
from annotator.pages.imports.models import ImportRecord
from annotator.pages.models import Page

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


class DisplayedState(NamedTuple):
    """A state of a page: its name in URLs, its title, its CSS class in bars."""

    name: str
    title: Promise
    bar: str


STATES = (
    DisplayedState("gold", _("Gold"), "s-gold"),
    DisplayedState("due", _("To adjudicate"), "s-due"),
    DisplayedState("half", _("In progress"), "s-half"),
    DisplayedState("waiting", _("Not started"), "s-wait"),
    DisplayedState("building", _("Processing"), "s-new"),
    DisplayedState("failed", _("Failed"), "s-bad"),
    DisplayedState("taken_down", _("Taken down"), "s-gone"),
)


class PageStage(TypedDict):
    stage: str


def with_state(pages: QuerySet[Page]) -> "QuerySet[WithAnnotations[Page, PageStage]]":
    """Annotate pages with `stage`, the name of their state."""
    gold = Gold.objects.filter(page=OuterRef("pk"), current=True)
    dispute = open_adjudications().filter(round__page=OuterRef("pk"))
    begun = Slot.objects.filter(
        round__page=OuterRef("pk"), round__purpose=Purpose.MAIN, submitted_at__isnull=False
    )
    return pages.annotate(
        stage=Case(
            When(takedown__isnull=False, then=Value("taken_down")),
            When(finished_at=None, then=Value("building")),
            When(~Q(error=""), then=Value("failed")),
            When(Exists(gold), then=Value("gold")),
            When(Exists(dispute), then=Value("due")),
            When(Exists(begun), then=Value("half")),
            default=Value("waiting"),
        )
    )


def unparseable(corpus: Corpus) -> QuerySet[Page]:
    """Pages that could not be parsed."""
    return Page.objects.filter(corpus=corpus).failed().order_by("-finished_at")


class CameIn(TypedDict):
    file: str | None


def with_file(pages: QuerySet[Page]) -> "QuerySet[WithAnnotations[Page, CameIn]]":
    """The pages with the `file` in which each came in first; None where no import brought it."""
    records = ImportRecord.objects.filter(page=OuterRef("pk")).order_by("pk")
    return pages.annotate(file=Subquery(records.values("location")[:1]))
