"""Enabled extractors, missing extractions, and runs.

An extractor whose version this Goldpan does not have is unavailable: it runs on no page and has no score.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from annotator.common.work import WorkQuerySet
from annotator.corpora.models import Corpus
from annotator.pages.models import StoredDocument
from annotator.runs.models import (
    UNDER_WAY,
    CorpusExtractor,
    Extraction,
    Extractor,
    MissingOutputs,
    OutputOutcome,
    Run,
    UploadedOutput,
)
from annotator.runs.parts import FAILED, LANGUAGE, SITE
from extraction import extractors


def enabled_extractors(corpus_id: int) -> list[Extractor]:
    """Return the corpus's enabled extractors that can run here."""
    rows = Extractor.objects.filter(enabled__corpus=corpus_id, enabled__ended_at=None, uploaded_in=None)
    return [extractor for extractor in rows.order_by("pk") if extractor.is_available]


def enabled_in(corpus_id: int) -> list[int]:
    """Return their primary keys."""
    return [extractor.pk for extractor in enabled_extractors(corpus_id)]


def wanted_for(document: StoredDocument) -> list[int]:
    """Return the extractors that are to run on a new document: the enabled ones and those of a run under way.

    What was uploaded for the page is aligned to each of its documents.
    """
    corpus = document.page.corpus_id
    # A run over a part asks for its documents itself.
    runs = Run.objects.filter(UNDER_WAY, corpus=corpus, part="")
    has_output = Q(
        runs__outputs__page=document.page_id,
        runs__outputs__outcome=OutputOutcome.MATCHED,
        runs__cancelled_at=None,
    )
    had_output = Q(extractions__document__page=document.page_id)
    uploaded = Extractor.objects.filter(has_output | had_output, uploaded_in=corpus)
    running = Extractor.objects.filter(uploaded_in=None, runs__in=runs)
    more = [extractor.pk for extractor in running if extractor.is_available]
    return [*dict.fromkeys([*enabled_in(corpus), *more, *uploaded.values_list("pk", flat=True)])]


# ---- extractions ----


def document_of_page(page_id: int) -> StoredDocument | None:
    """Return the current document, without its text and blocks until somebody asks for them.

    None where the page has none, or was taken down.
    """
    standing = StoredDocument.objects.filter(current_of=page_id, page__takedown=None)
    current = standing.select_related("page")
    return current.defer("text", "blocks").first()


def extractions_to_run(keys: Collection[int]) -> WorkQuerySet[Extraction]:
    """Return these extractions, those of one document together, with all that running them needs."""
    rows = Extraction.objects.filter(pk__in=keys).select_related("extractor", "document__page")
    return rows.defer("document__text", "document__blocks").order_by("document", "pk")


def documents_without_extraction(since: datetime | None = None) -> QuerySet[StoredDocument]:
    """Return the current documents that lack an extraction by an enabled extractor of their corpus.

    With `since` those that were made later, or whose corpus has had an extractor enabled later.
    """
    programs = Extractor.objects.filter(uploaded_in=None)
    available = [extractor.pk for extractor in programs if extractor.is_available]
    requested = Extraction.objects.filter(document=OuterRef(OuterRef("pk")), extractor=OuterRef("extractor"))
    enabled = CorpusExtractor.objects.filter(corpus=OuterRef("page__corpus"), ended_at=None)
    missing = enabled.filter(extractor__in=available).exclude(Exists(requested))
    current = StoredDocument.objects.filter(current_of__isnull=False, page__takedown=None)
    if since:
        extended = set(CorpusExtractor.objects.filter(since__gte=since).values_list("corpus", flat=True))
        current = current.filter(Q(made_at__gte=since) | Q(page__corpus__in=extended))
    return current.filter(Exists(missing)).select_related("page")


# ---- runs ----


def runs_of(corpus: Corpus) -> QuerySet[Run]:
    """The corpus's runs, newest first."""
    return Run.objects.filter(corpus=corpus).select_related("extractor", "replaced", "requested_by")


def documents_of(run: Run) -> QuerySet[StoredDocument]:
    """The documents that a run covers: current ones of its part, or those with uploaded outputs."""
    current = StoredDocument.objects.filter(current_of__corpus=run.corpus_id, page__takedown=None)
    if run.part:
        return current.filter(_in_part(run))
    if not run.is_upload or run.missing_outputs == MissingOutputs.EMPTY:
        return current
    return current.filter(
        page__uploaded_outputs__run=run, page__uploaded_outputs__outcome=OutputOutcome.MATCHED
    )


def _in_part(run: Run) -> Q:
    name, _colon, value = run.part.partition(":")
    if name in (LANGUAGE, SITE):
        return Q(**{f"page__{name}": value})
    others = _finished().filter(extractor__name=run.extractor.name).exclude(extractor=run.extractor_id)
    return Q(Exists(others.exclude(error=""))) if name == FAILED else ~Q(Exists(others))


def open_extractions(run: Run) -> QuerySet[Extraction]:
    """The extractions of a run that are not finished."""
    return Extraction.objects.filter(extractor=run.extractor_id, document__page__corpus=run.corpus_id).open()


def counts_of(run: Run) -> dict[str, int]:
    """How many pages a run covers, and how many are done, of these failed, and tried again."""
    finished = Q(finished_at__isnull=False)
    return {
        "pages": documents_of(run).count(),
        **_extractions_of(run).aggregate(
            done=Count("pk", filter=finished),
            failed=Count("pk", filter=finished & ~Q(error="")),
            retrying=Count("pk", filter=~finished & Q(faults__gt=0)),
        ),
    }


