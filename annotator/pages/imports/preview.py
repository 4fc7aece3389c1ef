"""What an import would bring, found by reading all of its source without storing anything."""

from dataclasses import asdict, dataclass, field

from django.utils import timezone

from annotator.common import work
from annotator.pages.imports.models import Import
from annotator.pages.imports.records import Record
from annotator.pages.imports.sources import open_source
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
    """Look through a claimed import's source; False if it was taken over or cancelled meanwhile."""
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
    return work.finish(
        run,
        preview=asdict(found),
        format=source.format,
        total=found.records,
        with_gold=found.with_gold > 0,
        previewed_at=timezone.now(),
    )


def _is_cancelled(run: Import) -> bool:
    """Whether it was cancelled; then it is finished as work."""
    cancelled = Import.objects.filter(pk=run.pk, cancelled_at__isnull=False).exists()
    return cancelled and work.finish(run)


def _add(found: Preview, batch: list[Record], run: Import, seen: set[str]) -> None:
    digests = {record.sha256 for record in batch if not isinstance(record, BadRecord)}
    known = set(
        Page.objects.filter(corpus=run.corpus_id, sha256__in=digests).values_list("sha256", flat=True)
    )
    for record in batch:
        found.records += 1
        if isinstance(record, BadRecord):
            found.refused += 1
            if len(found.refusals) < LISTED:
                found.refusals.append((record.location[:300], record.cause, record.reason[:500]))
            continue
        digest = record.sha256
        found.pages += 1
        found.with_gold += record.gold is not None
        found.with_assets += bool(record.assets)
        found.duplicates += digest in known
        found.repeated += digest in seen
        seen.add(digest)
        if len(found.examples) < LISTED:
            found.examples.append((record.location[:300], record.url[:500]))
