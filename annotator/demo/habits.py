"""How the demo's annotators differ from the reference: by habits, and on the same page always alike."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from annotator.common.verdicts import Verdict
from extraction.spans import Span


@dataclass(frozen=True)
class ReferenceMarks:
    """What a page is, and its true spans."""

    text: str
    spans: tuple[Span, ...]
    verdict: str
    reason: str


@dataclass(frozen=True)
class Judgement:
    """What an annotator makes of a page, and in how many seconds."""

    spans: tuple[Span, ...]
    verdict: str
    reason: str
    seconds: int


@dataclass(frozen=True)
class Habit:
    """An annotator: how often they err on a page, how, and how many characters they read in a second.

    They spend up to `pause` seconds more on a page.
    """

    error_rate: float
    err: Callable[[Sequence[Span], str, random.Random], list[Span]]
    pace: float
    # How often a page that is no article is one to them.
    wrong_verdict: float = 0.0
    pause: int = 40


def judge(name: str, reference: ReferenceMarks, digest: str) -> Judgement:
    """What the annotator `name` says about the page with this digest."""
    habit = HABITS[name]
    dice = random.Random(f"{name}:{digest}")
    errs = dice.random() < habit.error_rate
    spans = (
        habit.err(reference.spans, reference.text, dice)
        if errs and reference.spans
        else list(reference.spans)
    )
    verdict, reason = reference.verdict, reference.reason
    if verdict == Verdict.NOT_ARTICLE and dice.random() < habit.wrong_verdict:
        verdict, reason = Verdict.ARTICLE.value, ""
    seconds = int(len(reference.text) / habit.pace * dice.uniform(0.7, 1.5)) + dice.randint(
        habit.pause // 4, habit.pause
    )
    return Judgement(tuple(spans), verdict, reason, seconds)


# ---- habits ----


def _careful(spans: Sequence[Span], text: str, dice: random.Random) -> list[Span]:
    """Overlooks one short passage."""
    short = [span for span in spans if span.end - span.start < SHORT and span.label != "headline"]
    overlooked = dice.choice(short) if short else None
    return [span for span in spans if span != overlooked]


def _loose(spans: Sequence[Span], text: str, dice: random.Random) -> list[Span]:
    """Takes captions, summaries and pull quotes for a part of the body."""
    return [
        Span(span.start, span.end, "body")
        if span.label == "supplemental" and span.end - span.start > SHORT and dice.random() < LOOSE
        else span
        for span in spans
    ]


def _cuts_ends(spans: Sequence[Span], text: str, dice: random.Random) -> list[Span]:
    """Stops too early: without the last paragraph or its last sentence, and without what is related."""
    last = max((span for span in spans if span.label == "body"), default=None)
    if last is None:
        return list(spans)
    sentence = text.rfind(". ", last.start, last.end - 2) + 1
    kept = [Span(last.start, sentence, "body")] if sentence > last.start and dice.random() < HALF else []
    keeps_related = dice.random() < HALF
    others = [span for span in spans if span != last and (keeps_related or span.label != "related")]
    return sorted(others + kept)


def _fast(spans: Sequence[Span], text: str, dice: random.Random) -> list[Span]:
    """Marks the large blocks, and comments as one; little things are left out."""
    forgotten = dice.choice(["comments", "supplemental", "related"])
    kept = [span for span in spans if span.label != forgotten]
    return [span for span in kept if span.end - span.start >= TINY or span.label == "headline"]


SHORT, TINY = 70, 24
LOOSE, HALF = 0.6, 0.5

HABITS: Mapping[str, Habit] = {
    "ines": Habit(0.10, _careful, pace=17),
    "marta": Habit(0.38, _loose, pace=22),
    "joon": Habit(0.38, _cuts_ends, pace=26),
    "tomasz": Habit(0.46, _fast, pace=260, wrong_verdict=0.5, pause=8),
}
