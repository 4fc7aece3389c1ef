"""The agreement page: from stored tallies, slice by slice, with pages and counts behind each figure."""

import csv
import io
import json
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from annotator.administration.labels.actions import add_label
from annotator.agreement import actions, queries, views
from annotator.agreement.models import Agreement, AgreementReport
from annotator.agreement.selection import ALL, BLIND, ReportSelection, SliceCell
from annotator.agreement.tables import by_pair
from annotator.agreement.tasks import write_report
from annotator.annotations.models import Slot
from annotator.common.verdicts import Verdict
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page
from annotator.runs.models import Extractor
from extraction.agreement.counts import PageTables, View
from extraction.agreement.pool import Pool
from extraction.agreement.report import AnnotatedPage
from extraction.agreement.units import ContentUnits
from tests.annotator.scored import compare_annotations, give_gold
from tests.factories import MakePage, annotate, change_design, label_block

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def differ(page: Page, cast: SimpleNamespace, *, by: int, shown: dict[int, str] | None = None) -> None:
    """Ada marks three blocks, ben `by` fewer; `shown` names the extractor that a slot shows, by number."""
    Slot.objects.filter(round__page=page).update(arm=None)
    for number, name in (shown or {}).items():
        arm = Extractor.objects.get(name=name)
        Slot.objects.filter(round__page=page, number=number).update(arm=arm)
    blocks = [label_block(block) for block in page.documents.get().blocks[-4:-1]]
    annotate(page, cast.ada, blocks)
    annotate(page, cast.ben, blocks[by:])
    compare_annotations(page)


def figures(corpus: Corpus, **changes: str | View) -> dict[str, Any]:
    report = actions.request_report(corpus=corpus, selection=ReportSelection().replaced(**changes))
    assert report.finished_at
    assert not report.error
    return report.figures


def oracle(pages: list[Page], bys: list[int]) -> Pool:
    """The same pages counted apart from the database."""
    counted = []
    for page, by in zip(pages, bys, strict=True):
        document = page.documents.get()
        blocks = [label_block(block) for block in document.blocks[-4:-1]]
        units = ContentUnits.of_text(document.text, [tuple(block[:2]) for block in document.blocks])
        made = AnnotatedPage("", {"a": blocks, "b": blocks[by:]}, units)
        counted.append(made.counts())
    return Pool(counted, labels=["headline", "body", "supplemental", "comments", "related"])


