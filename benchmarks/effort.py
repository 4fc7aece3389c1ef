"""How many actions exact gold costs in the workbench: an ideal annotator, real keys and a real mouse.

Each page is opened once with goldpan's suggestion. She plans (`planning`), then does it: from blank, from the
suggestion, from blank by keyboard alone; undo brings her back to where she began. What stands in the browser
after is compared with the gold, character by character. Clicks, drags and keys count, moves by j and k apart;
scrolling is free. To clear a suggestion, or to accept it, is an action.
"""

import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

from playwright.sync_api import Page as Window
from playwright.sync_api import sync_playwright
from tqdm import tqdm

from annotator.annotations.actions import claim_on, open_round
from annotator.annotations.models import Slot
from annotator.annotations.study.actions import begin_design
from annotator.common import work
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus
from annotator.pages.actions import add_page, build_document
from annotator.pages.models import Page
from annotator.runs.actions import register, request_extractions, run_extraction
from annotator.runs.models import Extraction, Extractor
from benchmarks.planning import NEVER, Act, Pieces, Plan, Range, Sight, by_keys, by_mouse, pieces
from extraction.formats import Record
from extraction.formats.gold import place
from extraction.parse import parse
from extraction.sandbox import Parser
from extraction.spans import clip
from launcher import chromium
from tests.browser import workbench as bench
from tests.conftest import FLAGS
from tests.corpora import records
from tests.factories import PASSWORD, make_user
from tests.processes import web

LABEL = "body"
SUGGESTED_BY = "goldpan"
BLANK, SUGGESTION, KEYBOARD = "from blank", "from the suggestion", "from blank, keyboard alone"
ALT = 1

# Where a click hits a block: scrolled to it, the first of a few points on its lines that means it.
AIM = """const aim = (view, block) => {
  const first = view.blockRange(block).getClientRects()[0];
  if (!first) return null;
  if (first.top < 60 || first.top > view.window.innerHeight - 120) view.window.scrollBy(0, first.top - 200);
  const boxes = [...view.blockRange(block).getClientRects()].filter((box) => box.width > 2 && box.height > 2);
  for (const box of boxes.slice(0, 4)) {
    for (const x of [box.left + Math.min(4, box.width / 2), (box.left + box.right) / 2]) {
      const y = (box.top + box.bottom) / 2;
      const node = view.document.caretPositionFromPoint(x, y)?.offsetNode;
      if (node && view.blockOf(node) === block && y > 0 && y < view.window.innerHeight) return [x, y];
    }
  }
  return null;
};
"""
LOOK = """() => { AIM
  const { view, editor, stage } = window.goldpan;
  const { structure, blocks } = view;
  const every = [...blocks.keys()];
  const around = (run) => { const next = structure.grown(run); return next ? [next, ...around(next)] : []; };
  const seen = every.map((block) => aim(view, block) !== null);
  view.window.scrollTo(0, 0);
  return {
    blocks, seen, walked: every.map((block) => !stage.geometry.isHidden(block)),
    kinds: every.map((block) => structure.like([block, block])[0]),
    runs: every.map((block) => around([block, block])),
    whole: every.map((block) => view.clip([blocks[block]])),
    ghosts: editor.ghosts.map(([start, end]) => [start, end]), text: String(view.text),
  };
}""".replace("AIM", AIM)
POINT = """(block) => { AIM
  const [x, y] = aim(window.goldpan.view, block);
  const frame = document.querySelector("#frame").getBoundingClientRect();
  return [frame.left + x, frame.top + y];
}""".replace("AIM", AIM)


class Effort(NamedTuple):
    """What one way took on one page; `is_exact` after playing, False where no plan was found."""

    cost: int
    moves: int
    is_exact: bool


class Job(NamedTuple):
    page: Page
    gold: list[Range]


