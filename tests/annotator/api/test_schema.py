"""Requests drawn from the description of the API, by everybody: no error of ours, and nothing leaks.

What leaks is known by itself: each corpus has words that stand in its pages, marks and names alone.
"""

from collections.abc import Callable, Iterator
from http import HTTPStatus
from itertools import count, product
from types import SimpleNamespace
from typing import Any

import pytest
import requests
import schemathesis
from django.db import transaction
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from annotator.api import pages as api_pages
from annotator.api.urls import schema
from annotator.common.roles import OPERATIONS, ROUTES, Scope
from annotator.corpora.actions import grant_role
from annotator.corpora.models import Corpus
from annotator.home.actions import create_corpus
from annotator.pages.models import Page
from extraction.sandbox import Parser
from tests.annotator import test_access as access
from tests.annotator.api.client import Api
from tests.annotator.gold.test_adjudication import finalise, paragraph
from tests.factories import CAST, MakePage, annotate, make_user, page_maker

pytestmark = pytest.mark.django_db

full = access.full

# A word of every page of a corpus, in its text and in its address.
WORDS = {"dailies": "daily-ink", "weeklies": "weekly-ink"}
HTML = """<!doctype html><html lang=en><title>{word} news</title><h1>Bridge opens</h1>
<p>The council said on Monday that the bridge, closed for most of the year, would open again, {word} {n}."""
# Who may see what is in a corpus.
READERS = {"dailies": ("rhea", "hanne", "root"), "weeklies": ("otto", "root")}
# Whoever may read comes first: what an answer leaves in a cache is there for those who may not.
EVERYBODY = ("root", "hanne", "rhea", "otto", "ada", "cleo", "dov", "")


class World(SimpleNamespace):
    apis: dict[str, Api]
    # Values that addresses can have, by the name of their parameter.
    keys: dict[str, list[Any]]
    # The corpus of such a value; the others are of "dailies".
    owner: dict[Any, str]
    extractor: int
    # Operations that somebody could use.
    answered: set[str]


@pytest.fixture(scope="module")
def world(
    full: access.Keys,
    shared_corpus: Corpus,
    shared_cast: SimpleNamespace,
    make_shared_page: MakePage,
    parser: Parser,
) -> World:
    """Two corpora with pages and gold of their own, and everybody's token."""
    shared_cast.root = make_user("root", is_superuser=True)
    shared_cast.otto = make_user("otto")
    other = create_corpus(slug="weeklies", creator=shared_cast.otto)
    for name in ("una", "vic"):
        setattr(shared_cast, name, make_user(name))
        grant_role(corpus=other, user=getattr(shared_cast, name), role="annotator")
    with_word(make_shared_page, "dailies", shared_cast.ada, shared_cast.ben)
    with_word(page_maker(other, parser), "weeklies", shared_cast.una, shared_cast.vic)
    with_words = Page.objects.filter(url__contains="-ink.example")
    keys: dict[str, list[Any]] = {
        "slug": [*WORDS],
        "sha256": [*with_words.order_by("pk").values_list("sha256", flat=True)],
    }
    owner = dict(with_words.values_list("sha256", "corpus__slug"))
    keys |= {"run": [full["run"]], "imported": [full["import"]], "export": [full["export"]], "number": [1]}
    keys["webhook"] = [full["webhook"]]
    apis = {name: Api(getattr(shared_cast, name)) if name else Api() for name in EVERYBODY}
    for api in apis.values():
        api.client.raise_request_exception = False
    return World(apis=apis, keys=keys, owner=owner, extractor=full["extractor"], answered=set())


def with_word(make_page: MakePage, slug: str, *annotators: Any) -> None:
    word = WORDS[slug]
    page = make_page(HTML.format(word=word, n=1), url=f"https://{word}.example/1")
    for person in annotators:
        annotate(page, person, [paragraph(page, "The council said", "body")], note=word)
    finalise(page)


@pytest.fixture(autouse=True)
def without_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.conf.settings.API_REQUESTS_PER_MINUTE", 10**6)
    monkeypatch.setattr("annotator.api.limits.MAX_FAILURES", 10**6)


@pytest.mark.parametrize("times", [1, pytest.param(30, marks=pytest.mark.long)])
def test_whatever_is_asked_there_is_no_error_of_ours_and_no_leak(world: World, times: int) -> None:
    assert not [*found_by_asking(world, times=times)]
    reading = {name for name in OPERATIONS if name.startswith(("get-", "list-"))}
    assert not reading - world.answered, "nobody could read these, so nothing of them was tried"


def found_by_asking(world: World, *, times: int, only: str = "") -> Iterator[str]:
    """What was wrong with answers: five requests to each operation, drawn so often and sent by everybody."""
    described = schemathesis.openapi.from_dict(schema())
    for result in described.get_all_operations():
        declared: Any = result.ok()  # type: ignore[union-attr]  # ours is a valid schema
        name = declared.definition.raw["operationId"]
        if not only or name == only:
            yield from ask_at_random(world, declared.as_strategy(), name, times)


