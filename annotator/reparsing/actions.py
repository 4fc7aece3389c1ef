"""Re-parsing: started, stopped, and each page moved with its gold in one step (law 2).

Everything is made beside what counts: the document, its extractions, the carried gold, its scores. Each is a
row that is there or not, so a killed job goes on where it stopped. Then the page flips in one transaction.
"""

import time
from collections.abc import Callable
from datetime import timedelta
from enum import StrEnum

from django.db import transaction
from django.utils import timezone
from django.utils.translation import ngettext

from annotator.annotations.models import Slot
from annotator.common import work
from annotator.common.errors import Conflict
from annotator.corpora.models import Corpus, User
from annotator.gold.models import Adjudication, Gold
from annotator.gold.opening import MAX_WHY, reopen_gold
from annotator.pages.models import Document, Page
from annotator.releases.models import Takedown
from annotator.reparsing import queries
from annotator.reparsing.carrying import CHANGED, LOST, SAME, Carriage, carry_gold
from annotator.reparsing.models import Move, Reparse
from annotator.runs.actions import request_extractions, run_extraction
from annotator.runs.models import Extraction
from annotator.runs.queries import enabled_in
from annotator.scoring.actions import request_scores, score, touch_board
from annotator.scoring.models import Score
from extraction.document import PARSER_VERSION

AT_ONCE = 1_000
# A job that has worked so long, in seconds, hands on to its own next attempt, well below its time limit.
PATIENCE = 10.0
# A page on which somebody works is looked at again after this, if nothing says so before.
LOOK_AGAIN = timedelta(minutes=5)
SOON = timedelta(seconds=2)
# What is stopped is not hinted at before it is started again.
STOPPED = timedelta(days=3650)


# Makes the document of a page that a parser version makes, or raises.
Make = Callable[[Page, str], Document]


class Outcome(StrEnum):
    """What became of one attempt to move a page."""

    MOVED = "moved"
    WAITS = "waits"  # somebody works on it
    AGAIN = "again"  # more is to be done, or somebody was quicker: at once


# ---- start and stop ----


@transaction.atomic
def start(*, corpus: Corpus, user: User | None = None) -> Reparse:
    """Bring the corpus's documents to the parser that runs here; a stopped or failed re-parse goes on."""
    run, _new = Reparse.objects.get_or_create(
        corpus=corpus, version=PARSER_VERSION, defaults={"requested_by": user}
    )
    Reparse.objects.filter(pk=run.pk).update(stopped_at=None)
    run.refresh_from_db()
    _add_moves(run)
    for failed in run.moves.failed():
        work.retry(failed)
    queries.open_moves(run).update(hinted_at=timezone.now())
    return run


def _add_moves(run: Reparse) -> None:
    pages = queries.to_move(run.corpus, run.version).exclude(moves__run=run)
    moves = [
        Move(run=run, page_id=page, before_id=document)
        for page, document in pages.order_by("id").values_list("pk", "document")
    ]
    Move.objects.bulk_create(moves, batch_size=AT_ONCE, ignore_conflicts=True)


@transaction.atomic
def stop(*, run: Reparse) -> None:
    """No further page is begun; what has moved stays moved."""
    Reparse.objects.filter(pk=run.pk, stopped_at=None).update(stopped_at=timezone.now())
    queries.open_moves(run).update(hinted_at=timezone.now() + STOPPED)


def wake(*, gold: Gold) -> list[Move]:
    """The moves that waited until the gold's page was settled, free to go on."""
    waiting = Move.objects.filter(page=gold.page_id, run__stopped_at=None, waiting_since__isnull=False).open()
    waiting.update(hinted_at=timezone.now())
    return list(waiting)


# ---- one page ----


def move_page(move: Move, make: Make) -> Outcome:
    """Take a claimed page as far as it goes now. Raises where it cannot be parsed: it stays as it is."""
    until = time.monotonic() + PATIENCE
    if Takedown.objects.filter(page=move.page_id).exists():
        raise Conflict("the page was taken down")
    if queries.in_work(move.page):
        return _wait(move)
    document = _document(move, make)
    if not _extracted(move, document, until):
        return _again(move)
    standing = move.page.gold.filter(current=True).select_related("document").first()
    carriage = carry_gold(standing, document) if standing else None
    gold = _stage_gold(move, standing, document, carriage) if standing and carriage else None
    if gold and not _scored(move, gold, until):
        return _again(move)
    return _flip(move, document, standing, gold, carriage)


def _wait(move: Move) -> Outcome:
    Move.objects.filter(pk=move.pk, waiting_since=None).update(waiting_since=timezone.now())
    work.put_back(move, until=timezone.now() + LOOK_AGAIN)
    return Outcome.WAITS


def _again(move: Move) -> Outcome:
    work.put_back(move, until=timezone.now() + SOON)
    return Outcome.AGAIN


def _document(move: Move, make: Make) -> Document:
    made = Document.objects.filter(page=move.page, version=move.run.version).first()
    return made or make(move.page, move.run.version)


