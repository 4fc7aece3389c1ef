"""The exports screen, and the download."""

from hashlib import sha256

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotator.common import storage, work
from annotator.corpora.actions import create_corpus
from annotator.corpora.audit.models import AuditAction, AuditEvent
from annotator.corpora.models import Corpus
from annotator.releases.exports.models import Export
from tests.annotator.releases.made import written
from tests.annotator.scored import make_gold
from tests.factories import MakePage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def ask(client: Client, corpus: Corpus, name: str = "jsonl") -> Export | None:
    client.post(reverse("export-request", args=[corpus.slug]), {"format": name})
    return Export.objects.first()


@pytest.mark.parametrize(("name", "suffix"), [("jsonl", ".jsonl"), ("scrapinghub", ".zip")])
def test_a_finished_export_is_downloaded_as_an_attachment(
    corpus: Corpus, hanne: Client, make_page: MakePage, name: str, suffix: str
) -> None:
    make_gold(make_page())
    export = written(ask(hanne, corpus, name))
    answer = hanne.get(reverse("export-file", args=[corpus.slug, export.pk]))
    assert answer.headers["Content-Disposition"].startswith(f'attachment; filename="dailies-{name}-')
    assert answer.headers["Content-Disposition"].endswith(f'{suffix}"')
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert (export.state, export.done, export.pages) == ("done", 1, 1)
    assert sha256(answer.getvalue()).hexdigest() == export.sha256


@pytest.mark.parametrize(
    ("ticked", "pages", "annotations", "outputs"),
    [
        (["annotations"], True, True, False),
        (["no_pages", "outputs"], False, False, True),
    ],
)
def test_what_is_ticked_goes_along(
    corpus: Corpus, hanne: Client, ticked: list[str], pages: bool, annotations: bool, outputs: bool
) -> None:
    hanne.post(
        reverse("export-request", args=[corpus.slug]), {"format": "jsonl", **dict.fromkeys(ticked, "1")}
    )
    export = Export.objects.get()
    along = (export.with_pages, export.with_annotations, export.with_outputs)
    assert along == (pages, annotations, outputs)


@pytest.mark.parametrize(
    ("name", "ticked", "words"),
    [
        ("csv", "annotations", "CSV cannot hold annotations before adjudication"),
        ("parquet", "outputs", "Parquet cannot hold what extractors take"),
        ("wcxb", "no_pages", "WCXB always holds the pages as captured"),
    ],
)
def test_what_is_ticked_and_the_format_cannot_do_is_refused(
    corpus: Corpus, hanne: Client, name: str, ticked: str, words: str
) -> None:
    hanne.post(reverse("export-request", args=[corpus.slug]), {"format": name, ticked: "1"})
    assert words in hanne.get(reverse("exports", args=[corpus.slug])).content.decode()
    assert not Export.objects.exists()
    hanne.post(reverse("export-request", args=[corpus.slug]), {"format": name})
    assert Export.objects.exists()


def test_an_export_whose_file_is_gone_is_not_found(corpus: Corpus, hanne: Client, finished: Export) -> None:
    storage.remove(finished.sha256)
    assert hanne.get(reverse("export-file", args=[corpus.slug, finished.pk])).status_code == 404
    assert not AuditEvent.objects.filter(action=AuditAction.EXPORT_DOWNLOADED).exists()


def test_unfinished_export_has_no_file(corpus: Corpus, hanne: Client) -> None:
    export = ask(hanne, corpus)
    assert hanne.get(reverse("export-file", args=[corpus.slug, export.pk])).status_code == 404


def test_an_unknown_format_is_refused(corpus: Corpus, hanne: Client) -> None:
    assert ask(hanne, corpus, "../../etc") is None
    html = hanne.get(reverse("exports", args=[corpus.slug])).content.decode()
    assert 'class="notice bad"' in html


def test_stopped_export_says_so(corpus: Corpus, hanne: Client) -> None:
    export = ask(hanne, corpus)
    hanne.post(reverse("export-stop", args=[corpus.slug, export.pk]))
    line = hanne.get(reverse("export-state", args=[corpus.slug, export.pk])).content.decode()
    assert "stopped" in line
    assert "data-watch" not in line
    assert work.claim(Export, export.pk) is None


def test_line_of_a_running_export_is_watched(corpus: Corpus, hanne: Client) -> None:
    export = ask(hanne, corpus)
    line = hanne.get(reverse("export-state", args=[corpus.slug, export.pk])).content.decode()
    assert f'data-watch="{reverse("export-state", args=[corpus.slug, export.pk])}"' in line


