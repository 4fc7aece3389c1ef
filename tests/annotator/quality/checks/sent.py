"""What a browser is sent, as numbers, and whether a classifier finds the checks in them."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import numpy as np
from scipy.stats import mannwhitneyu
from sklearn.feature_extraction import DictVectorizer
from sklearn.tree import DecisionTreeClassifier

from tests.responses import Response

Features = dict[str, float]

PAYLOAD = re.compile(r'<script id="payload" type="application/json">(.*?)</script>', re.S)
SECRET = re.compile(r'(csrf-token" content|csrfmiddlewaretoken" value|nonce)="[^"]*"')


@dataclass
class Claim:
    """One page as an annotator's browser got it, from the claim to what home says of it afterwards."""

    annotator: str
    is_check: bool
    sent: Features = field(default_factory=dict)


def of_answer(answer: Response) -> Features:
    """Status, headers, size, words, and the payload leaf by leaf."""
    found: Features = {"status": answer.status_code}
    found |= {f"header {name}": len(value) for name, value in answer.headers.items()}
    if answer.headers.get("Content-Type") == "application/json":
        packed = answer.headers.get("Content-Encoding")
        return found if packed else found | dict(_leaves(json.loads(answer.content), ""))
    html = SECRET.sub("", answer.content.decode())
    if payload := PAYLOAD.search(html):
        found |= dict(_leaves(json.loads(payload[1]), ""))
    return found | of_html(PAYLOAD.sub("", html))


def of_html(html: str) -> Features:
    """Its size, how often each word occurs, its numbers and its keys."""
    keys = re.findall(r"[0-9a-f]{8}-[0-9a-f-]{27}", html)
    words = Counter(
        re.findall(r"[A-Za-z_][A-Za-z_-]*", re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32,}", "", html))
    )
    numbers = re.findall(r"(?<![\w-])\d+", html)
    return {
        "size": len(html),
        **{f"word {word}": n for word, n in words.items()},
        **{f"key {at}": _as_number(key) for at, key in enumerate(dict.fromkeys(keys))},
        **{f"number {at}": float(number) for at, number in enumerate(numbers)},
    }


def _leaves(value: Any, path: str) -> Iterable[tuple[str, float]]:
    if isinstance(value, dict):
        yield f"{path} order", float(hash(tuple(value)) % 1_000_003)
        for name, each in value.items():
            yield from _leaves(each, f"{path}.{name}")
    elif isinstance(value, list):
        yield f"{path} length", len(value)
        for at, each in enumerate(value):
            yield from _leaves(each, f"{path}.{at}")
    elif isinstance(value, str):
        yield f"{path} length", len(value)
        yield from ((f"{path} part {at}", _as_number(part)) for at, part in enumerate(value.split("/")))
    else:
        yield path, -1.0 if value is None else float(value)


def _as_number(text: str) -> float:
    """A key as what sorts it; 0 for any other text."""
    if text.isdigit():
        return float(text)
    return UUID(text).int / 2**128 if re.fullmatch(r"[0-9a-f-]{36}", text) else 0.0


def with_sequence(claims: Sequence[Claim]) -> list[Features]:
    """Each claim with its position, and with what changed since the annotator's claim before."""
    found = []
    before: dict[str, Any] = {}
    blind: dict[str, Any] = {}
    for claim in claims:
        last = before.get(claim.annotator, {})
        position = last.get("position", 0.0) + 1
        since = blind.get(claim.annotator, 0.0)
        changes = {
            f"change of {name}": value - last[name] for name, value in claim.sent.items() if name in last
        }
        rhythm = {f"position modulo {n}": position % n for n in range(2, 9)}
        found.append(
            {**claim.sent, **changes, **rhythm, "position": position, "since without suggestion": since}
        )
        before[claim.annotator] = {**claim.sent, "position": position}
        shows = claim.sent.get("page.suggestion", 0.0) != -1.0
        blind[claim.annotator] = since + 1 if shows else 0.0
    return found


def chance_of(claims: Sequence[Claim], *, held_out: set[str], skip: int = 0) -> tuple[float, float]:
    """How well a tree that knows the other annotators' checks ranks those of the held-out ones.

    The share of pairs of a check and another page that it ranks in this order, and the p value of the
    one-sided Mann-Whitney test: how likely chance ranks so many.
    """
    features = with_sequence(claims)
    rows = [at for at, each in enumerate(features) if each["position"] > skip]
    matrix = DictVectorizer(sparse=False).fit_transform([features[at] for at in rows])
    labels = np.array([claims[at].is_check for at in rows])
    out = np.array([claims[at].annotator in held_out for at in rows])
    tree = DecisionTreeClassifier(max_depth=3, min_samples_leaf=3, class_weight="balanced", random_state=0)
    ranks = tree.fit(matrix[~out], labels[~out]).predict_proba(matrix[out])[:, 1]
    checks, others = ranks[labels[out]], ranks[~labels[out]]
    found = mannwhitneyu(checks, others, alternative="greater")
    return float(found.statistic / (len(checks) * len(others))), float(found.pvalue)
