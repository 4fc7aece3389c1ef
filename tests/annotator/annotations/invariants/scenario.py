"""Two hundred pages, twelve annotators with two browser windows each, and staff who adjudicate."""

from dataclasses import dataclass
from hashlib import sha256
from http.cookies import SimpleCookie
from typing import Any

from django.db import connection
from django.test import Client

from annotator.annotations.actions import open_round
from annotator.corpora.actions import grant_role
from annotator.corpora.models import Corpus, User
from annotator.pages.models import Page, StoredDocument
from annotator.runs.models import Extraction
from tests.annotator.annotations.invariants.browser_window import BrowserWindow, SignedInClient
from tests.annotator.annotations.invariants.request_log import RequestLog
from tests.factories import MakePage, make_user

PEOPLE, WINDOWS, PAGES = 12, 2, 200
# So many are there at first, for which people jostle, or so many more; the others come while they work.
FEW, MANY = 6, 120
# Two annotators are adjudicators too.
ALSO_ADJUDICATORS = 2

TOKEN = "number 000000"
STORY = f"""<!doctype html><html lang=en><head><title>Story {TOKEN}</title></head><body>
<nav><a href=/>Home</a> <a href=/news>News</a></nav><article><h1>Bridge opens, {TOKEN}</h1>
<p>The council said on Monday that the bridge, closed for most of the year, would open again, {TOKEN}.</p>
<p>It said the work on it had cost more than it had been told when the plan was made, long ago.</p>
<p>People who live near it have been requested to use the other road until then, and buses go round.</p>
</article><footer>Copyright 2026 Daily</footer></body></html>"""


@dataclass
class Scenario:
    corpus: Corpus
    people: list[User]
    adjudicator: User
    admin: User
    cookies: dict[int, SimpleCookie]
    to_come: list[int]

    def windows(self, log: RequestLog) -> list[BrowserWindow]:
        """Two of each annotator's, as after signing in."""
        names = {person.username for person in self.people}
        return [
            BrowserWindow(
                person=person,
                client=SignedInClient(self.corpus.slug, self.client_of(person)),
                log=log,
                others=names - {person.username},
            )
            for person in self.people
            for _ in range(WINDOWS)
        ]

    def client_of(self, person: User) -> Client:
        client = Client(headers={"accept": "application/json"}, raise_request_exception=False)
        client.cookies = SimpleCookie({name: each.value for name, each in self.cookies[person.pk].items()})
        return client


def make_scenario(corpus: Corpus, make_page: MakePage) -> Scenario:
    """Everything made through the app's actions, but for the copies of one page."""
    Corpus.objects.filter(pk=corpus.pk).update(seed=5, audit_share=0.3)
    corpus.refresh_from_db()
    first = make_page(STORY, opened=False, extracted=True)
    pages = [first, *_copies(first, PAGES - 1)]
    for page in pages[:FEW]:
        open_round(page=page)
    people = [make_user(f"reader{number:02}") for number in range(PEOPLE)]
    adjudicator, admin = make_user("cleo"), make_user("hanne")
    roles = [(person, "annotator") for person in people]
    roles += [(person, "adjudicator") for person in (*people[:ALSO_ADJUDICATORS], adjudicator)]
    for person, role in (*roles, (admin, "admin")):
        grant_role(corpus=corpus, user=person, role=role)
    cookies = {person.pk: _signed_in(person) for person in (*people, adjudicator, admin)}
    return Scenario(corpus, people, adjudicator, admin, cookies, [page.pk for page in pages[FEW:]])


def _signed_in(person: User) -> SimpleCookie:
    client = Client()
    client.force_login(person)
    return client.cookies


def _copies(first: Page, count: int) -> list[Page]:
    """Pages like the first, each with a text, a site and a digest of its own."""
    document, extractions = first.documents.get(), list(Extraction.objects.order_by("pk"))
    numbers = range(1, count + 1)
    pages = Page.objects.bulk_create(
        _like(
            first,
            sha256=sha256(str(number).encode()).hexdigest(),
            url=f"https://news{number % 10}.example.com/{number}",
            site=f"news{number % 10}.example.com",
            language=("en", "es")[number % 2],
            document=None,
            cluster=None,
        )
        for number in numbers
    )
    texts = [document.text.replace(TOKEN, f"number {number:06}") for number in numbers]
    documents = StoredDocument.objects.bulk_create(
        _like(document, page=page, text=text, sha256=sha256(text.encode()).hexdigest())
        for page, text in zip(pages, texts, strict=True)
    )
    Extraction.objects.bulk_create(
        _like(extraction, document=made) for made in documents for extraction in extractions
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "update annotator_page p set document_id = d.id from annotator_storeddocument d "
            "where d.page_id = p.id and p.document_id is null"
        )
    return list(Page.objects.filter(pk__in=[page.pk for page in pages]).order_by("pk"))


def _like(row: Any, **changes: object) -> Any:
    """An unsaved copy of a row."""
    held = {field.attname: getattr(row, field.attname) for field in row._meta.fields if field.name != "id"}
    given = {
        row._meta.get_field(name).attname: getattr(value, "pk", value) for name, value in changes.items()
    }
    return type(row)(**{**held, **given})
