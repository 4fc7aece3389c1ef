"""What an extraction is worth on one page, by every metric, computed once more from texts and spans alone.

Nothing is shared with the product's metrics: they are written here from `docs/metrics.md` and their sources,
the plain way, as tables of whole texts where the product has bits of long integers.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

# Pages of more characters have no figures by metrics that align two texts.
MOST_ALIGNED = 100_000

Marked = NDArray[np.bool_]
MARKED = re.compile(rb"\x01+")
Pieces = tuple[tuple[str, ...], ...]
Sentence = tuple[str, ...]


class OnPage(NamedTuple):
    """What one extractor did on one page: amounts, and shares, None where the metric leaves the page out."""

    true: float
    predicted: float
    gold: float
    precision: float | None
    recall: float | None


class PageText(NamedTuple):
    """A canonical text, and its blocks."""

    text: str
    blocks: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, text: str, blocks: Iterable[Sequence[int]]) -> Self:
        return cls(text, tuple((start, end) for start, end in blocks))


def figures(
    page: PageText, gold: list[Any], predicted: list[Any], members: set[str], *, failed: bool, every: bool
) -> dict[str, OnPage]:
    """The figures by metric under the label set with these members; a failure has marked nothing.

    By every metric, or by characters alone.
    """
    right = marked(page, gold, members)
    found = marked(page, [] if failed else predicted, members)
    visible = visible_in(page.text)
    amounts = ((right & found & visible).sum(), (found & visible).sum(), (right & visible).sum())
    by_characters = {"character": shares(*map(int, amounts), failed=failed)}
    if not every:
        return by_characters
    pieces = pieces_of(page, right.tobytes()), pieces_of(page, found.tobytes())
    texts = [text_of(some) for some in pieces]
    by_text = {
        name: compare(*texts, failed)
        for name, compare in BY_TEXT.items()
        if len(page.text) <= MOST_ALIGNED or name not in ALIGNED
    }
    return {
        **by_characters,
        "block": shares(*_words_of_blocks(page, *pieces), failed=failed),
        **by_text,
    }


def shares(true: float, predicted: float, gold: float, *, failed: bool = False) -> OnPage:
    """By the rule for empty texts in docs/metrics.md."""
    if failed:
        return OnPage(0, 0, gold, 0.0, 0.0)
    precision = true / predicted if predicted else float(not gold)
    return OnPage(true, predicted, gold, precision, true / gold if gold else 1.0)


# ---- marks ----


def marked(page: PageText, spans: list[Any], members: set[str]) -> Marked:
    """For each character, whether a span of the label set holds it; `content` is in every one."""
    found = np.zeros(len(page.text), dtype=bool)
    for start, end, label, *_source in spans:
        if label in members or label == "content":
            found[start:end] = True
    return found


@lru_cache(maxsize=4)
def visible_in(text: str) -> Marked:
    return np.array([not char.isspace() for char in text], dtype=bool)


# A gold has the same marks beside every extractor, and often under several label sets.
@lru_cache(maxsize=64)
def pieces_of(page: PageText, marks: bytes) -> Pieces:
    """The marked runs of each block, without blanks at their edges."""
    runs = []
    for start, end in page.blocks:
        found = [
            page.text[start + run.start() : start + run.end()] for run in MARKED.finditer(marks[start:end])
        ]
        runs.append(tuple(filter(None, map(str.strip, found))))
    return tuple(runs)


def text_of(pieces: Iterable[Iterable[str]]) -> str:
    """The marked runs of each block, joined by a space; blocks by a blank line."""
    return "\n\n".join(" ".join(of_block) for of_block in pieces if of_block)


# ---- block (Kohlschütter, Fankhauser, Nejdl 2010) ----


def boilerpipe_words(text: str) -> int:
    """Words as Boilerpipe's tokenizer counts them: cut at word boundaries but for marks that glue."""
    blanks = re.sub(
        "[\t\n\v\f\r\x1c-\x1f \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]", " ", text
    )
    cut = re.sub(r"\b", "\u2063", blanks)
    glued = re.sub("\u2063*([\"'.,!@\\-:;$?()/])\u2063*", r"\1", cut)
    return sum(any(char.isalnum() for char in token) for token in re.split("[ \u2063]+", glued))


def _words_of_blocks(page: PageText, gold: Pieces, predicted: Pieces) -> tuple[int, int, int]:
    """Words of the blocks that are content in both, in the extraction, in gold."""
    true = found = right = 0
    for (start, end), of_gold, of_predicted in zip(page.blocks, gold, predicted, strict=True):
        words = _words(page.text[start:end])
        is_gold = sum(map(_words, of_gold)) > words / 2
        is_predicted = sum(map(_words, of_predicted)) > words / 2
        true += words * (is_gold and is_predicted)
        found += words * is_predicted
        right += words * is_gold
    return true, found, right


