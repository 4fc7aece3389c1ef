"""The planted parser, in this process's hands."""

from collections.abc import Iterator

import pytest

from annotator.reparsing import actions
from extraction import child
from extraction.sandbox import Parser
from tests.annotator.reparsing import planted


@pytest.fixture(scope="session")
def planted_parser() -> Iterator[Parser]:
    usual = child.python_module
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(child, "python_module", lambda _name, *given: usual(planted.__name__, *given))
        parser = Parser()
    with parser:
        yield parser


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> str:
    """This Goldpan has the planted parser: its version."""
    monkeypatch.setattr(actions, "PARSER_VERSION", planted.VERSION)
    return planted.VERSION
