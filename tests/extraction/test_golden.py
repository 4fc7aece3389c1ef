"""Awkward pages of our own: their output changes only with the parser version."""

from pathlib import Path

import pytest

from extraction.documents.document import PARSER_VERSION
from tests.golden import PAGES, VersionNotRaised, check_version, expected_of, output_of


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_output_is_that_of_this_version(page: Path) -> None:
    expected = expected_of(page)
    check_version(expected, output_of(page))
    assert expected["version"] == PARSER_VERSION, "run python -m tests.golden"
    assert (page / "why.md").read_text().strip()


def test_there_are_pages() -> None:
    assert len(PAGES) >= 8


def test_a_change_without_a_new_version_is_caught() -> None:
    before = output_of(PAGES[0])
    with pytest.raises(VersionNotRaised, match="text changed"):
        check_version(before, {**before, "text": before["text"] + "!"})
    check_version(before, {**before, "text": before["text"] + "!", "version": "another"})
