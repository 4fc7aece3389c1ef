"""Imports of addresses: a list of them, kept as rows, each of which is fetched.

Sites are asked side by side, so records come in the order in which the sites answer. What was imported before
is known by its location; an address whose site did not answer is asked again later, as its row says.
"""

import codecs
import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.common.errors import GoldpanError
from annotator.common.templatetags.figures import count
from annotator.corpora.models import Corpus
from annotator.fetching.client import Fetched, Fetcher, user_agent
from annotator.fetching.crawl import CrawlResult, Target, crawl
from annotator.fetching.errors import FetchError
from annotator.pages.imports.models import Import, ImportAddress, SourceKind
from annotator.pages.imports.records import OpenSource, Record
from extraction.formats import BadRecord, PageRecord

# What is named as the format of imports that fetch: a list of addresses, or what a feed lists.
URLS, FEED = "urls", "feed"
FETCHED_FORMATS = frozenset({URLS, FEED})
MAX_ADDRESSES = 5_000
MAX_LIST_BYTES = 10 << 20
# Seconds for which a worker's thread waits for its turn at a site before it turns to another site.
PATIENCE = 5.0

_LONGEST_LOCATION = 300
_NO_ADDRESS = re.compile(r"\s*(#.*)?")


def text_of_list(file: bytes) -> str:
    """The text of a file of addresses: UTF-8, or UTF-16 as Windows and spreadsheets may save it."""
    is_wide = file.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return file.decode("utf-16" if is_wide else "utf-8-sig", "replace")


def read_list(text: str) -> list[str]:
    """The addresses of a text, one a line, each once; lines that are empty or begin with # are none.

    Raises GoldpanError if there is none, or if there are too many.
    """
    # No database stores NUL.
    lines = (line.strip() for line in text.replace("\0", "").splitlines() if not _NO_ADDRESS.fullmatch(line))
    addresses = list(dict.fromkeys(lines))
    if not addresses:
        raise GoldpanError(_("There is no address. Write one per line, each beginning with https://"))
    if len(addresses) > MAX_ADDRESSES:
        message = _("These are %(n)s addresses; an import can have %(most)s. Split the list.")
        raise GoldpanError(message % {"n": count(len(addresses)), "most": count(MAX_ADDRESSES)})
    return addresses


@transaction.atomic
def create_import(
    *,
    corpus: Corpus,
    addresses: Iterable[str],
    name: str = "",
    kind: SourceKind = SourceKind.ADDRESSES,
    with_assets: bool,
    **asked: object,
) -> Import:
    """An import of these addresses, which waits for its worker. Raises GoldpanError if nobody may be asked.

    `with_assets`: the style sheets and images of its new pages are fetched too. `asked` are fields of it.
    """
    user_agent()
    given = list(addresses)
    now = timezone.now()
    run = Import.objects.create(
        corpus=corpus,
        source_kind=kind,
        name=name[:300] or _name_of(given),
        total=len(given),
        uploaded_at=now,
        with_assets=with_assets,
        **{"format": URLS, "confirmed_at": now, **asked},
    )
    ImportAddress.objects.bulk_create(
        ImportAddress(run=run, number=number, url=url, location=_location(number, url))
        for number, url in enumerate(given, 1)
    )
    return run


def _name_of(addresses: list[str]) -> str:
    if len(addresses) == 1:
        return _location(1, addresses[0])
    return ngettext("%(n)s address", "%(n)s addresses", len(addresses)) % {"n": count(len(addresses))}


def _location(number: int, url: str) -> str:
    """The address; a long one is cut, with its number, so that no two are the same."""
    if len(url) <= _LONGEST_LOCATION:
        return url
    mark = f"… #{number}"
    return url[: _LONGEST_LOCATION - len(mark)] + mark


@contextmanager
def open_addresses(run: Import) -> Iterator[OpenSource]:
    """Fetch what was not imported before. A command waits for all sites."""
    with closing(_records(run, wait_for_all=run.source_kind == SourceKind.PATH)) as records:
        yield OpenSource(run.format, records)


def _records(run: Import, *, wait_for_all: bool) -> Generator[Record | None]:
    done = set(run.records.values_list("location", flat=True))
    rows = {row.number: row for row in run.addresses.all() if row.location not in done}
    targets = [
        Target(number, row.url, row.attempts, row.not_before, row.problem) for number, row in rows.items()
    ]
    fetcher = Fetcher(patience=PATIENCE)
    for outcome in crawl(targets, fetcher=fetcher, wait_for_all=wait_for_all):
        yield _record(rows[outcome.target.key], outcome) if outcome else None


def _record(row: ImportAddress, outcome: CrawlResult) -> Record | None:
    result, target = outcome.result, outcome.target
    if isinstance(result, Fetched):
        return PageRecord(
            row.location,
            result.body,
            url=result.url,
            charset=result.charset or None,
            captured_at=result.fetched_at.isoformat(),
        )
    if isinstance(result, FetchError):
        return BadRecord(row.location, result.message, result.cause)
    ImportAddress.objects.filter(pk=row.pk).update(
        attempts=target.attempts, not_before=target.not_before, problem=target.problem[:300]
    )
    return None
