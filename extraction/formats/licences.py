"""Licences by the names that programs know; people state theirs as free text."""

import re
from typing import NamedTuple


class Licence(NamedTuple):
    """A licence: its SPDX identifier, its address, and its name on Hugging Face and Zenodo."""

    spdx: str
    url: str

    @property
    def key(self) -> str:
        """The identifier in lower case."""
        return self.spdx.lower()


_CREATIVE_COMMONS = "https://creativecommons.org/licenses"
KNOWN = (
    Licence("CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    Licence("CC-BY-4.0", f"{_CREATIVE_COMMONS}/by/4.0/"),
    Licence("CC-BY-SA-4.0", f"{_CREATIVE_COMMONS}/by-sa/4.0/"),
    Licence("CC-BY-NC-4.0", f"{_CREATIVE_COMMONS}/by-nc/4.0/"),
    Licence("CC-BY-NC-SA-4.0", f"{_CREATIVE_COMMONS}/by-nc-sa/4.0/"),
    Licence("CC-BY-ND-4.0", f"{_CREATIVE_COMMONS}/by-nd/4.0/"),
    Licence("CC-BY-NC-ND-4.0", f"{_CREATIVE_COMMONS}/by-nc-nd/4.0/"),
    Licence("ODbL-1.0", "https://opendatacommons.org/licenses/odbl/1-0/"),
    Licence("Apache-2.0", "https://www.apache.org/licenses/LICENSE-2.0"),
    Licence("MIT", "https://opensource.org/license/mit"),
)


def licence_of(stated: str) -> Licence | None:
    """The licence that a text names by its identifier and nothing else, however it is spelled."""
    key = re.sub(r"[\s_-]+", "-", stated.strip().rstrip(".")).lower()
    return next((licence for licence in KNOWN if licence.key == key or licence.url == stated.strip()), None)
