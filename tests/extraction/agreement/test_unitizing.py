"""Krippendorff's alpha of unitizing: his worked example, and his definition followed step by step."""

from collections.abc import Iterator, Sequence
from itertools import permutations

import pytest

from extraction.agreement.counts import PageTables, count_page
from extraction.agreement.pool import Pool
from extraction.agreement.unitizing import disagreement, together
from extraction.agreement.units import ContentUnits
from extraction.spans import Span
from tests.extraction.agreement import planted

#: His observers i and j; the continuum begins at 150 and is 300 long.
BEGIN, LENGTH = 150, 300
EXAMPLE = {
    "c": {"i": [(225, 70), (370, 30)], "j": [(220, 80), (355, 20), (400, 20)]},
    "k": {"i": [(180, 60), (300, 50)], "j": [(180, 60), (300, 50)]},
}


def example(category: str) -> PageTables:
    """One page a category: here an observer's c and k overlap, which labels of ours cannot."""
    marked = {
        name: [Span(at - BEGIN, at - BEGIN + length, category) for at, length in units]
        for name, units in EXAMPLE[category].items()
    }
    return count_page(marked, ContentUnits.of_length(LENGTH))


def test_krippendorffs_example() -> None:
    """Krippendorff, Content Analysis (2nd edition, 2004), p. 254 ff., and Sociological Methodology 25 (1995).

    Printed there: observed .0144 and 0, expected .0532 and .0490, alpha .7286 for c, 1 for k. For both
    together the printed .8591 is 1 - .0144 / (.0532 + .0490), of rounded numbers; unrounded it is .8587. The
    book was not at hand: data and figures are as the tests of DKPro Statistics quote them from it.
    """
    found = {name: disagreement([example(name)], ("label", name)) for name in EXAMPLE}
    assert found["c"].observed[0] == pytest.approx(0.0144, abs=0.00005)
    assert found["c"].expected[0] == pytest.approx(0.0532, abs=0.00005)
    assert found["c"].alpha[0] == pytest.approx(0.7286, abs=0.00005)
    assert found["k"].expected[0] == pytest.approx(0.0490, abs=0.00005)
    assert found["k"].alpha[0] == 1.0
    both = together([found["c"], found["k"]])
    assert both.alpha[0] == pytest.approx(0.8591, abs=0.0005)
    assert 1 - round(both.observed[0], 4) / (0.0532 + 0.0490) == pytest.approx(0.8591, abs=0.00005)


@pytest.mark.parametrize(
    ("one", "other", "squared"),
    [
        ((5, 11), (4, 6), 26),
        ((5, 11), (5, 7), 16),
        ((5, 11), (6, 8), 10),
        ((5, 11), (7, 9), 8),
        ((5, 11), (6, 10), 2),
        ((5, 11), (5, 11), 0),
        ((75, 145), (70, 150), 50),
        ((220, 250), (205, 225), 850),
    ],
)
def test_differences_are_those_of_the_book(
    one: tuple[int, int], other: tuple[int, int], squared: int
) -> None:
    """His figure of the difference function, as the same tests quote it."""
    page = count_page({"i": [Span(*one, "c")], "j": [Span(*other, "c")]}, ContentUnits.of_length(300))
    assert page.pairs[0].meetings["label", "c"].squared == squared


def test_alpha_u_of_many_pages_is_the_definition() -> None:
    pages = planted.pages(25)
    counts = [page.counts() for page in pages]
    by_label = {}
    for label in planted.LABELS:
        observed, expected = defined(pages, label)
        found = disagreement(counts, ("label", label))
        assert found.observed[0] == pytest.approx(observed, rel=1e-12)
        assert found.expected[0] == pytest.approx(expected, rel=1e-12)
        by_label[label] = (observed, expected)
    ratio = sum(o for o, _ in by_label.values()) / sum(e for _, e in by_label.values())
    assert Pool(counts).unitizing()["alpha_u"].value == pytest.approx(1 - ratio)


def test_three_annotators_follow_the_definition_too() -> None:
    pages = planted.pages(12, ("ada", "ben", "cleo"))
    found = disagreement([page.counts() for page in pages], ("label", "body"))
    assert (found.observed[0], found.expected[0]) == pytest.approx(defined(pages, "body"), rel=1e-12)


def test_leaving_a_page_out_is_working_without_it() -> None:
    counts = [page.counts() for page in planted.pages(12)]
    whole = disagreement(counts, ("label", "body")).alpha
    for index in range(len(counts)):
        rest = disagreement(counts[:index] + counts[index + 1 :], ("label", "body"))
        assert whole[1 + index] == pytest.approx(rest.alpha[0], rel=1e-10)


