"""Queues without the messages of earlier tests, and the gate of the slow extractor."""

from pathlib import Path

import pytest

from tests.processes import purge_queues
from tests.workers.slow_app import FOLDER, Gate


@pytest.fixture(autouse=True)
def _empty_queues() -> None:
    purge_queues()


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """Before which the slow extractor of the workers that are started waits; to be closed first."""
    folder = tmp_path / "gate"
    monkeypatch.setenv(FOLDER, str(folder))
    return Gate(folder)
