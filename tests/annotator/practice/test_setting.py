"""What an admin sets: on which corpus, how much, how well; version by version."""

from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from annotator.administration.labels.actions import retire_label
from annotator.annotations.qualification.models import PracticeSettings
from annotator.annotations.qualification.queries import newest
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus
from annotator.practice import actions, queries
from extraction.sandbox import Parser
from extraction.spans import LABELS
from tests.annotator.practice.made import ask, corpus_with_gold, newcomer, practise
from tests.annotator.scored import make_gold
from tests.factories import SignedIn, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

ADDRESS = "/c/dailies/practice/setting/"


@pytest.fixture
def trials(parser: Parser, cast: SimpleNamespace) -> Corpus:
    return corpus_with_gold(parser, cast.hanne, pages=4)


def body(source: Corpus | None, **changes: object) -> dict[str, object]:
    asked = {"based_on": 0, "pages": 2, "min_f1": 80, "min_verdicts": 1, "max_attempts": 2}
    return {**asked, "source": source.pk if source else "", **changes}


WRONG = ({"pages": 0}, {"min_f1": 101}, {"min_verdicts": 3}, {"max_attempts": 9}, {"source": "x"})


def test_an_admin_sets_it_and_sees_each_version(
    corpus: Corpus, trials: Corpus, cast: SimpleNamespace, hanne: Client
) -> None:
    assert "Trials (4 pages)" in hanne.get(ADDRESS).content.decode()
    assert hanne.post(ADDRESS, body(trials)).status_code == 302
    stands = newest(corpus)
    assert (stands.number, stands.source, stands.min_f1, stands.made_by) == (1, trials, 0.8, cast.hanne)
    assert hanne.post(ADDRESS, body(None, based_on=1)).status_code == 302
    assert newest(corpus).source is None
    assert [each.number for each in hanne.get(ADDRESS).context["versions"]] == [2, 1]
    with pytest.raises(IntegrityError), transaction.atomic():
        PracticeSettings.objects.update(pages=1)


def test_two_admins_do_not_write_over_each_other(
    corpus: Corpus, trials: Corpus, cast: SimpleNamespace, hanne: Client
) -> None:
    ask(corpus, cast.hanne, trials)
    answer = hanne.post(ADDRESS, body(trials))
    assert answer.status_code == 409
    assert answer.context["form"]["based_on"].value() == "1"


@pytest.mark.parametrize("wrong", WRONG)
def test_what_cannot_be_is_refused(
    corpus: Corpus, trials: Corpus, hanne: Client, wrong: dict[str, object]
) -> None:
    assert hanne.post(ADDRESS, body(trials) | wrong).status_code == 422
    assert newest(corpus) is None


def test_there_must_be_pages_for_all_attempts(corpus: Corpus, trials: Corpus, cast: SimpleNamespace) -> None:
    with pytest.raises(GoldpanError, match="need 6 pages to practise on; Trials has 4"):
        ask(corpus, cast.hanne, trials, pages=2, max_attempts=3)
    ask(corpus, cast.hanne, trials, pages=2, max_attempts=2)


def test_only_a_corpus_of_the_same_admin_and_never_the_same_one(
    corpus: Corpus, parser: Parser, cast: SimpleNamespace
) -> None:
    foreign = corpus_with_gold(parser, make_user("greta"), slug="foreign")
    for source in (foreign, corpus):
        with pytest.raises(GoldpanError):
            ask(corpus, cast.hanne, source)
    assert queries.sources(corpus, cast.hanne) == []
    with pytest.raises(IntegrityError), transaction.atomic():
        PracticeSettings.objects.create(corpus=corpus, number=1, source=corpus, seed=1)


def test_another_admins_corpus_is_not_taken_back_by_looking(
    corpus: Corpus, trials: Corpus, cast: SimpleNamespace, signed_in: SignedIn
) -> None:
    ask(corpus, cast.hanne, trials)
    greta = make_user("greta")
    grant_role(corpus=corpus, user=greta, role="admin")
    shown = signed_in(greta).get(ADDRESS)
    assert shown.context["form"]["source"].value() == trials.pk
    assert f'<option value="{trials.pk}" selected>' in shown.content.decode()
    assert signed_in(greta).post(ADDRESS, body(trials, based_on=1)).status_code == 422
    assert newest(corpus).number == 1


def test_gold_must_be_what_one_can_mark_with_the_labels_of_the_corpus(
    corpus: Corpus, trials: Corpus, cast: SimpleNamespace
) -> None:
    trials.labels.create(name="tags", number=9, key=9, position=9)
    make_gold(queries.pool(corpus, trials).first(), distinguishable_labels=[*LABELS, "known-to-neither"])
    assert queries.pool(corpus, trials).count() == 3
    for version, (unused, left) in enumerate([("related", 3), ("body", 0)], start=1):
        retire_label(corpus=corpus, based_on=version, pk=corpus.labels.get(name=unused).pk)
        assert queries.pool(corpus, trials).count() == left


def test_gold_must_tell_the_labels_of_the_corpus(
    corpus: Corpus, trials: Corpus, cast: SimpleNamespace
) -> None:
    corpus.labels.create(name="sidebar", number=9, key=9, position=9)
    assert queries.pool(corpus, trials).count() == 0


def test_an_attempt_is_judged_by_the_version_under_which_it_was_begun(
    corpus: Corpus, trials: Corpus, cast: SimpleNamespace
) -> None:
    ask(corpus, cast.hanne, trials, min_verdicts=0, min_f1=0)
    nell = newcomer(corpus)
    practise(corpus, nell, well=False)
    ask(corpus, cast.hanne, trials, pages=1, max_attempts=1, min_verdicts=1, min_f1=1)
    practise(corpus, nell, well=False)
    progress = queries.progress_of(corpus, nell)
    assert (progress.last.passed, len(progress.last.evaluated_pages)) == (True, 2)


def test_people_are_listed_with_how_they_qualified(
    corpus: Corpus, trials: Corpus, cast: SimpleNamespace, hanne: Client
) -> None:
    ask(corpus, cast.hanne, trials, max_attempts=1)
    nell, olga = newcomer(corpus), newcomer(corpus, "olga")
    for _ in range(2):
        practise(corpus, nell)
        practise(corpus, olga, well=False)
    actions.waive_practice(corpus=corpus, annotator=cast.ben, by=cast.hanne, reason="Wrote the guideline.")
    with pytest.raises(Conflict):
        actions.waive_practice(corpus=corpus, annotator=cast.ben, by=cast.hanne, reason="Again.")
    answer = hanne.get(ADDRESS)
    rows = {row.person.username: row.progress for row in answer.context["rows"]}
    assert set(rows) == {"ada", "ben", "nell", "olga"}
    assert rows["nell"].qualification.basis == "passed"
    assert (rows["olga"].is_out_of_attempts, rows["ada"].is_out_of_attempts) == (True, False)
    html = answer.content.decode()
    assert "Wrote the guideline." in html
    assert html.count("waive/") == 2, "ada and olga"


def test_somebody_of_no_role_here_is_not_waived(
    corpus: Corpus, trials: Corpus, cast: SimpleNamespace, hanne: Client
) -> None:
    address = f"/c/dailies/practice/people/{cast.dov.pk}/waive/"
    assert hanne.post(address, {"reason": "Why not."}).status_code == 404
    with pytest.raises(GoldpanError):
        actions.waive_practice(corpus=corpus, annotator=cast.cleo, by=cast.hanne, reason="Why not.")
    assert create_corpus(slug="empty").qualifications.count() == 0
