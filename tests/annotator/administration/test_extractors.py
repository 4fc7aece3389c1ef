"""The extractors of a corpus, as its admins enable, upgrade and run them."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotator.corpora.audit.models import AuditEvent
from annotator.corpora.models import Corpus
from annotator.runs.models import CorpusExtractor, Extraction, Extractor, Run
from annotator.runs.queries import enabled_in
from annotator.runs.tasks import request_in_corpus, run_extractors, take_step
from tests.factories import MakePage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def test_parameters_come_from_the_registry_and_are_checked_at_their_field(
    corpus: Corpus, hanne: Client
) -> None:
    address = reverse("extractor-enable", args=[corpus.slug])
    refused = hanne.post(address, {"extractor": "tree-filter", "tree-filter-depth": "deep"})
    assert refused.status_code == 422
    assert "Select a valid choice" in refused.content.decode()
    form = next(each for each in refused.context["forms"] if each.spec.name == "tree-filter")
    sent = {f"tree-filter-{name}": value for name, value in form.spec.parameters.items()}
    assert (
        hanne.post(address, {"extractor": "tree-filter", **sent, "tree-filter-depth": "5"}).status_code == 302
    )
    made = CorpusExtractor.objects.latest("pk").extractor
    assert (made.name, made.parameters["depth"]) == ("tree-filter", 5)
    assert AuditEvent.objects.latest("pk").action == "run_completed"
    assert hanne.post(address, {"extractor": "made-up"}).status_code == 404


def test_disabled_extractor_runs_on_no_more_pages_and_keeps_what_it_said(
    corpus: Corpus, hanne: Client, make_page: MakePage
) -> None:
    page = make_page()
    request_in_corpus(corpus.pk)
    extractor = Extractor.objects.get(name="justext")
    hanne.post(reverse("extractor-disable", args=[corpus.slug, extractor.pk]))
    assert extractor.pk not in enabled_in(corpus.pk)
    assert Extraction.objects.filter(extractor=extractor, document__page=page).exists()
    assert AuditEvent.objects.latest("pk").action == "extractor_disabled"
    hanne.post(reverse("extractor-upgrade", args=[corpus.slug, extractor.pk]))
    run = Run.objects.get(extractor=extractor)
    take_step(run.pk)
    for extraction in extractor.extractions.all():
        run_extractors(extraction.pk)
    take_step(run.pk)
    assert extractor.pk in enabled_in(corpus.pk)


def test_other_version_is_shown_and_upgraded_to_the_installed_one(corpus: Corpus, hanne: Client) -> None:
    Extractor.objects.filter(name="tree-filter").update(version="0.9")
    old = Extractor.objects.get(name="tree-filter")
    address = reverse("extractors", args=[corpus.slug])
    assert "Upgrade to" in hanne.get(address).content.decode()
    hanne.post(reverse("extractor-upgrade", args=[corpus.slug, old.pk]))
    enabled = CorpusExtractor.objects.filter(corpus=corpus, ended_at=None, extractor__name="tree-filter")
    assert enabled.get().extractor.version != "0.9"
    assert "Upgrade to" not in hanne.get(address).content.decode()


def test_running_asks_for_what_is_missing_and_for_nothing_else(
    corpus: Corpus, hanne: Client, make_page: MakePage
) -> None:
    make_page()
    Extraction.objects.all().delete()
    assert "are missing" in hanne.get(reverse("extractors", args=[corpus.slug])).content.decode()
    assert hanne.post(reverse("extractors-run", args=[corpus.slug])).status_code == 302
    assert AuditEvent.objects.latest("pk").action == "extractors_run"
    for _twice in range(2):
        request_in_corpus(corpus.pk)
        assert Extraction.objects.count() == len(enabled_in(corpus.pk))
    page = hanne.get(reverse("extractors-progress", args=[corpus.slug])).content.decode()
    assert "data-moving" in page
    assert "are missing" not in page


@pytest.mark.parametrize("pages", [1, 3])
def test_screen_uses_a_fixed_number_of_queries(
    corpus: Corpus,
    hanne: Client,
    make_page: MakePage,
    pages: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(pages):
        make_page()
    request_in_corpus(corpus.pk)
    with django_assert_num_queries(11):
        assert hanne.get(reverse("extractors", args=[corpus.slug])).status_code == 200


def test_the_last_run_is_said_with_its_year(corpus: Corpus, hanne: Client, make_page: MakePage) -> None:
    make_page(extracted=True)
    screen = hanne.get(reverse("extractors", args=[corpus.slug])).content.decode()
    assert re.search(r"\d \w+ \d{4} \d\d:\d\d</td>", screen)


def test_what_cannot_run_says_why(corpus: Corpus, hanne: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    model = {"trained_in": corpus, "architecture": "crf", "model_sha256": "0" * 64}
    rows = [
        Extractor(name="gone", version="1"),
        Extractor(name="ours", version="1"),
        Extractor(name="trafilatura", version="1"),
        Extractor(name="crf-own", version="0+model-1-00000000", **model),
    ]
    for extractor in rows:
        extractor.save()
        CorpusExtractor.objects.create(corpus=corpus, extractor=extractor)
    monkeypatch.setattr("extraction.extractors.broken_plugins", lambda: {"ours": "ImportError: no x"})
    monkeypatch.setattr("extraction.extractors.external.libraries.Distribution.version", lambda self: None)
    shown = hanne.get(reverse("extractors", args=[corpus.slug])).content.decode()
    assert [" ".join(each.split()) for each in re.findall(r"cannot run here:\s(.*?)<", shown, re.DOTALL)] == [
        "it was trained for crf 0. Train it again",
        "its plugin is not installed",
        "ImportError: no x",
        "its library is not installed: pip install trafilatura",
    ]


def test_a_plugin_that_cannot_be_loaded_stands_there_with_the_reason(
    corpus: Corpus, hanne: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = {"ours": "ModuleNotFoundError: No module named 'nothing'"}
    monkeypatch.setattr("extraction.extractors.broken_plugins", lambda: broken)
    shown = hanne.get(reverse("extractors", args=[corpus.slug])).content.decode()
    listed = shown.partition("Cannot run on this machine")[2]
    assert "<span>ours</span>" in listed
    assert "No module named" in listed
