"""Files of weights, and the models that are shipped in them."""

from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from extraction.extractors import boilernet, crf, extract, get, mss_supervised, web2text
from extraction.extractors.learned.tensors import Array, Tensors, TensorsError, about, as_whole_numbers
from extraction.formats import READERS, PageRecord
from extraction.parsing.parse import parse
from extraction.spans import text_of
from tests.extraction.corpora import EXAMPLE, PUBLISHED

CLEANEVAL = PUBLISHED.parent / "cleaneval"
MODELS = {
    "boilernet": boilernet.MODEL,
    "crf": crf.MODEL,
    "mss-supervised": mss_supervised.MODEL,
    "web2text": web2text.MODEL,
}
MOST_BYTES = 5_000_000


def a_model() -> Tensors:
    draw = np.random.default_rng(1)
    arrays: dict[str, Array] = {
        "b": draw.normal(size=(3, 4)).astype(np.float32),
        "a": np.array([1, 2, 250], np.uint8),
        "keys": np.array([2**63, 7], np.uint64),
        "none": np.zeros((0, 5), np.float32),
    }
    return Tensors(arrays, {"seed": "1", "words": "naïve café"})


def test_a_file_of_weights_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "m.safetensors"
    path.write_bytes(a_model().to_bytes())
    found = Tensors.load(path)
    assert found.about == about(path) == a_model().about
    assert found.arrays.keys() == a_model().arrays.keys()
    for name, array in a_model().arrays.items():
        assert found[name].dtype == array.dtype
        assert np.array_equal(found[name], array)
    assert found.digest == a_model().digest


@pytest.mark.parametrize(
    "data", [b"", b"short", b"\xff" * 40, a_model().to_bytes()[:-4], b"\2\0\0\0\0\0\0\0[]"], ids=range(5)
)
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(TensorsError, match="not a file of weights"):
        Tensors.from_bytes(data)


def test_whole_numbers_are_within_half_a_step() -> None:
    matrix = np.random.default_rng(2).normal(size=(5, 40)).astype(np.float32)
    matrix[3] = 0
    found = Tensors(as_whole_numbers("w", matrix))["w"]
    assert np.abs(found - matrix).max() <= np.abs(matrix).max() / 254 + 1e-6
    assert not found[3].any()


@pytest.mark.parametrize("name", MODELS)
def test_a_shipped_model_is_small_and_lists_the_pages_that_it_has_seen(name: str) -> None:
    path = MODELS[name]
    assert path.stat().st_size < MOST_BYTES
    known = about(path)
    assert known["architecture"] == name
    assert "no text of the pages" in known["licence"]
    assert get(name).tuned_on == frozenset(known["learned_from"].split())
    assert 55 <= len(get(name).tuned_on) <= 60  # some pages are there twice


@pytest.mark.parametrize("name", MODELS)
def test_a_shipped_model_finds_the_article(name: str) -> None:
    prose = (
        "The council said on Monday that the bridge would open again in the spring, after a year of work. "
    )
    menu = "".join(f"<li><a href=/{n}>Section {n}</a></li>" for n in range(12))
    html = f"<ul>{menu}</ul><h1>Bridge opens</h1>" + f"<p>{prose * 3}</p>" * 6 + f"<ul>{menu}</ul>"
    document = parse(html.encode())
    text = text_of(document, extract(document, name))
    assert text.count("The council") >= 15
    assert text.count("Section") <= 2


def test_what_boilernet_finds_is_above_its_threshold() -> None:
    assert extract(parse(EXAMPLE.encode()), "boilernet", threshold=1.0) == []


@cache
def first_pages() -> frozenset[str]:
    """The digests of the first sixty pages with gold, in the order of the papers."""
    folders = (READERS["cleaneval"].read(CLEANEVAL / part) for part in ("dev", "final"))
    with_gold = (one for folder in folders for one in folder if isinstance(one, PageRecord) and one.gold)
    return frozenset(record.sha256 for record in islice(with_gold, 60))


@pytest.mark.parametrize("name", MODELS)
def test_a_shipped_model_was_learned_from_the_first_pages_of_cleaneval(name: str) -> None:
    if CLEANEVAL.is_dir():
        assert get(name).tuned_on == first_pages()
