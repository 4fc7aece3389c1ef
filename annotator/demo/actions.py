"""The demo corpus: ten pages, some with gold, one on which two annotators disagree."""

import json
import uuid
from datetime import datetime
from pathlib import Path
from typing import Any

from annotator.annotations import actions as annotating
from annotator.annotations.models import Annotation
from annotator.common import storage
from annotator.corpora import actions as corpora
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus, Role, User
from annotator.demo.spans import spans_of
from annotator.home import pending
from annotator.pages.actions import add_page, store_imported_gold
from annotator.pages.models import Page
from annotator.runs.actions import enable_defaults
from annotator.runs.queries import document_of_page
from extraction.documents.document import PARSER_VERSION, Document
from extraction.formats.gold import GoldRecord, to_json
from extraction.spans import LABELS, Span

SLUG = "demo"
PAGES = Path(__file__).parent / "pages"
# The annotators of the disputed page; they cannot sign in.
ANNOTATORS = ("marta", "joon")


def create_demo() -> Corpus:
    """Create the demo corpus and do all its pending work. Resumes after an interruption."""
    corpus = Corpus.objects.filter(slug=SLUG).first() or create_corpus(
        slug=SLUG, name="Demo", languages=["en", "es"]
    )
    enable_defaults(corpus=corpus)
    pages = {record["file"]: _add(corpus, record) for record in _records()}
    pending.run_pending(corpus)
    for record in _records():
        _annotate_or_import(pages[record["file"]], record)
    pending.run_pending(corpus)
    return corpus


def _records() -> list[dict[str, Any]]:
    """Return the manifest, pages without gold first: they are offered to annotators in this order."""
    records: list[dict[str, Any]] = json.loads((PAGES / "pages.json").read_text(encoding="utf-8"))
    return sorted(records, key=lambda record: record["gold"] is not None)


def _add(corpus: Corpus, record: dict[str, Any]) -> Page:
    return add_page(
        corpus=corpus,
        raw=(PAGES / record["file"]).read_bytes(),
        url=record["url"],
        charset=record["charset"],
        captured_at=datetime.fromisoformat(record["captured_at"]),
        language=record["language"],
    ).page


def _annotate_or_import(page: Page, record: dict[str, Any]) -> None:
    if record["gold"] is not None:
        _import_gold(page, record)
    if record.get("two_annotations"):
        for name, passages in zip(ANNOTATORS, record["two_annotations"].values(), strict=True):
            _annotate(page, name, passages)


def _import_gold(page: Page, record: dict[str, Any]) -> None:
    gold = GoldRecord(
        verdict=record["verdict"],
        reason=record["reason"] or "",
        spans=tuple(_spans(page, record["gold"])),
        labels=frozenset(LABELS),
        parser=PARSER_VERSION,
    )
    store_imported_gold(page=page, content=to_json(gold), source="demo")


def _spans(page: Page, passages: list[list[str]]) -> list[Span]:
    document = document_of_page(page.pk)
    parsed = Document.unpack(storage.get(document.packed_sha256)) if document else None
    return spans_of(parsed, [(label, text) for label, text in passages]) if parsed else []


def _annotate(page: Page, name: str, passages: list[list[str]]) -> None:
    annotator = _annotator(page.corpus, name, Role.ANNOTATOR)
    if Annotation.objects.filter(slot__round__page=page, annotator=annotator).exists():
        return
    slot = annotating.claim_on(page=page, annotator=annotator)
    spans = _spans(page, passages)
    annotation = Annotation.objects.select_related("document").get(slot=slot, annotator=annotator)
    text = annotation.document.text
    draft = annotating.Draft(
        document_sha256=annotation.document.sha256,
        based_on=annotation.revision,
        operation=uuid.uuid4(),
        spans=spans,
        quotes=[text[span.start : span.end] for span in spans],
        verdict="article",
    )
    saved = annotating.save(slot=slot, annotator=annotator, draft=draft)
    annotating.submit(slot=slot, annotator=annotator, based_on=saved.number)


def _annotator(corpus: Corpus, name: str, role: str) -> User:
    user, new = User.objects.get_or_create(username=name, defaults={"first_name": name.capitalize()})
    if new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    grant_role(corpus=corpus, user=user, role=role)
    return user


def create_account(corpus: Corpus, *, role: str, name: str, password: str) -> User:
    """Return the account, created if needed, with this role in the corpus. Keeps an existing password."""
    user = User.objects.filter(username__iexact=name).first()
    if user is None:
        user = corpora.create_account(
            username=name,
            full_name=name.capitalize(),
            password=password,
            is_superuser=role == Role.ADMIN,
        )
    grant_role(corpus=corpus, user=user, role=role)
    return user