def test_no_unit_and_no_gap_runs_over_the_edge_of_a_page() -> None:
    """Two pages of 10 have no room for a unit of 8 in their gaps of 6 each; one page of 20 would have."""
    halves = [
        count_page({"i": [Span(6, 10, "c")], "j": [Span(6, 10, "c")]}, ContentUnits.of_length(10)),
        count_page({"i": [Span(0, 2, "c")], "j": [Span(0, 4, "c")]}, ContentUnits.of_length(10)),
    ]
    whole = [
        count_page(
            {"i": [Span(6, 10, "c"), Span(10, 12, "c")], "j": [Span(6, 10, "c"), Span(10, 14, "c")]},
            ContentUnits.of_length(20),
        )
    ]
    view = ("label", "c")
    assert disagreement(halves, view).observed[0] == disagreement(whole, view).observed[0]
    assert disagreement(halves, view).expected[0] == disagreement(whole, view).expected[0]
    apart = [
        count_page({"i": [Span(0, 4, "c")], "j": []}, ContentUnits.of_length(10)),
        count_page({"i": [], "j": []}, ContentUnits.of_length(10)),
    ]
    joined = [count_page({"i": [Span(0, 4, "c")], "j": []}, ContentUnits.of_length(20))]
    # 3 + 7 + 7 + 7 positions for it in four gaps, against 13 + 17 in two
    assert disagreement(apart, view).expected[0] / disagreement(joined, view).expected[0] == pytest.approx(
        24 / 30
    )


def test_alpha_u_of_2016_is_the_definition() -> None:
    """Krippendorff, Mathet, Bouvry and Widlöcher, Quality & Quantity 50 (2016); Content Analysis (4th
    edition, 2019), equations 32 to 34: coincidences of characters, none with its own unit."""
    pages = planted.pages(25)
    lengths: dict[str, float] = {}
    disagreed = squares = total = 0.0
    for page in pages:
        one, other = page.labels("character", "ada"), page.labels("character", "ben")
        disagreed += 2 * sum(a != b for a, b in zip(one, other, strict=True))
        for label in [*one, *other]:
            lengths[label] = lengths.get(label, 0) + 1
            total += 1
            squares += not label
        for spans in page.annotations.values():
            squares += sum(inked(page.text, span) ** 2 for span in spans)
    expected = (total**2 - sum(n**2 for n in lengths.values())) / (total - squares / total)
    found = Pool([page.counts() for page in pages]).unitizing()["alpha_u_2016"]
    assert found.value == pytest.approx(1 - disagreed / expected, rel=1e-12)


def inked(text: str, span: tuple[int, int] | Span) -> int:
    return sum(not char.isspace() for char in text[span[0] : span[1]])


def defined(pages: Sequence[planted.PlantedPage], label: str) -> tuple[float, float]:
    """Observed and expected disagreement of one label, as the book defines them: every unit and gap of every
    observer with every other, one by one."""
    observed = expected = own = units = 0.0
    everyone = [_sections(page, label) for page in pages]
    gaps = [
        end - start for page in everyone for rows in page.values() for start, end, unit in rows if not unit
    ]
    length = sum(next(iter(page.values()))[-1][1] for page in everyone)
    observers = len(everyone[0])
    marked = [end - start for page in everyone for rows in page.values() for start, end, unit in rows if unit]
    for page in everyone:
        for i, j in permutations(page, 2):
            observed += sum(_differ(g, h) for g in page[i] for h in page[j])
    for size in marked:
        units = (len(marked) - 1) / 3 * (2 * size**3 - 3 * size**2 + size)
        positions = sum(gap - size + 1 for gap in gaps if gap >= size)
        expected += units + size**2 * positions
        own += size * (size - 1)
    given = observers * length
    return (
        observed / (observers * (observers - 1) * length**2),
        2 / length * expected / (given * (given - 1) - own),
    )


def _sections(page: planted.PlantedPage, label: str) -> dict[str, list[tuple[int, int, bool]]]:
    """For each observer units and gaps in order, in characters that count."""
    return {name: list(_rows(page, spans, label)) for name, spans in page.annotations.items()}


def _rows(page: planted.PlantedPage, spans: Sequence[Span], label: str) -> Iterator[tuple[int, int, bool]]:
    at = 0
    for start, end, given in spans:
        if given == label:
            first = inked(page.text, (0, start))
            last = first + inked(page.text, (start, end))
            if first > at:
                yield at, first, False
            yield first, last, True
            at = last
    end = inked(page.text, (0, len(page.text)))
    if end > at:
        yield at, end, False


def _differ(g: tuple[int, int, bool], h: tuple[int, int, bool]) -> int:
    (b, e, v), (c, f, w) = g, h
    if v and w and b < f and c < e:
        return (b - c) ** 2 + (e - f) ** 2
    if v and not w and c <= b and e <= f:
        return (e - b) ** 2
    if w and not v and b <= c and f <= e:
        return (f - c) ** 2
    return 0