_words = lru_cache(maxsize=20_000)(boilerpipe_words)


# ---- words (WCXB), shingle (Scrapinghub), cleaneval (Evert) ----


@lru_cache(maxsize=64)
def words_in(text: str) -> list[str]:
    return re.findall(r"\w+", text)


@lru_cache(maxsize=64)
def _bag(gold: str, predicted: str, failed: bool) -> OnPage:
    a, b = words_in(gold.lower()), words_in(predicted.lower())
    if failed or not a or not b:
        right = float(not failed and not a and not b)
        return OnPage(0, 0 if failed else len(b), len(a), right, right)
    counts = Counter(b)
    both = sum(min(n, counts[word]) for word, n in Counter(a).items())
    return OnPage(both, len(b), len(a), both / len(b), both / len(a))


@lru_cache(maxsize=64)
def _shingles(gold: str, predicted: str, failed: bool) -> OnPage:
    a, b = _runs_of_four(gold), _runs_of_four(predicted)
    both, n_a, n_b = (a & b).total(), a.total(), b.total()
    either = n_a + n_b - both or 1
    if failed:
        return OnPage(0, 0, n_a / either, 0.0, 0.0)
    return OnPage(
        both / either, n_b / either, n_a / either, both / n_b if n_b else None, both / n_a if n_a else None
    )


@lru_cache(maxsize=64)
def _runs_of_four(text: str) -> Counter[Sentence]:
    words = words_in(text)
    runs = zip(words, words[1:], words[2:], words[3:], strict=False)
    return Counter(runs) if len(words) > 3 else Counter([tuple(words)] if words else [])


@lru_cache(maxsize=64)
def _cleaneval(gold: str, predicted: str, failed: bool) -> OnPage:
    a, b = (_tokens(text) for text in (gold, predicted))
    if failed:
        return OnPage(0, 0, len(a), 0.0, 0.0)
    matcher = _matcher_with(gold)
    matcher.set_seq1(b)
    both = sum(block.size for block in matcher.get_matching_blocks())
    return OnPage(both, len(b), len(a), both / len(b), both / len(a))


@lru_cache(maxsize=4)
def _matcher_with(gold: str) -> SequenceMatcher[str]:
    return SequenceMatcher(None, [], _tokens(gold))


@lru_cache(maxsize=64)
def _tokens(text: str) -> list[str]:
    lines = [line for line in text.split("\n") if not line.lstrip(" \t").startswith("URL")]
    plain = re.sub(r"[\x00-\x1f]", " ", "\n".join(lines))
    return re.split(r"\s+", re.sub(r"(<[phlPHL]>)", r" \1 ", plain))


# ---- char-lcs (tree-filter paper) ----


@lru_cache(maxsize=64)
def _char_lcs(gold: str, predicted: str, failed: bool) -> OnPage:
    a, b = words_in(gold.lower()), words_in(predicted.lower())
    return shares(0 if failed else heaviest_common(a, b), sum(map(len, b)), sum(map(len, a)), failed=failed)


def heaviest_common(a: list[str], b: list[str]) -> int:
    """The length in characters of the heaviest common subsequence: the textbook's table, row by row.

    A word that one of them lacks is in no common subsequence. What both begin with, and what both end with,
    is in one of the heaviest; so is all of a list whose words the other has in this order.
    """
    shared = 0
    while True:
        in_both = set(a) & set(b)
        a, b = ([word for word in words if word in in_both] for words in (a, b))
        before = _length_of_common(a, b)
        behind = _length_of_common(a[before:][::-1], b[before:][::-1])
        if not before + behind:
            break
        shared += sum(map(len, a[:before])) + sum(map(len, a[len(a) - behind :]))
        a, b = a[before : len(a) - behind], b[before : len(b) - behind]
    if len(a) > len(b):
        a, b = b, a
    return shared + (sum(map(len, a)) if _has_in_order(b, a) else _heaviest_by_table(a, b))


def _heaviest_by_table(a: list[str], b: list[str]) -> int:
    places: dict[str, list[int]] = {}
    for index, word in enumerate(b):
        places.setdefault(word, []).append(index)
    columns = {word: np.array(indexes) for word, indexes in places.items()}
    # A row never falls: what is better in one column is better up to where the row is as high.
    row = np.zeros(len(b) + 1, dtype=np.int64)
    for word in a:
        at = columns[word]
        weights = row[at] + len(word)
        better = weights > row[at + 1]
        highest = 0
        for column, weight in zip(at[better].tolist(), weights[better].tolist(), strict=True):
            if weight > highest:
                highest = weight
                row[column + 1 : row.searchsorted(weight)] = weight
    return int(row[-1])


