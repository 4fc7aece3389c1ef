"""The labels of a corpus, as its admins change them, and where they are used."""

import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotator.administration.labels import actions
from annotator.administration.labels.actions import LabelSetting
from annotator.annotations.actions import claim_next, save
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.audit.models import AuditEvent
from annotator.corpora.models import Corpus, Label
from annotator.corpora.queries import label_sets_of
from annotator.gold.models import Gold
from annotator.releases.exports.actions import write
from annotator.releases.exports.contents import Contents
from annotator.scoring.actions import pairs_of_gold, request_scores
from annotator.scoring.leaderboard.boards import board
from annotator.scoring.leaderboard.queries import scored_gold
from annotator.scoring.models import Measurement, Remeasuring
from annotator.scoring.tasks import measure_score, open_measurements, score_extractions
from annotator.scoring.totals.counting import count_some
from extraction.evaluation.page_metrics import METRICS, Prediction, Reference
from extraction.metrics.pages import PageScore
from tests.annotator.scored import give_gold, make_gold
from tests.factories import MakePage, SignedIn, annotate, draft, span_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


def settings_of(corpus: Corpus, **changes: LabelSetting) -> list[LabelSetting]:
    """The labels as they are, but for those named."""
    active = corpus.labels.filter(retired_at=None)
    return [
        changes.get(label.name) or LabelSetting(label.pk, str(label), label.key, label.number)
        for label in active
    ]


def named(corpus: Corpus, name: str) -> Label:
    return corpus.labels.get(name=name)


def row(label: Label, **changes: object) -> dict[str, object]:
    given = {"pk": label.pk, "title": str(label), "key": label.key, "number": label.number, **changes}
    return {f"label-{label.pk}-{name}": value for name, value in given.items()}


def form(corpus: Corpus, **more: object) -> dict[str, Any]:
    """What the screen sends when nothing was changed."""
    corpus.refresh_from_db()
    active = list(corpus.labels.filter(retired_at=None))
    rows = {name: value for label in active for name, value in row(label).items()}
    return {"based_on": corpus.labels_version, "label": [label.pk for label in active], **rows, **more}


def test_renaming_reordering_and_exchanging_colours(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client
) -> None:
    address = reverse("labels", args=[corpus.slug])
    headline, body = named(corpus, "headline"), named(corpus, "body")
    sent = form(corpus) | row(headline, title="Title", key=2, number=2) | row(body, key=1, number=1)
    sent["label"] = [body.pk, headline.pk, *sent["label"][2:]]
    assert hanne.post(address, sent).status_code == 302
    found = [(str(label), label.name, label.key, label.number) for label in corpus.labels.all()[:2]]
    assert found == [("Body", "body", 1, 1), ("Title", "headline", 2, 2)]
    event = AuditEvent.objects.get(action="labels_changed")
    assert (event.person, event.changes["headline"][1]) == (cast.hanne, "2: Title, key 2, colour 2")
    assert "Title" in hanne.get(reverse("guideline", args=[corpus.slug])).content.decode()


def test_a_version_that_is_no_number_is_an_old_one(corpus: Corpus, hanne: Client) -> None:
    address = reverse("labels", args=[corpus.slug])
    for version in ("", "x", "²", "9" * 30):
        assert hanne.post(address, form(corpus, based_on=version)).status_code == 409


def test_two_admins_do_not_overwrite_each_other(corpus: Corpus, hanne: Client) -> None:
    address = reverse("labels", args=[corpus.slug])
    opened = form(corpus)
    prose = LabelSetting(named(corpus, "body").pk, "Prose", 2, 2)
    actions.change_labels(corpus=corpus, based_on=1, labels=settings_of(corpus, body=prose))
    answer = hanne.post(address, opened | row(named(corpus, "body"), title="Text"))
    assert answer.status_code == 409
    assert "Somebody else has changed the labels" in answer.content.decode()
    assert str(named(corpus, "body")) == "Prose"


def test_what_was_typed_stays_where_the_button_beside_it_is_refused(corpus: Corpus, hanne: Client) -> None:
    for number in range(4):
        actions.add_label(corpus=corpus, based_on=number + 1, title=f"Own {number}")
    sent = form(corpus, add="1", added="Tags") | row(named(corpus, "body"), title="Prose")
    answer = hanne.post(reverse("labels", args=[corpus.slug]), sent)
    assert (answer.status_code, "at most 9" in answer.content.decode()) == (409, True)
    assert 'value="Prose"' in answer.content.decode()
    assert 'value="Tags"' in answer.content.decode()
    assert str(named(corpus, "body")) == "Body"


