"""Learning the model of goldpan: from even pages only, and which these were is written down."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from extraction.extractors import get
from extraction.extractors.goldpan.features import PageFeatures
from extraction.extractors.goldpan.labels import alternatives
from extraction.extractors.goldpan.model import tuned_on
from extraction.extractors.goldpan.second_look import choice_features
from extraction.extractors.learned import goldpan_training as learning
from extraction.extractors.learned.goldpan_training import examples, is_even, main
from extraction.extractors.learned.trees import Training, Trees, grow
from extraction.formats import READERS, BadRecord, PageRecord, scrapinghub
from extraction.formats.gold import GoldRecord
from extraction.parsing.parse import parse
from extraction.spans import Span
from tests.extraction.corpora import P1, P2, P3, PUBLISHED
from tests.extraction.learning.pages import records, write_corpus
from tests.extraction.news import NEWS, page_of

CORPORA = PUBLISHED.parent
BODY = frozenset({"body"})


@pytest.mark.parametrize("identity", ["", "a", "page-17", "é", "0" * 64, *map(str, range(20))])
def test_even_is_what_the_digest_as_a_number_is(identity: str) -> None:
    assert is_even(identity) == (int(hashlib.sha256(identity.encode()).hexdigest(), 16) % 2 == 0)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "corpus")


def read(folder: Path) -> Iterator[PageRecord]:
    return (record for record in scrapinghub.read(folder) if isinstance(record, PageRecord))


def test_examples_are_the_even_pages(corpus: Path) -> None:
    every = list(read(corpus))
    even = [record.sha256 for record in every if is_even(record.location)]
    assert 0 < len(even) < len(every)
    assert [example.sha256 for example in examples(every)] == even


def test_an_example_says_which_blocks_are_body_and_leaves_headlines_out(corpus: Path) -> None:
    record = next(record for record in read(corpus) if is_even(record.location))
    (example,) = examples([record])
    document = parse(record.raw)
    page = PageFeatures.of(document)
    assert np.array_equal(example.page.features, page.features)
    assert example.is_comment is None
    texts = [document.text[start:end] for start, end in document.blocks]
    assert record.gold
    assert [text for text, body in zip(texts, example.is_body, strict=True) if body] == str(
        record.gold.text
    ).split("\n")
    assert len(page.headings) == 1
    assert float(example.weights.sum()) == pytest.approx(1, abs=0.1)


def even_record(raw: bytes, gold: GoldRecord | None) -> PageRecord:
    name = next(name for name in map(str, range(99)) if is_even(name))
    return PageRecord(f"corpus/{name}", raw, gold=gold)


@pytest.mark.parametrize(
    ("raw", "gold"),
    [
        (f"<p>{P1}".encode(), None),
        (f"<p>{P1}".encode(), GoldRecord(text=P2, labels=BODY)),
        (b"<p>short", GoldRecord(text="short", labels=BODY)),
        (b"", GoldRecord(text=P1, labels=BODY)),
    ],
    ids=["no gold", "elsewhere", "too little", "no page"],
)
def test_what_teaches_nothing_is_left_out(raw: bytes, gold: GoldRecord | None) -> None:
    assert list(examples([even_record(raw, gold)])) == []


def test_a_record_that_could_not_be_read_is_left_out() -> None:
    text = f"{P1}\n{P2}\n{P3}"
    good = even_record(f"<p>{P1}<p>{P2}<p>{P3}".encode(), GoldRecord(text=text, labels=BODY))
    assert len(list(examples([BadRecord("corpus/1", "broken"), good]))) == 1


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "Training", lambda: Training(trees=8, depth=2))


def test_the_command_writes_a_model_and_the_digests_of_the_even_pages(
    corpus: Path, tmp_path: Path, quick: None, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "a new one"
    main([f"scrapinghub:{corpus}:2", "--to", str(folder)])
    even = sorted(record.sha256 for record in read(corpus) if is_even(record.location))
    assert (folder / "tuned_on.txt").read_text().split() == even
    model = Trees.load(folder / "model.json")
    assert model.names == PageFeatures.body_feature_names()
    assert f"learned from {len(even)} pages" in capsys.readouterr().out
    document = parse(page_of(NEWS["fr"]).encode())
    chances = model.predict(PageFeatures.of(document).body_features)
    texts = [document.text[start:end] for start, end in document.blocks]
    body = [chance for text, chance in zip(texts, chances.tolist(), strict=True) if text in NEWS["fr"].body]
    assert np.mean(body) > chances.mean()


class Watching:
    """Stands for a model of comments, and knows whether it is asked about a page that it has seen."""

    def __init__(self, telling: learning.Taught) -> None:
        self.seen = [example.page.features for example, _ in telling]
        self.asked_about_seen: list[bool] = []

    def predict(self, rows: np.ndarray) -> np.ndarray:
        self.asked_about_seen.append(any(rows is seen for seen in self.seen))
        return np.zeros(rows.shape[1], dtype=np.float32)


def test_the_body_is_learned_from_comments_told_by_models_that_have_not_seen_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    body, base = f"{P1} {P3}", f"{P1} {P3}\n{P2}"
    told = GoldRecord(
        spans=(Span(0, len(body), "body"), Span(len(body) + 1, len(base), "comments")),
        base=base,
        labels=frozenset({"body", "comments"}),
    )
    raw = [f"<p>{body}</p><p>{P2}</p><!-- {number} -->".encode() for number in range(9)]
    taught = [(example, 1.0) for each in raw for example in examples([even_record(each, told)])]
    models: list[Watching] = []

    def watched(telling: learning.Taught, training: Training) -> Watching:
        models.append(Watching(telling))
        return models[-1]

    monkeypatch.setattr(learning, "_learn_comments", watched)
    kept, comments = learning.learn_comments(taught, Training())
    assert len(taught) == len(comments) == sum(len(model.asked_about_seen) for model in models) == 9
    assert not any(asked for model in models for asked in model.asked_about_seen)
    assert [len(model.seen) for model in models if model is kept] == [9]


class Doubting:
    """Stands for a model of the body that is in doubt about the second and third of three blocks."""

    def __init__(self, taught: learning.Taught) -> None:
        self.seen = [example.page.knowing(NONE).body_features for example, _ in taught]
        self.asked_about_seen: list[bool] = []

    def predict(self, rows: np.ndarray) -> np.ndarray:
        self.asked_about_seen.append(any(np.array_equal(rows, seen) for seen in self.seen))
        return IN_DOUBT


def test_the_body_is_told_by_several_models_that_share_the_trees(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grown: list[tuple[int, Trees]] = []

    def watched(*asked: Any) -> Trees:
        grown.append((asked[4].seed, grow(*asked)))
        return grown[-1][1]

    monkeypatch.setattr(learning, "grow", watched)
    taught = [(example, 1.0) for example in examples(read(corpus))]
    nothing = [np.zeros(example.page.size, dtype=np.float32) for example, _ in taught]
    model = learning.learn_body(taught, nothing, Training(trees=8, depth=2, seed=7))
    assert [seed for seed, _ in grown] == [7, 8, 9, 10]
    assert len({one.to_json() for _, one in grown}) == 4
    assert len(model.features) == 8
    assert model.to_json() == Trees.mean([one for _, one in grown]).to_json()


NONE, IN_DOUBT = np.zeros(3, dtype=np.float32), np.array([0.95, 0.3, 0.5], dtype=np.float32)


@pytest.mark.parametrize(("weight", "is_added"), [(1.0, False), (3.0, True)])
def test_a_second_look_is_learned_from_pages_that_the_model_has_not_seen_and_from_what_they_count(
    weight: float, is_added: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By some pages the second block is body, by more it is none; the third always is."""
    taught = []
    for number in range(16):
        is_body = number % 3 == 0
        first = P1 + " more" * (20 + number)
        text = "\n".join((first, P2, P3) if is_body else (first, P3))
        raw = f"<p>{first}</p><p>{P2}</p><p>{P3}</p>".encode()
        (example,) = examples([even_record(raw, GoldRecord(text=text, labels=BODY))])
        assert example.is_body.tolist() == [True, is_body, True]
        taught.append((example, weight if is_body else 1.0))
    models: list[Doubting] = []

    def watched(taught: learning.Taught, comments: object, training: Training) -> Doubting:
        models.append(Doubting(taught))
        return models[-1]

    monkeypatch.setattr(learning, "learn_body", watched)
    looks = learning.learn_second_look(taught, [NONE] * len(taught), Training(trees=100, depth=1))
    assert looks
    asked = [about_seen for model in models for about_seen in model.asked_about_seen]
    assert asked == [False] * len(taught)
    page = taught[0][0].page.knowing(NONE)
    probability, balanced, (more, fewer) = alternatives(page, IN_DOUBT)
    added, taken = looks.predict(
        choice_features(page, probability, balanced, [more ^ balanced, fewer ^ balanced])
    )
    assert taken < 0.5
    assert (added > 0.5) == is_added


