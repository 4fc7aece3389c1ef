"""A model learns from a release, becomes an extractor, and says which pages it has seen."""

import fcntl
from datetime import timedelta
from functools import partial
from hashlib import sha256
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from annotator.common import storage, work
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.actions import create_corpus
from annotator.corpora.models import Corpus
from annotator.home.pending import run_pending
from annotator.pages.models import Page
from annotator.releases.actions import take_down
from annotator.releases.models import Release, ReleasePage
from annotator.runs.actions import run_extraction
from annotator.runs.models import CorpusExtractor, Extraction, Run
from annotator.scoring.models import Score
from annotator.training import training
from annotator.training.actions import request_model, resume_model, stop_model
from annotator.training.models import TrainedModel, TrainingRound
from annotator.training.pages import taught_pages
from extraction.extractors import get
from extraction.learning import architectures
from extraction.learning.training import Stopped
from extraction.sandbox import Parser
from tests.annotator.releases.made import gold_on, release, story
from tests.annotator.scored import counted_apart
from tests.annotator.training.made import released, taught, trained
from tests.factories import MakePage, page_maker

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("source")]


@pytest.fixture(scope="module")
def source(shared_corpus: Corpus, make_shared_page: MakePage) -> Release:
    """The release that models learn from."""
    CorpusExtractor.objects.exclude(extractor__name="everything").delete()
    return released(shared_corpus, make_shared_page)


@pytest.fixture
def weeklies(db: None) -> Corpus:
    """A corpus without a page."""
    return create_corpus(slug="weeklies")


def seen(model: TrainedModel) -> set[str]:
    assert model.extractor
    return set(model.extractor.tuned_on_pages.values_list("sha256", flat=True))


def in_splits(model: TrainedModel, *splits: str) -> set[str]:
    rows = ReleasePage.objects.filter(release=model.release, split__in=splits)
    return set(rows.values_list("sha256", flat=True))


def test_a_model_is_an_extractor_whose_training_pages_count_apart(
    corpus: Corpus, source: Release, make_page: MakePage
) -> None:
    """The pages of all splits are evaluated, and so is a later page of a training site."""
    model = trained(source)
    assert seen(model) == in_splits(model, "train", "dev")
    train = ReleasePage.objects.filter(release=model.release, split="train").first()
    test = ReleasePage.objects.filter(release=model.release, split="test").first()
    assert train
    assert test
    known, unknown = (row.metadata["site"] for row in (train, test))
    later = {
        site: gold_on(
            make_page(f"<h1>{site}</h1><p>Later text of {site}.</p>", url=f"https://{site}/l", opened=False)
        )
        for site in (known, unknown)
    }
    run_pending(corpus)
    run = Run.objects.get(extractor=model.extractor)
    assert run.completed_at
    assert (run.failed, run.done) == (0, run.pages)
    assert model.extractor
    scores = Score.objects.filter(extraction__extractor=model.extractor)
    assert scores.filter(gold=later[unknown]).exists()
    learned = Page.objects.filter(corpus=corpus, sha256__in=in_splits(model, "train", "dev"))
    expected = {*learned.values_list("pk", flat=True), later[known].page_id}
    assert counted_apart(corpus)[model.extractor.name] == expected


@pytest.mark.parametrize("architecture", ["mss-supervised", "goldpan"])
def test_the_row_says_what_it_was_made_from(source: Release, architecture: str) -> None:
    model = trained(source, architecture, seed=7)
    assert model.extractor
    assert model.file_sha256 == sha256(storage.get(model.file_sha256)).hexdigest()
    assert model.extractor.version == f"{get(architecture).version}+model-1-{model.file_sha256[:8]}"
    assert model.extractor.family == get(architecture).family
    assert (model.data_sha256, model.splits_sha256) == (
        taught_pages(source, "main").data_sha256,
        taught_pages(source, "main").splits_sha256,
    )
    assert model.unseen
    assert model.unseen["pages"] == len(in_splits(model, "test"))
    rounds = list(TrainingRound.objects.filter(model=model).values_list("number", flat=True))
    assert rounds == list(range(1, model.rounds_at_most + 1))
    assert not (settings.GOLDPAN_HOME / "training" / f"{model.pk}-{model.data_sha256[:16]}").exists()
    assert trained(source, architecture, seed=7).file_sha256 == model.file_sha256


