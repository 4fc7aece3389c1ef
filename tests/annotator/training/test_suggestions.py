"""A corpus's own extractor makes suggestions, but not where it would tell of gold that it learned from."""

from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from annotator.annotations.models import Purpose, Round, Slot
from annotator.annotations.rounds.opening import offered, open_round
from annotator.annotations.study.actions import change_design, possible_arms, weights
from annotator.annotations.study.models import StudyDesign
from annotator.annotations.study.queries import current
from annotator.corpora.models import Corpus
from annotator.home.pending import run_pending
from annotator.pages.models import Page
from annotator.quality.checks.queries import able_to_show
from annotator.runs.models import CorpusExtractor, Extractor
from annotator.training.models import TrainedModel
from tests.annotator.training.made import released, taught, trained
from tests.factories import MakePage, SignedIn

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("model")]

NEW = 90
OTHER = "boilerpipe-default"


@pytest.fixture(scope="module")
def model(shared_corpus: Corpus, make_shared_page: MakePage) -> TrainedModel:
    """Trained and run over all pages, so that the corpus uses its extractor."""
    CorpusExtractor.objects.exclude(extractor__name=OTHER).delete()
    made = trained(released(shared_corpus, make_shared_page))
    run_pending(shared_corpus)
    return made


def own(model: TrainedModel) -> Extractor:
    assert model.extractor
    return model.extractor


def seen(model: TrainedModel) -> list[str]:
    return list(own(model).tuned_on_pages.values_list("sha256", flat=True))


def learned_page(model: TrainedModel) -> Page:
    return Page.objects.filter(sha256__in=seen(model)).earliest("sha256")


def near_duplicate(make_page: MakePage, page: Page) -> Page:
    made = taught(make_page, NEW + 1)
    Page.objects.filter(pk=made.pk).update(cluster=page.cluster)
    made.refresh_from_db()
    return made


def arms_of(corpus: Corpus, page: Page) -> set[str]:
    return {Extractor.objects.get(pk=pk).name for pk in offered(current(corpus), corpus, page)}


def test_a_model_is_offered_on_new_pages_alone(
    corpus: Corpus, make_page: MakePage, model: TrainedModel
) -> None:
    learned = learned_page(model)
    assert learned.cluster
    assert arms_of(corpus, taught(make_page, NEW)) == {OTHER, own(model).name}
    assert arms_of(corpus, learned) == {OTHER}
    assert arms_of(corpus, near_duplicate(make_page, learned)) == {OTHER}


def test_annotators_are_shown_its_suggestions(
    corpus: Corpus, make_page: MakePage, model: TrainedModel
) -> None:
    rounds = [open_round(page=taught(make_page, NEW + number)) for number in range(12)]
    shown = Slot.objects.filter(round__in=rounds, arm=own(model)).values_list("round", flat=True)
    assert sorted(shown) == [each.pk for each in rounds if not each.blind]


def test_the_database_refuses_a_slot_that_would_tell_of_gold(
    corpus: Corpus, make_page: MakePage, model: TrainedModel
) -> None:
    design = StudyDesign.objects.filter(corpus=corpus).first() or StudyDesign.objects.create(
        corpus=corpus, number=1, seed=1
    )
    learned = learned_page(model)
    pages = {"learned": learned, "twin": near_duplicate(make_page, learned), "new": taught(make_page, NEW)}
    refused = set()
    for name, page in pages.items():
        round_ = Round.objects.create(page=page, design=design, blind=False, draw=0, purpose=Purpose.CHECK)
        try:
            with transaction.atomic():
                Slot.objects.create(round=round_, corpus=corpus, number=1, arm=own(model))
        except IntegrityError:
            refused.add(name)
    assert refused == {"learned", "twin"}


def test_no_check_shows_a_model_gold_that_it_learned_from(
    corpus: Corpus, make_page: MakePage, model: TrainedModel
) -> None:
    twin = near_duplicate(make_page, learned_page(model))
    run_pending(corpus)
    pages = Page.objects.filter(corpus=corpus)
    any_page = set(able_to_show(pages, [None, Extractor.objects.get(name=OTHER).pk]))
    known = {*pages.filter(sha256__in=seen(model)), twin}
    assert set(able_to_show(pages, [None, own(model).pk])) == any_page - known
    assert any_page & known


def test_a_later_model_has_the_weight_of_the_one_that_it_replaces(
    corpus: Corpus,
    make_page: MakePage,
    cast: SimpleNamespace,
    signed_in: SignedIn,
    model: TrainedModel,
) -> None:
    others = CorpusExtractor.objects.filter(corpus=corpus).exclude(extractor=own(model))
    shares = {str(own(model).pk): 3, **{str(each.extractor_id): 1 for each in others}}
    change_design(corpus=corpus, made_by=cast.hanne, based_on=current(corpus).number, shares=shares)
    unseen = dict(_unseen(signed_in(cast.hanne)))
    later = trained(model.release, labels="article")
    run_pending(corpus)
    unknown = Extractor.objects.get(name="justext")
    CorpusExtractor.objects.create(corpus=corpus, extractor=unknown, since=timezone.now())
    weighed = {
        arm.pk: weight for arm, weight in weights(current(corpus), corpus, possible_arms(corpus)).items()
    }
    assert weighed == {own(later).pk: 3, unknown.pk: 0, **{each.extractor_id: 1 for each in others}}
    assert dict(_unseen(signed_in(cast.hanne))) == unseen | {unknown.family: 1}


def _unseen(admin: Client) -> list[tuple[str, float]]:
    """The families that the screen of the study settings lists, with the share of pages blind to each."""
    found: list[tuple[str, float]] = admin.get("/c/dailies/settings/study/").context["unseen"]
    return found