def _extracted(move: Move, document: Document, until: float) -> bool:
    """Every enabled extractor has said what it says of the document, or has failed."""
    request_extractions(document=document, enabled=enabled_in(move.page.corpus_id))
    for pk in document.extractions.open().order_by("pk").values_list("pk", flat=True):
        if time.monotonic() > until or not work.beat(move):
            return False
        claimed = work.claim(Extraction, pk)
        if claimed:
            run_extraction(claimed)
    return not document.extractions.open().exists()


def _stage_gold(move: Move, standing: Gold, document: Document, carriage: Carriage) -> Gold:
    """The carried gold, made once, that does not count yet."""
    staged = Gold.objects.filter(page=move.page, document=document, move=move).first()
    if staged and move.gold_before_id == standing.pk:
        return staged
    with transaction.atomic():
        page = Page.objects.select_for_update().get(pk=move.page_id)
        gold = Gold.objects.create(
            page=page,
            number=page.gold.count() + 1,
            document=document,
            verdict=standing.verdict,
            reason=standing.reason,
            spans=[list(interval) for interval in carriage.spans],
            tells=standing.tells,
            source=carriage.source,
            saw=standing.saw,
            characters=carriage.characters,
            placed=carriage.placed,
            current=None,
        )
        Move.objects.filter(pk=move.pk).update(gold=gold, gold_before=standing)
    move.refresh_from_db(fields=["gold", "gold_before"])
    return gold


def _scored(move: Move, gold: Gold, until: float) -> bool:
    """Each extraction of the gold's document is scored against it: only cells that are not there yet."""
    done = Extraction.objects.filter(document=gold.document_id, finished_at__isnull=False)
    for row in request_scores([(gold.pk, pk) for pk in done.values_list("pk", flat=True)]):
        if time.monotonic() > until or not work.beat(move):
            return False
        claimed = work.claim(Score, row.pk)
        if claimed:
            score(claimed)
    return not gold.scores.open().exists()


# ---- the flip ----


@transaction.atomic
def _flip(
    move: Move, document: Document, standing: Gold | None, gold: Gold | None, carriage: Carriage | None
) -> Outcome:
    """Document, gold and figures change place at once, or not at all."""
    page = _hold(move.page_id)
    if Takedown.objects.filter(page=page).exists():
        raise Conflict("the page was taken down")
    if queries.in_work(page):
        return _wait(move)
    now_standing = page.gold.filter(current=True).first()
    if now_standing != standing:
        return _again(move)
    if standing and gold:
        Gold.objects.filter(pk=standing.pk).update(current=None)
        Gold.objects.filter(pk=gold.pk).update(current=True)
    Page.objects.filter(pk=page.pk).update(document=document)
    result = {"document": document, "waiting_since": None}
    if gold and carriage:
        result |= _account(carriage) | {"adjudication": _before_adjudicator(gold, carriage, move.before.text)}
    if not work.finish(move, **result):
        transaction.set_rollback(True)
        return Outcome.AGAIN
    touch_board(page.corpus_id)
    return Outcome.MOVED


def _hold(page_id: int) -> Page:
    """Page, rounds and slots until the transaction ends: who claims or settles comes before or after.

    First the rounds, as settling does; then the slots, as claiming does; the page last, as both do.
    """
    page = Page.objects.get(pk=page_id)
    rounds = list(page.rounds.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
    list(
        Slot.objects.select_for_update(no_key=True).filter(round__in=rounds).order_by("pk").values_list("pk")
    )
    return Page.objects.select_for_update().get(pk=page_id)


def _account(carriage: Carriage) -> dict[str, object]:
    return {
        "same": carriage.count(SAME),
        "changed": carriage.count(CHANGED),
        "lost": carriage.count(LOST),
        "characters_lost": sum(row.characters for row in carriage.rows),
        "report": carriage.report(),
    }


def _before_adjudicator(gold: Gold, carriage: Carriage, text: str) -> Adjudication | None:
    """What was lost is settled by a person, with its text before her; the carried gold stands until then.

    None where nothing was lost, or nobody annotated the page here: such gold says what it lacks.
    """
    if not carriage.count(LOST):
        return None
    try:
        with transaction.atomic():
            return reopen_gold(gold=gold, by=None, why=why(carriage, text))
    except Conflict:
        return None


def why(carriage: Carriage, text: str) -> str:
    """What the adjudicator reads: how much was lost, and the old text of it, as far as there is room."""
    lost = sum(row.characters for row in carriage.rows)
    said = ngettext(
        "The page was parsed anew, and %(n)d marked character was not found again:",
        "The page was parsed anew, and %(n)d marked characters were not found again:",
        lost,
    ) % {"n": lost}
    for row in carriage.rows:
        for start, end in row.missing:
            quote = " ".join(text[start:end].split())
            said += f" “{quote}” ({row.label})"
    return said if len(said) <= MAX_WHY else said[: MAX_WHY - 1] + "…"
