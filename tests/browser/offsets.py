"""Exact offsets, proved on one page after the other: in both views, and through save and reload."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser
from playwright.sync_api import Page as Window

from annotator.annotations.actions import claim_on, state_of
from annotator.annotations.models import Annotation, Slot
from annotator.corpora.models import User
from annotator.pages.models import Page
from extraction.documents.document import Document
from extraction.documents.view.build import build_view
from extraction.parsing.errors import ParseError
from extraction.parsing.parse import parse
from extraction.spans import Span, clip, normalise
from tests.browser import workbench
from tests.contexts import new_context
from tests.js.server import serving

SPANS = 100
LABELS = ("headline", "body", "supplemental", "comments", "related")

SAME_TEXT = """async ([mode, sha256]) => {
  const {view} = window.goldpan;
  view.build(mode, "light");
  return await view.verify(sha256);
}"""
EXACT = "([name, sha256]) => window.exact(name, sha256)"
MARK = """(spans) => {
  const {view, editor} = window.goldpan;
  editor.dismiss();
  for (const [start, end, label] of spans) editor.mark([view.offsets(view.range(start, end))], label);
}"""


@dataclass
class Outcome:
    """What one page showed; `problems` is empty when all of it held."""

    page: str
    spans: int = 0
    problems: list[str] = field(default_factory=list)


class Builder:
    """Builds views in one browser window by the app's own modules, without a navigation for each page."""

    def __init__(self, window: Window, address: str, views: dict[str, dict[str, Any]]) -> None:
        self._window = window
        self._views = views
        window.goto(f"{address}/exact")
        window.wait_for_selector("html[data-ready]", state="attached")

    def check(self, location: str, document: Document) -> Outcome:
        """Both views: the text's digest, the order of its nodes, random spans to the DOM and back."""
        self._views["page"] = build_view(document)
        found = self._window.evaluate(EXACT, ["page", document.sha256])
        return Outcome(location, found["spans"], found["problems"])


@contextmanager
def building(browser: Browser) -> Iterator[Builder]:
    """A Builder in a window of its own."""
    views: dict[str, dict[str, Any]] = {}
    with serving(views) as address:
        context = new_context(browser, viewport={"width": 1200, "height": 800})
        yield Builder(context.new_page(), address, views)
        context.close()


def parsed(raw: bytes, charset: str | None = None) -> Document | str:
    """The page's document, or by which limit it is refused."""
    try:
        return parse(raw, charset)
    except ParseError as error:
        return f"{error.reason}: {error}"


def check(site: str, window: Window, page: Page, annotator: User, seed: int = 1) -> Outcome:
    """Open the page in the workbench, mark random spans through the DOM, save, reload, compare everything."""
    slot = claim_on(page=page, annotator=annotator)
    annotation = Annotation.objects.select_related("document").get(slot=slot, annotator=annotator)
    outcome = Outcome(page.sha256[:12])
    address = f"{site}/c/{page.corpus.slug}/slots/{slot.key}/"
    window.goto(address)
    workbench.ready(window)
    for mode in ("page", "reading"):
        if not window.evaluate(SAME_TEXT, [mode, annotation.document.sha256]):
            outcome.problems.append(f"another text in {mode} view")
    wanted = random_spans(annotation, seed)
    window.evaluate(MARK, [list(span) for span in wanted])
    workbench.saved(window)
    window.goto(address)
    workbench.ready(window)
    _compare(outcome, slot, annotation, wanted, workbench.spans_in_browser(window))
    return outcome


def random_spans(annotation: Annotation, seed: int) -> list[Span]:
    """Disjoint spans anywhere in the text, over edges of blocks and inside of words and emoji."""
    dice = random.Random(f"{seed}:{annotation.document.sha256}")
    length = annotation.document.length
    cuts = sorted(dice.sample(range(length + 1), min(2 * SPANS, (length + 1) // 2 * 2)))
    return [Span(start, end, dice.choice(LABELS)) for start, end in zip(cuts[::2], cuts[1::2], strict=True)]


def _compare(
    outcome: Outcome,
    slot: Slot,
    annotation: Annotation,
    wanted: list[Span],
    shown: list[tuple[int, int, str]],
) -> None:
    document = annotation.document
    expected = [tuple(span) for span in normalise(clip(wanted, document.blocks, document.text))]
    annotation.refresh_from_db()
    stored = [tuple(span) for span in state_of(annotation)["spans"]]
    outcome.spans = len(wanted)
    if stored != expected:
        outcome.problems.append("the server holds other spans")
    if shown != expected:
        outcome.problems.append("the reloaded page shows other spans")
