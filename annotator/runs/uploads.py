"""Outputs made elsewhere: uploaded as a file, matched to pages, aligned to their documents, scored.

An upload is a run whose extractor is not a program here. Its first step reads the file, in a child process,
and matches each record to a page, in one transaction: all of it or nothing.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.common import storage, work
from annotator.common.batches import batched
from annotator.common.errors import Conflict, GoldpanError
from annotator.common.sites import site_of
from annotator.corpora.audit.actions import record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus, Label, User
from annotator.pages.imports.models import ImportRecord
from annotator.pages.models import Page
from annotator.runs.models import (
    NOT_ENDED,
    UNREAD,
    Extraction,
    Extractor,
    MissingOutputs,
    OutputOutcome,
    Run,
    UploadedOutput,
    own_name,
)
from annotator.runs.tuned_on import write_tuned_on
from extraction import extractors
from extraction.alignment import align
from extraction.documents.document import Document as Parsed
from extraction.formats.outputs import OutputEntry, OutputReader
from extraction.formats.records import MAX_BYTES, FormatError
from extraction.learning.architectures import NAMES
from extraction.spans import CONTENT, Span, clip

# Records that are looked up and stored at once.
BATCH = 500
# What an import may have called the page that a file calls by its stem.
SUFFIXES = ("", ".html", ".htm", ".html.gz")
MAX_LISTED = 10_000


@dataclass(frozen=True, kw_only=True)
class UploadedSystem:
    """What the uploader states about the system: none of it can be found in the file."""

    name: str
    version: str
    source: str = ""
    licence: str = ""
    # Of a program of that family: who was shown it is not blind to this system either.
    family: str = ""
    # Digests, addresses or sites, one a line, of pages on which it was trained or tuned.
    tuned_on: str = ""


@transaction.atomic
def start_upload(
    *,
    corpus: Corpus,
    system: UploadedSystem,
    file_name: str,
    data: bytes,
    missing: str = MissingOutputs.LEFT_OUT,
    user: User | None = None,
) -> Run:
    """Store the file and return the run that will read it.

    Raises GoldpanError for a name that a program has, and for a file without bytes or too large; Conflict if
    outputs of this version are there already.
    """
    if not data:
        raise GoldpanError(_("The file is empty."))
    if len(data) > MAX_BYTES:
        limit = MAX_BYTES >> 20
        raise GoldpanError(
            _("The file is larger than %(n)s MiB. Compress it with gzip, or split it.") % {"n": limit}
        )
    if missing not in MissingOutputs.values:
        raise GoldpanError(_("Choose what becomes of pages without output."))
    Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    extractor = _system(corpus, system)
    unread = Run.objects.filter(NOT_ENDED & UNREAD, extractor=extractor)
    unread.update(cancelled_at=timezone.now(), paused_at=None)
    taken = Run.objects.filter(extractor=extractor).filter(NOT_ENDED | Q(completed_at__isnull=False))
    # What a cancelled run has extracted stays, and would count as the output of this file.
    if taken.exists() or extractor.extractions.exists():
        message = _("There are outputs of %(name)s %(version)s already. Give these another version.")
        raise Conflict(message % {"name": extractor.name, "version": extractor.version})
    run = Run.objects.create(
        corpus=corpus,
        extractor=extractor,
        requested_by=user,
        file_name=file_name[-300:],
        file_sha256=storage.put(data),
        missing_outputs=missing,
    )
    facts = {"version": extractor.version, "sha256": run.file_sha256, "missing": missing}
    record(AuditAction.OUTPUTS_UPLOADED, corpus=corpus, by=user, item=extractor.name, changes=facts)
    return run


def _system(corpus: Corpus, system: UploadedSystem) -> Extractor:
    """The row of the system in this corpus; one of which nothing was read yet takes what is stated now."""
    name, version = system.name.strip(), system.version.strip()
    if not name or not version or len(name) > 60 or len(version) > 60:
        raise GoldpanError(_("Outputs need a name and a version, of at most 60 characters each."))
    if name in extractors.names() or name in map(own_name, NAMES):
        message = _(
            "%(name)s is an extractor of Goldpan. Name these outputs differently, as %(name)s-published."
        )
        raise GoldpanError(message % {"name": name})
    pages, sites = _tuned_on(corpus, system.tuned_on)
    stated = {
        "family": _family(system.family) or name,
        "can_be_arm": False,
        "source": system.source.strip()[:2000],
        "licence": system.licence.strip()[:200],
        "tuned_on_sites": sites,
    }
    row, _is_new = Extractor.objects.get_or_create(
        uploaded_in=corpus, name=name, version=version, defaults=stated
    )
    if not row.extractions.exists():
        Extractor.objects.filter(pk=row.pk).update(**stated)
        write_tuned_on(row, pages)
    return row


def _family(name: str) -> str:
    if not name:
        return ""
    try:
        return extractors.get(name).family
    except extractors.ExtractorError as error:
        raise GoldpanError(str(error)) from error


def _tuned_on(corpus: Corpus, listed: str) -> tuple[list[str], list[str]]:
    """Digests of pages and names of sites, from a list of digests, addresses and sites."""
    lines = [line.strip() for line in listed.splitlines() if line.strip()]
    if len(lines) > MAX_LISTED:
        raise GoldpanError(
            _("List at most 10,000 pages and sites. Where they are whole sites, list the sites.")
        )
    digests = {line.lower() for line in lines if _is_digest(line)}
    others = {line for line in lines if not _is_digest(line)}
    known = dict(Page.objects.filter(corpus=corpus, url__in=others).values_list("url", "sha256"))
    sites = {site_of(line if "//" in line else f"https://{line}/") for line in others - known.keys()}
    return sorted(digests | set(known.values())), sorted(sites - {""})


def _is_digest(name: str) -> bool:
    return len(name) == 64 and all(char in "0123456789abcdef" for char in name.lower())


# ---- reading the file ----


def read_upload(run: Run) -> None:
    """Match the records of a claimed run's file to pages, and store them; nothing if it was read already.

    Raises GoldpanError for a file that cannot be read, and for one in which no page of the corpus is named.
    """
    if run.read_at:
        return
    try:
        with OutputReader() as reader, transaction.atomic():
            matched = _store(run, reader.records(storage.get(run.file_sha256)))
            if not work.send_heartbeat(run, read_at=timezone.now()):
                raise Conflict("another worker reads it")  # what this one stored is undone
            if not matched:
                raise GoldpanError(
                    _("No record names a page of this corpus by SHA-256, address or the id of its import.")
                )
    except FormatError as error:
        raise GoldpanError(_("The file cannot be read: it %(why)s") % {"why": error}) from error
    run.refresh_from_db()


def _store(run: Run, records: Iterable[OutputEntry]) -> int:
    """Store every record with what became of it; return how many were matched."""
    taken: set[int] = set()
    labels = [*Label.objects.filter(corpus=run.corpus).values_list("name", flat=True), CONTENT]
    for batch in batched(enumerate(records, 1), BATCH):
        pages = pages_named(run.corpus, [each.name for _number, each in batch if not each.problem])
        UploadedOutput.objects.bulk_create(
            [_row(run, number, each, pages.get(each.name, []), taken, labels) for number, each in batch]
        )
    return len(taken)


def _row(
    run: Run,
    number: int,
    given: OutputEntry,
    pages: Sequence[int],
    taken: set[int],
    labels: Collection[str],
) -> UploadedOutput:
    row = UploadedOutput(run=run, number=number, name=given.name)
    unknown = next((label for _start, _end, label in given.spans or () if label not in labels), "")
    if given.problem:
        row.outcome, row.reason = OutputOutcome.REFUSED, given.problem[:300]
    elif not pages:
        row.outcome, row.reason = OutputOutcome.UNKNOWN, "names no page of this corpus"
    elif len(pages) > 1:
        row.outcome, row.reason = OutputOutcome.REFUSED, f"names {len(pages)} pages of this corpus"
    elif unknown:
        known = ", ".join(labels)
        row.outcome = OutputOutcome.REFUSED
        row.reason = f"its spans have a label that this corpus does not have: {unknown}; it has {known}"[:300]
    elif pages[0] in taken:
        row.outcome, row.reason = (
            OutputOutcome.REPEATED,
            "an earlier record is of the same page: that one is used",
        )
    else:
        taken.add(pages[0])
        row.outcome, row.page_id = OutputOutcome.MATCHED, pages[0]
        row.text, row.spans, row.document_sha256 = given.text or "", given.spans, given.document
    return row


def pages_named(corpus: Corpus, names: Sequence[str]) -> dict[str, list[int]]:
    """The pages that each name stands for: by SHA-256, else by address, else by the id of an import."""
    wanted = set(names)
    found: dict[str, set[int]] = defaultdict(set)
    available = Page.objects.filter(corpus=corpus, takedown=None)
    # A file may write one name in two ways.
    by_digest: dict[str, list[str]] = defaultdict(list)
    for name in filter(_is_digest, wanted):
        by_digest[name.lower()].append(name)
    for digest, pk in available.filter(sha256__in=by_digest).values_list("sha256", "pk"):
        for name in by_digest[digest]:
            found[name].add(pk)
    for url, pk in available.filter(url__in=wanted - found.keys()).values_list("url", "pk"):
        found[url].add(pk)
    by_location: dict[str, list[str]] = defaultdict(list)
    for name in wanted - found.keys():
        for suffix in SUFFIXES:
            by_location[f"{name}{suffix}"].append(name)
    imported = ImportRecord.objects.filter(
        run__corpus=corpus, page__takedown=None, page__isnull=False, location__in=by_location
    )
    for location, pk in imported.values_list("location", "page"):
        for name in by_location[location]:
            found[name].add(pk)
    return {name: sorted(pages) for name, pages in found.items()}


# ---- aligning ----


def aligned_output(extraction: Extraction, document: Parsed) -> list[Span]:
    """The spans of what was uploaded for the page of an extraction; none where that is missing.

    Raises GoldpanError for spans that are not those of this document.
    """
    # An earlier upload of the same version was cancelled.
    newest = Run.objects.filter(extractor=extraction.extractor_id).order_by("-pk").values("pk")[:1]
    output = UploadedOutput.objects.filter(
        run__in=newest, page=extraction.document.page_id, outcome=OutputOutcome.MATCHED
    ).first()
    if output is None:
        return []
    if output.spans is not None:
        if output.document_sha256 and output.document_sha256 != document.sha256:
            raise GoldpanError("its spans are those of another document of the page")
        return _fitted(output.spans, document)
    found = align(output.text, document)
    UploadedOutput.objects.filter(pk=output.pk).update(placed=found.placed, total=found.total)
    return found.spans


def _fitted(rows: list[list[Any]], document: Parsed) -> list[Span]:
    """Uploaded spans cut to the blocks of the document."""
    spans = [Span(*row) for row in rows]
    if spans and spans[-1].end > len(document.text):
        raise GoldpanError(f"its spans go beyond the {len(document.text)} characters of the document")
    return clip(spans, document.blocks, document.text)