def test_a_corpus_own_goldpan_finds_its_articles_and_tells_reasons(
    source: Release, make_page: MakePage
) -> None:
    model = trained(source, "goldpan", rounds=5)
    page = taught(make_page, 99)
    assert page.document
    extraction = Extraction.objects.create(document=page.document, extractor=model.extractor)
    claimed = work.claim(Extraction, extraction.pk)
    assert claimed
    run_extraction(claimed)
    extraction.refresh_from_db()
    assert extraction.error == ""
    start, end = page.document.blocks[1]
    assert [start, end, "body"] in extraction.spans
    assert extraction.reasons
    assert get("goldpan").tuned_on <= seen(model), "the trees of comments have seen these"


def test_a_later_model_takes_the_place_of_an_earlier_one(corpus: Corpus, source: Release) -> None:
    first = trained(source)
    run_pending(corpus)
    second = trained(source, labels="article")
    run_pending(corpus)
    enabled = CorpusExtractor.objects.filter(corpus=corpus, ended_at=None, extractor__trained_in=corpus)
    assert [row.extractor for row in enabled] == [second.extractor]
    assert Run.objects.get(extractor=second.extractor).replaced == first.extractor


def test_a_trained_model_is_never_changed(source: Release) -> None:
    model = trained(source)
    for rows, change in (
        (TrainedModel.objects.filter(pk=model.pk), {"seed": 9}),
        (type(model.extractor).objects.filter(pk=model.extractor_id), {"model_sha256": ""}),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**change)