def test_learning_again_writes_the_same(corpus: Path, tmp_path: Path, quick: None) -> None:
    texts = []
    for _ in range(2):
        main([f"scrapinghub:{corpus}", "--to", str(tmp_path)])
        texts.append((tmp_path / "model.json").read_text())
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("corpora", "message"),
    [(["nothing:here"], "no format is called 'nothing'"), (["html:{empty}"], "no page of these corpora")],
)
def test_the_command_says_what_is_wrong(
    corpora: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([text.format(empty=tmp_path) for text in corpora])
    assert message in capsys.readouterr().err


#: What the model was learned from, where it lies beside the repository.
LEARNED_FROM = (
    ("scrapinghub", "scrapinghub"),
    ("wcxb", "wcxb"),
    ("cleaneval", "cleanportaleval"),
    ("cleaneval", "cleaneval"),
    ("dragnet", "dragnet"),
)


def published() -> Iterator[PageRecord]:
    for format_, folder in LEARNED_FROM:
        if (CORPORA / folder).is_dir():
            yield from (one for one in READERS[format_].read(CORPORA / folder) if isinstance(one, PageRecord))


def test_no_odd_page_was_learned_from() -> None:
    """Where the corpora are not there, the digests are at least well-formed, and known to the registry."""
    odd, even = set[str](), set[str]()
    for record in published():
        (even if is_even(record.location) else odd).add(record.sha256)
    used = tuned_on()
    assert used == get("goldpan").tuned_on
    assert all(len(digest) == 64 and set(digest) <= set("0123456789abcdef") for digest in used)
    assert not used & (odd - even)
    if all((CORPORA / folder).is_dir() for _, folder in LEARNED_FROM):
        assert used <= even


def test_every_even_page_that_can_teach_was_learned_from() -> None:
    """On the smallest of the corpora, and on a page of ours that was certainly not."""
    pages = [*records(1)]
    if PUBLISHED.is_dir():
        taught = {example.sha256 for example in examples(scrapinghub.read(PUBLISHED))}
        assert len(taught) > 50
        assert taught <= tuned_on()
    assert not {page.sha256 for page in pages} & tuned_on()