def run(limit: int | None = None) -> str:
    """Every page with gold, three ways; a table."""
    corpus = create_corpus(slug="bench-effort", name="Effort")
    begin_design(corpus=corpus, slots=1)
    corpus.labels.exclude(name=LABEL).delete()
    annotator = make_user("bench-effort", password=PASSWORD)
    grant_role(corpus=corpus, user=annotator, role="annotator")
    extractor = register(SUGGESTED_BY)
    with Parser() as parser:
        jobs = [job for record in records(limit) if (job := _job(corpus, record, parser, extractor))]
    with tempfile.TemporaryDirectory() as folder, web(Path(folder)) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        window = browser.new_page(viewport={"width": 1440, "height": 900})
        window.on("dialog", lambda dialog: dialog.accept())
        bench.sign_in(window, site, annotator.username)
        efforts = []
        for job in tqdm(jobs, desc="effort", disable=None):
            slot = claim_on(page=job.page, annotator=annotator)
            window.goto(f"{site}/c/{corpus.slug}/slots/{slot.pk}/")
            bench.ready(window)
            efforts.append(play_page(window, job.gold))
            bench.saved(window)
        browser.close()
    return _report(efforts)


def _job(corpus: Corpus, record: Record, parser: Parser, extractor: Extractor) -> Job | None:
    if record.gold is None:
        return None
    page = add_page(corpus=corpus, raw=record.raw).page
    claimed = work.claim(Page, page.pk)
    built = build_document(claimed, parser) if claimed else None
    if built is None:
        raise SystemExit(f"{page.sha256} could not be built")
    for extraction in request_extractions(document=built, enabled=[extractor.pk]):
        started = work.claim(Extraction, extraction.pk)
        if started is not None:
            run_extraction(started)
    slots = open_round(page=page).slots
    # The draw leaves a fifth of the pages without: here each page is tried with one.
    Slot.objects.filter(pk__in=slots.values("pk")).update(arm=extractor)
    document = parse(record.raw)
    gold = clip(place(record.gold, document).spans, document.blocks, document.text)
    return Job(page, [(start, end) for start, end, _ in gold])


def play_page(window: Window, gold: Sequence[Range]) -> dict[str, Effort]:
    """All three ways on the page in the window."""
    bench.until(window, "goldpan.stage.geometry.isMeasured")
    look = window.evaluate(LOOK)
    shown = "reading" if window.evaluate("goldpan.view.mode") == "page" else "page"
    clear = (Act("key", "x"),) if look["ghosts"] else ()
    sight, whole, ghosts = _sight(look, "seen")
    target = pieces(gold, sight)
    nothing: list[Pieces] = [()] * len(target)

    blank = by_mouse(sight, nothing, whole, target)
    accepted = Plan((Act("key", "a"), *by_mouse(sight, ghosts, whole, target).acts))
    anew = Plan((*clear, *blank.acts))
    if blank.cost >= NEVER:
        # The other view shows what this one hides.
        window.keyboard.press("v")
        bench.until(window, f"goldpan.view.mode === '{shown}' && goldpan.stage.geometry.isMeasured")
        look = window.evaluate(LOOK)
        sight, whole, ghosts = _sight(look, "seen")
        switched = Act("key", "", 1)
        blank = Plan((switched, *by_mouse(sight, nothing, whole, target).acts))
        accepted = Plan((switched, Act("key", "a"), *by_mouse(sight, ghosts, whole, target).acts))
        anew = Plan((*clear, *blank.acts))
    walking, _, _ = _sight(look, "walked")
    keys = by_keys(walking, nothing, whole, target)
    suggested = min(accepted, anew, key=lambda plan: plan.cost)
    return {
        BLANK: _play(window, blank, walking, gold, before=clear),
        SUGGESTION: _play(window, suggested, walking, gold),
        KEYBOARD: _play(window, keys, walking, gold, before=clear),
    }


def _sight(look: dict[str, Any], seen: str) -> tuple[Sight, list[Pieces], list[Pieces]]:
    blocks = [(start, end) for start, end in look["blocks"]]
    sight = Sight(blocks, look[seen], look["kinds"], look["runs"], look["text"])
    whole = [tuple((start, end) for start, end in each) for each in look["whole"]]
    return sight, whole, pieces([(start, end) for start, end in look["ghosts"]], sight)


def _play(
    window: Window, plan: Plan, sight: Sight, gold: Sequence[Range], before: Sequence[Act] = ()
) -> Effort:
    if plan.cost >= NEVER:
        return Effort(plan.cost, 0, False)
    hand = Hand(window, sight)
    for act in (*before, *plan.acts):
        hand.do(act)
    found = [(start, end) for start, end, _ in bench.spans_in_browser(window)]
    window.keyboard.press("Escape")
    while window.evaluate("goldpan.editor.canUndo"):
        window.keyboard.press("Control+z")
    return Effort(plan.cost, hand.moves, found == list(gold))


