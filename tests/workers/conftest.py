"""Queues without the messages of earlier tests, and the gate of the slow extractor."""

from pathlib import Path

import pytest

from extraction.extractors.registry import REGISTRY
from tests.processes import purge_queues
from tests.workers.slow import FOLDER, SLOW, Gate


@pytest.fixture(autouse=True)
def _empty_queues() -> None:
    purge_queues()


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """Before which the slow extractor of the workers that are started waits; to be closed first."""
    monkeypatch.setitem(REGISTRY, SLOW.name, SLOW)
    folder = tmp_path / "gate"
    monkeypatch.setenv(FOLDER, str(folder))
    return Gate(folder)
