"""The overview of a corpus, what needs attention in it, and health."""

import json
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now
from pytest_django import DjangoAssertNumQueries, Settings

from annotator.annotations import actions as annotating
from annotator.annotations.models import Purpose, Round, Slot
from annotator.annotations.study.models import AssignmentMode
from annotator.common.key_slice import key_slice
from annotator.common.work_kinds import FAILURE_SHOWN, OVERLOADED
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.audit.models import AuditEvent
from annotator.corpora.models import Corpus
from annotator.gold.models import Adjudication
from annotator.home import queries, views
from annotator.home.counts import counts_of, progress
from annotator.pages.actions import add_page
from annotator.pages.imports.actions import cancel_import
from annotator.pages.imports.addresses import create_import
from annotator.pages.imports.models import Import, Outcome, SourceKind
from annotator.pages.models import Page
from annotator.releases.actions import take_down
from annotator.releases.exports.models import Export
from annotator.runs.models import Extraction
from tests.annotator.releases.made import gold_on, release, story
from tests.annotator.scored import compare_annotations, make_gold
from tests.factories import MakePage, annotate, change_design, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def break_page(page: Page, *, title: str = "") -> Page:
    """As a page is that could not be parsed."""
    Page.objects.filter(pk=page.pk).update(error="deeper than allowed", refusal="too-deep", title=title)
    return page


def dispute(page: Page, cast: SimpleNamespace) -> Adjudication:
    annotate(page, cast.ada)
    annotate(page, cast.ben)
    comparison = compare_annotations(page)
    return Adjudication.objects.create(round=comparison.round, comparison=comparison, order=[1, 2])


def stages(corpus: Corpus) -> dict[str, int]:
    return {part.state.name: part.pages for part in progress(counts_of(corpus))}


def test_every_page_is_in_one_state(corpus: Corpus, cast: SimpleNamespace, make_page: MakePage) -> None:
    make_page()
    annotate(make_page(), cast.ada)
    dispute(make_page(), cast)
    make_gold(make_page())
    break_page(make_page())
    Page.objects.filter(pk=make_page().pk).update(finished_at=None)
    take_down(page=make_page(), reason="asked for")
    assert stages(corpus) == {
        "gold": 1,
        "due": 1,
        "half": 1,
        "waiting": 1,
        "building": 1,
        "failed": 1,
        "taken_down": 1,
    }


def test_bar_fills_its_width_once(corpus: Corpus, make_page: MakePage) -> None:
    for _ in range(3):
        make_page()
    make_gold(make_page())
    parts = [part for part in progress(counts_of(corpus)) if part.pages]
    assert [part.x for part in parts] == ["0.00%", "25.00%"]
    assert sum(float(part.width.rstrip("%")) for part in parts) == pytest.approx(99.7)


def listed(client: Client, corpus: Corpus, query: str = "") -> list[Page]:
    answer = client.get(reverse("corpus", args=[corpus.slug]) + query)
    assert answer.status_code == 200
    return answer.context["rows"]


def test_pages_are_found_by_title_site_and_state(corpus: Corpus, hanne: Client, make_page: MakePage) -> None:
    plain, failed = make_page(url="https://harbour.example.org/1"), break_page(make_page(), title="Ferry")
    assert listed(hanne, corpus) == [failed, plain]
    assert listed(hanne, corpus, "?q=FERR") == [failed]
    assert listed(hanne, corpus, "?q=harbour.example") == [plain]
    assert listed(hanne, corpus, "?state=failed") == [failed]
    assert listed(hanne, corpus, "?state=gold") == []


def test_titles_are_sorted_without_regard_to_case_and_accents(
    corpus: Corpus, hanne: Client, make_page: MakePage
) -> None:
    for title in ("Zebra", "élan", "ferry", "Eager", "Émile", "Ezra", "İzmir", "ıtır", "Ivy"):
        break_page(make_page(), title=title)
    shown = [page.title for page in listed(hanne, corpus, "?sort=title")]
    assert shown == ["Eager", "élan", "Émile", "Ezra", "ferry", "ıtır", "Ivy", "İzmir", "Zebra"]


