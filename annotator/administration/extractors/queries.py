"""The extractors of a corpus: which are enabled, which can be, and how far they are."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Q
from django.utils.translation import gettext as _

from annotator.common.progress import WorkProgress, progress_by_kind
from annotator.common.work_kinds import IS_FAILED
from annotator.corpora.models import Corpus
from annotator.pages.models import StoredDocument
from annotator.runs.models import MODEL, CorpusExtractor, Extraction, Extractor
from extraction import extractors


@dataclass(frozen=True)
class ExtractorRow:
    """One version of an extractor with its parameters, which the corpus runs or ran."""

    extractor: Extractor
    is_enabled: bool
    # Current documents on which it has a result, or failed; on which it is to run yet; when it ran last.
    done: int
    failed: int
    open: int
    last: datetime | None
    # The installed version, if that is another one; and why none can run here, if so.
    installed: str
    missing: str

    @property
    def can_run(self) -> bool:
        return not (self.installed or self.missing)

    @property
    def parameters(self) -> list[tuple[str, object]]:
        return sorted(self.extractor.parameters.items())


@dataclass(frozen=True)
class Runs:
    """How far the extractions of a corpus are."""

    pages: int
    # Missing extractions of enabled extractors that nobody has asked for yet.
    missing: int
    finished: int
    progress: WorkProgress

    @property
    def total(self) -> int:
        return self.finished + self.progress.open


def rows_of(corpus: Corpus) -> list[ExtractorRow]:
    """The extractors of the corpus, enabled ones first, by name and version."""
    ever = Extractor.objects.filter(enabled__corpus=corpus).distinct()
    enabled = set(
        CorpusExtractor.objects.filter(corpus=corpus, ended_at=None).values_list("extractor", flat=True)
    )
    counted: dict[int, Mapping[str, Any]] = {
        row["extractor"]: row
        for row in Extraction.objects.filter(document__current_of__corpus=corpus)
        .order_by()
        .values("extractor")
        .annotate(
            done=Count("pk", filter=Q(finished_at__isnull=False)),
            failed=Count("pk", filter=IS_FAILED),
            open=Count("pk", filter=Q(finished_at=None)),
            last=Max("finished_at"),
        )
    }
    rows = [_row(extractor, extractor.pk in enabled, counted.get(extractor.pk, {})) for extractor in ever]
    return sorted(rows, key=lambda row: (not row.is_enabled, str(row.extractor), row.extractor.version))


def _row(extractor: Extractor, is_enabled: bool, counted: Mapping[str, Any]) -> ExtractorRow:
    installed, missing = _installed(extractor)
    return ExtractorRow(
        extractor,
        is_enabled,
        **{name: counted.get(name) or 0 for name in ("done", "failed", "open")},
        last=counted.get("last"),
        installed=installed,
        missing=missing,
    )


def _installed(extractor: Extractor) -> tuple[str, str]:
    """Another version that is installed, if so, and why none can run here, if so."""
    if extractor.is_uploaded:
        return "", ""
    name = extractor.architecture or extractor.name
    if name not in extractors.names():
        return "", extractors.broken_plugins().get(name) or _("its plugin is not installed")
    spec = extractors.get(name)
    if extractor.is_trained:
        needed = _("it was trained for %(architecture)s %(version)s. Train it again")
        facts = {"architecture": name, "version": extractor.version.partition(MODEL)[0]}
        return "", "" if extractor.is_available else needed % facts
    missing = _("its library is %(why)s") % {"why": spec.missing} if spec.missing else ""
    return (spec.version if spec.version != extractor.version else ""), missing


def runs_of(corpus: Corpus, rows: list[ExtractorRow]) -> Runs:
    """How far the enabled extractors are on the current documents."""
    pages = StoredDocument.objects.filter(current_of__corpus=corpus).count()
    running = [row for row in rows if row.is_enabled and row.can_run and not row.extractor.is_uploaded]
    missing = sum(pages - row.done - row.open for row in running)
    return Runs(
        pages,
        missing,
        sum(row.done for row in rows),
        progress_by_kind(corpus).get(Extraction, WorkProgress()),
    )
