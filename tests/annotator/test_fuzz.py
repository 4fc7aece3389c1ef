"""Random requests at every route, by everybody: whatever they send, the answer is no error of ours."""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from http import HTTPMethod
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from django.db import transaction
from django.test import Client

import annotator
from annotator.common.roles import ROUTES
from tests.annotator import test_access as access
from tests.factories import CAST, SignedIn, make_user
from tests.responses import Response

pytestmark = pytest.mark.django_db

everything = access.full

# Names of fields: what stands in quotes where requests are read, and the fields of forms.
_FIELD = re.compile(r'"([a-z_]{1,30})"|^    (\w+) = forms\.', re.MULTILINE)
_READS = re.compile(r"request\.(GET|POST)|json_body|def \w+_from|forms\.Form")
SOURCES = [path.read_text("utf-8") for path in Path(annotator.__file__).parent.rglob("*.py")]
FIELDS = sorted(
    {one or other for text in SOURCES if _READS.search(text) for one, other in _FIELD.findall(text)}
)
DEEP = "[" * 5_000
TEXTS = [
    "",
    "0",
    "1",
    "-1",
    "9" * 19,
    "9" * 400,
    "1e999",
    "nan",
    "on",
    "body",
    "character",
    "article",
    "\0",
    "é\u202e",
]
TEXTS += [
    "\ud800",
    "x" * 5_000,
    "{}",
    "[]",
    "2026-02-30",
    "../../etc",
    "%s%n",
    "<script>",
    "'\"--",
    "goldpan",
]
VALUES = [
    *TEXTS,
    None,
    True,
    0,
    -1,
    2**63,
    2**200,
    1.5,
    [],
    {},
    [[0, 1, "body"]],
    [{"start": 0}],
    {"a": {"b": []}},
]
# What addresses outside a corpus have in place of keys and tokens.
PLACES = {"id": "1", "uuid": "0dbf2a54-3a6c-4d4f-9a5c-6f2d4a1b7c11", "slug": "sso", "str": "MQ"}
IDS = ["0", "-1", "9223372036854775808", "1" * 400, "x", "%00", "%F0%9F%92%A9", "1.5", ""]
TYPES = [
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "text/plain",
    "",
    "a/b; charset=x",
]
HEADERS = {
    "accept": ["application/json", "text/html", "*/*;q=x", "\x7f"],
    "accept-language": ["es", "en-GB;q=2", "zz" * 200],
    "cookie": ["sessionid=x", "django_language=\xff", "a" * 5_000],
    "range": ["bytes=0-", "bytes=9-1"],
    "if-none-match": ['"x"', "W/"],
    "x-requested-with": ["fetch"],
    "x-forwarded-for": ["1.2.3.4, evil", "::ffff:1.2.3.4%eth0", ""],
    "x-goldpan-user": ["x", "\xff"],
    "authorization": ["Bearer \xe9", "Basic eA=="],
    "if-modified-since": ["yesterday"],
    "content-encoding": ["gzip"],
}


@pytest.mark.parametrize("requests", [600, pytest.param(6_000, marks=pytest.mark.long)])
def test_no_request_is_an_error_of_ours(
    everything: access.Keys, shared_cast: SimpleNamespace, signed_in: SignedIn, requests: int
) -> None:
    clients = {role: signed_in(getattr(shared_cast, name)) for name, role in CAST.items()}
    clients["adjudicator"].post("/c/dailies/adjudicate/next/")
    clients |= {"nobody": Client(), "site admin": signed_in(make_user("root", is_superuser=True))}
    known = [*access.addresses(everything), *outside_corpora()]
    assert {name for name, _address in known} == set(ROUTES)
    for client in clients.values():
        client.raise_request_exception = False
    for seed in range(requests):
        dice = Random(seed)
        route, address = dice.choice(known)
        allowed = ROUTES[route]
        roles = allowed & set(clients) if isinstance(allowed, frozenset) else set(clients)
        client = clients[dice.choice(sorted(roles))]
        cookies = deepcopy(client.cookies)
        with transaction.atomic():
            answer = send(client, address, dice)
            transaction.set_rollback(True)
        client.cookies = cookies  # signed in again after signing out
        # There are no workers: /ready/ says so.
        assert answer.status_code < 500 or route == "ready", f"seed {seed}: {answer.request}"


def outside_corpora() -> Iterator[tuple[str, str]]:
    """Name and address of each route that is of no corpus."""
    for name, pattern in access.routes():
        if not isinstance(ROUTES[name], frozenset):
            yield name, re.sub(r"<(\w+):\w+>", lambda part: PLACES[part[1]], pattern)


def send(client: Client, address: str, dice: Random) -> Response:
    if dice.random() < 0.3:
        address = re.sub(r"\d+", lambda _: dice.choice(IDS), address)
    query = form(dice) if dice.random() < 0.5 else {}
    headers = {name: dice.choice(values) for name, values in HEADERS.items() if dice.random() < 0.1}
    method = dice.choice([HTTPMethod.GET, HTTPMethod.POST, HTTPMethod.POST, *HTTPMethod])
    kind = dice.choice([*TYPES, TYPES[0], TYPES[1]])
    if method is HTTPMethod.POST and dice.random() < 0.2:
        return client.post(address, form(dice), query_params=query, headers=headers)
    return client.generic(
        method, address, body(kind, dice), content_type=kind, query_params=query, headers=headers
    )


def form(dice: Random) -> dict[str, str]:
    texts = [text.encode("utf-8", "replace").decode() for text in TEXTS]
    return {name: dice.choice(texts) for name in dice.sample(FIELDS, dice.randint(1, 20))}


def body(kind: str, dice: Random) -> bytes:
    fields = {name: dice.choice(VALUES) for name in dice.sample(FIELDS, dice.randint(0, 20))}
    whole = json.dumps(fields).encode()
    broken = [whole[:-1], DEEP.encode(), b"", b"\xff\xfe\x00", b"a=%ff&b=%00", b"--x\r\n", b"[]"]
    return whole if kind == TYPES[0] and dice.random() < 0.7 else dice.choice(broken)
