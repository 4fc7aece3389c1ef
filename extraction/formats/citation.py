"""How a release is cited: `CITATION.cff`, which GitHub and reference managers read, and Zenodo's metadata."""

import json
from typing import Any

from extraction.formats.licences import licence_of
from extraction.formats.writing import DatasetFacts
from extraction.formats.yaml_fields import yaml_fields

CITATION, ZENODO = "CITATION.cff", ".zenodo.json"
_KEYWORDS = ["content extraction", "boilerplate removal", "news", "gold standard"]


def citation(facts: DatasetFacts) -> str:
    """The Citation File Format 1.2.0, in YAML."""
    licence = licence_of(facts.licence)
    fields: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": "If you use this dataset, please cite it as below.",
        "type": "dataset",
        "title": facts.title,
        "version": facts.version,
        "authors": [{"name": facts.contributors}],
        "keywords": _KEYWORDS,
        **({"abstract": facts.note} if facts.note else {}),
        **({"license": licence.spdx} if licence else {}),
        "identifiers": [
            {
                "type": "other",
                "value": f"urn:sha256:{facts.sha256}",
                "description": "SHA-256 of manifest.json",
            }
        ],
    }
    return yaml_fields(fields)


def zenodo(facts: DatasetFacts) -> str:
    """What Zenodo takes over when the folder is deposited."""
    licence = licence_of(facts.licence)
    fields: dict[str, Any] = {
        "upload_type": "dataset",
        "title": facts.title,
        "version": facts.version,
        "description": facts.note or facts.title,
        "creators": [{"name": facts.contributors}],
        "keywords": _KEYWORDS,
        "access_right": "open" if licence else "restricted",
        **({"license": licence.key} if licence else {}),
        **({"notes": f"Licence: {facts.licence}"} if facts.licence and not licence else {}),
    }
    return json.dumps(fields, indent=2, ensure_ascii=False) + "\n"
