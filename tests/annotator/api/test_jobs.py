"""Exports that a program asks for: with what it wants along, for admins of the corpus alone."""

from types import SimpleNamespace

import pytest

from annotator.corpora.audit.models import AuditAction, AuditEvent
from annotator.corpora.models import Corpus
from annotator.home.actions import create_corpus
from annotator.pages.imports.actions import cancel_import, import_addresses
from annotator.releases.exports.models import Export
from tests.annotator.api.client import Api

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shared_cast")]


@pytest.mark.parametrize(
    ("asked", "pages", "annotations", "outputs"),
    [
        ({"annotations": True}, True, True, False),
        ({"pages": False, "outputs": True}, False, False, True),
    ],
)
def test_an_export_takes_along_what_is_asked_for(
    corpus: Corpus,
    cast: SimpleNamespace,
    asked: dict[str, bool],
    pages: bool,
    annotations: bool,
    outputs: bool,
) -> None:
    answer = Api(cast.hanne).post("/corpora/dailies/exports", {"format": "jsonl", **asked})
    export = Export.objects.get(pk=answer.json()["id"])
    along = (export.with_pages, export.with_annotations, export.with_outputs)
    assert along == (pages, annotations, outputs)
    recorded = AuditEvent.objects.get(action=AuditAction.EXPORT_REQUESTED).changes
    assert {name for name in ("annotations", "outputs") if recorded.get(name)} == {
        name for name, goes in (("annotations", annotations), ("outputs", outputs)) if goes
    }


def test_an_export_is_there_for_admins_of_its_corpus(corpus: Corpus, cast: SimpleNamespace) -> None:
    api = Api(cast.hanne)
    create_corpus(slug="weeklies", creator=cast.hanne)
    key = api.post("/corpora/dailies/exports", {"format": "jsonl"}).json()["id"]
    for person in (cast.rhea, cast.cleo, cast.ada):
        assert Api(person).post("/corpora/dailies/exports", {"format": "jsonl"}).status_code == 403
        assert Api(person).get(f"/corpora/dailies/exports/{key}").status_code == 403
    assert api.get(f"/corpora/dailies/exports/{key}").status_code == 200
    for path in (f"exports/{key}", f"exports/{key}/file"):
        assert api.get(f"/corpora/weeklies/{path}").status_code == 404
    assert api.post(f"/corpora/weeklies/exports/{key}/stop").status_code == 404


def test_a_stopped_export_is_stopped_wherever_it_is_listed(corpus: Corpus, cast: SimpleNamespace) -> None:
    api = Api(cast.hanne)
    key = api.post("/corpora/dailies/exports", {"format": "jsonl"}).json()["id"]
    assert api.post(f"/corpora/dailies/exports/{key}/stop").json()["state"] == "stopped"
    assert api.get(f"/corpora/dailies/exports/{key}").json()["state"] == "stopped"
    assert [each["state"] for each in api.get("/corpora/dailies/jobs").json()["past"]] == ["stopped"]


def test_what_is_no_json_object_is_refused_as_that(corpus: Corpus, cast: SimpleNamespace) -> None:
    """`[]` would be a release without a note otherwise: it has none, as has an empty object."""
    api, path = Api(cast.hanne), "/corpora/dailies/releases"
    refused = [api.post(path, body) for body in ("[]", '"what is new"', "null", "{note: new}")]
    refused.append(api.send(path, note="what is new"))
    assert [answer.status_code for answer in refused] == [400] * 5
    no_object, no_json = "The request must be a JSON object.", "The request is not JSON: Expecting property"
    for answer, why in zip(refused, [no_object] * 3 + [no_json, no_object], strict=True):
        assert answer.json()["detail"].startswith(why)


def test_a_release_needs_no_body(corpus: Corpus, cast: SimpleNamespace) -> None:
    assert "no gold" in Api(cast.hanne).post("/corpora/dailies/releases", b"").json()["detail"]


def test_an_import_that_waits_for_a_decision_is_open(corpus: Corpus, cast: SimpleNamespace) -> None:
    run = import_addresses(
        corpus=corpus, text="https://gazette.example/1", user=cast.hanne, with_assets=False
    )
    jobs = Api(cast.hanne).get("/corpora/dailies/jobs").json()
    assert jobs["past"] == []
    (job,) = jobs["open"]
    assert (job["state"], job["label"]) == ("waiting", "https://gazette.example/1")
    cancel_import(run=run)
    (job,) = Api(cast.hanne).get("/corpora/dailies/jobs").json()["past"]
    assert job["requested_at"] <= job["finished_at"]