def _extractions_of(run: Run) -> QuerySet[Extraction]:
    return Extraction.objects.filter(extractor=run.extractor_id, document__in=documents_of(run))


def documents_without(run: Run) -> QuerySet[StoredDocument]:
    """The documents of a run on which its extractor has not run."""
    return documents_of(run).exclude(Exists(_finished().filter(extractor=run.extractor_id)))


def _finished() -> QuerySet[Extraction]:
    return Extraction.objects.filter(document=OuterRef("pk"), finished_at__isnull=False)


def is_whole(run: Run) -> bool:
    """Whether the extractor of a run has run on every page that it covers, and is scored where there is gold.

    Where it replaces an earlier version, that is every page on which the earlier one has run.
    """
    lacking = documents_without(run)
    if not run.part and (earlier := earlier_versions(run.corpus, run.extractor)):
        lacking = lacking.filter(Exists(_finished().filter(extractor__in=earlier)))
    if lacking.exists():
        return False
    with_gold = _extractions_of(run).filter(finished_at__isnull=False, document__gold__current=True)
    # One score that is both: that of replaced gold is finished too.
    scored = Extraction.objects.filter(
        pk=OuterRef("pk"), scores__gold__current=True, scores__finished_at__isnull=False
    )
    return not with_gold.exclude(Exists(scored)).exists()


@dataclass(frozen=True)
class Outputs:
    """What became of the records of an upload, and how well those that were matched lie in their pages."""

    matched: int
    unknown: int
    repeated: int
    refused: int
    # Pages without output, at the last count of current documents.
    without: int
    # Records that were not used, in the order of the file.
    unused: list[UploadedOutput]
    # Texts of which less than `WELL_PLACED` was found in the page, the worst first, and their number.
    badly_placed: list[UploadedOutput]
    badly_placed_count: int
    # Pages on which the system was trained or tuned.
    tuned_on: int


# The share of an output's text that is found in its page where nothing is wrong.
WELL_PLACED = 0.9
LISTED = 50


def outputs_of(run: Run) -> Outputs:
    """The report of an upload."""
    rows = run.outputs.order_by("number").defer("text", "spans")
    counts = dict(rows.order_by().values_list("outcome").annotate(n=Count("pk")))
    bad = rows.filter(total__gt=0, placed__lt=F("total") * WELL_PLACED).select_related("page")
    pages = StoredDocument.objects.filter(current_of__corpus=run.corpus_id, page__takedown=None).count()
    return Outputs(
        **{outcome.value: counts.get(outcome.value, 0) for outcome in OutputOutcome},
        without=max(0, pages - counts.get(OutputOutcome.MATCHED, 0)),
        unused=list(rows.exclude(outcome=OutputOutcome.MATCHED)[:LISTED]),
        badly_placed=list(bad.order_by(F("placed") * 1.0 / F("total"), "number")[:LISTED]),
        badly_placed_count=bad.count(),
        tuned_on=run.extractor.tuned_on_pages.count(),
    )


def earlier_versions(corpus: Corpus, extractor: Extractor) -> list[Extractor]:
    """The other enabled versions of an extractor with the same parameters.

    Parameters that a version does not have count as their defaults.
    """
    enabled = Extractor.objects.filter(enabled__corpus=corpus, enabled__ended_at=None, name=extractor.name)
    others = enabled.filter(uploaded_in=extractor.uploaded_in_id, trained_in=extractor.trained_in_id)
    others = others.exclude(pk=extractor.pk).order_by("pk")
    return [other for other in others if carried_over(other, extractor.parameters) == extractor.parameters]


def replacements(corpus: Corpus) -> QuerySet[Run, tuple[int, int]]:
    """Extractor and the one whose place it took when its run was whole, as keys, in the order of time."""
    whole = Run.objects.filter(corpus=corpus, completed_at__isnull=False, replaced__isnull=False)
    return whole.order_by("completed_at").values_list("extractor", "replaced")


def carried_over(earlier: Extractor, known: Collection[str]) -> dict[str, object]:
    """The parameters of an earlier version as another takes them, of which `known` are those that it has."""
    kept = {name: value for name, value in earlier.parameters.items() if name in known}
    try:
        return extractors.get(earlier.name).with_defaults(kept)
    except extractors.ExtractorError:  # uploaded, or no longer installed
        return kept


def off_board(corpus_id: int, parts: Collection[str] = ()) -> QuerySet[Extractor]:
    """The extractors that the board leaves out: no run over all pages is whole, or a later version is there.

    On the board of a part of the corpus stand those with a whole run over it: over one of `parts`.
    """
    ever = CorpusExtractor.objects.filter(corpus=corpus_id, extractor=OuterRef("pk"))
    runs = Run.objects.filter(corpus=corpus_id)
    has_run = Exists(runs.filter(extractor=OuterRef("pk")))
    was_replaced = Exists(runs.filter(replaced=OuterRef("pk")))
    found = Extractor.objects.filter(
        (has_run & ~Exists(ever)) | (was_replaced & ~Exists(ever.filter(ended_at=None)))
    )
    if parts:
        found = found.exclude(runs__in=runs.filter(part__in=parts, completed_at__isnull=False))
    return found
