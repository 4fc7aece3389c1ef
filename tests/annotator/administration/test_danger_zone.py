"""What an admin rarely does to a corpus: archive and restore it, delete it, take a page down."""

from types import SimpleNamespace

import pytest
from django.core.management import CommandError
from django.test import Client
from django.urls import reverse

from annotator.administration.danger import actions
from annotator.annotations.actions import claim_next
from annotator.common import work
from annotator.common.errors import GoldpanError
from annotator.common.roles import OPEN_IN_ARCHIVE
from annotator.common.work_kinds import WorkControls
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.audit.models import AuditEvent
from annotator.corpora.models import Corpus
from annotator.corpora.terminal import corpus_or_error
from annotator.pages.actions import add_page
from annotator.pages.models import Page
from annotator.releases.actions import request_release
from tests.annotator.releases.made import gold_on
from tests.factories import MakePage, SignedIn, annotate
from tests.responses import Response

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

ARCHIVED = "can be read, not changed"


def confirm(client: Client, corpus: Corpus, what: str, name: str | None = None) -> Response:
    address = reverse(f"corpus-{what}", args=[corpus.slug])
    return client.post(address, {f"{what}-typed_name": corpus.name if name is None else name})


def test_archived_corpus_is_read_by_everybody_and_changed_by_nobody(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client, make_page: MakePage, signed_in: SignedIn
) -> None:
    make_page()
    slot = claim_next(corpus=corpus, annotator=cast.ada)
    make_page()
    assert confirm(hanne, corpus, "archive").status_code == 302
    assert ARCHIVED in hanne.get(reverse("corpus", args=[corpus.slug])).content.decode()
    assert signed_in(cast.ada).get(reverse("annotate", args=[corpus.slug, slot.key])).status_code == 200
    refused = signed_in(cast.ben).post(reverse("next", args=[corpus.slug]))
    assert (refused.status_code, ARCHIVED in refused.content.decode()) == (409, True)
    assert hanne.post(reverse("study", args=[corpus.slug])).status_code == 409
    corpus.refresh_from_db()
    with pytest.raises(GoldpanError, match=ARCHIVED):
        add_page(corpus=corpus, raw=b"<p>late")
    assert hanne.post(reverse("export-request", args=[corpus.slug]), {"format": "jsonl"}).status_code == 302
    assert confirm(hanne, corpus, "restore").status_code == 302
    assert signed_in(cast.ben).post(reverse("next", args=[corpus.slug])).status_code == 302
    done = list(AuditEvent.objects.filter(action__startswith="corpus_").values_list("action", flat=True))
    assert done[:2] == ["corpus_restored", "corpus_archived"]


@pytest.mark.parametrize(
    "control",
    [each for kind in work.work_models() for each in kind.kind.controls],
    ids=lambda each: each.route,
)
def test_what_works_on_an_archived_corpus_can_be_stopped_and_not_begun_again(
    control: WorkControls,
) -> None:
    stops = {"Stop", "Pause", "Cancel"}
    assert (control.route in OPEN_IN_ARCHIVE) == (str(control.title) in stops)


def test_a_release_that_is_being_made_is_stopped_in_the_archive(
    corpus: Corpus, hanne: Client, make_page: MakePage
) -> None:
    gold_on(make_page())
    release = request_release(corpus=corpus)
    assert confirm(hanne, corpus, "archive").status_code == 302
    assert hanne.post(reverse("release-stop", args=[corpus.slug, release.number])).status_code == 302
    release.refresh_from_db()
    assert release.state == "stopped"


@pytest.mark.parametrize("what", ["archive", "delete"])
def test_nothing_is_done_until_the_name_is_typed(corpus: Corpus, hanne: Client, what: str) -> None:
    answer = confirm(hanne, corpus, what, "dailies?")
    assert answer.status_code == 422
    assert "This is not the name of the corpus" in answer.content.decode()
    corpus.refresh_from_db()
    assert (corpus.archived_at, corpus.deleted_at) == (None, None)


def test_empty_corpus_is_deleted_and_its_address_is_free_again(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client
) -> None:
    assert confirm(hanne, corpus, "delete").status_code == 302
    assert hanne.get(reverse("corpus", args=[corpus.slug])).status_code == 404
    again = create_corpus(slug=corpus.slug, creator=cast.dov)
    assert again.pk != corpus.pk
    deleted = AuditEvent.objects.get(action="corpus_deleted")
    assert (deleted.corpus_id, deleted.item, deleted.person) == (corpus.pk, corpus.slug, cast.hanne)
    cast.dov.is_superuser = True
    cast.dov.save()
    root = Client()
    root.force_login(cast.dov)
    assert root.get(reverse("home")).content.decode().count("dailies") >= 1
    assert [each.corpus for each in root.get(reverse("home")).context["my_corpora"]] == [again]


def test_corpus_with_history_is_not_deleted(
    corpus: Corpus, cast: SimpleNamespace, hanne: Client, make_page: MakePage
) -> None:
    page = make_page()
    answer = confirm(hanne, corpus, "delete")
    assert (answer.status_code, "Undo its imports first" in answer.content.decode()) == (409, True)
    annotate(page, cast.ada)
    assert "Somebody has annotated" in confirm(hanne, corpus, "delete").content.decode()
    corpus.refresh_from_db()
    assert corpus.deleted_at is None


def test_page_is_taken_down_by_its_address_once_the_name_is_typed(
    corpus: Corpus, hanne: Client, make_page: MakePage
) -> None:
    page = make_page(url="https://daily.example/bridge")
    address = reverse("take-down", args=[corpus.slug])
    assert page.sha256 in hanne.get(address, {"digest": page.url}).content.decode()
    sent = {"digest": page.sha256, "reason": "a court said so"}
    refused = hanne.post(address, {**sent, "typed_name": "Weeklies"})
    assert (refused.status_code, Page.objects.get(pk=page.pk).url) == (422, page.url)
    assert hanne.post(address, {**sent, "typed_name": corpus.name}).status_code == 302
    assert Page.objects.get(pk=page.pk).url == ""


def test_only_admins_come_here(corpus: Corpus, cast: SimpleNamespace, signed_in: SignedIn) -> None:
    for name in ("ada", "cleo", "rhea"):
        for what in ("archive", "delete"):
            assert confirm(signed_in(getattr(cast, name)), corpus, what).status_code == 403
    grant_role(corpus=corpus, user=cast.dov, role="admin")
    assert confirm(signed_in(cast.dov), corpus, "archive").status_code == 302


def test_a_command_lists_no_deleted_corpus(corpus: Corpus) -> None:
    actions.delete(corpus=create_corpus(slug="weeklies"))
    with pytest.raises(CommandError, match=r"There are: dailies\."):
        corpus_or_error("weeklies")
