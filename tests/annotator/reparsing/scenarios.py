"""A re-parsed page, for tests of the screens."""

from annotator.pages.models import Page, StoredDocument
from annotator.reparsing.actions import start
from annotator.reparsing.models import ReparseJob
from annotator.reparsing.tasks import reparse_page


def reparse_from_older(page: Page, *, lost_text: str = "") -> ReparseJob:
    """As if an older parser had made the document, with `lost_text` at the end of the last mark."""
    old = page.document
    older = {"version": "1+older", "text": old.text}
    gold = page.gold.filter(current=True).first()
    if lost_text and gold:
        at = gold.spans[-1][1]
        older["text"] = old.text[:at] + lost_text + old.text[at:]
        spans = [*gold.spans[:-1], [*gold.spans[-1][:1], at + len(lost_text), *gold.spans[-1][2:]]]
        type(gold).objects.filter(pk=gold.pk).update(current=None)
        type(gold).objects.create(
            page=page,
            number=page.gold.count() + 1,
            document=old,
            verdict=gold.verdict,
            spans=spans,
            distinguishable_labels=gold.distinguishable_labels,
            source=gold.source,
        )
    StoredDocument.objects.filter(pk=old.pk).update(**older, length=len(older["text"]))
    job = start(corpus=page.corpus).jobs.get(page=page)
    reparse_page(job.pk)
    job.refresh_from_db()
    return job
