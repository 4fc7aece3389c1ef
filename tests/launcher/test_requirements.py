"""Pinned packages: complete, as installed, and each direct one explained."""

import importlib.metadata
import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.launcher.conftest import CODE

DIRECT = ("requirements-extraction.txt", "requirements.txt", "requirements-peers.txt", "requirements-dev.txt")
TRANSITIVE = "constraints.txt"
#: For `make test-learned`: not installed everywhere.
LEARNED, TRANSITIVE_OF_LEARNED = "requirements-learned.txt", "constraints-learned.txt"
#: As the README has it.
OLDEST_PYTHON = "3.11.0"
PIN = re.compile(r"[A-Za-z0-9._-]+==[^\s;]+( ; .*)?")


def lines(name: str) -> list[str]:
    text = (CODE / name).read_text(encoding="utf-8")
    return [line.partition("#")[0].strip() for line in text.splitlines() if line.partition("#")[0].strip()]


def pins(name: str) -> dict[str, str]:
    """The pinned versions that this Python needs."""
    found = [Requirement(line) for line in lines(name) if not line.startswith(("-r ", "-c "))]
    needed = [pin for pin in found if pin.marker is None or pin.marker.evaluate()]
    return {canonicalize_name(pin.name): str(pin.specifier).removeprefix("==") for pin in needed}


FILES = (*DIRECT, TRANSITIVE, LEARNED, TRANSITIVE_OF_LEARNED)
ALL = {name: version for file in (*DIRECT, TRANSITIVE) for name, version in pins(file).items()}


@pytest.mark.parametrize("file", FILES)
def test_every_line_pins_or_includes(file: str) -> None:
    for line in lines(file):
        assert PIN.fullmatch(line) or re.fullmatch(r"-[rc] [a-z-]+\.txt", line), line


def test_no_package_is_named_twice() -> None:
    names = [name for file in FILES for name in pins(file)]
    assert sorted(names) == sorted(set(names))


def test_everything_that_a_package_needs_is_pinned() -> None:
    missing = set()
    for name in ALL:
        for text in importlib.metadata.requires(name) or []:
            needed = Requirement(text)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                missing |= {canonicalize_name(needed.name)} - ALL.keys()
    assert missing == set()


def test_installed_versions_are_the_pinned_ones() -> None:
    assert {name: importlib.metadata.version(name) for name in ALL} == ALL


def test_every_package_takes_the_oldest_python() -> None:
    """Debian 12 has 3.11.2."""
    asked = {name: importlib.metadata.metadata(name)["Requires-Python"] or "" for name in ALL}
    assert not {name: text for name, text in asked.items() if not SpecifierSet(text).contains(OLDEST_PYTHON)}


@pytest.mark.learned
def test_what_learning_needs_is_pinned_as_installed() -> None:
    pinned = ALL | pins(LEARNED) | pins(TRANSITIVE_OF_LEARNED)
    for name in pins(LEARNED):
        needed = [Requirement(text) for text in importlib.metadata.requires(name) or []]
        ours = [one for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})]
        missing = {canonicalize_name(one.name) for one in ours} - pinned.keys()
        assert all(one.startswith(("nvidia-", "cuda-", "triton")) for one in missing), missing
    for name in (*pins(LEARNED), *pins(TRANSITIVE_OF_LEARNED)):
        assert importlib.metadata.version(name).partition("+")[0] == pinned[name]


def test_each_direct_package_has_its_reason_and_licence() -> None:
    rows = re.findall(
        r"^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|",
        (CODE / "docs" / "dependencies.md").read_text(),
        re.MULTILINE,
    )
    explained = {canonicalize_name(name): (reason.strip(), licence.strip()) for name, reason, licence in rows}
    assert explained.keys() == {name for file in (*DIRECT, LEARNED) for name in pins(file)}
    assert all(reason and licence for reason, licence in explained.values())


def test_extraction_needs_nothing_of_the_web() -> None:
    assert not {"django", "celery", "redis", "psycopg2-binary"} & pins(DIRECT[0]).keys()


def test_no_package_index_is_named() -> None:
    for path in (*CODE.glob("*.txt"), CODE / "Makefile", *CODE.glob("launcher/*.sh"), CODE / ".ci" / "run"):
        assert not re.search(r"index-url|trusted-host|find-links|https?://", Path(path).read_text()), path
