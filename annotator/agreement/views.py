"""The agreement screen, the pages behind each figure, and their counts as CSV."""

from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotator import pipeline
from annotator.agreement import actions, page_list, queries, tables, titles
from annotator.agreement.counts_csv import csv_rows
from annotator.agreement.models import AgreementReport, CachedReport
from annotator.agreement.selection import (
    MEASURES,
    PAIRS,
    UNITS,
    ReportSelection,
    SliceCell,
    selection_from,
    slice_cell_from,
)
from annotator.agreement.trend import trend_of
from annotator.common.csv_files import csv_response
from annotator.common.roles import ADJUDICATOR
from annotator.corpora.access import CorpusRequest
from annotator.corpora.models import Corpus, Label
from extraction.spans import LABEL_SETS

PAGES_AT_ONCE = 25
# Sites on the agreement screen; all are on a screen of their own.
SITES_SHOWN, SITES_AT_ONCE = 20, 50


@require_GET
def agreement(request: CorpusRequest, slug: str) -> HttpResponse:
    return render(request, "agreement/agreement.html", _context(request))


@require_GET
def tables_fragment(request: CorpusRequest, slug: str) -> HttpResponse:
    """The part of the screen that changes while a report is written."""
    return render(request, "agreement/tables.html", _context(request))


@require_GET
def report_state(request: CorpusRequest, slug: str, pk: int) -> HttpResponse:
    """The progress of a report; the screen fetches its tables when it changes."""
    return send_progress(AgreementReport, request.access.corpus, pk)


def send_progress(kind: type[CachedReport], corpus: Corpus, pk: int) -> JsonResponse:
    """The progress of a cached report; 404 for that of another corpus, or one that was deleted."""
    report = get_object_or_404(kind.objects.defer("figures"), corpus=corpus, pk=pk)
    response = JsonResponse({"version": report.progress})
    response["Cache-Control"] = "no-store"
    return response


@require_GET
def sites(request: CorpusRequest, slug: str) -> HttpResponse:
    """The figures of all sites, as the last report has them."""
    corpus: Corpus = request.access.corpus
    selection, _cell = _selected(request, list(corpus.labels.all()))
    report = queries.latest_report(corpus, selection)
    rows = tables.by_site(report.figures, selection) if report and report.figures and report.pages else []
    page_obj = Paginator(rows, SITES_AT_ONCE).get_page(request.GET.get("page"))
    context = {
        "selection": selection,
        **titles.selection_titles(selection),
        "count": len(rows),
        "page_obj": page_obj,
        "table": tables.AgreementTable(list(page_obj.object_list)),
    }
    return render(request, "agreement/sites.html", context)


@require_GET
def pages(request: CorpusRequest, slug: str) -> HttpResponse:
    """The pages behind one figure, different verdicts first, then by F1, whichever figure is shown."""
    corpus = request.access.corpus
    labels = list(corpus.labels.all())
    selection, cell = _selected(request, labels)
    found = queries.pages_behind(corpus, selection, cell)
    page_obj = Paginator(found, PAGES_AT_ONCE).get_page(request.GET.get("page"))
    names = _names(request)
    extractors = queries.extractor_titles(corpus)
    context = {
        "selection": selection,
        "cell": cell,
        "csv": selection.pages_query(cell.by, cell.value) if cell.by else selection.query,
        "cell_title": page_list.cell_title(cell, names, extractors),
        **titles.selection_titles(selection),
        "count": len(found),
        "page_obj": page_obj,
        "rows": page_list.rows(
            list(page_obj.object_list),
            selection,
            [label.name for label in labels],
            names,
            extractors,
        ),
    }
    return render(request, "agreement/pages.html", context)


@require_GET
def counts(request: CorpusRequest, slug: str) -> StreamingHttpResponse:
    """The counts behind one figure as CSV, page by page."""
    corpus = request.access.corpus
    selection, cell = _selected(request, list(corpus.labels.all()))
    rows = csv_rows(
        queries.compared_pages_with_digests(corpus),
        selection,
        cell,
        _names(request),
        queries.extractor_titles(corpus),
    )
    return csv_response(rows, f"{slug}-agreement.csv")


