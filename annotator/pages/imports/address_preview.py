"""What the import of a list of addresses would fetch, seen without asking any site."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import httpx

from annotator.corpora.models import Corpus
from annotator.fetching.addresses import check_host, parse_address, port_of
from annotator.fetching.errors import FetchError, ForbiddenAddress
from annotator.pages.imports.models import ImportRecord, Outcome
from annotator.pages.models import Page

# How many of each kind are listed.
LISTED = 20


@dataclass
class AddressPreview:
    """Counts of a list of addresses, with examples; stored as `Import.preview`."""

    # All addresses; those that sites can be asked for; of these, those that the corpus has; all others.
    records: int = 0
    pages: int = 0
    duplicates: int = 0
    refused: int = 0
    # Host and number of its addresses; address, cause and reason of some refusals.
    sites: list[tuple[str, int]] = field(default_factory=list)
    refusals: list[tuple[str, str, str]] = field(default_factory=list)
    # Some of the addresses that the corpus has, and the numbers of all of them in the list, from 1.
    known: list[str] = field(default_factory=list)
    known_numbers: list[int] = field(default_factory=list)


def preview_addresses(corpus: Corpus, addresses: Sequence[str]) -> dict[str, Any]:
    """Look at a list of addresses, in its order."""
    found, sites = AddressPreview(records=len(addresses)), Counter[str]()
    parsed: dict[int, httpx.URL] = {}
    for number, address in enumerate(addresses, 1):
        try:
            parsed[number] = _checked(address)
        except FetchError as error:
            found.refused += 1
            if len(found.refusals) < LISTED:
                found.refusals.append((address[:300], error.cause, error.message))
    here = _addresses_here(corpus, {str(url) for url in parsed.values()} | {*addresses})
    for number, url in parsed.items():
        sites[url.host] += 1
        if str(url) in here or addresses[number - 1] in here:
            found.known_numbers.append(number)
            if len(found.known) < LISTED:
                found.known.append(addresses[number - 1][:300])
    found.pages, found.duplicates = len(parsed), len(found.known_numbers)
    found.sites = sites.most_common(LISTED)
    return asdict(found)


def _checked(address: str) -> httpx.URL:
    """The address, unless it shows by itself that it is never asked; no name is resolved yet."""
    url = parse_address(address)
    try:
        check_host(url.host, port_of(url))
    except ForbiddenAddress:
        if _is_ip(url.host):
            raise
    return url


def _is_ip(host: str) -> bool:
    return ":" in host or host.rpartition(".")[2].isdecimal()


def _addresses_here(corpus: Corpus, addresses: Collection[str]) -> set[str]:
    """Those at which pages of the corpus lie, or at which earlier imports found some that are still here."""
    pages = Page.objects.filter(corpus=corpus, url__in=addresses).values_list("url", flat=True)
    records = ImportRecord.objects.filter(run__corpus=corpus, page__isnull=False, location__in=addresses)
    return {*pages, *records.exclude(outcome=Outcome.REFUSED).values_list("location", flat=True)}
