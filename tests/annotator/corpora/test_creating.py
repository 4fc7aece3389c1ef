"""A corpus starts with its labels, a seed of its own and a sound design."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from annotator.common.errors import Conflict
from annotator.corpora.models import Corpus
from annotator.home.actions import create_corpus
from annotator.runs.actions import DEFAULT_EXTRACTORS
from extraction.spans import LABELS
from tests.annotator.annotations.waiting import Meanwhile

pytestmark = pytest.mark.django_db


def test_a_new_corpus_has_labels_extractors_and_a_seed() -> None:
    call_command("create_corpus", "weeklies", language=["es"], annotators=3, blind_share=0.5)
    corpus = Corpus.objects.get(slug="weeklies")
    assert [label.name for label in corpus.labels.all()] == list(LABELS)
    design = corpus.designs.get()
    assert (design.slots, design.blind_share, corpus.languages) == (3, 0.5, ["es"])
    assert design.seed == corpus.seed
    assert corpus.enabled.count() == len(DEFAULT_EXTRACTORS)
    call_command("create_corpus", "monthlies")
    assert Corpus.objects.get(slug="monthlies").seed != corpus.seed


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"blind_share": 0.1}, "between 20 and 100 percent"),
        ({"annotators": 0}, "between 1 and 5"),
        ({"annotators": 6}, "between 1 and 5"),
        ({"language": ["english"]}, "not a two-letter language code"),
    ],
)
def test_an_unsound_design_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("create_corpus", "weeklies", **options)
    assert not Corpus.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_corpora_at_once_with_one_slug_the_second_is_refused() -> None:
    """As a double click sends them."""
    with transaction.atomic():
        create_corpus(slug="weeklies")
        second = Meanwhile(lambda: create_corpus(slug="weeklies"))
        assert second.waits()
    with pytest.raises(Conflict, match="already exists"):
        second.result()
    assert Corpus.objects.count() == 1
