"""A corpus is created in the browser, by admins alone."""

from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse

from annotator.corpora.models import Corpus
from annotator.corpora.queries import roles_of
from tests.factories import SignedIn

pytestmark = pytest.mark.django_db

ADDRESS = reverse("new-corpus")
FORM = {
    "name": "Évening papers",
    "languages": ["es"],
    "other_languages": "fi, EL",
    "slots": "3",
    "blind_share": "50",
    "audit_share": "10",
    "extractors": ["trafilatura", "tree-filter"],
}


@pytest.fixture
def hanne(signed_in: SignedIn, cast: SimpleNamespace) -> Client:
    return signed_in(cast.hanne)


def test_form_creates_a_corpus_with_its_settings(hanne: Client, cast: SimpleNamespace) -> None:
    answer = hanne.post(ADDRESS, FORM)
    corpus = Corpus.objects.get(slug="evening-papers")
    assert answer.url == reverse("corpus", args=["evening-papers"])
    design = corpus.designs.get()
    assert (corpus.name, corpus.languages) == ("Évening papers", ["es", "fi", "el"])
    assert (design.slots, design.blind_share, corpus.audit_share) == (3, 0.5, 0.1)
    assert {each.extractor.name for each in corpus.enabled.all()} == {"trafilatura", "tree-filter"}
    assert roles_of(cast.hanne, corpus) == {"admin"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "夕刊"}, "Enter an address in Latin letters."),
        ({"slug": "two words"}, "A corpus slug may contain only letters"),
        ({"slug": "dailies"}, "A corpus “dailies” already exists."),
        ({"other_languages": "english"}, "not a two-letter language code"),
        ({"blind_share": "5"}, "greater than or equal to 20"),
        ({"extractors": ["unheard-of"]}, "unheard-of is not one of the available choices"),
    ],
)
def test_wrong_form_is_refused_with_the_reason(
    hanne: Client, change: dict[str, object], message: str
) -> None:
    answer = hanne.post(ADDRESS, FORM | change)
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert Corpus.objects.count() == 1


def test_only_admins_of_a_corpus_or_of_the_site_may_create_one(
    signed_in: SignedIn, cast: SimpleNamespace
) -> None:
    for user in (cast.ada, cast.cleo, cast.rhea, cast.dov):
        client = signed_in(user)
        assert client.get(ADDRESS).status_code == 403
        assert client.post(ADDRESS, FORM).status_code == 403
        assert ADDRESS not in client.get(reverse("home")).content.decode()
    cast.dov.is_superuser = True
    cast.dov.save()
    assert ADDRESS in signed_in(cast.dov).get(reverse("home")).content.decode()
    assert signed_in(cast.dov).post(ADDRESS, FORM).status_code == 302
