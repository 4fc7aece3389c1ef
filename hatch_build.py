"""The dependencies of the package are the pins of the requirements files."""

from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class PinnedRequirements(MetadataHookInterface):
    """Add `dependencies` and the extras."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Read the files beside pyproject.toml."""
        metadata["dependencies"] = [
            *self._pins("requirements-extraction.txt"),
            *self._pins("requirements.txt"),
        ]
        metadata["optional-dependencies"] = {
            name: self._pins(f"requirements-{name}.txt") for name in ("peers", "learned")
        }

    def _pins(self, name: str) -> list[str]:
        lines = (Path(self.root) / name).read_text(encoding="utf-8").splitlines()
        return [pin for line in lines if (pin := line.partition("#")[0].strip()) and not pin.startswith("-")]
