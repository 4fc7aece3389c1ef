"""What an import would bring, found by reading all of its source without storing anything."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import httpx
from django.db.models import QuerySet
from django.utils import timezone, translation

from annotator.common import work
from annotator.common.errors import GoldpanError
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus
from annotator.fetching.addresses import parse_address
from annotator.fetching.errors import FetchError
from annotator.pages.actions import TakenDown, taken_down_of
from annotator.pages.imports.audit import record_import
from annotator.pages.imports.importing import cause_of, check
from annotator.pages.imports.models import Import, ImportRecord, Outcome
from annotator.pages.imports.records import Record
from annotator.pages.imports.sources import open_source
from annotator.pages.imports.uploads import remove_files
from annotator.pages.models import Page
from extraction.formats import BadRecord

# How many of each kind are listed.
LISTED = 20
# Records between two reports of progress.
STEP = 50


@dataclass
class Preview:
    """Counts of a source's records, and some of them as examples; stored as `Import.preview`."""

    records: int = 0
    pages: int = 0
    with_gold: int = 0
    # Pages with style sheets or images beside them.
    with_assets: int = 0
    # Pages whose bytes the corpus has, or that come twice in the source.
    duplicates: int = 0
    repeated: int = 0
    refused: int = 0
    # Location and address of some pages; location, cause and reason of some refusals.
    examples: list[tuple[str, str]] = field(default_factory=list)
    refusals: list[tuple[str, str, str]] = field(default_factory=list)


def preview(run: Import) -> bool:
    """Look through a claimed import's source; False if it was taken over or cancelled meanwhile.

    An upload with a page that was taken down since then ends here, and its files are removed.
    Raises GoldpanError where there is no record.
    """
    found, seen = Preview(), set[str]()
    with open_source(run) as source:
        batch: list[Record] = []
        for record in source.records:
            if record:
                batch.append(record)
            if len(batch) == STEP:
                _add(found, batch, run, seen)
                batch = []
                if not work.send_heartbeat(run, preview=asdict(found)) or _is_cancelled(run):
                    return False
        _add(found, batch, run, seen)
    if not found.records:
        raise GoldpanError("nothing to import was found in these files; are they of another format?")
    finished = work.finish(
        run,
        preview=asdict(found),
        format=source.format,
        total=found.records,
        with_gold=found.with_gold > 0,
        previewed_at=timezone.now(),
    )
    # Only now: where a page is taken down later than this, that finds what is previewed.
    if finished and not seen.isdisjoint(_taken_down_since(run)):
        _withdraw(run, found, source.format)
    return finished


def _taken_down_since(run: Import) -> QuerySet[Page, str]:
    gone = Page.objects.filter(corpus=run.corpus_id, takedown__made_at__gte=run.uploaded_at)
    return gone.values_list("sha256", flat=True)


def _withdraw(run: Import, found: Preview, format: str) -> None:
    """End an upload as a takedown ends those that are previewed already."""
    Import.objects.filter(pk=run.pk).update(preview=asdict(replace(found, examples=[])))
    remove_files(run)
    run.format = format
    record_import(AuditAction.IMPORT_CANCELLED, run)


def _is_cancelled(run: Import) -> bool:
    """Whether it was cancelled; then it is finished as work."""
    cancelled = Import.objects.filter(pk=run.pk, cancelled_at__isnull=False).exists()
    return cancelled and work.finish(run)


def _add(found: Preview, batch: list[Record], run: Import, seen: set[str]) -> None:
    digests = {record.sha256 for record in batch if not isinstance(record, BadRecord)}
    known = set(
        Page.objects.filter(corpus=run.corpus_id, sha256__in=digests).values_list("sha256", flat=True)
    )
    gone = taken_down_of(run.corpus_id, digests)
    for record in batch:
        found.records += 1
        if isinstance(record, BadRecord):
            _refuse(found, record.location, record.cause, record.reason)
            continue
        digest = record.sha256
        if digest in gone:
            seen.add(digest)
            refusal = TakenDown()
            _refuse(found, record.location, refusal.cause, refusal.message)
            continue
        try:
            check(record)
        except (GoldpanError, ValueError) as error:
            _refuse(found, record.location, cause_of(error), str(error))
            continue
        found.pages += 1
        found.with_gold += record.gold is not None
        found.with_assets += bool(record.assets)
        found.duplicates += digest in known
        found.repeated += digest in seen
        seen.add(digest)
        if len(found.examples) < LISTED:
            found.examples.append((record.location[:300], record.url[:500]))


def _refuse(found: Preview, location: str, cause: str, reason: str) -> None:
    found.refused += 1
    if len(found.refusals) < LISTED:
        found.refusals.append((location[:300], cause, reason[:500]))


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
            # Reasons are kept in English, whoever asks, as those that workers find.
            with translation.override("en"):
                parsed[number] = parse_address(address)
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


def _addresses_here(corpus: Corpus, addresses: Collection[str]) -> set[str]:
    """Those at which pages of the corpus lie, or at which earlier imports found some that are still here."""
    pages = Page.objects.filter(corpus=corpus, url__in=addresses).values_list("url", flat=True)
    records = ImportRecord.objects.filter(run__corpus=corpus, page__isnull=False, location__in=addresses)
    return {*pages, *records.exclude(outcome=Outcome.REFUSED).values_list("location", flat=True)}
