"""A page that has moved, for the tests of what is shown of it."""

from annotator.pages.models import Document, Page
from annotator.reparsing.actions import start
from annotator.reparsing.models import Move
from annotator.reparsing.tasks import move_page


def move_from_older(page: Page, *, said_before: str = "") -> Move:
    """As if a parser of long ago had made its document, which had this besides, in every mark."""
    old = page.document
    older = {"version": "1+older", "text": old.text}
    gold = page.gold.filter(current=True).first()
    if said_before and gold:
        at = gold.spans[-1][1]
        older["text"] = old.text[:at] + said_before + old.text[at:]
        spans = [*gold.spans[:-1], [*gold.spans[-1][:1], at + len(said_before), *gold.spans[-1][2:]]]
        type(gold).objects.filter(pk=gold.pk).update(current=None)
        type(gold).objects.create(
            page=page,
            number=page.gold.count() + 1,
            document=old,
            verdict=gold.verdict,
            spans=spans,
            tells=gold.tells,
            source=gold.source,
        )
    Document.objects.filter(pk=old.pk).update(**older, length=len(older["text"]))
    move = start(corpus=page.corpus).moves.get(page=page)
    move_page(move.pk)
    move.refresh_from_db()
    return move