class Hand:
    """Does what a plan says, with real events."""

    def __init__(self, window: Window, sight: Sight) -> None:
        self.window = window
        self.sight = sight
        self.index = {block: number for number, block in enumerate(sight.blocks)}
        self.moves = 0
        window.keyboard.press("Escape")
        window.evaluate("goldpan.view.window.scrollTo(0, 0)")

    def do(self, act: Act) -> None:
        """One act."""
        if act.what in ("click", "shift-click") and isinstance(act.at, tuple):
            self._click(self.index[act.at], "Shift" if act.what == "shift-click" else "")
        elif act.what in ("drag", "alt-drag") and isinstance(act.at, tuple):
            bench.drag(self.window, *act.at, modifiers=ALT if act.what == "alt-drag" else 0)
        elif act.what == "walk" and isinstance(act.at, int):
            self._walk(act.at)
        elif act.what == "find":
            self.window.keyboard.press("/")
            self.window.keyboard.type(str(act.at))
            self.window.keyboard.press("Escape")
        elif act.at:
            self.window.keyboard.press(str(act.at))

    def _click(self, block: int, modifier: str) -> None:
        x, y = self.window.evaluate(POINT, block)
        if modifier:
            self.window.keyboard.down(modifier)
        self.window.mouse.click(x, y)
        if modifier:
            self.window.keyboard.up(modifier)

    def _walk(self, block: int) -> None:
        """By j and k from where the choice is; blocks that cannot be seen are passed over."""
        if self._here() is None:
            self._press("j", 1)
        here = self._here()
        if here == block and "–" in self._words():
            # The end of a run: off it and back, which chooses the block alone.
            self._press("k", 1)
            here = self._here()
        if here is None or here == block:
            return
        passed = self.sight.seen[here + 1 : block + 1] if here < block else self.sight.seen[block:here]
        self._press("j" if here < block else "k", sum(passed))
        if self._here() != block:
            raise RuntimeError(f"from block {here} keys led to {self._here()}, not to {block}")

    def _press(self, key: str, times: int) -> None:
        for _ in range(times):
            self.window.keyboard.press(key)
        self.moves += times

    def _here(self) -> int | None:
        """The block from which j and k go on, as the foot line says it."""
        digits = "".join(filter(str.isdigit, self._words().rpartition("–")[2]))
        return int(digits) - 1 if digits else None

    def _words(self) -> str:
        return self.window.inner_text(".status [data-block]")


def _report(efforts: list[dict[str, Effort]]) -> str:
    lines = [
        "## Effort",
        "",
        f"An ideal annotator on {len(efforts)} pages in Chromium, one label, with real keys and mouse; "
        "actions are clicks, drags and keys, moves by `j` and `k` stand apart.",
        "",
        "| way | pages | exact | median | 90th percentile | most | moves, median |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for way in (BLANK, SUGGESTION, KEYBOARD):
        played = [effort[way] for effort in efforts if effort[way].cost < NEVER]
        costs = [effort.cost for effort in played]
        lines.append(
            f"| {way} | {len(played)} | {sum(effort.is_exact for effort in played)} | {median(costs):g} | "
            f"{_ninetieth(costs):g} | {max(costs)} | {median(effort.moves for effort in played):g} |"
        )
    no_more = sum(effort[SUGGESTION].cost <= effort[BLANK].cost for effort in efforts)
    spread = Counter(min(effort[BLANK].cost, 13) for effort in efforts)
    lines += [
        "",
        f"From {SUGGESTED_BY}'s suggestion never more than from blank on {no_more} of {len(efforts)} pages "
        f"({no_more / len(efforts):.0%}). From blank: "
        + ", ".join(f"{n if n < 13 else 'more'}: {spread[n]}" for n in sorted(spread))
        + ".",
    ]
    return "\n".join(lines)


def _ninetieth(costs: list[int]) -> float:
    return quantiles(costs, n=10, method="inclusive")[-1] if len(costs) > 1 else costs[0]
