"""Writes about extractors and extractions."""

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.common import storage, work
from annotator.common.errors import Conflict, GoldpanError, OtherVersion
from annotator.common.machine import CpuLimitExceeded
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus
from annotator.pages.models import StoredDocument
from annotator.runs import reasons
from annotator.runs.models import CorpusExtractor, Extraction, Extractor
from annotator.runs.queries import carried_over
from annotator.runs.tuned_on import write_tuned_on
from annotator.runs.uploads import aligned_output
from extraction import extractors
from extraction.documents.document import Document as Parsed
from extraction.extractors.learned.trained import trained_extractor

logger = logging.getLogger(__name__)

# Gives the document that is stored under a digest, with the bytes of its page if their digest is given.
Reader = Callable[[str, str | None], Parsed]

# Models that a process keeps after it has read them; each is a few megabytes.
MODELS_KEPT = 4

# Enabled in a new corpus: one extractor of each kind, all fast and without third-party libraries.
DEFAULT_EXTRACTORS = (
    "boilerpipe-article",
    "boilerpipe-default",
    "everything",
    "goldpan",
    "justext",
    "tree-filter",
)


@transaction.atomic
def register(name: str, **parameters: object) -> Extractor:
    """Return the row of an extractor at its current version, with all its parameters.

    Raises GoldpanError for an unknown name or parameter.
    """
    try:
        spec = extractors.get(name)
        complete = spec.with_defaults(parameters)
    except extractors.ExtractorError as error:
        raise GoldpanError(str(error)) from error
    row, is_new = Extractor.objects.get_or_create(
        name=spec.name,
        version=spec.version,
        parameters_key=json.dumps(complete, sort_keys=True),
        uploaded_in=None,
        trained_in=None,
        defaults={"parameters": complete, "family": spec.family, "can_be_arm": spec.can_be_arm},
    )
    if is_new:
        write_tuned_on(row, spec.tuned_on)
    return row


def register_as_written(name: str, parameters: str) -> Extractor:
    """Return the row of an extractor with parameters as people write them: `key=value, ...`.

    Raises GoldpanError for an unknown name or parameter, and for one that cannot run here.
    """
    if name in extractors.names():
        _check_can_run(name)
    try:
        name, given = extractors.parse_with(f"{name}:{parameters}" if parameters.strip() else name)
    except extractors.ExtractorError as error:
        raise GoldpanError(str(error)) from error
    return register(name, **given)


@transaction.atomic
def enable(*, corpus: Corpus, name: str, **parameters: object) -> CorpusExtractor:
    """Enable an extractor at once: it runs on every page of the corpus. `start_run` has it run before.

    Raises GoldpanError for an unknown name or parameter, and for one that cannot run here.
    """
    extractor = register(name, **parameters)
    _check_can_run(name)
    enabled, is_new = CorpusExtractor.objects.get_or_create(corpus=corpus, extractor=extractor, ended_at=None)
    if is_new:
        changes = {"version": extractor.version, "parameters": extractor.parameters}
        record(AuditAction.EXTRACTOR_ENABLED, corpus=corpus, item=extractor.name, changes=changes)
    return enabled


def _check_can_run(name: str) -> None:
    if missing := extractors.get(name).missing:
        raise GoldpanError(f"{name} cannot run: its library is {missing}")


@transaction.atomic
def disable(*, corpus: Corpus, extractor: Extractor) -> None:
    """Run the extractor on no more pages; what it has said stays. Raises Conflict if it is not enabled."""
    enabled = CorpusExtractor.objects.filter(corpus=corpus, extractor=extractor, ended_at=None)
    if not enabled.update(ended_at=timezone.now()):
        raise Conflict(_("%(extractor)s is not enabled.") % {"extractor": extractor})
    changes = {"version": extractor.version, "parameters": extractor.parameters}
    record(AuditAction.EXTRACTOR_DISABLED, corpus=corpus, item=extractor.name, changes=changes)


def installed_version(extractor: Extractor) -> Extractor:
    """Return the installed version with the same parameters; those that it does not have are left out.

    A trained one is what it is. Raises GoldpanError if none is installed.
    """
    if extractor.is_trained:
        return extractor
    try:
        known = extractors.get(extractor.name).parameters
    except extractors.ExtractorError as error:
        raise GoldpanError(str(error)) from error
    return register(extractor.name, **carried_over(extractor, known))