@pytest.mark.parametrize(
    ("title", "sought"),
    [
        ("Élan vital", "elan"),
        ("Elan vital", "ÉLAN"),
        ("El an\N{COMBINING TILDE}o pasado", "año"),
        ("İstanbul’da kış", "istanbul"),
        ("Iğdır", "ığdır"),
        ("100 % puro_té", "% puro_te"),
    ],
)
def test_titles_are_found_without_regard_to_case_and_accents(
    corpus: Corpus, hanne: Client, make_page: MakePage, title: str, sought: str
) -> None:
    found = break_page(make_page(), title=title)
    break_page(make_page(), title="100 puros")
    assert listed(hanne, corpus, "?" + urlencode({"q": sought})) == [found]


def test_pages_are_sorted_on_demand_and_turned(corpus: Corpus, hanne: Client, make_page: MakePage) -> None:
    pages = [break_page(make_page(), title=title) for title in ("Ferry", "Allotment", "Clock")]
    assert [page.title for page in listed(hanne, corpus, "?sort=title")] == ["Allotment", "Clock", "Ferry"]
    assert listed(hanne, corpus, "?sort=-title")[0] == pages[0]
    assert listed(hanne, corpus, "?sort=agreement") == pages[::-1], "none has a value: the newest first"
    with patch.object(views, "PAGES_AT_ONCE", 2):
        assert [page.title for page in listed(hanne, corpus, "?sort=title&page=2")] == ["Ferry"]
    html = hanne.get(reverse("corpus", args=[corpus.slug]) + "?sort=title").content.decode()
    assert 'aria-sort="ascending"' in html


@pytest.mark.parametrize(
    "query",
    [
        "?sort=nonsense",
        "?sort=title&page=x",
        "?state=nonsense",
        "?before=x",
        "?after=-1",
        "?before=99999999999999999999",
    ],
)
def test_invalid_filters_are_ignored(corpus: Corpus, hanne: Client, make_page: MakePage, query: str) -> None:
    page = make_page()
    assert listed(hanne, corpus, query) == [page]


def test_pages_are_turned_by_key(corpus: Corpus, hanne: Client, make_page: MakePage) -> None:
    a, b, c, d, e = (make_page() for _ in range(5))
    pages = queries.pages_of(corpus)
    first = key_slice(pages, size=2)
    second = key_slice(pages, size=2, before=first.older)
    third = key_slice(pages, size=2, before=second.older)
    assert (first.rows, second.rows, third.rows) == ([e, d], [c, b], [a])
    assert (first.newer, third.older) == (None, None)
    assert key_slice(pages, size=2, after=third.newer).rows == [c, b]
    assert key_slice(pages, size=2, after=second.newer) == (([e, d]), None, d.pk)


def test_list_alone_is_a_part_of_the_screen(corpus: Corpus, hanne: Client, make_page: MakePage) -> None:
    make_page()
    html = hanne.get(reverse("corpus-pages", args=[corpus.slug])).content.decode()
    assert "<html" not in html
    assert "data-results" in html