def _selected(request: CorpusRequest, labels: list[Label]) -> tuple[ReportSelection, SliceCell]:
    return selection_from(request.GET, [label.name for label in labels]), slice_cell_from(request.GET)


def _names(request: CorpusRequest) -> dict[str, str]:
    """Names of annotators; numbers for adjudicators, who must not know who they are (invariant 4)."""
    access = request.access
    return queries.annotator_names(access.corpus, by_number=ADJUDICATOR in access.roles)


def _context(request: CorpusRequest) -> dict[str, object]:
    corpus: Corpus = request.access.corpus
    labels = list(corpus.labels.all())
    selection, _cell = _selected(request, labels)
    report = actions.request_report(corpus=corpus, selection=selection)
    if report.finished_at is None:
        pipeline.enqueue(report)
    shown = report if report.figures else queries.latest_report(corpus, selection)
    context: dict[str, object] = {
        "selection": selection,
        "report": report,
        "version": report.progress,
        "shown": shown,
        "fields": _fields(selection, labels),
        "excluded_everywhere": titles.reasons(queries.excluded_pages(corpus)),
    }
    return context | (_tables(request, shown, selection, labels) if shown and shown.pages else {})


def _tables(
    request: CorpusRequest, report: AgreementReport, selection: ReportSelection, labels: list[Label]
) -> dict[str, object]:
    corpus, found = request.access.corpus, report.figures
    assert found is not None
    head, *other_pairs = tables.head(found, selection)
    by_site = tables.by_site(found, selection)
    by_week = tables.by_week(found, selection)
    of_units, verdicts = tables.of_units(found), tables.of_verdict(found)
    every_measure = [row for _title, rows in of_units for row in rows if row] + verdicts
    return {
        **titles.selection_titles(selection),
        "head": head,
        "other_pairs": other_pairs,
        "excluded": titles.reasons(head.figure["excluded"]),
        "by_label": tables.by_label(found, selection, {label.name: label.number for label in labels}),
        "by_arm": tables.by_arm(found, selection, queries.extractor_titles(corpus)),
        "by_language": tables.by_language(found, selection),
        "by_site": tables.AgreementTable(by_site[:SITES_SHOWN]),
        "more_sites": len(by_site[SITES_SHOWN:]),
        "by_guideline": tables.by_guideline(found, selection),
        "by_week": by_week,
        "by_pair": tables.by_pair(found, selection, _names(request)),
        "units": [titles.UNITS[unit] for unit in UNITS],
        "of_units": of_units,
        "verdicts": verdicts,
        "every_measure": every_measure,
        "dominated_by_longest": any(row.figure["withheld"] == titles.LONGEST_DECIDE for row in every_measure),
        "trend": trend_of(by_week.rows, [value for value, _figures in found["week"]]),
    }


def _fields(
    selection: ReportSelection, labels: list[Label]
) -> list[tuple[str, str, list[tuple[str, object, bool]]]]:
    """The selects of the form: name, title, and options with value, title and whether each is selected."""
    views = [None, *(("set", name) for name in LABEL_SETS), *(("label", label.name) for label in labels)]
    options = [selection.replaced(view=view) for view in views]
    return [
        ("pairs", _("Pairs"), [(each, titles.PAIRS[each], each == selection.pairs) for each in PAIRS]),
        (
            "measure",
            _("Measure"),
            [(each, titles.MEASURES[each], each == selection.measure) for each in MEASURES[selection.unit]],
        ),
        ("unit", _("Unit"), [(each, titles.UNITS[each], each == selection.unit) for each in UNITS]),
        (
            "labels",
            _("Labels"),
            [(each.labels_key, titles.labels_title(each), each == selection) for each in options],
        ),
    ]