@transaction.atomic
def enable_again(*, corpus: Corpus, extractor: Extractor) -> None:
    """Let uploaded outputs count again. Raises Conflict if they do already."""
    _enabled, is_new = CorpusExtractor.objects.get_or_create(
        corpus=corpus, extractor=extractor, ended_at=None
    )
    if not is_new:
        raise Conflict(_("%(extractor)s is enabled already.") % {"extractor": extractor})
    record(AuditAction.EXTRACTOR_ENABLED, corpus=corpus, item=extractor.name)


@transaction.atomic
def record_run(*, corpus: Corpus) -> None:
    """Put into the audit log that somebody asked for what is missing."""
    record(AuditAction.EXTRACTORS_RUN, corpus=corpus)


def can_be_enabled() -> list[str]:
    """The names of the extractors whose libraries are installed."""
    return [name for name in extractors.names() if not extractors.get(name).missing]


def request_extractions(*, document: StoredDocument, enabled: Sequence[int]) -> list[Extraction]:
    """Create the missing extractions of a document; return those that are not finished."""
    present = set(document.extractions.values_list("extractor_id", flat=True))
    wanted = [pk for pk in enabled if pk not in present]
    Extraction.objects.bulk_create(
        [Extraction(document=document, extractor_id=pk) for pk in wanted], ignore_conflicts=True
    )
    return list(document.extractions.filter(extractor_id__in=wanted).open())


def read_document(packed: str, raw: str | None) -> Parsed:
    """Return a stored document by its digest, with the bytes of the page that has the digest `raw`."""
    return Parsed.unpack(storage.get(packed), storage.get(raw) if raw else None)


def document_reader() -> Reader:
    """As `read_document`; keeps what was read last, for the next extractor of the same document."""
    return lru_cache(maxsize=1)(read_document)


def run_extraction(extraction: Extraction, read: Reader = read_document) -> bool:
    """Run a claimed extraction, and store its result or failure; False if another worker took it over.

    A fault of the machine is raised: it is no result.
    """
    try:
        result = _run(extraction, read)
    except work.MACHINE_FAULTS:
        raise
    except CpuLimitExceeded as limit:
        return work.fail(extraction, error=f"took too long: {limit}")
    except Exception as error:  # noqa: BLE001  a failure is a result (invariant 9)
        return work.fail(extraction, error=f"{type(error).__name__}: {error}")
    return work.finish(extraction, **result)


def _run(extraction: Extraction, read: Reader) -> dict[str, object]:
    """Return spans, CPU seconds and reasons. Reading the document and explaining are not part of the cost."""
    extractor, stored = extraction.extractor, extraction.document
    spec = None if extractor.is_uploaded else _available(extractor)
    raw = stored.page.sha256 if spec and spec.reads_raw(extractor.parameters) else None
    # A copy: what one extractor has computed of a document would make the cost of the next one look smaller.
    document = replace(read(stored.packed_sha256, raw))
    if spec is None:
        return {"spans": [list(span) for span in aligned_output(extraction, document)]}
    output = spec.run(document, **extractor.parameters)
    return {
        "spans": [list(span) for span in output.spans],
        "seconds": output.seconds,
        **_reasons(spec, document, extractor.parameters),
    }


def _reasons(
    spec: extractors.ExtractorSpec, document: Parsed, parameters: dict[str, Any]
) -> dict[str, object]:
    """Return the reasons of an extractor that can explain. A failure does not affect the extraction."""
    if spec.explain is None:
        return {}
    try:
        return {"reasons": reasons.to_rows(spec.reasons(document, **parameters))}
    except (*work.MACHINE_FAULTS, CpuLimitExceeded):
        raise
    except Exception as error:
        logger.exception("%s could not explain its result", spec.name)
        return {"explanation_error": type(error).__name__}


def _available(extractor: Extractor) -> extractors.ExtractorSpec:
    """Raises OtherVersion if this worker has another version than the row, or none, or no sound model."""
    if not extractor.is_available:
        raise OtherVersion(f"this worker does not have {extractor.name} {extractor.version}")
    if extractor.is_trained:
        try:
            return _with_model(extractor.architecture, extractor.model_sha256)
        except ValueError as error:  # the file is not what was stored, which is no failure of a page
            raise OtherVersion(f"the model of {extractor.name} {extractor.version}: {error}") from error
    return extractors.get(extractor.name)


@lru_cache(maxsize=MODELS_KEPT)
def _with_model(architecture: str, model_sha256: str) -> extractors.ExtractorSpec:
    """An architecture with a model of the file store, whose bytes are checked against their digest."""
    return trained_extractor(architecture, storage.get(model_sha256))
