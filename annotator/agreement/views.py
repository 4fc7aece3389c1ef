"""The agreement screen, the pages behind each of its figures, and their counts."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from annotator import journey
from annotator.agreement import actions, behind, queries, table, wording
from annotator.agreement.choice import MEASURES, PAIRS, UNITS, Choice, cell_of, choice_of
from annotator.agreement.models import KeptReport, Report
from annotator.agreement.sheet import sheet
from annotator.agreement.trend import trend_of
from annotator.common.roles import ADJUDICATOR
from annotator.corpora.models import Corpus, Label
from extraction.spans import LABEL_SETS

PAGES_AT_ONCE = 25


@require_GET
def agreement(request: HttpRequest, slug: str) -> HttpResponse:
    return render(request, "agreement/agreement.html", _context(request))


@require_GET
def tables(request: HttpRequest, slug: str) -> HttpResponse:
    """The part of the screen that changes while figures are worked out."""
    return render(request, "agreement/tables.html", _context(request))


@require_GET
def report_state(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A name of how far a report is; the screen fetches its tables when it moves."""
    return send_progress(Report, request.standing.corpus, pk)


def send_progress(kind: type[KeptReport], corpus: Corpus, pk: int) -> JsonResponse:
    """How far a kept report of a corpus is; 404 for another's, or one that has gone."""
    report = get_object_or_404(kind.objects.defer("figures"), corpus=corpus, pk=pk)
    response = JsonResponse({"version": report.progress})
    response["Cache-Control"] = "no-store"
    return response


@require_GET
def pages(request: HttpRequest, slug: str) -> HttpResponse:
    """The pages behind one figure, those that agree least first."""
    corpus = request.standing.corpus
    labels = list(corpus.labels.all())
    choice, cell = _asked(request, labels)
    found = queries.pages_behind(corpus, choice, cell)
    sheet_of = Paginator(found, PAGES_AT_ONCE).get_page(request.GET.get("page"))
    names = _names(request)
    extractors = queries.extractors(corpus)
    context = {
        "choice": choice,
        "cell": cell,
        "csv": choice.behind(cell.by, cell.value) if cell.by else choice.query,
        "cell_title": behind.cell_title(cell, names, extractors),
        "what": wording.what_title(choice),
        "measure": wording.MEASURES[choice.measure],
        "unit": wording.UNITS[choice.unit],
        "pairs": wording.PAIRS[choice.pairs],
        "count": len(found),
        "sheet": sheet_of,
        "rows": behind.rows(
            sheet_of.object_list, choice, [label.name for label in labels], names, extractors
        ),
    }
    return render(request, "agreement/pages.html", context)


@require_GET
def counts(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """The counts behind one figure as CSV, page by page."""
    corpus = request.standing.corpus
    choice, cell = _asked(request, list(corpus.labels.all()))
    lines = sheet(
        queries.records_with_digests(corpus), choice, cell, _names(request), queries.extractors(corpus)
    )
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-agreement.csv"'
    response["Cache-Control"] = "private, no-store"
    return response


def _asked(request: HttpRequest, labels: list[Label]) -> tuple[Choice, Any]:
    return choice_of(request.GET, [label.name for label in labels]), cell_of(request.GET)


def _names(request: HttpRequest) -> dict[str, str]:
    """Who settles pages is not told by whom they are (law 4): numbers for her."""
    standing = request.standing
    return queries.people(standing.corpus, by_number=ADJUDICATOR in standing.roles)


def _context(request: HttpRequest) -> dict[str, object]:
    corpus: Corpus = request.standing.corpus
    labels = list(corpus.labels.all())
    choice, _cell = _asked(request, labels)
    report = actions.request_report(corpus=corpus, choice=choice)
    if report.finished_at is None:
        journey.report_requested(report)
    shown = report if report.figures else queries.latest_report(corpus, choice)
    context: dict[str, object] = {
        "choice": choice,
        "report": report,
        "version": report.progress,
        "shown": shown,
        "asked": _questions(choice, labels),
        "left_out_words": wording.reasons(queries.left_out(corpus)),
    }
    return context | (_tables(request, shown, choice, labels) if shown and shown.pages else {})


def _tables(request: HttpRequest, report: Report, choice: Choice, labels: list[Label]) -> dict[str, object]:
    corpus, found = request.standing.corpus, report.figures
    head, *others = table.head(found, choice)
    by_week, of_units, verdicts = table.by_week(found, choice), table.of_units(found), table.of_verdict(found)
    every_measure = [row for _title, rows in of_units for row in rows if row] + verdicts
    return {
        "measure": wording.MEASURES[choice.measure],
        "unit": wording.UNITS[choice.unit],
        "what": wording.what_title(choice),
        "head": head,
        "others": others,
        "excluded": wording.reasons(head.figure["excluded"]),
        "by_label": table.by_label(found, choice, {label.name: label.number for label in labels}),
        "by_arm": table.by_arm(found, choice, queries.extractors(corpus)),
        "by_language": table.by_language(found, choice),
        "by_site": table.by_site(found, choice),
        "by_guideline": table.by_guideline(found, choice),
        "by_week": by_week,
        "by_pair": table.by_pair(found, choice, _names(request)),
        "units": [wording.UNITS[unit] for unit in UNITS],
        "of_units": of_units,
        "verdicts": verdicts,
        "every_measure": every_measure,
        "longest_decide": any(row.figure["withheld"] == wording.LONGEST_DECIDE for row in every_measure),
        "trend": trend_of(by_week.rows, [value for value, _figures in found["week"]]),
    }


def _questions(choice: Choice, labels: list[Label]) -> list[tuple[str, str, list[tuple[str, object, bool]]]]:
    """The selects of the form: name, title, options with what they are called and whether they are chosen."""
    views = [None, *(("set", name) for name in LABEL_SETS), *(("label", label.name) for label in labels)]
    whats = [choice.but(view=view) for view in views]
    return [
        ("pairs", _("Pairs"), [(each, wording.PAIRS[each], each == choice.pairs) for each in PAIRS]),
        (
            "measure",
            _("Measure"),
            [(each, wording.MEASURES[each], each == choice.measure) for each in MEASURES[choice.unit]],
        ),
        ("unit", _("Unit"), [(each, wording.UNITS[each], each == choice.unit) for each in UNITS]),
        ("what", _("What"), [(each.what, wording.what_title(each), each == choice) for each in whats]),
    ]
