"""From two submissions to gold: the verdict first, then the disputes."""

from datetime import timedelta
from random import Random
from types import SimpleNamespace

import pytest
from django.utils import timezone

from annotator.administration.labels.actions import add_label, restore_label, retire_label
from annotator.agreement import comparison
from annotator.agreement.actions import compare, request_comparison
from annotator.agreement.models import Agreement
from annotator.annotations.actions import claim_on, reopen, save, submit
from annotator.annotations.models import Annotation
from annotator.common import work
from annotator.common.errors import Conflict, GoldpanError, Gone
from annotator.corpora.actions import grant_role
from annotator.corpora.models import Corpus
from annotator.gold import actions, finalisation, payload, queries
from annotator.gold.models import Adjudication, Gold
from annotator.pages.actions import store_imported_gold
from annotator.pages.models import ImportedGold, Page
from extraction.agreement.segments import compare as compare_spans
from extraction.formats import GoldRecord as FormatGold
from extraction.formats.gold import to_json
from extraction.spans import LABELS, Span, normalise
from tests.factories import MakePage, SignedIn, annotate, draft, span_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

HEADLINE, FIRST, SECOND, THIRD = "Bridge opens", "The council said", "It said the work", "People who live"


def paragraph(page: Page, opening: str, label: str) -> Span:
    """The whole block that begins like this."""
    document = page.documents.get()
    start = document.text.index(opening)
    return next(Span(low, high, label) for low, high in document.blocks if low == start)


def finalise(page: Page) -> Gold | Adjudication | None:
    """Compare and finalise the page's last round."""
    round_ = page.rounds.latest("pk")
    agreement = request_comparison(round_=round_)
    if agreement:
        compare(work.claim(Agreement, agreement.pk))
    return finalisation.finalise_round(round_=round_)


def spans_of(gold: Gold) -> set[tuple[int, int, str]]:
    return {(start, end, label) for start, end, label, _source in gold.spans}


def test_one_submission_makes_no_gold(cast: SimpleNamespace, make_page: MakePage) -> None:
    page = make_page()
    annotate(page, cast.ada)
    assert finalise(page) is None
    assert not Agreement.objects.exists()


def test_agreed_spans_are_gold(cast: SimpleNamespace, make_page: MakePage) -> None:
    page = make_page()
    marks = [span_of(page, HEADLINE, "headline"), paragraph(page, FIRST, "body")]
    annotate(page, cast.ada, marks)
    annotate(page, cast.ben, marks)
    gold = finalise(page)
    assert isinstance(gold, Gold)
    assert gold.source == "unanimous"
    assert gold.spans == [[*mark, "unanimous"] for mark in marks]
    agreement = Agreement.objects.get()
    assert (agreement.kappa, agreement.f1, agreement.same_verdict) == (1.0, 1.0, True)


def test_finalising_twice_makes_one_gold(cast: SimpleNamespace, make_page: MakePage) -> None:
    page = make_page()
    annotate(page, cast.ada)
    annotate(page, cast.ben)
    assert finalise(page)
    assert finalise(page) is None
    assert Gold.objects.count() == 1


def test_no_article_is_gold_without_spans(cast: SimpleNamespace, make_page: MakePage) -> None:
    page = make_page()
    annotate(page, cast.ada, [span_of(page, HEADLINE, "headline")], verdict="not_article", reason="paywall")
    annotate(page, cast.ben, verdict="not_article", reason="paywall")
    gold = finalise(page)
    assert isinstance(gold, Gold)
    assert (gold.verdict, gold.reason, gold.spans) == ("not_article", "paywall", [])
    assert Agreement.objects.get().f1 is None, "marks under such a verdict are no marks"


def test_the_newest_revision_is_submitted(cast: SimpleNamespace, make_page: MakePage) -> None:
    page = make_page()
    marks = [paragraph(page, FIRST, "body")]
    for person in (cast.ada, cast.ben):
        slot = claim_on(page=page, annotator=person)
        save(slot=slot, annotator=person, draft=draft(slot, person, verdict="not_article", reason="other"))
        annotate(page, person, marks)
    gold = finalise(page)
    assert isinstance(gold, Gold)
    assert (gold.verdict, spans_of(gold)) == ("article", {tuple(mark) for mark in marks})


def dispute_of(page: Page, cast: SimpleNamespace) -> Adjudication:
    """Ada: headline, first paragraph. Ben: headline, first as supplemental, second."""
    annotate(page, cast.ada, [span_of(page, HEADLINE, "headline"), paragraph(page, FIRST, "body")])
    annotate(
        page,
        cast.ben,
        [
            span_of(page, HEADLINE, "headline"),
            paragraph(page, FIRST, "supplemental"),
            paragraph(page, SECOND, "body"),
        ],
    )
    dispute = finalise(page)
    assert isinstance(dispute, Adjudication)
    return dispute


