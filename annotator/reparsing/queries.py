"""Which parser made the documents that count, which pages would move, and which must wait."""

from django.db.models import Count, Q, QuerySet, Sum

from annotator.annotations.models import TO_GOLD, Annotation, Round, Slot
from annotator.corpora.models import Corpus
from annotator.gold.queries import open_disputes
from annotator.pages.models import Document, Page
from annotator.reparsing.models import Move, Reparse


def versions(corpus: Corpus) -> list[dict[str, object]]:
    """Each parser version with the number of pages that count by it, the most first."""
    current = Document.objects.filter(current_of__corpus=corpus)
    return list(current.values("version").annotate(pages=Count("pk")).order_by("-pages", "version"))


def to_move(corpus: Corpus, version: str) -> QuerySet[Page]:
    """Pages with a document that another parser version made."""
    parsed = Page.objects.filter(corpus=corpus, document__isnull=False, takedown=None)
    return parsed.exclude(document__version=version)


def last_run(corpus: Corpus) -> Reparse | None:
    """The re-parse that was begun last."""
    return Reparse.objects.filter(corpus=corpus).first()


def in_work(page: Page) -> bool:
    """Somebody has the page in hand, or has marked what is not settled: its document stays where it is."""
    unsettled = Round.objects.filter(page=page, settled_at=None)
    held = Slot.objects.filter(round__in=unsettled, annotator__isnull=False, submitted_at=None)
    marked = Annotation.objects.filter(slot__round__in=unsettled.filter(purpose__in=TO_GOLD))
    return held.exists() or marked.exists() or open_disputes().filter(round__page=page).exists()


def movable(pk: int) -> bool:
    """Whether the page's re-parse still goes on."""
    return Move.objects.filter(pk=pk, run__stopped_at=None).exists()


def open_moves(run: Reparse) -> QuerySet[Move]:
    return Move.objects.filter(run=run, finished_at=None)


def tallied(run: Reparse) -> dict[str, int]:
    """Pages by what became of them, and intervals and characters of gold."""
    done = Q(finished_at__isnull=False, error="")
    waits = Q(finished_at=None, waiting_since__isnull=False)
    found = run.moves.aggregate(
        pages=Count("pk"),
        moved=Count("pk", filter=done),
        failed=Count("pk", filter=Q(finished_at__isnull=False) & ~Q(error="")),
        waiting=Count("pk", filter=waits),
        with_gold=Count("gold"),
        whole=Count("gold", filter=Q(lost=0)),
        to_settle=Count("adjudication"),
        same=Sum("same", default=0),
        changed=Sum("changed", default=0),
        lost=Sum("lost", default=0),
        characters_lost=Sum("characters_lost", default=0),
    )
    return {**found, "left": found["pages"] - found["moved"] - found["failed"]}


def worst_first(run: Reparse) -> QuerySet[Move]:
    """The report page by page: failures, then where most was lost or changed; pages that wait come last."""
    moves = run.moves.select_related("page", "gold", "before", "document", "adjudication")
    looked_at = moves.filter(Q(finished_at__isnull=False) | Q(waiting_since__isnull=False))
    return looked_at.annotate(failed=Q(finished_at__isnull=False) & ~Q(error="")).order_by(
        "-failed", "-characters_lost", "-lost", "-changed", "waiting_since", "id"
    )
