"""Things that tests need made, through the same actions that the app uses."""

import uuid
from collections.abc import Callable, Iterable
from functools import partial
from itertools import count
from types import SimpleNamespace
from typing import Any

from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from annotator.annotations import actions as annotating
from annotator.annotations.models import Annotation, Slot
from annotator.annotations.study import actions as study
from annotator.annotations.study.models import StudyDesign
from annotator.common import work
from annotator.corpora.actions import create_corpus, grant_role
from annotator.corpora.models import Corpus, User
from annotator.pages.actions import add_page, build_document
from annotator.pages.models import Page
from annotator.runs.actions import (
    DEFAULT_EXTRACTORS,
    document_reader,
    enable,
    request_extractions,
    run_extraction,
)
from annotator.runs.models import Extraction
from annotator.runs.queries import enabled_in, extractions_to_run
from extraction.sandbox import Parser
from extraction.spans import Span

PASSWORD = "correct horse battery"

MakePage = Callable[..., Page]
SignedIn = Callable[[User], Client]

_numbers = count(1)

ARTICLE = """<!doctype html><html lang=en><head><title>Bridge opens</title></head><body>
<nav><a href=/>Home</a> <a href=/news>News</a></nav>
<article><h1>Bridge opens</h1>
<p>The council said on Monday that the bridge, closed for most of the year, would open again.</p>
<p>It said the work on it had cost more than it had been told when the plan was made, number {number}.</p>
<p>People who live near it have been asked to use the other road until then, and buses will go round.</p>
</article><footer>Copyright 2026 Daily</footer></body></html>"""


CAST = {
    "ada": "annotator",
    "ben": "annotator",
    "cleo": "adjudicator",
    "rhea": "researcher",
    "hanne": "admin",
}


def make_corpus() -> Corpus:
    """The corpus "dailies", with the extractors that are enabled by default."""
    made = create_corpus(slug="dailies", name="Dailies", languages=["en", "es"])
    for name in DEFAULT_EXTRACTORS:
        enable(corpus=made, name=name)
    return made


def make_cast(corpus: Corpus) -> SimpleNamespace:
    """Everybody, by first name; dov has an account and no role."""
    people = {name: make_user(name) for name in (*CAST, "dov")}
    for name, role in CAST.items():
        grant_role(corpus=corpus, user=people[name], role=role)
    return SimpleNamespace(**people)


def make_user(name: str, *, password: str = "", **fields: object) -> User:
    """A person; without a password, as hashing one takes a while, unless they are to sign in with it."""
    user = User(**{"username": name, "first_name": name.capitalize(), **fields})
    user.set_password(password) if password else user.set_unusable_password()
    user.save()
    return user


def label_block(block: tuple[int, int], label: str = "body") -> Span:
    """The whole of a block, as a stored document has it."""
    start, end = block
    return Span(start, end, label)


def password_link(user: User) -> str:
    """The address at which this person may set a new password, once."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("password-link", args=[uid, default_token_generator.make_token(user)])


def page_maker(corpus: Corpus, parser: Parser) -> MakePage:
    def make(html: str | bytes = "", *, url: str = "", opened: bool = True, extracted: bool = False) -> Page:
        number = next(_numbers)
        given = html or ARTICLE.format(number=number)
        raw = given.encode() if isinstance(given, str) else given
        page = add_page(corpus=corpus, raw=raw, url=url or f"https://news{number}.example.com/bridge").page
        claimed = work.claim(Page, page.pk)
        assert claimed
        document = build_document(claimed, parser)
        assert document, claimed.error
        if extracted:
            extract_all(page)
        if opened:
            annotating.open_round(page=page)
        page.refresh_from_db()
        return page

    return make


def extract_all(page: Page) -> list[Extraction]:
    """Every enabled extractor, run on the page's newest document as a worker does."""
    document = page.documents.latest("made_at")
    wanted = {row.pk for row in request_extractions(document=document, enabled=enabled_in(page.corpus_id))}
    run = partial(run_extraction, read=document_reader())
    attempted = work.attempt_each(extractions_to_run(wanted), run)
    assert {row.pk for row, is_made in attempted if is_made} == wanted
    return list(document.extractions.all())


def draft(slot: Slot, annotator: User, spans: Iterable[Span] = (), **changes: Any) -> annotating.Draft:
    """A save that builds on the newest revision, with true quotes; `changes` override any field."""
    opened = Annotation.objects.filter(slot=slot, annotator=annotator).select_related("document")
    annotation = opened.first() or annotating.open_slot(slot=slot, annotator=annotator)
    assert annotation
    spans = list(spans)
    fields: dict[str, Any] = {
        "document_sha256": annotation.document.sha256,
        "based_on": annotation.revision,
        "operation": uuid.uuid4(),
        "spans": spans,
        "quotes": [annotation.document.text[span.start : span.end] for span in spans],
        "verdict": "article",
    }
    return annotating.Draft(**{**fields, **changes})


def save_body(sent: annotating.Draft, **changes: object) -> dict[str, object]:
    """Such a save as the workbench sends it; `changes` override any field."""
    body = {
        "document": sent.document_sha256,
        "based_on": sent.based_on,
        "operation": str(sent.operation),
        "spans": [
            {"start": span.start, "end": span.end, "label": span.label, "text": quote}
            for span, quote in zip(sent.spans, sent.quotes, strict=True)
        ],
        "verdict": sent.verdict,
    }
    return {**body, **changes}


def submit_by_http(client: Client, address: str, person: User) -> str | None:
    """Save and submit the page at the address, as the workbench does; the address of the next one."""
    slot = Slot.objects.get(key=address.rstrip("/").rpartition("/")[2])
    body = save_body(draft(slot, person, verdict="cannot_tell"))
    saved = client.post(f"{address}save/", body, content_type="application/json")
    assert saved.status_code == 200, saved.content
    submitted = client.post(f"{address}submit/", {"based_on": 1}, content_type="application/json")
    assert submitted.status_code == 200, submitted.content
    following: str | None = submitted.json()["next"]
    return following


def annotate(page: Page, annotator: User, spans: Iterable[Span] = (), **changes: object) -> Annotation:
    """Claim a slot of this page, save and submit."""
    slot = annotating.claim_on(page=page, annotator=annotator)
    annotating.save(slot=slot, annotator=annotator, draft=draft(slot, annotator, spans, **changes))
    annotation = Annotation.objects.get(slot=slot, annotator=annotator)
    return annotating.submit(slot=slot, annotator=annotator, based_on=annotation.revision)


def change_design(corpus: Corpus, **settings: Any) -> StudyDesign:
    """The next study design of the corpus."""
    with transaction.atomic():
        stands = study.current_design(corpus=Corpus.objects.select_for_update().get(pk=corpus.pk))
    return study.change_design(corpus=corpus, made_by=None, based_on=stands.number, **settings)


def span_of(page: Page, quote: str, label: str) -> Span:
    """The span of the first passage where the document says this."""
    start = page.documents.latest("made_at").text.index(quote)
    return Span(start, start + len(quote), label)
