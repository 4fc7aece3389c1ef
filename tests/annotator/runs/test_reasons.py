"""Explanations: stored with the extraction in a compact form, and described in words."""

import json
import logging
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import translation

from annotator.common import work
from annotator.pages.models import Page
from annotator.runs import actions, reasons
from annotator.runs.models import Extraction
from extraction.documents.document import Document
from extraction.extractors import BlockReason, Evidence, ExtractorSpec, registry
from extraction.extractors.goldpan.names import KINDS
from extraction.extractors.goldpan.reasons import SENTENCES
from extraction.spans import Span
from tests.factories import MakePage

# A value for everything that sentences want, in more than one.
VALUES = {"words": 84, "linked": 7, "steps": 3, "alike": 12, "names": "section"}


def extraction_of(page: Page, name: str) -> Extraction:
    row = Extraction.objects.create(document=page.documents.get(), extractor=actions.register(name))
    actions.run_extraction(work.claim(Extraction, row.pk))
    row.refresh_from_db()
    return row


# ---- storage ----


@pytest.mark.django_db
def test_reasons_are_stored_with_their_extraction(make_page: MakePage) -> None:
    made = extraction_of(make_page(), "goldpan")
    text = made.document.text
    rows = {text[start:end][:12]: (label, probability) for start, end, label, probability, _ in made.reasons}
    assert rows["Bridge opens"][0] == "headline"
    label, probability = rows["The council "]
    assert label == "body"
    assert probability > 0.5
    starts = {row[0] for row in reasons.labelled(made.reasons)}
    assert {start for start, _end, _label in made.spans} <= starts


@pytest.mark.django_db
def test_reasons_cannot_be_changed(make_page: MakePage) -> None:
    made = extraction_of(make_page(), "goldpan")
    with pytest.raises(IntegrityError, match="history"), transaction.atomic():
        Extraction.objects.filter(pk=made.pk).update(reasons=[])


@pytest.mark.django_db
def test_extractors_that_cannot_explain_have_no_reasons(make_page: MakePage) -> None:
    made = extraction_of(make_page(), "everything")
    assert made.spans
    assert (made.reasons, made.explanation_error) == ([], "")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("raised", "name"), [(ZeroDivisionError, "ZeroDivisionError"), (SystemExit, "ExtractorError")]
)
def test_a_failed_explanation_does_not_affect_the_extraction(
    raised: type[BaseException],
    name: str,
    make_page: MakePage,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def say(document: Document) -> list[Span]:
        return [Span(*document.blocks[0], "body")]

    def stumble(document: Document) -> list[BlockReason]:
        raise raised

    spec = ExtractorSpec("mute", "1", "mute", say, explain=stumble)
    monkeypatch.setitem(registry.REGISTRY, "mute", spec)
    with caplog.at_level(logging.ERROR):
        made = extraction_of(make_page(), "mute")
    assert (made.state, len(made.spans), made.reasons) == ("done", 1, [])
    assert made.explanation_error == name
    assert "mute could not explain its result" in caplog.text


def test_only_blocks_close_to_a_label_are_stored() -> None:
    given = [
        BlockReason(0, 4, None, 0.049, ()),
        BlockReason(4, 9, None, 0.05, (Evidence("alone", {}),)),
        BlockReason(9, 12, "related", 0.001, (Evidence("short", {"words": 2}),)),
    ]
    rows = [[4, 9, None, 0.05, [["alone", {}]]], [9, 12, "related", 0.001, [["short", {"words": 2}]]]]
    assert reasons.to_rows(given) == rows
    assert json.loads(json.dumps(rows)) == rows
    assert reasons.labelled(rows) == rows[1:]


# ---- descriptions ----


def description(label: str | None, probability: float, *found: tuple[str, dict[str, Any]]) -> str:
    ((start, words),) = reasons.descriptions([[3, 9, label, probability, list(found)]])
    assert start == 3
    return words


def test_a_row_is_described_in_english() -> None:
    with translation.override("en"):
        body = description("body", 0.966, ("words", {"words": 84, "linked": 0}), ("in-core", {}))
        assert body == "Body, 97 %: 84 words, 0 % of it in links; stands where most of the running text is"
        assert description("headline", 0.02, ("headline", {})) == "Headline: stands as the headline"
        assert description(None, 0.3, ("short", {"words": 1})) == "No label, 30 % body: only 1 word"
        assert description(None, 0.3) == "No label, 30 % body"
        assert reasons.description_without_row() == "No label, below 5 % body"


def test_a_row_is_described_in_spanish() -> None:
    with translation.override("es"):
        body = description(
            "body", 0.966, ("words", {"words": 1, "linked": 60}), ("called", {"names": "share, media"})
        )
        assert body == "Cuerpo, 97 %: 1 palabra, 60 % en enlaces; se llama compartir, imagen o vídeo"


def test_unknown_findings_are_shown_as_they_are() -> None:
    assert description("Lead", 0.2, ("moon-phase", {"full": True})) == "Lead: moon-phase"


def test_findings_are_described_as_by_goldpan() -> None:
    assert set(reasons.FINDINGS) == set(SENTENCES)
    with translation.override("en"):
        for code, sentence in SENTENCES.items():
            assert (
                description(None, 0.5, (code, VALUES)) == f"No label, 50 % body: {sentence.format(**VALUES)}"
            )


def test_every_finding_is_translated() -> None:
    for code in SENTENCES:
        with translation.override("en"):
            english = description("body", 0.5, (code, VALUES))
        with translation.override("es"):
            spanish = description("body", 0.5, (code, VALUES))
        assert spanish.partition(": ")[2] != english.partition(": ")[2], code


def test_every_kind_of_name_has_a_word() -> None:
    assert set(reasons.KINDS) == set(KINDS)
