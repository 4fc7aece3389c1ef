"""The planted parser, in this process's hands."""

from collections.abc import Iterator

import pytest

from annotator.management.commands import reparse
from annotator.reparsing import actions, views
from extraction import child_process as child
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
    for module in (actions, views, reparse):
        monkeypatch.setattr(module, "PARSER_VERSION", planted.VERSION)
    return planted.VERSION