def letter_of(dispute: Adjudication, cast_name: str) -> str:
    """Which letter hides this annotator."""
    slots = list(dispute.round.slots.order_by("number").values_list("annotator__username", flat=True))
    return actions.letters_of(dispute)[dispute.order.index(slots.index(cast_name))]


def test_words_decided_beside_agreed_ones_are_one_mark_with_them(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    """What formats write a line or a paragraph for each mark would otherwise break the sentence there."""
    page = make_page()
    text = page.documents.get().text
    whole = paragraph(page, FIRST, "body")
    begun = Span(whole.start, whole.start + len(FIRST), "body")
    middle = Span(begun.end + 1, text.index(" ", begun.end + 1), "body")
    ended = Span(middle.end + 1, whole.end, "body")
    other = paragraph(page, SECOND, "body")
    annotate(page, cast.ada, [whole, other])
    annotate(page, cast.ben, [begun, ended])
    assert isinstance(finalise(page), Adjudication)
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    actions.decide(adjudication=held, user=cast.cleo, numbers=[1, 2], choice=letter_of(held, "ada"))
    gold = actions.submit(adjudication=held, user=cast.cleo)
    assert gold.spans == [
        [*begun, "unanimous"],
        [begun.end, middle.end, "body", "adjudicated"],
        [middle.end, whole.end, "body", "unanimous"],
        [*other, "adjudicated"],
    ]
    assert normalise(gold.marks) == [whole, other]


def test_a_round_is_compared_once(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    monkeypatch.setattr(comparison, "compare", lambda *given: calls.append(given) or compare_spans(*given))
    page = make_page()
    annotate(page, cast.ada, [paragraph(page, FIRST, "body")])
    annotate(page, cast.ben, [paragraph(page, SECOND, "body")], verdict="several")
    finalise(page)
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    held = actions.decide_verdict(adjudication=held, user=cast.cleo, verdict="article")
    numbers = [segment["number"] for segment in payload.describe(held)["segments"]]
    actions.decide(adjudication=held, user=cast.cleo, numbers=numbers, choice="neither")
    assert actions.submit(adjudication=held, user=cast.cleo).spans == []
    assert len(calls) == 1


def test_differences_go_to_a_third_person(cast: SimpleNamespace, corpus: Corpus, make_page: MakePage) -> None:
    page = make_page()
    dispute = dispute_of(page, cast)
    assert dispute.verdict == "article"
    assert [segment.number for segment in dispute.segments.all()] == [1, 2]
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    assert held == dispute
    actions.decide(adjudication=held, user=cast.cleo, numbers=[1], choice=letter_of(dispute, "ada"))
    with pytest.raises(Conflict, match="1 segment is still open"):
        actions.submit(adjudication=held, user=cast.cleo)
    actions.decide(adjudication=held, user=cast.cleo, numbers=[2], choice="neither")
    gold = actions.submit(adjudication=held, user=cast.cleo)
    first = paragraph(page, FIRST, "body")
    assert gold.spans == [
        [*span_of(page, HEADLINE, "headline"), "unanimous"],
        [*first, "adjudicated"],
    ]
    assert gold.source == "adjudicated"


@pytest.mark.parametrize("is_restored", [False, True])
@pytest.mark.parametrize("is_disputed", [False, True])
def test_gold_does_not_tell_a_label_that_came_while_its_page_was_annotated(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, is_disputed: bool, is_restored: bool
) -> None:
    def made_of(page: Page) -> Gold:
        annotate(page, cast.ben, [] if is_disputed else [span_of(page, HEADLINE, "headline")])
        settled = finalise(page)
        if isinstance(settled, Gold):
            return settled
        held = actions.claim_next(corpus=corpus, user=cast.cleo)
        actions.decide(adjudication=held, user=cast.cleo, numbers=[1], choice="neither")
        return actions.submit(adjudication=held, user=cast.cleo)

    before, later = make_page(), make_page()
    related = corpus.labels.get(name="related").pk
    if is_restored:
        retire_label(corpus=corpus, based_on=1, pk=related)
    annotate(before, cast.ada, [span_of(before, HEADLINE, "headline")])
    if is_restored:
        restore_label(corpus=corpus, based_on=2, pk=related)
    else:
        add_label(corpus=corpus, based_on=1, title="Tags")
    annotate(later, cast.ada, [span_of(later, HEADLINE, "headline")])
    came = "related" if is_restored else "tags"
    assert made_of(before).distinguishable_labels == sorted({*LABELS} - {came})
    assert made_of(later).distinguishable_labels == sorted({*LABELS, came})


def test_a_decision_can_be_undone_until_submission(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    dispute = dispute_of(make_page(), cast)
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    actions.decide(adjudication=held, user=cast.cleo, numbers=[1], choice="A")
    assert actions.decide(adjudication=held, user=cast.cleo, numbers=[1], choice="")[0].decided_at is None
    assert queries.open_segments(dispute).count() == 2


def test_gold_is_what_the_window_that_submits_has_shown(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, signed_in: SignedIn
) -> None:
    dispute_of(make_page(), cast)
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    address = f"/c/dailies/adjudications/{held.pk}/submit/"
    client = signed_in(cast.cleo)
    actions.decide(adjudication=held, user=cast.cleo, numbers=[1, 2], choice="A")
    shown = actions.decisions_of(held)
    assert [choice for _number, choice, _marks in shown["segments"]] == ["A", "A"]
    actions.decide(adjudication=held, user=cast.cleo, numbers=[2], choice="B")
    for refused, status, words in ((shown, 409, "decided in another window"), (None, 422, "“shown” must be")):
        answer = client.post(address, {"shown": refused}, content_type="application/json")
        assert (answer.status_code, Gold.objects.count()) == (status, 0)
        assert words in answer.json()["error"]
    now = actions.decisions_of(held)
    following = f"/c/dailies/adjudications/{dispute_of(make_page(), cast).pk}/"
    for _attempt in ("whose answer is lost", "of the same window again"):
        answer = client.post(address, {"shown": now}, content_type="application/json")
        assert (answer.status_code, answer.json()["next"]) == (200, following)
    assert Gold.objects.count() == 1


def test_both_is_refused_for_conflicting_labels(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    dispute_of(make_page(), cast)
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    with pytest.raises(GoldpanError, match="choose both"):
        actions.decide(adjudication=held, user=cast.cleo, numbers=[1], choice="both")


def test_the_verdict_comes_first(cast: SimpleNamespace, corpus: Corpus, make_page: MakePage) -> None:
    page = make_page()
    annotate(page, cast.ada, [span_of(page, HEADLINE, "headline")])
    annotate(page, cast.ben, verdict="not_article", reason="other")
    dispute = finalise(page)
    assert isinstance(dispute, Adjudication)
    assert (dispute.verdict, dispute.segments.count()) == ("", 0)
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    with pytest.raises(Conflict, match="Choose a verdict first"):
        actions.submit(adjudication=held, user=cast.cleo)
    held = actions.decide_verdict(adjudication=held, user=cast.cleo, verdict="article")
    assert held.segments.count() == 1
    actions.decide(adjudication=held, user=cast.cleo, numbers=[1], choice=letter_of(dispute, "ada"))
    assert spans_of(actions.submit(adjudication=held, user=cast.cleo)) == {
        tuple(span_of(page, HEADLINE, "headline"))
    }


def test_cannot_tell_twice_is_no_gold(cast: SimpleNamespace, make_page: MakePage) -> None:
    page = make_page()
    annotate(page, cast.ada, verdict="cannot_tell")
    annotate(page, cast.ben, verdict="cannot_tell")
    assert isinstance(finalise(page), Adjudication)


def test_an_annotator_of_the_page_cannot_adjudicate_it(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    dispute_of(make_page(), cast)
    grant_role(corpus=corpus, user=cast.ada, role="adjudicator")
    assert actions.claim_next(corpus=corpus, user=cast.ada) is None
    corpus.annotators_may_adjudicate = True
    corpus.save()
    held = actions.claim_next(corpus=corpus, user=cast.ada)
    assert held.own_page


@pytest.mark.parametrize("reopened_before", [False, True])
def test_whoever_adjudicates_their_own_page_changes_their_annotation_no_more(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, reopened_before: bool
) -> None:
    """With the marks of the others before them, they could copy these into an agreement."""
    page = make_page()
    dispute_of(page, cast)
    grant_role(corpus=corpus, user=cast.ada, role="adjudicator")
    corpus.annotators_may_adjudicate = True
    corpus.save()
    slot = Annotation.objects.get(annotator=cast.ada).slot
    if reopened_before:
        reopen(slot=slot, annotator=cast.ada)
    assert actions.claim_next(corpus=corpus, user=cast.ada)
    if not reopened_before:
        with pytest.raises(Conflict, match="what others marked"):
            reopen(slot=slot, annotator=cast.ada)
        return
    saved = save(slot=slot, annotator=cast.ada, draft=draft(slot, cast.ada))
    with pytest.raises(Conflict, match="what others marked"):
        submit(slot=slot, annotator=cast.ada, based_on=saved.number)


def test_who_is_a_changes_from_page_to_page(cast: SimpleNamespace, make_page: MakePage) -> None:
    """By the seed of the corpus and the key of the round, which differs from run to run."""

    def drawn(seed: int, round_id: int) -> list[int]:
        slots = [0, 1]
        Random(f"{seed}:letters:{round_id}").shuffle(slots)
        return slots

    for _ in range(12):
        dispute = dispute_of(make_page(), cast)
        assert dispute.order == drawn(dispute.round.page.corpus.seed, dispute.round_id)
    assert {tuple(drawn(20101, number)) for number in range(100)} == {(0, 1), (1, 0)}


def test_the_screen_shows_no_names(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, signed_in: SignedIn
) -> None:
    dispute_of(make_page(), cast)
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    client = signed_in(cast.cleo)
    shown = client.get(
        f"/c/dailies/adjudications/{held.pk}/", headers={"accept": "text/html"}
    ).content.decode()
    assert "Bridge opens" in shown
    for name in ("ada", "ben", "Ada", "Ben"):
        assert f'"{name}"' not in shown
        assert f">{name}<" not in shown


def test_nothing_stands_before_the_verdict_of_a_page_without_a_site(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, signed_in: SignedIn
) -> None:
    page = make_page()
    Page.objects.filter(pk=page.pk).update(site="")
    dispute_of(page, cast)
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    address = f"/c/dailies/adjudications/{held.pk}/"
    shown = signed_in(cast.cleo).get(address, headers={"accept": "text/html"})
    assert '<span class="meta"><span data-verdict-words>' in shown.content.decode()


def test_gold_knows_which_families_its_makers_saw(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    page = make_page(extracted=True)
    slot = page.rounds.get().slots.first()
    extractor = corpus.enabled.get(extractor__name="tree-filter").extractor
    page.rounds.get().slots.filter(arm=extractor).update(arm=None)
    type(slot).objects.filter(pk=slot.pk).update(arm=extractor)
    annotate(page, cast.ada)
    annotate(page, cast.ben)
    assert Annotation.objects.filter(shown=extractor).count() == 1
    gold = finalise(page)
    assert isinstance(gold, Gold)
    assert gold.exposed_families == ["boilerpipe"]


def test_everything_is_shown_in_the_order_of_the_letters(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    page = make_page()
    annotate(page, cast.ada, [paragraph(page, FIRST, "body")], note="of the first slot")
    annotate(page, cast.ben, note="of the second slot")
    finalise(page)
    Adjudication.objects.update(order=[1, 0])
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    actions.decide(adjudication=held, user=cast.cleo, numbers=[1], choice="B")
    shown = payload.describe(held)
    (segment,) = shown["segments"]
    assert [given["note"] for given in shown["verdict"]["given"]] == [
        "of the second slot",
        "of the first slot",
    ]
    assert [piece["labels"] for piece in segment["pieces"]] == [[None, "body"]]
    assert segment["choice"] == "B"
    assert actions.submit(adjudication=held, user=cast.cleo).spans == [
        [*paragraph(page, FIRST, "body"), "adjudicated"]
    ]


def test_nothing_that_is_shown_tells_who_is_who(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    """Neither names nor keys: the data of the screen say what was marked and noted, under letters."""
    dispute_of(make_page(), cast)
    shown = payload.describe(actions.claim_next(corpus=corpus, user=cast.cleo))
    assert set(shown) == {"verdict", "agreed", "segments"}
    assert set(shown["verdict"]) == {"decided", "reason", "by", "given"}
    assert {key for given in shown["verdict"]["given"] for key in given} == {
        *("letter", "verdict", "reason", "note"),
    }
    for segment in shown["segments"]:
        assert set(segment) == {
            "number",
            "start",
            "end",
            "pieces",
            "can_take_both",
            "choice",
            "marks",
            "clause",
        }


def test_deferred_pages_come_last(cast: SimpleNamespace, corpus: Corpus, make_page: MakePage) -> None:
    both = {dispute_of(make_page(), cast), dispute_of(make_page(), cast)}
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    actions.defer(adjudication=held, user=cast.cleo)
    assert both == {held, actions.claim_next(corpus=corpus, user=cast.cleo)}


def test_what_somebody_else_has_abandoned_comes_no_sooner(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    large, small = dispute_of(make_page(), cast), dispute_of(make_page(), cast)
    past = timezone.now() - timedelta(days=1)
    Adjudication.objects.filter(pk=large.pk).update(weight=9)
    Adjudication.objects.filter(pk=small.pk).update(weight=1, adjudicator=cast.dov, lease_until=past)
    assert actions.claim_next(corpus=corpus, user=cast.cleo) == large


def test_whoever_asks_again_gets_the_page_that_they_hold(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    for _ in range(2):
        dispute_of(make_page(), cast)
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    assert actions.claim_next(corpus=corpus, user=cast.cleo) == held


def test_whoever_goes_back_to_a_dispute_that_they_deferred_is_told_so(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage, signed_in: SignedIn
) -> None:
    dispute_of(make_page(), cast)
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    actions.defer(adjudication=held, user=cast.cleo)
    client, address = signed_in(cast.cleo), f"/c/dailies/adjudications/{held.pk}/"
    for answer in (
        client.get(address, headers={"accept": "text/html"}),
        client.post(f"{address}submit/", {"shown": {}}, "application/json"),
        client.post(f"{address}heartbeat/", {}, "application/json"),
    ):
        assert answer.status_code == 410
        assert "You do not hold this page now" in answer.text


def test_a_dispute_is_claimed_by_one_adjudicator(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    dispute_of(make_page(), cast)
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    grant_role(corpus=corpus, user=cast.rhea, role="adjudicator")
    assert actions.claim_next(corpus=corpus, user=cast.rhea) is None
    for act in (
        lambda: actions.decide(adjudication=held, user=cast.rhea, numbers=[1], choice="A"),
        lambda: actions.submit(adjudication=held, user=cast.rhea),
        lambda: actions.defer(adjudication=held, user=cast.rhea),
        lambda: actions.heartbeat(adjudication=held, user=cast.rhea),
    ):
        with pytest.raises(Gone, match="someone else"):
            act()


def test_a_verdict_that_all_gave_is_not_overruled(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    dispute_of(make_page(), cast)
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    with pytest.raises(Conflict, match="agree on the verdict"):
        actions.decide_verdict(adjudication=held, user=cast.cleo, verdict="several")


def test_a_verdict_stands_while_segments_are_decided_under_it(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    page = make_page()
    annotate(page, cast.ada, [span_of(page, HEADLINE, "headline")])
    annotate(page, cast.ben, verdict="several")
    finalise(page)
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    actions.decide_verdict(adjudication=held, user=cast.cleo, verdict="article")
    actions.decide(adjudication=held, user=cast.cleo, numbers=[1], choice="A")
    with pytest.raises(Conflict, match="undo them first"):
        actions.decide_verdict(adjudication=held, user=cast.cleo, verdict="several")
    actions.decide(adjudication=held, user=cast.cleo, numbers=[1], choice="")
    assert actions.decide_verdict(adjudication=held, user=cast.cleo, verdict="several").verdict == "several"


def test_adjudicated_gold_knows_what_its_makers_saw_too(
    cast: SimpleNamespace, corpus: Corpus, make_page: MakePage
) -> None:
    page = make_page()
    dispute_of(page, cast)
    held = actions.claim_next(corpus=corpus, user=cast.cleo)
    for number in (1, 2):
        actions.decide(adjudication=held, user=cast.cleo, numbers=[number], choice="neither")
    shown = corpus.enabled.get(extractor__name="tree-filter").extractor
    annotation = Annotation.objects.create(
        slot=page.rounds.get().slots.first(),
        annotator=cast.dov,
        document=page.documents.get(),
        guideline_version=1,
        shown=shown,
    )
    assert annotation.submitted_at is None, "an abandoned draft, which was seen all the same"
    assert actions.submit(adjudication=held, user=cast.cleo).exposed_families == ["boilerpipe"]


def test_imported_gold_is_kept_with_its_row_or_not_at_all(
    cast: SimpleNamespace, make_page: MakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that dies between the two leaves work to be done again, not a row that says it is done."""

    def dies(**_options: object) -> Gold:
        raise SystemExit

    content = to_json(FormatGold(text=HEADLINE, labels=frozenset({"headline"})))
    row = store_imported_gold(page=make_page(), content=content, source="test")
    with monkeypatch.context() as patched:
        patched.setattr(finalisation, "add_gold", dies)
        with pytest.raises(SystemExit):
            finalisation.align_imported(work.claim(ImportedGold, row.pk))
    assert ImportedGold.objects.get().finished_at is None
    ImportedGold.objects.update(heartbeat_at=None)
    assert finalisation.align_imported(work.claim(ImportedGold, row.pk)) == Gold.objects.get()
