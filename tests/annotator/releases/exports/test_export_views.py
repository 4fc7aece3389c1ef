"""The exports screen, and the download."""

from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotator.common import work
from annotator.corpora.actions import create_corpus
from annotator.corpora.models import Corpus
from annotator.releases.exports.actions import write_export
from annotator.releases.exports.models import Export
from tests.annotator.scored import give_gold
from tests.factories import MakePage

pytestmark = pytest.mark.django_db


@pytest.fixture
def hanne(client: Client, cast: SimpleNamespace) -> Client:
    client.force_login(cast.hanne)
    return client


def ask(client: Client, corpus: Corpus, name: str = "jsonl") -> Export | None:
    client.post(reverse("export-request", args=[corpus.slug]), {"format": name})
    return Export.objects.first()


def written(export: Export) -> Export:
    claimed = work.claim(Export, export.pk)
    assert claimed
    assert write_export(claimed)
    return Export.objects.get(pk=export.pk)


@pytest.mark.parametrize(("name", "suffix"), [("jsonl", ".jsonl"), ("scrapinghub", ".zip")])
def test_a_finished_export_is_downloaded_as_an_attachment(
    corpus: Corpus, hanne: Client, make_page: MakePage, name: str, suffix: str
) -> None:
    give_gold(make_page())
    export = written(ask(hanne, corpus, name))
    answer = hanne.get(reverse("export-file", args=[corpus.slug, export.pk]))
    assert answer.headers["Content-Disposition"].startswith(f'attachment; filename="dailies-{name}-')
    assert answer.headers["Content-Disposition"].endswith(f'{suffix}"')
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert len(answer.getvalue()) == export.size


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


def test_line_of_a_running_export_is_watched(corpus: Corpus, hanne: Client) -> None:
    export = ask(hanne, corpus)
    line = hanne.get(reverse("export-state", args=[corpus.slug, export.pk])).content.decode()
    assert f'data-watch="{reverse("export-state", args=[corpus.slug, export.pk])}"' in line


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
