"""How many keys an adjudicator presses to settle a page.

Pages with published gold are drawn by a seed, marked by two made-up annotators (`benchmarks/slips.py`), and
settled by an adjudicator who knows the gold and presses nothing in vain. Her keys are those of the screen:

- the letter of a reading that is right, `o` for all of it, `n` for nothing: one key a segment;
- `Shift` with a letter or `n`, the same for all that is left: one key; a segment that it would answer wrongly
  she clicks first, and answers by itself, and the click counts as a key;
- where no reading is right, she marks anew: `m`, `j` from block to block, the digit of a label for each block
  that has one (a drag where it is less than the block counts as `j`), `Enter`;
- `Ctrl ↵` settles the page: one key. Both annotators say here that it is an article, so the verdict is none.
"""

from collections.abc import Iterable, Iterator, Sequence
from statistics import quantiles
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from benchmarks import published, slips
from extraction.agreement.segments import Dispute, compare, resolve
from extraction.document import Document
from extraction.errors import ParseError
from extraction.formats import BadRecord, GoldError, Record, place
from extraction.formats.gold import ARTICLE
from extraction.parse import parse
from extraction.spans import Span, bridge

SEED = 20
PAGES = 30
DRAWN = 90  # of which some cannot be placed, and on some the annotators agree
AIM = 5
SETTLE = 1
CLICK = 1
TOGETHER = ("0", "1", "n")  # what `Shift` gives to all that is left
TITLE = "## Keys of an adjudicator"


class Settled(NamedTuple):
    """One page: its segments, its keys, those without `Shift`, and how many segments were marked anew."""

    segments: int
    keys: int
    singly: int
    anew: int


class Answer(NamedTuple):
    """What answers a segment with one key, and the keys of its cheapest answer."""

    choices: frozenset[str]
    keys: int


def run(limit: int | None = None) -> str:
    """Keys a page: median, quartiles, the most."""
    drawn = draw(limit)
    if not drawn:
        return f"{TITLE}\n\nNot measured: there are no published corpora here."
    pages = list(settled_pages(tqdm(drawn, "adjudication", disable=None), PAGES))
    agreed = sum(not page.segments for page in pages)
    return _report([page for page in pages if page.segments], agreed)


def draw(limit: int | None) -> list[Record]:
    """Pages with gold of an article from all corpora, each with the same chance; in the order of the draw."""
    random = np.random.default_rng(SEED)
    kept: list[tuple[float, int, Record]] = []
    for corpus in published.found():
        for record in tqdm(published.records(corpus, limit), corpus.title, disable=None):
            if isinstance(record, BadRecord) or record.gold is None or record.gold.verdict != ARTICLE:
                continue
            ticket = (float(random.random()), len(kept), record)
            if len(kept) < DRAWN:
                kept.append(ticket)
            elif ticket < (worst := max(kept)):
                kept[kept.index(worst)] = ticket
    return [record for _ticket, _number, record in sorted(kept, key=lambda each: each[0])]


def settled_pages(records: Iterable[Record], disputed: int) -> Iterator[Settled]:
    """Until so many pages were in dispute; on those without a segment the annotators agree."""
    random = np.random.default_rng(SEED)
    left = disputed
    for record in records:
        if record.gold is None or not left:
            continue
        try:
            document = parse(record.raw)
            gold: Sequence[Span] = place(record.gold, document).spans
        except (ParseError, GoldError):
            continue
        page = settle(document, gold, random)
        left -= bool(page.segments)
        yield page


def settle(document: Document, gold: Sequence[Span], random: np.random.Generator) -> Settled:
    """Two annotators with slips, and an adjudicator who wants the gold."""
    labels = slips.labelled(gold, document.blocks)
    truth = bridge(
        [Span(*block, label) for block, label in zip(document.blocks, labels, strict=True) if label],
        document.blocks,
        document.text,
    )
    marked = list(slips.annotators(document, gold, random).values())
    answers = [
        Answer(choices, 1 if choices else keys_anew(dispute, truth, document))
        for dispute in compare(marked, document).disputes
        for choices in [answers_of(dispute, truth)]
    ]
    anew = sum(not answer.choices for answer in answers)
    singly = sum(answer.keys for answer in answers)
    return Settled(len(answers), fewest_keys(answers) + SETTLE, singly + SETTLE, anew)


def fewest_keys(answers: Sequence[Answer]) -> int:
    """One answer after the other, from some segment on the same for all that is left but the exceptions."""
    ways = [sum(answer.keys for answer in answers)]
    for number in range(len(answers)):
        before = sum(answer.keys for answer in answers[:number])
        for choice in TOGETHER:
            others = [answer.keys for answer in answers[number:] if choice not in answer.choices]
            ways.append(before + 1 + sum(CLICK + keys for keys in others))
    return min(ways)


def answers_of(dispute: Dispute, truth: Sequence[Span]) -> frozenset[str]:
    """The keys that give the truth inside a dispute: places of annotators, "n", "o"; perhaps none."""
    wanted = _inside(dispute, truth)
    found = {str(place) for place in range(2) if _inside(dispute, resolve(dispute, place)) == wanted}
    if not wanted:
        found.add("n")
    if dispute.can_take_both and _inside(dispute, resolve(dispute, "both")) == wanted:
        found.add("o")
    return frozenset(found)


def _inside(dispute: Dispute, spans: Sequence[Span]) -> list[tuple[int, str]]:
    """The label of each character of the dispute's pieces that has one."""
    return [
        (at, span.label)
        for piece in dispute.pieces
        for span in spans
        for at in range(max(piece.start, span.start), min(piece.end, span.end))
    ]


def keys_anew(dispute: Dispute, truth: Sequence[Span], document: Document) -> int:
    """`m`, a `j` for each step to the last labelled block, a digit for each labelled block, `Enter`."""
    blocks = [block for block in document.blocks if block[0] < dispute.end and dispute.start < block[1]]
    wanted = {at for at, _label in _inside(dispute, truth)}
    labelled = [
        place for place, (start, end) in enumerate(blocks) if any(at in wanted for at in range(start, end))
    ]
    return 2 + (labelled[-1] if labelled else 0) + len(labelled)


def _report(pages: Sequence[Settled], agreed: int) -> str:
    if len(pages) < 2:
        return f"{TITLE}\n\nNot measured: too few pages are in dispute."
    keys = [page.keys for page in pages]
    titles = ", ".join(corpus.title for corpus in published.found())
    within = sum(each <= AIM for each in keys)
    return "\n".join(
        [
            TITLE,
            "",
            f"{len(pages)} pages in dispute, drawn by a seed from {titles}, marked by two made-up annotators "
            f"(on {agreed} more pages of the draw they agreed). An adjudicator who knows the gold presses, "
            "with the last key that settles the page:",
            "",
            "| | a quarter of pages at most | median | three quarters at most | most |",
            "| --- | ---: | ---: | ---: | ---: |",
            f"| segments | {_row([page.segments for page in pages])} |",
            f"| keys | {_row(keys)} |",
            f"| keys, were each segment answered by itself | {_row([page.singly for page in pages])} |",
            "",
            f"Aim: at most {AIM} on the median page; {within} of {len(pages)} pages keep to it. Marked anew: "
            f"{sum(page.anew for page in pages)} of {sum(page.segments for page in pages)} segments.",
        ]
    )


def _row(values: Sequence[int]) -> str:
    low, middle, high = quantiles(values, n=4)
    return f"{low:g} | {middle:g} | {high:g} | {max(values)}"
