"""Writes about extractors and extractions."""

import json
import logging
from collections.abc import Sequence
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from django.db import transaction

from annotator.common import storage, work
from annotator.common.errors import GoldpanError
from annotator.corpora.models import Corpus
from annotator.pages.models import Document
from annotator.runs import reasons
from annotator.runs.models import CorpusExtractor, Extraction, Extractor
from extraction import extractors
from extraction.document import Document as Parsed
from extraction.spans import check

logger = logging.getLogger(__name__)

# What a new corpus runs on every page: each a different way to see one, all quick, none with somebody else's
# library behind it. Thirty runs a page would be a choice that nobody made.
DEFAULT_EXTRACTORS = (
    "boilerpipe-article",
    "boilerpipe-default",
    "everything",
    "goldpan",
    "justext",
    "tree-filter",
)


def register(name: str, **parameters: object) -> Extractor:
    """The row of an extractor of the library at its present version, with all its parameters spelled out.

    Raises GoldpanError for a name or a parameter that the library does not know.
    """
    try:
        spec = extractors.get(name)
        given = spec.settle(parameters)
    except extractors.ExtractorError as error:
        raise GoldpanError(str(error)) from error
    row, _ = Extractor.objects.get_or_create(
        name=spec.name,
        version=spec.version,
        parameters_key=json.dumps(given, sort_keys=True),
        defaults={"parameters": given, "family": spec.family, "can_be_arm": spec.can_be_arm},
    )
    return row


@transaction.atomic
def enable(*, corpus: Corpus, name: str, **parameters: object) -> CorpusExtractor:
    """Run this extractor on every page of the corpus from now on."""
    extractor = register(name, **parameters)
    return CorpusExtractor.objects.get_or_create(corpus=corpus, extractor=extractor, ended_at=None)[0]


def enable_defaults(*, corpus: Corpus) -> list[CorpusExtractor]:
    """Enable what a new corpus starts with; `run_extractors SLUG NAME` adds any other."""
    return [enable(corpus=corpus, name=name) for name in DEFAULT_EXTRACTORS]


def request_extractions(*, document: Document, enabled: Sequence[int]) -> list[Extraction]:
    """A row for every enabled extractor that has none for this document; only the new rows are given back."""
    present = set(document.extractions.values_list("extractor_id", flat=True))
    wanted = [pk for pk in enabled if pk not in present]
    Extraction.objects.bulk_create(
        [Extraction(document=document, extractor_id=pk) for pk in wanted], ignore_conflicts=True
    )
    return list(document.extractions.filter(extractor_id__in=wanted).open())


def run_extraction(extraction: Extraction) -> bool:
    """Run a claimed extraction, and keep what it said or how it failed; False when it was taken over."""
    try:
        said = _run(extraction)
    except SoftTimeLimitExceeded:
        return work.fail(extraction, error="took too long")
    except Exception as error:  # noqa: BLE001  whatever an extractor raises is its result (law 9)
        return work.fail(extraction, error=f"{type(error).__name__}: {error}")
    return work.finish(extraction, **said)


def _run(extraction: Extraction) -> dict[str, object]:
    """Spans, reasons, CPU seconds; reading the document and giving reasons are not the extractor's cost."""
    extractor = extraction.extractor
    _check_version(extractor)
    spec = extractors.get(extractor.name)
    document = _stored(extraction.document, with_raw=spec.needs_raw)
    said = spec.run(document, **extractor.parameters)
    check(said.spans, document)
    return {
        "spans": [list(span) for span in said.spans],
        "seconds": said.seconds,
        **_reasons(spec, document, extractor.parameters),
    }


def _reasons(
    spec: extractors.ExtractorSpec, document: Parsed, parameters: dict[str, Any]
) -> dict[str, object]:
    """Why it said so, from those who can tell; who breaks at that has said what it said all the same."""
    if spec.explain is None:
        return {}
    try:
        return {"reasons": reasons.rows_of(extractors.explain(document, spec.name, **parameters))}
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:
        logger.exception("%s gave no reasons", spec.name)
        return {"no_reasons": type(error).__name__}


def _stored(document: Document, *, with_raw: bool) -> Parsed:
    """The document as packed; the page's bytes only for those who parse for themselves."""
    raw = storage.get(document.page.sha256) if with_raw else None
    return Parsed.unpack(storage.get(document.packed_sha256), raw)


def _check_version(extractor: Extractor) -> None:
    """The library may have moved on since the row was made: what runs now is then another extractor."""
    now = extractors.get(extractor.name).version
    if now != extractor.version:
        raise GoldpanError(
            f"{extractor.name} {extractor.version} is wanted, but this worker has {now}; enable it anew"
        )