@pytest.mark.parametrize("button", ["", "retire"])
def test_a_name_that_was_typed_is_added_by_any_button(corpus: Corpus, hanne: Client, button: str) -> None:
    """Enter in its field presses the first button of the form, which is to save."""
    more = {button: named(corpus, "related").pk} if button else {}
    sent = form(corpus, added="Tags", **more)
    assert hanne.post(reverse("labels", args=[corpus.slug]), sent).status_code == 302
    assert not named(corpus, "tags").retired_at
    assert bool(named(corpus, "related").retired_at) == bool(button)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"title": " "}, "Enter a name"),
        ({"title": "BODY"}, "Another label has this name"),
        ({"key": 2}, "Another label has this key"),
        ({"number": 2}, "Another label has this colour"),
        ({"number": 10}, "Select a valid choice"),
        ({"title": "x" * 41}, "at most 40"),
    ],
)
def test_errors_stand_at_their_field(
    corpus: Corpus, hanne: Client, changes: dict[str, object], message: str
) -> None:
    address = reverse("labels", args=[corpus.slug])
    answer = hanne.post(address, form(corpus) | row(named(corpus, "headline"), **changes))
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert Corpus.objects.get(pk=corpus.pk).labels_version == 1


def test_what_is_in_use_is_retired_and_never_deleted(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, signed_in: SignedIn
) -> None:
    page = make_page()
    slot = claim_next(corpus=corpus, annotator=cast.ada)
    marks = [span_of(page, "Bridge opens", "headline")]
    save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada, marks))
    headline = named(corpus, "headline")
    with pytest.raises(Conflict, match="in use"):
        actions.delete_label(corpus=corpus, based_on=1, pk=headline.pk)
    hanne, address = signed_in(cast.hanne), reverse("labels", args=[corpus.slug])
    assert hanne.post(address, form(corpus, retire=headline.pk)).status_code == 302
    screen = signed_in(cast.ada).get(reverse("annotate", args=[corpus.slug, slot.key])).content.decode()
    assert 'data-label="headline"' not in screen  # it can be given no more
    assert '"name": "headline"' in screen  # and is known where it was given
    later = draft(slot, cast.ada, marks, based_on=1)
    assert save(slot=slot, annotator=cast.ada, draft=later).spans[0][2] == "headline"
    assert hanne.post(address, form(corpus, restore=headline.pk)).status_code == 302
    assert named(corpus, "headline").key == 1
    assert hanne.post(address, form(corpus, delete=named(corpus, "related").pk)).status_code == 302
    assert "related" not in label_sets_of(corpus)["any"]


def test_a_corpus_has_from_one_to_nine_labels(corpus: Corpus) -> None:
    for number in range(4):
        actions.add_label(corpus=corpus, based_on=number + 1, title=f"Own {number}")
    assert sorted(corpus.labels.values_list("number", flat=True)) == list(range(1, 10))
    with pytest.raises(Conflict, match="at most 9"):
        actions.add_label(corpus=corpus, based_on=5, title="One more")
    labels = list(corpus.labels.all())
    for done, label in enumerate(labels[:-1]):
        actions.retire_label(corpus=corpus, based_on=5 + done, pk=label.pk)
    with pytest.raises(Conflict, match="at least one"):
        actions.retire_label(corpus=corpus, based_on=13, pk=labels[-1].pk)


def test_names_in_spans_are_unique_for_good(corpus: Corpus) -> None:
    for version, title in enumerate(
        ("Tags", "Content", "标签", "Caption of a large picture on top"), start=1
    ):
        actions.add_label(corpus=corpus, based_on=version, title=title)
    actions.retire_label(corpus=corpus, based_on=5, pk=named(corpus, "tags").pk)
    actions.add_label(corpus=corpus, based_on=6, title="Tags")
    own = list(corpus.labels.order_by("pk").values_list("name", flat=True)[5:])
    assert own == ["tags", "content-2", "label", "caption-of-a-large-picture-on", "tags-2"]
    with pytest.raises(GoldpanError, match="same name"):
        actions.restore_label(corpus=corpus, based_on=7, pk=named(corpus, "tags").pk)