def test_figures_are_those_of_the_same_pages_counted_apart(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    pages, bys = [make_page() for _ in range(3)], [0, 1, 2]
    for page, by in zip(pages, bys, strict=True):
        differ(page, cast, by=by)
    pool = oracle(pages, bys)
    expected = pool.units("block", ("set", "article"))
    found = figures(corpus, unit="block")["pairs"][BLIND]
    for name in ("krippendorff_alpha", "cohen_kappa", "gwet_ac1", "f1", "observed"):
        assert found[name] == expected[name].to_json()
    spans = figures(corpus, unit="span")["pairs"][BLIND]
    assert spans["exact_f1"] == pool.spans(("set", "article"))["exact_f1"].to_json()


def test_any_label_includes_the_labels_that_the_corpus_added(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    add_label(corpus=corpus, based_on=1, title="Quote")
    page = make_page()
    first, second = page.documents.get().blocks[-2:]
    marks = [label_block(first, "quote"), label_block(second, "quote")]
    annotate(page, cast.ada, marks)
    annotate(page, cast.ben, marks[:1])
    compare_annotations(page)
    characters = figures(corpus, view=("set", "any"))["pairs"][BLIND]["f1"]["value"]
    spans = figures(corpus, view=("set", "any"), unit="span")["pairs"][BLIND]["exact_f1"]["value"]
    quotes = figures(corpus, view=("label", "quote"))["pairs"][BLIND]["f1"]["value"]
    assert (characters, spans) == (quotes, pytest.approx(2 / 3))
    assert 0 < quotes < 1


def test_blind_pairs_are_the_headline(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> None:
    differ(make_page(), cast, by=0)
    differ(make_page(extracted=True), cast, by=2, shown={1: "tree-filter"})
    differ(make_page(extracted=True), cast, by=2, shown={1: "tree-filter", 2: "goldpan"})
    found = figures(corpus)
    pages = {pairs: each["f1"]["n"] for pairs, each in found["pairs"].items()}
    assert pages == {"blind": 1, "shown": 2, "all": 3}
    assert found["pairs"]["blind"]["f1"]["value"] == 1.0
    assert found["pairs"]["shown"]["f1"]["value"] < 1.0
    arms = {value: each["f1"]["n"] for value, each in found["arm"]}
    names = {str(each.pk): each.name for each in Extractor.objects.all()}
    assert {names.get(value, value): n for value, n in arms.items()} == {
        "nothing": 1,
        "tree-filter": 2,
        "goldpan": 1,
    }


def test_pairs_are_in_the_order_of_names_and_numbers(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    User.objects.filter(pk=cast.ada.pk).update(first_name="Zoé")
    User.objects.filter(pk=cast.ben.pk).update(first_name="Álvaro")
    for _ in range(2):
        differ(make_page(), cast, by=1)
    found, selection = figures(corpus), ReportSelection()
    names = queries.annotator_names(corpus, by_number=False)
    assert by_pair(found, selection, names).names == ["Álvaro"]
    (pair,) = found["pair"]
    many = {"pair": [(f"{one}-{one + 1}", pair[1]) for one in range(1, 11)]}
    numbers = {str(pk): str(pk) for pk in range(1, 12)}
    rows = by_pair(many, selection, numbers).rows
    assert [name for name, _cells in rows] == [str(number) for number in range(2, 12)]


@pytest.mark.usefixtures("at_noon")
def test_slices_have_the_pages_that_they_name(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    differ(make_page(url="https://one.example/a"), cast, by=0)
    differ(make_page(url="https://two.example/a"), cast, by=1)
    differ(make_page(url="https://two.example/b"), cast, by=2)
    found = figures(corpus)
    assert {value: each["f1"]["n"] for value, each in found["site"]} == {"one.example": 1, "two.example": 2}
    assert [each["f1"]["n"] for _value, each in found["pair"]] == [3]
    assert {value: each["f1"]["n"] for value, each in found["guideline"]} == {"1": 3}
    assert [each["f1"]["n"] for _value, each in found["week"]] == [3]
    assert sum(each["f1"]["n"] for _value, each in found["language"]) == 3
    labels = {name: each["f1"] for _kind, name, each in found["labels"]}
    assert (labels["body"]["n"], labels["comments"]["value"]) == (3, None)


def test_a_pair_of_three_is_compared_as_if_alone(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    change_design(corpus, slots=3)
    cy = grant(corpus, "cy")
    page = make_page()
    Slot.objects.filter(round__page=page).update(arm=None)
    blocks = [label_block(block) for block in page.documents.get().blocks[-4:-1]]
    for person, marks in ((cast.ada, blocks), (cast.ben, blocks), (cy, blocks[2:])):
        annotate(page, person, marks)
    compare_annotations(page)
    found = {value: each["f1"]["value"] for value, each in figures(corpus)["pair"]}
    assert found[f"{cast.ada.pk}-{cast.ben.pk}"] == 1.0
    assert found[f"{cast.ada.pk}-{cy.pk}"] < 1.0
    assert len(found) == 3


def grant(corpus: Corpus, name: str) -> User:
    person = User.objects.create(username=name)
    grant_role(corpus=corpus, user=person, role="annotator")
    return person


def test_there_is_never_a_number_for_nothing(corpus: Corpus) -> None:
    found = figures(corpus)
    for pairs in found["pairs"].values():
        assert {(each["value"], each["low"], each["withheld"]) for each in pairs.values()} == {
            (None, None, "no page to compare")
        }
    assert found["site"] == []


# ---- what is kept ----


def test_resubmitted_pages_are_excluded_until_compared(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    differ(make_page(), cast, by=1)
    page = make_page()
    differ(page, cast, by=1)
    before = queries.state_of(corpus), queries.compared_up_to(corpus, 200)
    page.rounds.update(edition=2)
    after = queries.state_of(corpus), queries.compared_up_to(corpus, 200)
    assert (before[1], after[1]) == (2, 1)
    assert before[0] != after[0]
    assert figures(corpus)["pairs"][BLIND]["f1"]["n"] == 1


def test_stored_counts_read_back(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> None:
    differ(make_page(), cast, by=1)
    stored = Agreement.objects.get()
    counts = PageTables.from_json(stored.counts)
    assert json.loads(json.dumps(counts.to_json())) == stored.counts
    assert set(counts.annotators) == {str(cast.ada.pk), str(cast.ben.pk)}


def test_a_large_corpus_is_a_job_with_progress(
    corpus: Corpus,
    cast: SimpleNamespace,
    make_page: MakePage,
    rhea: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(actions, "AT_ONCE", 1)
    for _ in range(2):
        differ(make_page(), cast, by=1)
    answer = rhea.get(reverse("agreement", args=[corpus.slug]))
    report = AgreementReport.objects.get()
    assert report.finished_at is None
    assert "0 of 2 pages" in answer.content.decode()
    ask = reverse("agreement-report", args=[corpus.slug, report.pk])
    before = rhea.get(ask).json()
    write_report(report.pk)
    write_report(report.pk)
    report.refresh_from_db()
    assert (report.done, report.pages, report.error) == (2, 2, "")
    assert rhea.get(ask).json() != before
    answer = rhea.get(reverse("agreement-tables", args=[corpus.slug]))
    assert "pages read" not in answer.content.decode()
    assert AgreementReport.objects.count() == 1


def test_reports_of_earlier_states_are_deleted(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    for _ in range(2):
        differ(make_page(), cast, by=1)
        figures(corpus)
        figures(corpus, pairs=ALL)
    assert sorted(AgreementReport.objects.values_list("selection", "pages")) == [
        ("all:character:set-article", 2),
        ("blind:character:set-article", 2),
    ]


def test_the_page_asks_the_database_as_often_for_three_pages_as_for_one(
    corpus: Corpus, cast: SimpleNamespace, rhea: Client, make_page: MakePage
) -> None:
    address = reverse("agreement", args=[corpus.slug])
    asked = []
    for more in (1, 2):
        for number in range(more):
            differ(make_page(), cast, by=number % 3)
        rhea.get(address)
        with CaptureQueriesContext(connection) as queries_of:
            answer = rhea.get(address)
        asked.append(len(queries_of))
        assert "style=" not in answer.content.decode()
    assert asked[0] == asked[1]


# ---- behind the figures ----


def test_pages_behind_a_cell_come_as_the_page_says_different_verdicts_first_then_by_f1(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, rhea: Client
) -> None:
    pages = [make_page(url=f"https://two.example/{n}") for n in range(4)]
    for page, by in zip(pages[:3], (1, 0, 2), strict=True):
        differ(page, cast, by=by)
    marked = [label_block(pages[3].documents.get().blocks[-2])]
    annotate(pages[3], cast.ada, marked)
    annotate(pages[3], cast.ben, marked, verdict=Verdict.SEVERAL)
    compare_annotations(pages[3])
    differ(make_page(url="https://one.example/a"), cast, by=2)
    give_gold(pages[2])
    address = reverse("agreement-pages", args=[corpus.slug])
    answer = rhea.get(address, {"by": "site", "value": "two.example"})
    rows = answer.context["rows"]
    assert [row.page for row in rows] == [pages[3], pages[2], pages[0], pages[1]]
    assert [row.same_verdict for row in rows] == [False, True, True, True]
    assert [bool(row.extractor) for row in rows] == [False, True, False, False]
    said = " ".join(answer.content.decode().split())
    assert "4 pages, different verdicts first, then by F1" in said
    assert "Ada" in said
    opened = rhea.get(reverse("error-view", args=[corpus.slug, rows[1].extractor, pages[2].pk]))
    assert opened.status_code == 200


@pytest.mark.parametrize("by", ["site", "language"])
def test_pages_behind_a_site_or_language_are_found_without_reading_the_others(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, value in enumerate(("one.example", "two.example", "two.example")):
        page = make_page(url=f"https://{value}/{number}")
        Page.objects.filter(pk=page.pk).update(language=value[:3])
        differ(page, cast, by=1)
    read: list[object] = []
    monkeypatch.setattr(
        queries, "_record", lambda columns, make=queries._record: read.append(columns) or make(columns)
    )
    cell = SliceCell(by, {"site": "two.example", "language": "two"}[by])
    assert len(queries.pages_behind(corpus, ReportSelection(), cell)) == len(read) == 2


def test_the_sites_of_most_pages_are_shown_and_the_others_a_click_away(
    corpus: Corpus,
    cast: SimpleNamespace,
    make_page: MakePage,
    rhea: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(views, "SITES_SHOWN", 1)
    for site, pages in (("a.example", 1), ("b.example", 2), ("c.example", 1)):
        for number in range(pages):
            differ(make_page(url=f"https://{site}/{number}"), cast, by=1)
    answer = rhea.get(reverse("agreement", args=[corpus.slug]), {"measure": "f1"})
    assert [row.title for row in answer.context["by_site"].rows] == ["b.example"]
    address = reverse("agreement-sites", args=[corpus.slug])
    content = answer.content.decode()
    assert f'href="{address}{escape(answer.context["selection"].query)}"' in content
    assert "2 more sites" in content
    rows = rhea.get(address, {"measure": "f1"}).context["table"].rows
    assert [(row.title, row.figure["n"]) for row in rows] == [
        ("b.example", 2),
        ("a.example", 1),
        ("c.example", 1),
    ]


def sites_of(rhea: Client, corpus: Corpus, **asked: str) -> list[tuple[str, int]]:
    """The sites on their screen, each with its pages."""
    rows = rhea.get(reverse("agreement-sites", args=[corpus.slug]), asked).context["table"].rows
    return [(row.title, row.figure["n"]) for row in rows]


def test_all_sites_are_those_of_the_newest_report_of_the_selection(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, rhea: Client
) -> None:
    differ(make_page(url="https://blind.example/1"), cast, by=1)
    differ(make_page(url="https://shown.example/1", extracted=True), cast, by=1, shown={1: "tree-filter"})
    for expected in (1, 2):
        figures(corpus)
        figures(corpus, pairs="shown")
        assert sites_of(rhea, corpus) == [("blind.example", expected)]
        assert sites_of(rhea, corpus, pairs="shown") == [("shown.example", 1)]
        differ(make_page(url="https://blind.example/2"), cast, by=2)
    (row,) = rhea.get(reverse("agreement-sites", args=[corpus.slug]), {"measure": "f1"}).context["table"].rows
    ((_site, found),) = queries.latest_report(corpus, ReportSelection()).figures["site"]
    assert row.figure == found["f1"] != found["krippendorff_alpha"]


def test_all_sites_come_page_by_page_and_of_one_corpus(
    corpus: Corpus,
    cast: SimpleNamespace,
    make_page: MakePage,
    rhea: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(views, "SITES_AT_ONCE", 1)
    for site in ("a.example", "b.example"):
        differ(make_page(url=f"https://{site}/"), cast, by=1)
    figures(corpus)
    assert [sites_of(rhea, corpus, page=page) for page in "12"] == [[("a.example", 1)], [("b.example", 1)]]
    other = create_corpus(slug="weeklies")
    grant_role(corpus=other, user=cast.rhea, role="researcher")
    assert sites_of(rhea, other) == []


def test_all_sites_are_those_of_a_report_that_did_not_fail(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, rhea: Client
) -> None:
    differ(make_page(url="https://a.example/"), cast, by=1)
    figures(corpus)
    failed = {"version": "later", "pages": 1, "finished_at": timezone.now(), "error": "broken"}
    AgreementReport.objects.create(corpus=corpus, selection=ReportSelection().key, **failed)
    assert sites_of(rhea, corpus) == [("a.example", 1)]


def test_sites_without_a_report_are_none(corpus: Corpus, cast: SimpleNamespace, rhea: Client) -> None:
    answer = rhea.get(reverse("agreement-sites", args=[corpus.slug]))
    assert "No pages with two of the selected annotators" in answer.content.decode()


def test_every_cell_links_to_its_pages(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, rhea: Client
) -> None:
    differ(make_page(), cast, by=0)
    differ(make_page(extracted=True), cast, by=2, shown={1: "tree-filter"})
    address = reverse("agreement-pages", args=[corpus.slug])
    found = figures(corpus)
    for by in ("language", "site", "guideline", "pair", "arm", "week"):
        for value, each in found[by]:
            answer = rhea.get(address, {"by": by, "value": value})
            assert answer.context["count"] == each["observed"]["n"], (by, value)


def test_the_csv_gives_the_figure_again(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, rhea: Client
) -> None:
    for by in (0, 1, 2):
        differ(make_page(), cast, by=by)
    rows = sheet_of(rhea, corpus, labels="every")
    agreed = sum(int(row["units"]) for row in rows if row["first_label"] == row["second_label"])
    observed = agreed / sum(int(row["units"]) for row in rows)
    found = actions.request_report(corpus=corpus, selection=ReportSelection(view=None)).figures
    assert observed == pytest.approx(found["pairs"][BLIND]["observed"]["value"], abs=1e-12)
    assert {row["first"] for row in rows} == {"Ada"}


@pytest.mark.parametrize("labels", ["every", "set-main", "label-body"])
def test_the_csv_of_spans_counts_those_that_meet(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, rhea: Client, labels: str
) -> None:
    differ(make_page(), cast, by=1)
    (row,) = sheet_of(rhea, corpus, unit="span", labels=labels)
    assert row["label"] == ("main" if labels == "set-main" else "body")
    counted = {
        name: int(value) for name, value in row.items() if name.endswith(("spans", "edges", "overlapping"))
    }
    assert counted == {
        "first_spans": 3, "second_spans": 2, "same_edges": 2, "first_overlapping": 2, "second_overlapping": 2,
    }  # fmt: skip


def test_adjudicators_see_no_names(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, rhea: Client
) -> None:
    differ(make_page(), cast, by=1)
    grant_role(corpus=corpus, user=cast.rhea, role="adjudicator")
    assert {row["first"] for row in sheet_of(rhea, corpus)} == {"1"}
    for name in ("agreement", "agreement-pages"):
        answer = rhea.get(reverse(name, args=[corpus.slug])).content.decode()
        assert "Ada" not in answer
        assert "Ben" not in answer


def test_csv_cells_are_no_formulas(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, rhea: Client
) -> None:
    page = make_page()
    User.objects.filter(pk=cast.ada.pk).update(first_name="=cmd()", username="+ada")
    differ(page, cast, by=1)
    Page.objects.filter(pk=page.pk).update(site="@SUM(1)")
    row, *_others = sheet_of(rhea, corpus)
    assert (row["site"], row["first"]) == ("'@SUM(1)", "'=cmd()")


@pytest.mark.parametrize("person", ["ada", "cleo"])
def test_annotators_and_adjudicators_do_not_see_agreement(
    corpus: Corpus, cast: SimpleNamespace, client: Client, person: str
) -> None:
    client.force_login(getattr(cast, person))
    for name in (
        "agreement",
        "agreement-tables",
        "agreement-sites",
        "agreement-pages",
        "agreement-counts",
        "suggestion-bias",
    ):
        assert client.get(reverse(name, args=[corpus.slug])).status_code == 403


def sheet_of(rhea: Client, corpus: Corpus, **asked: str) -> list[dict[str, str]]:
    answer = rhea.get(reverse("agreement-counts", args=[corpus.slug]), asked)
    assert answer.streaming
    text = answer.getvalue().decode()
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("name", ["agreement", "corpus"])
@pytest.mark.parametrize(("labels", "shown"), [(["quote"], "set-any"), (["quote", "body"], "set-article")])
def test_corpus_without_labels_of_an_article_shows_all_labels_at_first(
    cast: SimpleNamespace, client: Client, name: str, labels: list[str], shown: str
) -> None:
    own = create_corpus(slug="own", labels=labels, creator=cast.hanne)
    client.force_login(cast.hanne)
    assert client.get(reverse(name, args=["own"])).status_code == 200
    assert AgreementReport.objects.get(corpus=own).selection == f"blind:character:{shown}"


def test_article_chosen_where_all_labels_are_usual_stays_chosen_in_links(
    cast: SimpleNamespace, client: Client
) -> None:
    own = create_corpus(slug="own", labels=["quote"], creator=cast.hanne)
    client.force_login(cast.hanne)
    answer = client.get(reverse("agreement", args=[own.slug]), {"labels": "set-article"})
    query = answer.context["selection"].query
    assert f'href="{reverse("agreement-pages", args=[own.slug])}{escape(query)}"' in answer.content.decode()
    pages = client.get(reverse("agreement-pages", args=[own.slug]) + query)
    assert pages.context["selection"].view == ("set", "article")
