"""`cleaneval`: words in order, with marks of paragraphs among them, as Stefan Evert's script for CleanEval
2007 counts them.

Texts are aligned by Ratcliff and Obershelp's method, as Python's `difflib` has it with its default heuristic:
words that fill more than a hundredth of 200 or more are no anchors. That is not the longest common
subsequence, but what published figures rest on; F1 by the latter stands beside it.
"""

import re
from collections.abc import Iterable, Sequence

from extraction.metrics import lcs
from extraction.metrics.matching import matching_blocks
from extraction.metrics.pages import PageScore, harmonic_mean
from extraction.metrics.remembered import remembered

_URL_LINE = re.compile(r"^[^\S\n]*URL.*$", re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x1f]")
_MARK = re.compile(r"<[phl]>", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")


@remembered
def tokens(text: str, *, one_mark: bool = False) -> list[str]:
    """The words and marks of a text; blanks at its edges give an empty one, which counts.

    Lines that begin with "URL" are left out. `one_mark` makes every mark a `<p>`.
    """
    text = _CONTROL.sub(" ", _URL_LINE.sub("", text))
    text = _MARK.sub(lambda mark: f" {'<p>' if one_mark else mark[0]} ", text)
    return _BLANKS.split(text)


def with_marks(text: str) -> str:
    """A plain text with a `<p>` before each line that is not blank."""
    return "\n".join(f"<p>{line}" for line in text.splitlines() if line.strip())


def without_marks(text: str) -> str:
    """A marked text without its marks."""
    return _MARK.sub(" ", text).strip()


def compare(
    gold: str,
    predicted: str,
    *,
    one_mark: bool = False,
    failed: bool = False,
    extras: bool = True,
) -> PageScore:
    """Score a predicted text against a gold text, both with marks or without, in words.

    An empty text is one empty word, so two empty ones score 1 and 1, an empty and another 0 and 0. Among the
    extras are `f1_lcs` and, where a text has marks, `marks_precision`, `marks_recall` and `marks_f1`: the
    same counts of the marks alone. Without `extras` they are left out, which saves their time.
    """
    found = [] if failed else tokens(predicted, one_mark=one_mark)
    expected = tokens(gold, one_mark=one_mark)
    longest = lcs.length(found, expected) if extras and not failed else 0
    matched = _matched(found, expected)
    true = len(matched)
    return PageScore(
        true,
        len(found),
        len(expected),
        true / len(found) if found else 0.0,
        true / len(expected),
        failed=failed,
        extras={
            "f1_lcs": 2 * longest / (len(found) + len(expected)),
            **_marks(matched, found, expected),
        }
        if extras
        else {},
    )


def _matched(found: Sequence[str], expected: Sequence[str]) -> list[str]:
    blocks = matching_blocks(found, expected)
    return [token for start, _, size in blocks for token in found[start : start + size]]


def _marks(matched: Iterable[str], found: Iterable[str], expected: Iterable[str]) -> dict[str, float | None]:
    true, predicted, gold = (
        sum(_MARK.fullmatch(token) is not None for token in some) for some in (matched, found, expected)
    )
    if not predicted and not gold:
        return {}
    precision, recall = (true / predicted if predicted else 1.0), (true / gold if gold else 1.0)
    f1 = harmonic_mean(precision, recall)
    return {"marks_precision": precision, "marks_recall": recall, "marks_f1": f1}
