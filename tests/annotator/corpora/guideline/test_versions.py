"""Versions of the guideline: made once, never changed, and never moved under a page that is open."""

from types import SimpleNamespace

import pytest
from django.db import IntegrityError, connection, transaction

from annotator.annotations.models import Annotation
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.actions import create_corpus
from annotator.corpora.guideline.actions import check_texts, write_version
from annotator.corpora.guideline.examples import addresses, default_texts, examples, parse
from annotator.corpora.guideline.text import GuidelineError, read
from annotator.corpora.models import Corpus, Guideline, User
from extraction.spans import LABELS
from tests.factories import MakePage, SignedIn

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]

SHORT = "## 1 One\n\n1.1 Mark it. {body}\n"


def write(corpus: Corpus, admin: User, text: str = SHORT, *, based_on: int = 1) -> Guideline:
    return write_version(corpus=corpus, texts={"en": text}, note="why", made_by=admin, based_on=based_on)


def test_a_corpus_begins_with_ours(corpus: Corpus) -> None:
    first = corpus.guidelines.get()
    assert (first.number, first.texts, first.made_by) == (1, default_texts(), None)
    assert corpus.guideline_version == 1


def test_a_new_version_stands_and_the_old_one_stays(corpus: Corpus, cast: SimpleNamespace) -> None:
    made = write(corpus, cast.hanne)
    corpus.refresh_from_db()
    assert (made.number, corpus.guideline_version, made.note) == (2, 2, "why")
    assert corpus.guidelines.get(number=1).texts == default_texts()


def test_a_page_keeps_the_version_under_which_it_was_opened(
    corpus: Corpus, cast: SimpleNamespace, make_page: MakePage, signed_in: SignedIn
) -> None:
    make_page()

    def opened_by(person: User) -> str:
        answer = signed_in(person).post("/c/dailies/next/", headers={"accept": "text/html"}, follow=True)
        return " ".join(answer.content.decode().split())

    assert "Guideline 1 " in opened_by(cast.ada)
    write(corpus, cast.hanne)
    assert "Guideline 2 " in opened_by(cast.ben)
    again = opened_by(cast.ada)
    assert "Guideline 1 " in again
    assert "Version 2 is current; this page keeps the version it was opened with." in again
    versions = Annotation.objects.order_by("guideline_version").values_list("guideline_version", flat=True)
    assert list(versions) == [1, 2]


def test_a_version_is_not_written_over_another(corpus: Corpus, cast: SimpleNamespace) -> None:
    write(corpus, cast.hanne)
    with pytest.raises(Conflict, match="Version 2 was published meanwhile"):
        write(corpus, cast.hanne, based_on=1)
    with pytest.raises(GoldpanError, match="Nothing has changed since version 2"):
        write(corpus, cast.hanne, SHORT.replace("\n", "\r\n"), based_on=2)
    assert corpus.guidelines.count() == 2


@pytest.mark.parametrize(
    "texts", [{}, {"en": " \n"}, {"en": "no clause"}, {"en": SHORT, "es": "## 1 Uno\n\n1.2 No."}]
)
def test_what_is_no_guideline_is_not_kept(
    corpus: Corpus, cast: SimpleNamespace, texts: dict[str, str]
) -> None:
    with pytest.raises(GuidelineError):
        write_version(corpus=corpus, texts=texts, note="", made_by=cast.hanne, based_on=1)
    assert corpus.guidelines.count() == 1


def test_the_database_keeps_versions_as_they_are(corpus: Corpus) -> None:
    row = Guideline.objects.filter(corpus=corpus)
    for change in (lambda: row.update(note="other"), lambda: row._raw_delete(row.db)):
        with pytest.raises(IntegrityError, match="history is not rewritten"), transaction.atomic():
            change()


def test_a_corpus_names_a_version_of_its_own(corpus: Corpus) -> None:
    with transaction.atomic():
        Corpus.objects.filter(pk=corpus.pk).update(guideline_version=7)
        with pytest.raises(IntegrityError, match="current guideline of a corpus"):
            connection.check_constraints()
        transaction.set_rollback(True)
    other = create_corpus(slug="weeklies")
    assert other.guidelines.get().corpus == other


# ---- the text that we ship ----


def test_our_guideline_is_sound_in_both_languages(corpus: Corpus) -> None:
    assert set(default_texts()) == {"en", "es"}
    check_texts(corpus=corpus, texts=default_texts())


def test_every_label_has_rules_and_every_clause_an_example() -> None:
    for language, markdown in default_texts().items():
        text = read(markdown)
        assert all(text.about(label) for label in (*LABELS, "none", "verdict")), language
        assert [clause.number for clause in text.clauses if len(clause.examples) != 1] == []
        assert [clause.number for clause in text.clauses if not clause.labels] == []


def test_examples_are_the_same_pages_in_both_languages() -> None:
    english, spanish = examples("en"), examples("es")
    assert english.keys() == spanish.keys()
    for name, page in english.items():
        shape = [(block.look, block.anchor, [piece.label for piece in block.pieces]) for block in page.blocks]
        other = spanish[name]
        assert shape == [
            (block.look, block.anchor, [piece.label for piece in block.pieces]) for block in other.blocks
        ], name
        assert (page.verdict, page.reason) == (other.verdict, other.reason), name


def test_examples_use_our_labels_and_each_page_is_linked_to() -> None:
    used = {
        piece.label for page in examples("en").values() for block in page.blocks for piece in block.pieces
    }
    assert used == {*LABELS, ""}
    linked = {page for clause in read(default_texts()["en"]).clauses for page in clause.examples}
    assert linked <= addresses()
    assert {page.partition("#")[0] for page in linked} == set(examples("en"))


@pytest.mark.parametrize("line", ["unknown | body: x", "text", "text | x", "text | : x"])
def test_a_line_that_is_no_block_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"not a block|without label"):
        parse("page", "en", f"Title\narticle\n---\n{line}\n")