@pytest.mark.parametrize("pages", [1, 3])
def test_query_count_of_a_corpus_is_fixed(
    corpus: Corpus,
    cast: SimpleNamespace,
    hanne: Client,
    make_page: MakePage,
    pages: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(pages):
        annotate(make_page(), cast.ada)
        make_gold(make_page())
        release(corpus)
    overview = reverse("corpus", args=[corpus.slug])
    hanne.get(overview)  # the figures of agreement are computed and kept
    with django_assert_num_queries(19):
        hanne.get(overview)


def test_bar_shows_sources_of_gold_and_causes_of_failure(
    corpus: Corpus, hanne: Client, make_page: MakePage
) -> None:
    for number in range(2):
        gold_on(make_page(story(number)))
    break_page(make_page())
    html = " ".join(hanne.get(reverse("corpus", args=[corpus.slug])).content.decode().split())
    assert '<span class="meta">2 adjudicated</span>' in html
    assert '<span class="meta">1 too deep</span>' in html


def test_corpus_lists_its_releases_and_what_is_gold_since(
    corpus: Corpus, hanne: Client, make_page: MakePage
) -> None:
    overview = reverse("corpus", args=[corpus.slug])
    assert hanne.get(overview).context["gold_since"] is None
    for number in range(3):
        gold_on(make_page(story(number), url=f"https://news{number}.example.com/"))
    first = release(corpus)
    gold_on(first.rows.first().gold.page)  # gold again
    gold_on(make_page(story(3)))
    shown = hanne.get(overview)
    assert shown.context["gold_since"] == 2
    ((listed, splits),) = shown.context["releases"]
    assert (listed, sum(pages for _split, pages in splits)) == (first, 3)
    html = shown.content.decode()
    assert reverse("release", args=[corpus.slug, 1]) in html
    assert f"{first.sha256[:4]} {first.sha256[4:8]}" in html


# ---- needs attention ----


def test_page_that_every_annotator_marked_or_skipped_needs_attention(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    assert not queries.without_taker(corpus).exists()
    slot = annotating.claim_next(corpus=corpus, annotator=cast.ada)
    annotating.skip(slot=slot, annotator=cast.ada)
    assert not queries.without_taker(corpus).exists()
    slot = annotating.claim_next(corpus=corpus, annotator=cast.ben)
    annotating.skip(slot=slot, annotator=cast.ben)
    (found,) = queries.without_taker(corpus)
    assert (found.page, vars(found)["skipped"]) == (page, 2)
    grant_role(corpus=corpus, user=cast.dov, role="annotator")
    assert not queries.without_taker(corpus).exists()


def test_page_that_none_of_the_named_annotators_may_take_needs_attention(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    change_design(corpus, who=AssignmentMode.NAMED, people=[cast.ada])
    assert not queries.without_taker(corpus).exists()
    annotating.skip(slot=annotating.claim_next(corpus=corpus, annotator=cast.ada), annotator=cast.ada)
    assert annotating.claim_next(corpus=corpus, annotator=cast.ben) is None
    assert [round_.page for round_ in queries.without_taker(corpus)] == [page]


def test_imported_gold_needs_no_annotator(corpus: Corpus, hanne: Client, make_page: MakePage) -> None:
    """A finished corpus without annotators: every page of it has gold, so nothing is stuck."""
    corpus.memberships.filter(role="annotator").delete()
    finished, open_ = make_page(), make_page()
    make_gold(finished)
    assert [round_.page for round_ in queries.without_taker(corpus)] == [open_]
    summary = hanne.get(reverse("home")).context["summaries"][0]
    assert (summary.gold, summary.pages, summary.admin.unassignable) == (1, 2, 1)


def test_gold_that_is_to_be_annotated_again_needs_an_annotator(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    make_gold(page)
    again = Round.objects.create(page=page, purpose=Purpose.GUIDELINE, blind=True, draw=0)
    Slot.objects.create(round=again, corpus=corpus, number=1)
    corpus.memberships.filter(role="annotator").delete()
    assert list(queries.without_taker(corpus)) == [again]


def test_dispute_that_every_adjudicator_annotated_needs_attention(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    found = dispute(make_page(), cast)
    assert not queries.without_adjudicator(corpus).exists()
    cast.cleo.memberships.update(role="annotator")
    grant_role(corpus=corpus, user=cast.ada, role="adjudicator")
    assert list(queries.without_adjudicator(corpus)) == [found]
    Corpus.objects.filter(pk=corpus.pk).update(annotators_may_adjudicate=True)
    corpus.refresh_from_db()
    assert not queries.without_adjudicator(corpus).exists()


@pytest.mark.parametrize("pages", [1, 3])
def test_query_count_of_attention_is_fixed(
    corpus: Corpus,
    hanne: Client,
    make_page: MakePage,
    pages: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(pages):
        break_page(make_page())
    with django_assert_num_queries(14):
        assert "Too deep" in hanne.get(reverse("attention", args=[corpus.slug])).content.decode()


def test_a_page_without_an_address_that_cannot_be_parsed_is_told_by_its_file(
    corpus: Corpus, hanne: Client, make_page: MakePage
) -> None:
    page = add_page(corpus=corpus, raw=b"<p>Without an address").page
    other = make_page(url="https://gazette.example/deep")
    run = Import.objects.create(
        corpus=corpus, format="files", name="pages.zip", source_kind=SourceKind.UPLOAD
    )
    for position, (each, file) in enumerate(((page, "2019/deep.html"), (other, "other.html")), 1):
        break_page(each)
        Page.objects.filter(pk=each.pk).update(finished_at=now())
        run.records.create(position=position, location=file, outcome=Outcome.ADDED, page=each)
    shown = hanne.get(reverse("attention", args=[corpus.slug])).content.decode()
    assert "2019/deep.html · " in shown
    assert "gazette.example · " in shown
    assert "other.html" not in shown


def retry(client: Client, corpus: Corpus, **form: object) -> int:
    return client.post(reverse("attention-retry", args=[corpus.slug]), form).status_code


def test_retry_opens_one_page_again(corpus: Corpus, hanne: Client, make_page: MakePage) -> None:
    one, other = break_page(make_page()), break_page(make_page())
    assert retry(hanne, corpus, kind="page", row=one.pk) == 302
    assert Page.objects.get(pk=one.pk).state == "waiting"
    assert Page.objects.get(pk=other.pk).state == "failed"


def test_retry_opens_all_of_a_kind_again(corpus: Corpus, hanne: Client, make_page: MakePage) -> None:
    for _ in range(2):
        break_page(make_page())
    retry(hanne, corpus, kind="page")
    assert not Page.objects.failed().exists()


def test_retry_leaves_other_corpora_alone(corpus: Corpus, hanne: Client, make_page: MakePage) -> None:
    page = break_page(make_page())
    other = create_corpus(slug="other")
    Page.objects.filter(pk=page.pk).update(corpus=other)
    retry(hanne, corpus, kind="page", row=page.pk)
    assert Page.objects.get(pk=page.pk).state == "failed"


def test_a_failed_import_that_was_cancelled_needs_nobody(corpus: Corpus, hanne: Client) -> None:
    run = create_import(corpus=corpus, addresses=["https://gazette.example/1"], with_assets=False)
    Import.objects.update(finished_at=now(), error="the list is damaged")
    attention = reverse("attention", args=[corpus.slug])
    assert "the list is damaged" in hanne.get(attention).content.decode()
    cancel_import(run=run)
    assert "the list is damaged" not in hanne.get(attention).content.decode()
    retry(hanne, corpus, kind="import")
    assert Import.objects.get().finished_at


def test_a_failed_import_of_a_command_is_run_again_by_that_command(corpus: Corpus, hanne: Client) -> None:
    addresses, died = ["https://gazette.example/1"], "given up: the worker died 3 times"
    failed = {"finished_at": now(), "error": died}
    run = create_import(corpus=corpus, addresses=addresses, with_assets=False, kind=SourceKind.PATH)
    Import.objects.update(**failed)
    shown = hanne.get(reverse("attention", args=[corpus.slug])).content.decode()
    assert died in shown
    assert "Run the command import_pages again" in shown
    assert "Retry all" not in shown
    retry(hanne, corpus, kind="import")
    assert Import.objects.failed().exists()
    # A failed one of the screen can be retried, and so can what workers failed to undo.
    create_import(corpus=corpus, addresses=addresses, with_assets=False)
    Import.objects.exclude(pk=run.pk).update(**failed)
    assert "Retry all" in hanne.get(reverse("attention", args=[corpus.slug])).content.decode()
    retry(hanne, corpus, kind="import")
    assert Import.objects.failed().get() == run
    Import.objects.filter(pk=run.pk).update(undo_requested_at=now())
    retry(hanne, corpus, kind="import")
    assert not Import.objects.failed().exists()


def test_retry_of_what_somebody_else_has_retried_says_so(
    corpus: Corpus, hanne: Client, make_page: MakePage
) -> None:
    page = break_page(make_page())
    address, form = reverse("attention-retry", args=[corpus.slug]), {"kind": "page", "row": page.pk}
    assert "Retrying 1." in hanne.post(address, form, follow=True).content.decode()
    assert "nothing left to retry" in hanne.post(address, form, follow=True).content.decode()
    assert AuditEvent.objects.filter(action="work_retried").count() == 1


@pytest.mark.parametrize("kind", ["user", ""])
def test_retry_refuses_what_is_no_work(corpus: Corpus, hanne: Client, kind: str) -> None:
    assert retry(hanne, corpus, kind=kind) == 404


def test_retry_leaves_failed_extractions_and_opens_overloaded_ones(
    corpus: Corpus, hanne: Client, make_page: MakePage
) -> None:
    extractors = [enabled.extractor for enabled in corpus.enabled.all()[:2]]
    document = make_page().document
    failed = Extraction.objects.create(
        document=document, extractor=extractors[0], error="ValueError: no body", finished_at=now()
    )
    overloaded = Extraction.objects.create(
        document=document, extractor=extractors[1], faults=OVERLOADED, last_fault="OSError: disk full"
    )
    body = hanne.get(reverse("attention", args=[corpus.slug])).content.decode()
    assert "Overloaded: Extractions" in body
    assert "OSError: disk full" in body
    assert "ValueError: no body" in body
    assert retry(hanne, corpus, kind="extraction") == 302
    failed.refresh_from_db()
    overloaded.refresh_from_db()
    assert (failed.state, overloaded.state) == ("failed", "waiting")


def test_failed_export_is_listed_with_a_link_to_its_screen(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client
) -> None:
    Export.objects.create(
        corpus=corpus, format="jsonl", requested_by=cast.hanne, error="disk full", finished_at=now()
    )
    html = " ".join(hanne.get(reverse("attention", args=[corpus.slug])).content.decode().split())
    assert "disk full" in html
    assert f'<a class="btn quiet end" href="{reverse("exports", args=[corpus.slug])}">' in html


def test_failed_jobs_that_nobody_can_retry_are_listed_for_some_days(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client, make_page: MakePage
) -> None:
    """A week old are an export, which stays in the history of jobs, and an import, which can be retried."""
    asked = {"corpus": corpus, "requested_by": cast.hanne, "finished_at": now() - FAILURE_SHOWN}
    Export.objects.create(**asked, format="jsonl", error="disk full")
    Import.objects.create(**asked, source_kind=SourceKind.UPLOAD, name="x.zip", error="broken")
    attention = hanne.get(reverse("attention", args=[corpus.slug])).content.decode()
    assert ("disk full" in attention, "broken" in attention) == (False, True)
    jobs = hanne.get(reverse("jobs", args=[corpus.slug])).content.decode()
    assert "disk full" in jobs
    Export.objects.create(**{**asked, "finished_at": now()}, format="jsonl", error="disk full again")
    attention = hanne.get(reverse("attention", args=[corpus.slug])).content.decode()
    assert "disk full again" in attention
    assert attention.count("disk full") == 1


# ---- health ----


def test_health_is_for_the_sites_admin(client: Client, cast: SimpleNamespace) -> None:
    client.force_login(cast.hanne)
    assert client.get(reverse("health")).status_code == 403
    client.force_login(make_user("root", is_superuser=True))
    assert "PostgreSQL" in client.get(reverse("health")).content.decode()


def test_health_calls_the_queues_as_home_does(client: Client) -> None:
    client.force_login(make_user("root", is_superuser=True))
    html = client.get(reverse("health")).content.decode()
    for title in ("Live", "Import", "Scores", "Bulk", "Sweep"):
        assert f"<dt>{title}</dt>" in html


MADE = {"due_at": "2999-01-01T03:30+00:00", "made_at": "2026-11-23T03:30+00:00", "bytes": 2048, "error": ""}


@pytest.mark.parametrize(
    ("known", "shown"),
    [
        (None, "never"),
        (MADE, "23 Nov 2026 03:30 · 2.0"),
        (MADE | {"error": "disk full"}, "The backup failed: disk full"),
        (MADE | {"due_at": "2025-01-01T03:30+00:00"}, "A backup is late"),
    ],
)
def test_health_says_what_became_of_the_last_backup(
    client: Client, settings: Settings, tmp_path: Path, known: dict[str, object] | None, shown: str
) -> None:
    client.force_login(make_user("root", is_superuser=True))
    settings.GOLDPAN_HOME, settings.BACKUPS_SCHEDULED = tmp_path, True
    if known:
        (tmp_path / "backups.json").write_text(json.dumps(known), encoding="utf-8")
    assert shown in _disk_of_health(client)


@pytest.mark.parametrize("content", [b"", b"\xff", b"[]", b"{}", b'{"due_at": 3, "error": ""}'])
def test_health_opens_where_what_is_known_of_the_last_backup_is_damaged(
    client: Client, settings: Settings, tmp_path: Path, content: bytes
) -> None:
    client.force_login(make_user("root", is_superuser=True))
    settings.GOLDPAN_HOME, settings.BACKUPS_SCHEDULED = tmp_path, True
    (tmp_path / "backups.json").write_bytes(content)
    shown = _disk_of_health(client)
    assert "backups.json is damaged" in shown
    assert "unknown" in shown
    assert "never" not in shown


def _disk_of_health(client: Client) -> str:
    html = " ".join(client.get(reverse("health")).content.decode().split())
    return html.partition('id="disk"')[2].partition("</section>")[0]
