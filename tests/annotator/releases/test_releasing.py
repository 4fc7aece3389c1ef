"""Releases: frozen, numbered, and reproducible byte for byte."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client

from annotator.common import work
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.actions import create_corpus
from annotator.corpora.models import Corpus
from annotator.gold.versions import add_gold
from annotator.pages.models import Page
from annotator.releases import actions, builder, queries
from annotator.releases.models import Erratum, Release, ReleasePage
from annotator.releases.splits import MOVES, SplitAssignment, assign_splits
from tests.annotator.releases.made import STORIES, gold_on, release, story
from tests.annotator.reparsing.scenarios import reparse_from_older
from tests.factories import MakePage, annotate, span_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_corpus")]


@pytest.fixture
def golden(corpus: Corpus, make_page: MakePage) -> Corpus:
    for number in range(len(STORIES)):
        gold_on(make_page(story(number), url=f"https://news{number}.example.com/"))
    return corpus


def exported(corpus: Corpus, number: int, folder: Path) -> dict[str, bytes]:
    call_command("export", corpus.slug, "jsonl", str(folder), "--release", str(number))
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_checksums_of_an_exported_release(golden: Corpus, tmp_path: Path) -> None:
    made = release(golden, note="The first.")
    files = exported(golden, 1, tmp_path / "one")
    assert sorted(files) == [
        ".zenodo.json", "CITATION.cff", "SHA256SUMS", "datasheet.es.md", "datasheet.md", "errata.json",
        "gold.jsonl", "losses.json", "manifest.json", "splits.json", "takedowns.json",
    ]  # fmt: skip
    for line in files["SHA256SUMS"].decode().splitlines():
        digest, name = line.split("  ")
        assert sha256(files[name]).hexdigest() == digest
    assert sha256(files["manifest.json"]).hexdigest() == made.sha256
    assert made.splits == json.loads(files["manifest.json"])["splits"]["pages"]
    assert made.splits == {split: made.rows.filter(split=split).count() for split in made.splits}
    pages = [page["sha256"] for page in json.loads(files["manifest.json"])["pages"]]
    assert pages == sorted(pages)
    assert len(pages) == len(STORIES)
    assert pages == [json.loads(line)["sha256"] for line in files["gold.jsonl"].splitlines()]


def test_a_page_added_later_changes_no_earlier_release(
    golden: Corpus, make_page: MakePage, tmp_path: Path
) -> None:
    release(golden)
    before = exported(golden, 1, tmp_path / "before")
    gold_on(make_page("<h1>Late</h1><p>It came later than the others.</p>"))
    changed = golden.pages.first()
    document = changed.documents.get()
    add_gold(document=document, verdict="several", spans=[], source="imported")
    Page.objects.filter(pk=changed.pk).update(language="xx", url="https://moved.example/")
    release(golden)
    assert exported(golden, 1, tmp_path / "after") == before
    assert exported(golden, 2, tmp_path / "next") != before


def test_sites_and_near_duplicates_are_in_one_split(corpus: Corpus, make_page: MakePage) -> None:
    text = " ".join(f"word{number}" for number in range(200))
    for number in range(12):
        gold_on(make_page(f"<h1>T</h1><p>{text}</p><!-- {number} -->", url=f"https://copy{number}.org/"))
        gold_on(make_page(story(number), url=f"https://www{number}.one.example.com/"))
        gold_on(make_page(story(number + 50), url=f"https://n{number}.org/"))
    release(corpus)
    rows = ReleasePage.objects.select_related("gold__page")
    for kind in ("site", "cluster_id"):
        homes: dict[object, set[str]] = {}
        for row in rows:
            homes.setdefault(getattr(row.gold.page, kind), set()).add(row.split)
        assert all(len(splits) == 1 for splits in homes.values())
    assert len({row.split for row in rows}) == 3
    assert len({row.gold.page.cluster_id for row in rows if "copy" in row.gold.page.url}) == 1


def test_groups_that_merge_later_move_to_one_split_with_an_erratum(
    corpus: Corpus, make_page: MakePage, hanne: Client
) -> None:
    pages = [make_page(story(number), url=f"https://s{number}.org/") for number in range(12)]
    for page in pages:
        gold_on(page)
    first = release(corpus)
    splits = dict(first.rows.values_list("gold__page__site", "split"))
    moved = next(page for page in pages if splits[page.site] == "test")
    anchor = next(page for page in pages if splits[page.site] == "train")
    Page.objects.filter(pk=moved.pk).update(site=anchor.site)
    second = release(corpus)
    now = dict(second.rows.values_list("sha256", "split"))
    assert now[moved.sha256] == now[anchor.sha256]
    assert dict(first.rows.values_list("sha256", "split"))[moved.sha256] == "test"
    (erratum,) = Erratum.objects.all()
    assert (erratum.release, erratum.corrected_in) == (first, second)
    assert {erratum.sha256} <= {moved.sha256, anchor.sha256}
    hanne.cookies["django_language"] = "es"
    html = hanne.get(f"/c/{corpus.slug}/releases/1/").content.decode()
    assert "Cambió de " in html
    assert erratum.description not in html


def test_a_page_that_was_moved_twice_is_in_each_release_by_its_split_there(
    golden: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = golden.pages.latest("pk").sha256

    def released_in(split: str) -> Release:
        def assign(*given: Any, **named: Any) -> dict[str, SplitAssignment]:
            assigned = assign_splits(*given, **named)
            return assigned | {digest: assigned[digest]._replace(split=split)}

        monkeypatch.setattr(builder, "assign_splits", assign)
        return release(golden)

    made = [released_in(split) for split in ("test", "test", "train", "dev")]
    moves = [[MOVES[each.description] for each in queries.errata_of(one)] for one in made]
    assert moves == [[("test", "train")], [("test", "train")], [("train", "dev")], []]


def test_errata_are_corrected_by_the_release_with_new_gold(golden: Corpus) -> None:
    first = release(golden)
    page = golden.pages.first()
    erratum = actions.add_erratum(
        release=first, digest=page.sha256[:8], description="No headline.", user=None
    )
    release(golden)
    erratum.refresh_from_db()
    assert erratum.corrected_in is None
    add_gold(document=page.documents.get(), verdict="several", spans=[], source="imported")
    third = release(golden)
    erratum.refresh_from_db()
    assert erratum.corrected_in == third
    with pytest.raises(GoldpanError, match="first characters"):
        actions.add_erratum(release=first, digest="0", description="x", user=None)
    with pytest.raises(IntegrityError, match="history"), transaction.atomic():
        Erratum.objects.update(description="other")


def test_gold_that_says_the_same_corrects_nothing(golden: Corpus) -> None:
    first = release(golden)
    page = golden.pages.first()
    erratum = actions.add_erratum(release=first, digest=page.sha256, description="No headline.", user=None)
    decided_again = [(*mark[:3], "adjudicated") for mark in page.gold.get(current=True).spans]
    add_gold(document=page.documents.get(), verdict="article", spans=decided_again, source="adjudicated")
    release(golden)
    reparse_from_older(page)
    assert page.gold.get(current=True).source == "projected"
    release(golden)
    erratum.refresh_from_db()
    assert erratum.corrected_in is None


def test_an_erratum_of_an_earlier_release_knows_its_correction(golden: Corpus) -> None:
    first = release(golden)
    page = golden.pages.first()
    add_gold(document=page.documents.get(), verdict="several", spans=[], source="imported")
    second = release(golden)
    release(golden)
    erratum = actions.add_erratum(release=first, digest=page.sha256, description="No headline.", user=None)
    assert erratum.corrected_in == second


def test_an_erratum_is_known_of_all_releases_with_the_error(golden: Corpus, tmp_path: Path) -> None:
    page = golden.pages.first()
    made = [release(golden), release(golden), release(golden)]
    actions.add_erratum(release=made[1], digest=page.sha256, description="No headline.", user=None)
    add_gold(document=page.documents.get(), verdict="several", spans=[], source="imported")
    made.append(release(golden))
    assert [queries.errata_of(each).count() for each in made] == [1, 1, 1, 0]
    (known,) = json.loads(exported(golden, 3, tmp_path / "out")["errata.json"])
    assert (known["sha256"], known["corrected_in"]) == (page.sha256, 4)


def test_an_erratum_that_is_found_in_two_releases_is_listed_once(golden: Corpus) -> None:
    digest = golden.pages.latest("pk").sha256
    for made in (release(golden), release(golden)):
        actions.add_erratum(release=made, digest=digest, description="No headline.", user=None)
        assert queries.errata_of(made).count() == 1


def test_a_release_cannot_be_changed(golden: Corpus) -> None:
    made = release(golden)
    for change in ({"note": "x"}, {"manifest": ""}, {"number": 7}):
        with pytest.raises(IntegrityError, match="history is not rewritten"), transaction.atomic():
            Release.objects.filter(pk=made.pk).update(**change)
    others: tuple[dict[str, Any], ...] = ({"split": "dev"}, {"metadata": {}}, {"gold_sha256": "0"})
    for changed in others:
        with pytest.raises(IntegrityError, match="history is not rewritten"), transaction.atomic():
            ReleasePage.objects.filter(release=made).update(**changed)
    for rows in (ReleasePage.objects.all(), Release.objects.all()):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows._raw_delete(rows.db)


def test_only_one_release_is_built_at_a_time(golden: Corpus) -> None:
    asked = actions.request_release(corpus=golden)
    with pytest.raises(Conflict):
        actions.request_release(corpus=golden)
    work.fail(work.claim(Release, asked.pk), error="planted")
    assert actions.request_release(corpus=golden).number == 1, "the number of a failed release is used again"
    with pytest.raises(GoldpanError, match=r"no gold to release yet\.$"):
        actions.request_release(corpus=create_corpus(slug="empty"))


def test_gold_that_workers_are_making_is_what_a_release_waits_for(corpus: Corpus, tmp_path: Path) -> None:
    line = {"html": story(1), "gold": {"text": "Bridge opens", "labels": ["headline"]}}
    (tmp_path / "pages.jsonl").write_text(json.dumps(line), encoding="utf-8")
    call_command("import_pages", corpus.slug, "jsonl", str(tmp_path / "pages.jsonl"), "--with-gold")
    with pytest.raises(CommandError, match="workers are making that of 1 page"):
        call_command("release", corpus.slug)


def test_a_worker_that_lost_its_claim_stores_nothing(golden: Corpus) -> None:
    asked = actions.request_release(corpus=golden)
    slow = work.claim(Release, asked.pk)
    Release.objects.filter(pk=asked.pk).update(token=None)
    assert not actions.build_release(slow)
    assert not ReleasePage.objects.exists()


def test_the_manifest_has_agreement_and_no_names(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage
) -> None:
    page = make_page()
    mark = span_of(page, "Bridge opens", "headline")
    annotate(page, cast.ada, [mark])
    annotate(page, cast.ben, [mark])
    gold_on(page)
    manifest = json.loads(release(corpus).manifest)
    observed = manifest["agreement"]["all"]["character"]["observed"]
    assert (observed["value"], observed["n"]) == (1.0, 1)
    assert manifest["pages"][0]["guidelines"] == [1]
    assert not [name for name in vars(cast) if f'"{name}"' in json.dumps(manifest)]


def test_the_command_builds_and_compares_releases(
    golden: Corpus, make_page: MakePage, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("release", "dailies", "--note", "First")
    assert "release 1: 6 pages, SHA-256 " in capsys.readouterr().out
    page = golden.pages.order_by("sha256").first()
    headline = (*span_of(page, "Title", "headline"), "imported")
    add_gold(document=page.documents.get(), verdict="article", spans=[headline], source="imported")
    added = make_page("<h1>Late</h1><p>It came later than the others.</p>")
    gold_on(added)
    call_command("release", "dailies")
    capsys.readouterr()
    call_command("release", "dailies", "--diff", "1", "2")
    output = capsys.readouterr().out
    assert f"+ {added.sha256}" in output
    assert f"~ {page.sha256}" in output
    assert "+ headline 0-5 'Title'" in output
    assert "1 added, 0 removed, 1 changed, 5 unchanged" in output
    with pytest.raises(CommandError, match="Releases: 1, 2"):
        call_command("release", "dailies", "--diff", "1", "9")


def test_the_command_makes_no_release_where_it_is_interrupted(
    golden: Corpus, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("annotator.releases.gold_counts.count", interrupted)
        with pytest.raises(CommandError, match="Stopped"):
            call_command("release", "dailies")
    assert not Release.objects.open().exists(), "no worker goes on with it"
    call_command("release", "dailies")
    assert "release 1: 6 pages" in capsys.readouterr().out


def test_same_marks_by_other_decisions_are_no_difference_of_marks(
    golden: Corpus, capsys: pytest.CaptureFixture[str]
) -> None:
    page = golden.pages.order_by("sha256").first()
    document, (start, end, label) = page.documents.get(), span_of(page, "Title", "headline")
    for decisions in (
        [(start, end, label, "unanimous")],
        [(start, start + 2, label, "unanimous"), (start + 2, end, label, "adjudicated")],
    ):
        add_gold(document=document, verdict="article", spans=decisions, source="adjudicated")
        call_command("release", "dailies")
    capsys.readouterr()
    call_command("release", "dailies", "--diff", "1", "2")
    output = capsys.readouterr().out
    assert f"~ {page.sha256}" in output
    assert "headline" not in output


def test_another_reason_or_source_is_said_where_releases_are_compared(
    golden: Corpus,
    rhea: Client,
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = golden.pages.first().documents.get()
    for reason, source in (("other", "unanimous"), ("paywall", "adjudicated")):
        add_gold(document=document, verdict="not_article", reason=reason, spans=[], source=source)
        release(golden)
    html = " ".join(rhea.get("/c/dailies/releases/compare/").content.decode().split())
    assert "Reason: Other → Paywall" in html
    assert "Source of the gold: Agreed → Adjudicated" in html
    call_command("release", "dailies", "--diff", "1", "2")
    output = capsys.readouterr().out
    assert "reason: other to paywall" in output
    assert "source: unanimous to adjudicated" in output


def on_a_full_disk(release: Release, step: object) -> None:
    raise OSError("No space left on device")


def taken_over(release: Release, step: object) -> None:
    Release.objects.filter(pk=release.pk).update(token=uuid4())


@pytest.mark.parametrize("build", [on_a_full_disk, taken_over])
def test_the_command_fails_where_a_worker_has_to_go_on(
    golden: Corpus, monkeypatch: pytest.MonkeyPatch, build: Callable[..., None]
) -> None:
    enqueued: list[Release] = []
    monkeypatch.setattr("annotator.pipeline.enqueue", enqueued.append)
    monkeypatch.setattr("annotator.management.commands.release.build_release", build)
    with pytest.raises(CommandError, match="Release 1 is not finished: a worker goes on with it"):
        call_command("release", golden.slug)
    assert enqueued == [Release.objects.get(finished_at=None)]


def test_a_release_asks_first_with_the_difference_since_the_last(
    golden: Corpus, make_page: MakePage, hanne: Client
) -> None:
    last = release(golden)
    pages = last.pages
    kept = [row.gold.page for row in last.rows.all()]
    gold_on(kept[0])
    kept[1].gold.update(current=None)
    gold_on(make_page(story(99)))
    assert queries.changes_since(last) == (1, 1, 1, pages - 2)
    html = hanne.get(f"/c/{golden.slug}/releases/").content.decode()
    assert "<dt>New pages</dt><dd>1</dd>" in html
    assert 'popovertarget="ask"' in html


def test_a_release_is_not_made_beside_one_that_the_admin_has_not_seen(golden: Corpus, hanne: Client) -> None:
    release(golden)
    create = f"/c/{golden.slug}/releases/create/"
    assert 'name="after" value="1"' in hanne.get(f"/c/{golden.slug}/releases/").content.decode()
    html = hanne.post(create, {"after": "0"}, follow=True).content.decode()
    assert "Release 1 has been made meanwhile." in html
    assert Release.objects.count() == 1
    hanne.post(create, {"after": "1"})
    assert Release.objects.filter(number=2).exists()
