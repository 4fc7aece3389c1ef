"""A corpus is created in the browser, by admins alone."""

from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse

from annotator.corpora.actions import create_corpus
from annotator.corpora.models import Corpus
from annotator.corpora.queries import roles_of
from tests.factories import SignedIn

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

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


def test_form_creates_a_corpus_with_its_settings(hanne: Client, cast: SimpleNamespace) -> None:
    answer = hanne.post(ADDRESS, FORM)
    corpus = Corpus.objects.get(slug="evening-papers")
    assert answer.headers["Location"] == reverse("corpus", args=["evening-papers"])
    design = corpus.designs.get()
    assert (corpus.name, corpus.languages) == ("Évening papers", ["es", "fi", "el"])
    assert (design.slots, design.blind_share, corpus.audit_share) == (3, 0.5, 0.1)
    assert {each.extractor.name for each in corpus.enabled.all()} == {"trafilatura", "tree-filter"}
    assert roles_of(cast.hanne, corpus) == {"admin"}


def test_languages_are_in_the_order_of_the_alphabet(hanne: Client) -> None:
    form = hanne.get(ADDRESS, headers={"Accept-Language": "es"}).context["form"]
    codes = [code for code, _name in form.fields["languages"].choices]
    # Alemán, Árabe, Español.
    assert codes.index("de") < codes.index("ar") < codes.index("es")


def test_address_of_a_long_name_is_its_beginning(hanne: Client, cast: SimpleNamespace) -> None:
    answer = hanne.post(ADDRESS, FORM | {"name": "The evening papers " * 5})
    (slug,) = Corpus.objects.filter(name__startswith="The evening").values_list("slug", flat=True)
    assert slug == "the-evening-papers-the-evening-papers-the-evening"
    assert answer.headers["Location"] == reverse("corpus", args=[slug])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "夕刊"}, "Enter an address in Latin letters."),
        ({"slug": "two words"}, "The address of a corpus (its slug) may contain only letters"),
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


@pytest.mark.parametrize(
    ("chosen", "own", "labels"),
    [
        ("body", "", [("body", "Body", 1, 2)]),
        (
            "talk",
            "",
            [("headline", "Headline", 1, 1), ("body", "Body", 2, 2), ("comments", "Comments", 3, 4)],
        ),
        (
            "own",
            "Tags, body,Date line",
            [("tags", "Tags", 1, 1), ("body", "Body", 2, 2), ("date-line", "Date line", 3, 3)],
        ),
    ],
)
def test_labels_are_chosen_or_of_ones_own(hanne: Client, chosen: str, own: str, labels: list[object]) -> None:
    assert hanne.post(ADDRESS, FORM | {"label_choice": chosen, "own_labels": own}).status_code == 302
    found = Corpus.objects.get(slug="evening-papers").labels.all()
    assert [(each.name, str(each), each.key, each.number) for each in found] == labels


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ("", "Enter at least one label"),
        ("Tags, tags", "Two labels cannot have the same name"),
        (",".join("abcdefghij"), "from 1 to 9 labels"),
    ],
)
def test_labels_that_cannot_be_are_refused(hanne: Client, own: str, message: str) -> None:
    answer = hanne.post(ADDRESS, FORM | {"label_choice": "own", "own_labels": own})
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert not Corpus.objects.filter(slug="evening-papers").exists()


def test_guideline_is_the_default_one_blank_or_a_copy(
    hanne: Client, cast: SimpleNamespace, corpus: Corpus
) -> None:
    def first(**more: object) -> dict[str, str]:
        hanne.post(ADDRESS, FORM | more)
        texts: dict[str, str] = Corpus.objects.get(slug=more["slug"]).guidelines.get().texts
        return texts

    default = corpus.guidelines.get().texts
    assert first(slug="one", guideline="default") == default
    assert first(slug="two", guideline=f"corpus-{corpus.pk}") == default
    blank = first(slug="three", guideline="blank", label_choice="own", own_labels="Tags")
    assert "1.1 Write here which text is marked as Tags, and which is not. {tags}" in blank["en"]
    other = create_corpus(slug="secret", creator=cast.dov)
    assert hanne.post(ADDRESS, FORM | {"guideline": f"corpus-{other.pk}"}).status_code == 422