def test_a_label_of_ones_own_works_from_the_annotation_to_the_export(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, signed_in: SignedIn, tmp_path: Path
) -> None:
    before = give_gold(make_page()).page
    actions.add_label(corpus=corpus, based_on=1, title="Tags")
    page = make_page()
    marks = [span_of(page, "Bridge opens", "headline"), span_of(page, "The council said", "tags")]
    for person in (cast.ada, cast.ben):
        annotate(page, person, marks)
    give_gold(page, marks, distinguishable_labels=None)
    gold = Gold.objects.get(page=page, current=True)
    assert "tags" in gold.distinguishable_labels
    # Gold that was made before cannot tell the label, and does not count in a set that has it.
    assert set(scored_gold(corpus, "main")) == {gold, Gold.objects.get(page=before)}
    assert set(scored_gold(corpus, "any")) == {gold}
    everything = next(each for each in board(corpus, labels="any").rows if each.name == "everything")
    assert everything.shown.recall == 1
    write(Contents(corpus=corpus, format="jsonl"), tmp_path / "gold.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "gold.jsonl").read_text().splitlines()]
    assert any("tags" in json.dumps(line) for line in lines)
    rhea = signed_in(cast.rhea)
    assert "Tags" in rhea.get(reverse("agreement", args=[corpus.slug])).content.decode()
    assert "Tags" in signed_in(cast.hanne).get(reverse("reannotation", args=[corpus.slug])).content.decode()


def test_label_sets_are_called_as_on_the_leaderboard(corpus: Corpus, hanne: Client) -> None:
    settings, leaderboard = (
        " ".join(hanne.get(reverse(screen, args=[corpus.slug])).content.decode().split())
        for screen in ("labels", "leaderboard")
    )
    for name, title in (("main", "headline and body"), ("any", "all labels")):
        assert title in leaderboard
        # The name is what programs ask for.
        assert f'<b>{title}</b> <span class="mono">{name}</span>' in settings


def precision_by_words(corpus: Corpus) -> dict[str, float]:
    """By extractor, of the label set `any`, as a leaderboard shows it now."""
    while count_some(corpus):
        pass
    found = board(corpus, labels="any", metric="words")
    return {each.name: each.shown.precision for each in found.rows if each.shown}


def measure_again() -> None:
    """What workers do after labels have changed."""
    for pk in Remeasuring.objects.open().values_list("pk", flat=True):
        open_measurements(pk)
    for pk in Measurement.objects.open().values_list("pk", flat=True):
        measure_score(pk)


def test_figures_are_never_those_of_what_a_label_set_meant_before(
    corpus: Corpus, make_page: MakePage
) -> None:
    page = make_page()
    marks = [span_of(page, "Bridge opens", "headline"), span_of(page, "The council said", "related")]
    give_gold(page, marks)
    before, related = precision_by_words(corpus), named(corpus, "related").pk
    assert before["everything"]
    assert not Measurement.objects.open().exists()
    actions.retire_label(corpus=corpus, based_on=1, pk=related)
    assert precision_by_words(corpus) == {}
    measure_again()
    # Two of the five words that were marked.
    assert precision_by_words(corpus)["everything"] == pytest.approx(before["everything"] * 2 / 5)
    actions.restore_label(corpus=corpus, based_on=2, pk=related)
    assert precision_by_words(corpus) == {}
    measure_again()
    assert precision_by_words(corpus) == before


def test_what_is_measured_while_labels_change_is_measured_again(
    corpus: Corpus, make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = make_page(extracted=True)
    marks = [span_of(page, "Bridge opens", "headline"), span_of(page, "The council said", "related")]
    scores = request_scores(pairs_of_gold(make_gold(page, marks)))
    words, related = METRICS["words"], named(corpus, "related").pk

    def change(reference: Reference, prediction: Prediction, labels: Collection[str]) -> PageScore:
        if corpus.labels.get(pk=related).retired_at is None:
            actions.retire_label(corpus=corpus, based_on=1, pk=related)
            measure_again()
        return words.score(reference, prediction, labels)

    with monkeypatch.context() as planted:
        planted.setitem(METRICS, "words", replace(words, score=change))
        score_extractions(*(score.pk for score in scores))
        assert precision_by_words(corpus) == {}
        measure_again()
        everything = len(page.document.text.split())
        assert precision_by_words(corpus)["everything"] == pytest.approx(2 / everything)


@pytest.mark.parametrize("change", ["titles", "another label"])
def test_measurements_stay_where_no_label_set_of_their_gold_has_changed(
    corpus: Corpus, make_page: MakePage, change: str
) -> None:
    give_gold(make_page())
    if change == "titles":
        prose = LabelSetting(named(corpus, "body").pk, "Prose", 2, 2)
        actions.change_labels(corpus=corpus, based_on=1, labels=settings_of(corpus, body=prose))
    else:
        # Gold that was made before cannot tell the set that has it.
        actions.add_label(corpus=corpus, based_on=1, title="Tags")
        open_measurements(Remeasuring.objects.get().pk)
    assert not Remeasuring.objects.open().exists()
    assert not Measurement.objects.open().exists()


def test_titles_of_one_corpus_are_not_those_of_the_next_request(corpus: Corpus, hanne: Client) -> None:
    changed = LabelSetting(named(corpus, "body").pk, "Prose", 2, 2)
    actions.change_labels(corpus=corpus, based_on=1, labels=settings_of(corpus, body=changed))
    assert "Prose" in hanne.get(reverse("guideline", args=[corpus.slug])).content.decode()
    assert "Prose" not in hanne.get(reverse("home")).content.decode()


@pytest.mark.parametrize("more", [0, 3])
def test_screen_uses_a_fixed_number_of_queries(
    corpus: Corpus,
    make_page: MakePage,
    hanne: Client,
    more: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(more):
        make_gold(make_page())
        actions.add_label(corpus=corpus, based_on=number + 1, title=f"Own {number}")
    address = reverse("labels", args=[corpus.slug])
    with django_assert_num_queries(10):
        assert hanne.get(address).status_code == 200