def _has_in_order(words: list[str], some: list[str]) -> bool:
    left = iter(words)
    return all(word in left for word in some)


def _length_of_common(a: list[str], b: list[str]) -> int:
    """How many words both begin with."""
    return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


# ---- rouge: ROUGE-Lsum (Lin 2004, and the summary level of the `rouge_score` package) ----


@lru_cache(maxsize=64)
def _rouge(gold: str, predicted: str, failed: bool) -> OnPage:
    a = [tuple(sentence.split()) for sentence in sentences(gold)]
    b = [tuple(sentence.split()) for sentence in sentences(predicted)]
    n_a, n_b = sum(map(len, a)), sum(map(len, b))
    if failed:
        return shares(0, n_b, n_a, failed=True)
    left_a, left_b = (Counter(word for sentence in text for word in sentence) for text in (a, b))
    hits, others = 0, frozenset(b)
    for sentence in a:
        for index in union(sentence, others):
            word = sentence[index]
            if left_a[word] and left_b[word]:
                left_a[word] -= 1
                left_b[word] -= 1
                hits += 1
    return shares(hits, n_b, n_a)


def union(gold: Sentence, others: frozenset[Sentence]) -> set[int]:
    """Which words of a gold sentence are in such a subsequence with any other one: all, if it is the same."""
    if gold in others:
        return set(range(len(gold)))
    found: set[int] = set()
    left = set(gold)
    for other in others:
        if not left.isdisjoint(other):
            found |= subsequence(gold, other)
            left = {word for index, word in enumerate(gold) if index not in found}
    return found


@lru_cache(maxsize=200_000)
def subsequence(gold: Sentence, other: Sentence) -> frozenset[int]:
    """Which words of a gold sentence are in the longest common subsequence with another one.

    Of several it is the one that the package finds: from the end, it takes words that are equal, else it
    drops the last word of the other sentence where that is better, else that of the gold sentence.
    """
    its_words = set(other)
    # A word that the other sentence lacks changes nothing in its row of the table, nor on the way back.
    places = [place for place, word in enumerate(gold) if word in its_words]
    if not places:
        return frozenset()
    table = [[0] * (len(other) + 1)]
    for word in (gold[place] for place in places):
        above, row = table[-1], [0]
        for j, its in enumerate(other):
            row.append(above[j] + 1 if word == its else max(above[j + 1], row[j]))
        table.append(row)
    found = set()
    i, j = len(places), len(other)
    while i and j:
        if gold[places[i - 1]] == other[j - 1]:
            i, j = i - 1, j - 1
            found.add(places[i])
        elif table[i][j - 1] > table[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return frozenset(found)


MARKS, CLOSING = ".!?…؟।", "\"'”’»)]"
WIDE_MARKS, WIDE_CLOSING = "。！？", "」』”’）"
ANY_MARK = re.compile(f"[{MARKS}{WIDE_MARKS}]")


@lru_cache(maxsize=64)
def sentences(text: str) -> list[str]:
    """Lines, cut after marks that end a sentence: with a blank behind them, or those of Chinese and Japanese.

    Not before a small letter, and not at the full stop after a single capital.
    """
    found = []
    for line in text.splitlines():
        cuts = [0, *_cuts(line), len(line)]
        found += [line[start:end].strip() for start, end in pairwise(cuts)]
    return [sentence for sentence in found if sentence]


def _cuts(line: str) -> Iterator[int]:
    at = 0
    while mark := ANY_MARK.search(line, at):
        at = mark.start()
        for marks, closing, needs_blank in ((MARKS, CLOSING, True), (WIDE_MARKS, WIDE_CLOSING, False)):
            behind = _behind(line, at, marks, closing)
            end = behind
            while end < len(line) and line[end].isspace():
                end += 1
            if behind > at and (end > behind or not needs_blank):
                is_initial = (
                    line[at] == "."
                    and line[max(0, at - 1) : at].isupper()
                    and not line[max(0, at - 2) : max(0, at - 1)].isalnum()
                )
                if not line[end : end + 1].islower() and not is_initial:
                    yield end
                at = end - 1
                break
        at += 1


def _behind(line: str, at: int, marks: str, closing: str) -> int:
    """The place behind the marks here and what closes with them; here, if there are none."""
    end = at
    while end < len(line) and line[end] in marks:
        end += 1
    while end > at and end < len(line) and line[end] in closing:
        end += 1
    return end


BY_TEXT = {
    "words": _bag,
    "shingle": _shingles,
    "cleaneval": _cleaneval,
    "char-lcs": _char_lcs,
    "rouge": _rouge,
}
ALIGNED = {"cleaneval", "char-lcs", "rouge"}
