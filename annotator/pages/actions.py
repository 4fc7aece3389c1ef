"""Writes about pages: add one, make its document, pin it."""

import gzip
import json
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from urllib.parse import urlsplit

import py3langid
import tldextract
from django.db import transaction

from annotator.common import storage, work
from annotator.common.errors import GoldpanError
from annotator.common.written import Asked, Written, WrittenUpdate
from annotator.corpora.models import Corpus
from annotator.pages import neighbours
from annotator.pages.models import Document, ImportedGold, Page
from extraction.parse import ParseError
from extraction.sandbox import Parsed, Parser

# Below this, a guess at the language says more about the menu than about the page.
LANGUAGE_NEEDS = 40
# A prefix is enough to know a language.
LANGUAGE_READS = 20_000

# The public suffix list that comes with the library; nothing is fetched.
_sites = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


@dataclass(frozen=True)
class Added:
    """What became of one record: the page, and whether it is new to the corpus."""

    page: Page
    new: bool
    gold: ImportedGold | None = None


@transaction.atomic
def add_page(
    *,
    corpus: Corpus,
    raw: bytes,
    url: str = "",
    charset: str | None = None,
    captured_at: datetime | None = None,
    language: str | None = None,
    gold: dict[str, object] | None = None,
    gold_source: str = "",
) -> Added:
    """Keep a page as captured; the same bytes a second time are the same page.

    `gold` is what came with it, kept as it came until the document is there.
    Raises GoldpanError for a page without bytes.
    """
    if not raw:
        raise GoldpanError("the page is empty: it has no bytes")
    digest = storage.put(raw)
    page, new = Page.objects.get_or_create(
        corpus=corpus,
        sha256=digest,
        defaults={
            "size": len(raw),
            "url": url,
            "site": site_of(url),
            "charset": charset or "",
            "captured_at": captured_at,
            "language": language or "",
        },
    )
    imported = keep_gold(page=page, content=gold, source=gold_source) if gold else None
    return Added(page, new, imported)


def keep_gold(*, page: Page, content: dict[str, object], source: str) -> ImportedGold | None:
    """Keep gold as it came; the row, if this gold is new to the page."""
    digest = sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    row, new = ImportedGold.objects.get_or_create(
        page=page, sha256=digest, defaults={"content": content, "source": source[:200]}
    )
    return row if new else None


def site_of(url: str) -> str:
    """The registered domain of an address (public suffix list, private suffixes too), or its host.

    A name under no known suffix counts as the list's default rule has it: its last two labels are the site.
    """
    parts = _sites(url, include_psl_private_domains=True)
    if parts.suffix or parts.ipv4 or parts.ipv6:
        return (parts.top_domain_under_public_suffix or parts.fqdn or parts.domain).lower()[:255]
    return ".".join((urlsplit(url).hostname or "").split(".")[-2:])[:255]


def build_document(page: Page, parser: Parser) -> Document | None:
    """Parse a claimed page in the killable child, and keep what came of it: the document, or the refusal.

    None when it was refused, or when the page was given to another worker meanwhile.
    """
    try:
        parsed = parser.parse(storage.get(page.sha256), page.charset or None)
    except ParseError as error:
        work.fail(page, error=error.message, refusal=error.reason)
        return None
    return _keep_document(page, parsed)


@transaction.atomic
def _keep_document(page: Page, parsed: Parsed) -> Document | None:
    # Clusters are found one page at a time.
    Corpus.objects.select_for_update(no_key=True).get(pk=page.corpus_id)
    made = parsed.document
    document = store_document(page=page, parsed=parsed)
    finished = work.finish(
        page,
        document=document,
        title=made.title[:500],
        language=page.language or language_of(made.text),
        cluster_id=neighbours.cluster_of(page, made.text),
        refusal="",
    )
    if not finished:
        transaction.set_rollback(True)
        return None
    return document


def make_document(*, page: Page, parser: Parser, version: str) -> Document:
    """Parse a page anew in the killable child, and keep what came of it beside the document that counts.

    Raises ParseError for a page that this parser refuses, GoldpanError when the parser is another version.
    """
    parsed = parser.parse(storage.get(page.sha256), page.charset or None)
    made = parsed.document.version
    if made != version:
        raise GoldpanError(f"this worker parses as {made}, not as {version}: start it anew")
    return store_document(page=page, parsed=parsed)


def store_document(*, page: Page, parsed: Parsed) -> Document:
    """Keep what this parser version makes of the page; nobody reads it until the page points at it."""
    made = parsed.document
    view = gzip.decompress(parsed.view)
    document, _ = Document.objects.get_or_create(
        page=page,
        version=made.version,
        defaults={
            "text": made.text,
            "sha256": made.sha256,
            "length": len(made.text),
            "blocks": [[block.start, block.end] for block in made.blocks],
            "encoding": made.encoding,
            "encoding_source": made.encoding_source,
            "repairs": list(made.repairs),
            "packed_sha256": storage.put(made.pack()),
            "view_sha256": storage.put(view),
            "prefer": json.loads(view)["prefer"],
            "quirks": made.quirks,
        },
    )
    return document


def language_of(text: str) -> str:
    """ISO 639-1 code of the text's language, or nothing when there is too little of it."""
    if len(text) < LANGUAGE_NEEDS:
        return ""
    return str(py3langid.classify(text[:LANGUAGE_READS])[0])


_held = Written(
    lambda page: Page.objects.select_for_update(no_key=True).only("pk").filter(pk=page).order_by()
)
_pinned = WrittenUpdate(lambda page: Page.objects.filter(pk=page, pinned_at=None), "pinned_at")


def pinning(*, page_id: int, now: datetime) -> list[Asked]:
    """Fixes the document of which everybody speaks, when the first slot is claimed (law 2).

    To be written with the claim: a re-parse that looks at the slots afterwards waits for the page.
    """
    return [_held.asked(page=page_id), _pinned.asked(page=page_id, pinned_at=now)]