def test_a_running_export_is_stopped_once(corpus: Corpus, hanne: Client) -> None:
    """Until the worker has noticed, its line is watched and has no button any more."""
    export = ask(hanne, corpus)
    assert work.claim(Export, export.pk)
    address = reverse("export-stop", args=[corpus.slug, export.pk])
    state = reverse("export-state", args=[corpus.slug, export.pk])
    assert address in hanne.get(state).content.decode()
    hanne.post(address)
    line = hanne.get(state).content.decode()
    assert "stopped" in line
    assert "data-watch" in line
    assert address not in line


def test_export_of_another_corpus_is_not_found(corpus: Corpus, hanne: Client) -> None:
    export = ask(hanne, corpus)
    other = create_corpus(slug="other")
    Export.objects.filter(pk=export.pk).update(corpus=other)
    for name in ("export-state", "export-file"):
        assert hanne.get(reverse(name, args=[corpus.slug, export.pk])).status_code == 404
    assert hanne.post(reverse("export-stop", args=[corpus.slug, export.pk])).status_code == 404


@pytest.mark.parametrize("exports", [1, 3])
def test_the_list_uses_a_fixed_number_of_queries(
    corpus: Corpus, hanne: Client, exports: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(exports):
        ask(hanne, corpus)
    with django_assert_num_queries(7):
        hanne.get(reverse("exports", args=[corpus.slug]))


@pytest.fixture
def finished(corpus: Corpus, hanne: Client, make_page: MakePage) -> Export:
    make_gold(make_page())
    return written(ask(hanne, corpus))


def test_a_download_goes_on_where_it_was_cut_off(corpus: Corpus, hanne: Client, finished: Export) -> None:
    address = reverse("export-file", args=[corpus.slug, finished.pk])
    whole = hanne.get(address)
    data = whole.getvalue()
    assert whole.headers["Accept-Ranges"] == "bytes"
    for asked, begin, end in (
        ("bytes=0-99", 0, 100),
        ("bytes=100-", 100, len(data)),
        ("bytes=-7", len(data) - 7, len(data)),
        ("bytes=5-999999999", 5, len(data)),
    ):
        part = hanne.get(address, headers={"Range": asked, "If-Range": whole.headers["ETag"]})
        assert (part.status_code, part.getvalue()) == (206, data[begin:end]), asked
        assert part.headers["Content-Range"] == f"bytes {begin}-{end - 1}/{len(data)}"
        assert part.headers["Content-Length"] == str(end - begin)


def test_what_is_no_single_range_gets_the_whole_file(corpus: Corpus, hanne: Client, finished: Export) -> None:
    address = reverse("export-file", args=[corpus.slug, finished.pk])
    for asked in ("bytes=9-3", "bytes=0-1,5-6", "lines=1-2", "bytes=-", "bytes=a-b"):
        answer = hanne.get(address, headers={"Range": asked})
        assert (answer.status_code, len(answer.getvalue())) == (200, finished.size), asked


def test_a_range_of_another_file_or_behind_the_end(corpus: Corpus, hanne: Client, finished: Export) -> None:
    address = reverse("export-file", args=[corpus.slug, finished.pk])
    other = hanne.get(address, headers={"Range": "bytes=5-", "If-Range": '"0"'})
    assert (other.status_code, len(other.getvalue())) == (200, finished.size)
    behind = hanne.get(address, headers={"Range": f"bytes={finished.size}-"})
    assert (behind.status_code, behind.headers["Content-Range"]) == (416, f"bytes */{finished.size}")


def test_the_digest_lies_beside_the_file(corpus: Corpus, hanne: Client, finished: Export) -> None:
    address = reverse("export-file", args=[corpus.slug, finished.pk])
    name = hanne.get(address).headers["Content-Disposition"].partition('"')[2].rstrip('"')
    sums = hanne.get(reverse("export-checksum", args=[corpus.slug, finished.pk])).content.decode()
    assert sums == f"{finished.sha256}  {name}\n"


def test_the_screen_says_what_each_format_loses(corpus: Corpus, hanne: Client, make_page: MakePage) -> None:
    make_gold(make_page())
    make_gold(make_page("<h1>Shop</h1><p>Nothing here.</p><p>Foot</p>"), verdict="not_article")
    html = hanne.get(reverse("exports", args=[corpus.slug])).content.decode()
    assert "1 page that is not an article; labels, which are merged" in html
    export = written(ask(hanne, corpus, "scrapinghub"))
    line = hanne.get(reverse("export-state", args=[corpus.slug, export.pk])).content.decode()
    assert "What the format could not hold" in line