def test_a_model_file_that_was_tampered_with_is_no_failure_of_a_page(
    source: Release, make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = trained(source)
    page = taught(make_page, 99)
    extraction = Extraction.objects.create(document=page.document, extractor=model.extractor)
    monkeypatch.setattr("annotator.runs.actions._with_model", _refuse)
    work.run(Extraction, extraction.pk, run_extraction)
    extraction.refresh_from_db()
    assert (extraction.finished_at, extraction.faults) == (None, 1)
    assert "does not match its digest" in extraction.last_fault


def _refuse(architecture: str, digest: str) -> None:
    raise ValueError(f"the stored file {digest} does not match its digest")


@pytest.mark.learned
@pytest.mark.parametrize("architecture", ["boilernet", "crf", "web2text"])
def test_every_architecture_learns_and_runs(weeklies: Corpus, parser: Parser, architecture: str) -> None:
    make_page = page_maker(weeklies, parser)
    for number in range(12):
        page = make_page(
            f"{story(number)}{'<p>more to tell</p>' * 12}", url=f"https://site{number}.example/", opened=False
        )
        gold_on(page)
    model = trained(release(weeklies), architecture, rounds=1)
    assert model.extractor
    assert model.extractor.name == f"{architecture}-own"
    run_pending(weeklies)
    run = Run.objects.get(extractor=model.extractor)
    assert (run.done, run.failed) == (12, 0)


# ---- stopping, resuming, failing ----


def test_what_was_stopped_goes_on_and_ends_with_the_same_model(source: Release) -> None:
    whole = trained(source, "goldpan", rounds=6)
    model = request_model(release=source, architecture="goldpan", rounds=6)

    def stop_after_two(what: str, done: int, of: int) -> None:
        if what != "reading pages" and done == 2:
            stop_model(model=model)

    assert work.run(TrainedModel, model.pk, partial(training.train, step=stop_after_two)) is None
    model.refresh_from_db()
    assert (model.stage, model.rounds_done) == ("stopped", 2)
    with pytest.raises(Conflict):
        stop_model(model=model)
    resume_model(model=model)
    with pytest.raises(Conflict):
        resume_model(model=model)
    told: list[tuple[str, int, int]] = []
    work.run(TrainedModel, model.pk, partial(training.train, step=lambda *said: told.append(said)))
    model.refresh_from_db()
    read = [said for said in told if said[0] == "reading pages"]
    assert read == [("reading pages", number, model.pages) for number in range(1, model.pages + 1)]
    assert [said for said in told if said not in read] == [
        ("training body", number, 6) for number in range(3, 7)
    ]
    assert model.file_sha256 == whole.file_sha256
    assert list(model.rounds.values_list("loss", "score")) == list(whole.rounds.values_list("loss", "score"))


def test_one_model_at_a_time_is_trained_on_a_machine(source: Release) -> None:
    model = request_model(release=source, architecture="mss-supervised")
    with (settings.GOLDPAN_HOME / "training.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert work.run(TrainedModel, model.pk, training.train) is None
        model.refresh_from_db()
        assert (model.stage, model.attempts) == ("queued", 0)
    assert work.run(TrainedModel, model.pk, training.train)


def test_a_page_that_was_taken_down_is_not_learned_from(
    source: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does a model go on that has begun with it: it starts over, its curves too."""
    model = request_model(release=source, architecture="goldpan", rounds=3)

    def stop(*_: object) -> None:
        raise Stopped("as if somebody had stopped it")

    with monkeypatch.context() as patched:
        patched.setattr(training, "_finish", stop)
        work.run(TrainedModel, model.pk, training.train)
    gone = ReleasePage.objects.filter(release=source, split="train").first()
    assert gone
    before = TrainedModel.objects.get(pk=model.pk).data_sha256
    take_down(page=gone.gold.page, reason="asked for")
    TrainedModel.objects.filter(pk=model.pk).update(heartbeat_at=None)
    work.run(TrainedModel, model.pk, training.train)
    model.refresh_from_db()
    assert model.extractor, model.error
    assert gone.sha256 not in seen(model)
    assert model.data_sha256 != before
    assert model.rounds.count() == 3


def test_what_cannot_be_learned_is_refused_with_what_to_do(
    source: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    for wrong, message in (
        ({"architecture": "oracle"}, "Known: web2text"),
        ({"architecture": "goldpan", "labels": "praise"}, "Unknown label set"),
        ({"architecture": "goldpan", "rounds": 0}, "from 1 to 1000"),
        ({"architecture": "goldpan", "seed": -1}, "The seed is a whole number"),
    ):
        with pytest.raises(GoldpanError, match=message):
            request_model(release=source, **wrong)
    monkeypatch.setattr(architectures, "find_spec", lambda _: None)
    with pytest.raises(
        GoldpanError,
        match=r"boilernet needs torch: pip install -r requirements-learned\.txt, or '\.\[learned\]'",
    ):
        request_model(release=source, architecture="boilernet")
    assert not TrainedModel.objects.exists()


def test_a_release_with_one_site_cannot_be_learned_from(weeklies: Corpus, parser: Parser) -> None:
    gold_on(taught(page_maker(weeklies, parser), 0))
    with pytest.raises(GoldpanError, match="at least one of both, of different sites"):
        request_model(release=release(weeklies), architecture="goldpan")


# ---- the command ----


def test_the_command_trains_and_prints_the_digest(corpus: Corpus, source: Release, weeklies: Corpus) -> None:
    with pytest.raises(CommandError, match="has no release"):
        call_command("train", weeklies.slug, "goldpan")
    out = StringIO()
    call_command("train", corpus.slug, "mss-supervised", release=source.number, stdout=out)
    model = TrainedModel.objects.get()
    assert f"SHA-256 {model.file_sha256}" in out.getvalue()
    assert Run.objects.get(extractor=model.extractor).completed_at
    with pytest.raises(CommandError, match="has no release 9"):
        call_command("train", corpus.slug, "goldpan", release=9)


def test_the_command_stops_where_it_is_interrupted_and_says_how_to_go_on(
    corpus: Corpus, source: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **_options: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(training._Watch, "round_is_done", interrupted)
        with pytest.raises(CommandError, match="train dailies mss-supervised --resume 1"):
            call_command("train", corpus.slug, "mss-supervised")
    assert TrainedModel.objects.get().stage == "stopped"
    assert not TrainedModel.objects.open().exists(), "no worker goes on with it"
    with monkeypatch.context() as patched:
        patched.setattr("annotator.home.pending.run_pending", interrupted)
        with pytest.raises(CommandError, match="Model 1 is trained"):
            call_command("train", corpus.slug, "mss-supervised", resume=1)
    assert TrainedModel.objects.get().stage == "done"


def test_the_command_goes_on_with_a_model_whose_process_was_killed(
    corpus: Corpus, source: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = request_model(release=source, architecture="mss-supervised")
    assert work.claim(TrainedModel, model.pk)
    monkeypatch.setattr(work, "STALE", timedelta(0))
    said = StringIO()
    call_command("train", corpus.slug, "mss-supervised", resume=1, stderr=said)
    assert "Another process was at this" in said.getvalue()
    assert TrainedModel.objects.get().stage == "done"
