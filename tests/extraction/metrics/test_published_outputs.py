"""`shingle` gives the figures that the Scrapinghub benchmark published for the same texts."""

import pytest

from extraction.metrics import shingle, summarise
from tests.extraction.metrics.published import OUTPUTS, read_outputs

# F1, precision, recall, as printed; None where only F1 is quoted.
PUBLISHED = {
    "AutoExtract": (0.970, None, None),
    "boilerpipe": (0.860, 0.850, 0.870),
    "dragnet": (0.907, None, None),
    "goose3": (0.896, 0.940, 0.856),
    "justext": (0.804, 0.858, 0.756),
    "readability": (0.922, 0.913, 0.931),
    "readability_js": (0.947, 0.914, 0.982),
    "trafilatura": (0.958, None, None),
}
# The empty output is left out of the mean of precisions: (3/5 + 1) / 2. Recall: (3/9 + 0 + 1) / 3.
TOY = {"toy": (0.571, 0.800, 0.444)}
FIGURES = TOY | PUBLISHED


@pytest.mark.parametrize("system", [name for name in OUTPUTS if name in FIGURES])
def test_shingle_gives_the_published_figures(system: str) -> None:
    summary = summarise([shingle.compare(gold, text) for gold, text in read_outputs(system)])
    found = (summary.f1, summary.precision, summary.recall)
    for figure, published in zip(found, FIGURES[system], strict=True):
        assert published is None or round(figure, 3) == published


def test_a_system_that_fails_does_not_gain_by_it() -> None:
    """The benchmark leaves empty outputs out of the mean of precisions, failures among them; we do not."""
    pages = list(read_outputs("toy"))
    silent = summarise([shingle.compare(gold, text) for gold, text in pages])
    failed = summarise([shingle.compare(gold, text, failed=not text) for gold, text in pages])
    assert (failed.precision, failed.failures) == (pytest.approx(silent.precision * 2 / 3), 1)