def ask_at_random(world: World, cases: st.SearchStrategy[Any], name: str, times: int) -> list[str]:
    """Of five requests four have keys that are there, in all combinations in turn, and three no query.

    A request that was drawn before is not sent again: nothing that it could change is left of it.
    """
    found: list[str] = []
    turn = count()
    drawn: set[tuple[Any, ...]] = set()

    @examples(
        max_examples=times * 5,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(case=cases)
    def ask(case: Any) -> None:
        number = next(turn)
        if number % 5 in (1, 2, 3):
            case.query = {"extractor": world.extractor} if name == "list-scores" else {}
        if number % 5:
            names = sorted(case.path_parameters)
            combinations = [*product(*(world.keys[name] for name in names))]
            chosen = combinations[number % len(combinations)]
            case.path_parameters = dict(zip(names, chosen, strict=True))
        request = prepared(case)
        if request in drawn:
            return
        drawn.add(request)
        for who in world.apis:
            with transaction.atomic():
                wrong = wrong_with(world, case, request, name, who)
                found.extend(f"{who or 'a stranger'}: {name}: {what}" for what in wrong)
                transaction.set_rollback(True)

    ask()
    return found


def wrong_with(world: World, case: Any, request: tuple[Any, ...], name: str, who: str) -> Iterator[str]:
    answer: Any = world.apis[who].client.generic(*request)
    body = b"".join(answer) if answer.streaming else answer.content
    if answer.status_code < 400:
        world.answered.add(name)
    if answer.status_code >= 500:
        yield f"{answer.status_code} for {case.as_curl_command()}"
    if answer.status_code >= 400 and answer["Content-Type"] != "application/problem+json":
        yield f"{answer.status_code} as {answer['Content-Type']}"
    for slug, word in WORDS.items():
        if who not in READERS[slug] and word.encode() in body:
            yield f"shows what is in {slug}"
    if who not in READERS["dailies"] and any(secret.encode() in body for secret in access.SECRETS):
        yield "shows what somebody noted"
    slug = case.path_parameters.get("slug")
    if answer.status_code < 400 and not may(who, slug, name):
        yield f"answers {answer.status_code}"
    keys = {value for parameter, value in case.path_parameters.items() if parameter != "slug"}
    if answer.status_code < 400 and any(world.owner.get(key, "dailies") != slug for key in keys):
        yield f"finds {keys} in {slug}"


def may(who: str, slug: str | None, name: str) -> bool:
    """Whether the table lets the person in: by roles, as the people of the tests hold them."""
    wanted = ROUTES[OPERATIONS[name].like]
    if not isinstance(wanted, frozenset):
        return bool(who)
    role = {"dailies": CAST.get(who), "weeklies": "admin" if who == "otto" else None}.get(slug)
    return ("admin" if who == "root" else role) in wanted


def prepared(case: Any) -> tuple[Any, ...]:
    """Method, path, body and type of a drawn request, as a program would send it."""
    made = requests.Request(**case.as_transport_kwargs(base_url="http://testserver")).prepare()
    body = made.body or b""
    return (
        made.method,
        made.path_url,
        body.encode() if isinstance(body, str) else body,
        str(made.headers.get("Content-Type", "application/json")),
    )


# ---- leaks that are planted ----


def open_to_members(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OPERATIONS, "list-pages", OPERATIONS["list-pages"]._replace(like="guideline"))


def without_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        api_pages,
        "page_or_404",
        lambda corpus, sha256: Page.objects.select_related("document").get(sha256=sha256),
    )


def without_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise ValueError(HTTPStatus.IM_A_TEAPOT)

    monkeypatch.setattr(api_pages, "page_or_404", fail)


@pytest.mark.parametrize(
    ("plant", "operation"),
    [(open_to_members, "list-pages"), (without_corpus, "get-page-text"), (without_problem, "get-page-text")],
)
def test_a_planted_leak_is_found(
    world: World, monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None], operation: str
) -> None:
    plant(monkeypatch)
    assert [*found_by_asking(world, times=1, only=operation)]


# ---- the tables ----


def test_every_operation_has_its_row_and_its_guard() -> None:
    declared = {
        operation["operationId"]: operation
        for path in schema()["paths"].values()
        for operation in path.values()
    }
    assert set(declared) == set(OPERATIONS)
    assert all(operation["security"] == [{"Guard": []}] for operation in declared.values())
    assert all(row.like in ROUTES and row.scope in Scope for row in OPERATIONS.values())


def test_what_is_sent_and_answered_is_described_as_it_is() -> None:
    paths = schema()["paths"]
    release = "/api/v1/corpora/{slug}/releases"
    assert not paths[release]["post"]["requestBody"].get("required")
    answer = paths[f"{release}/{{number}}/manifest"]["get"]["responses"]["200"]
    assert answer["content"]["application/json"]["schema"] == {"type": "object"}
