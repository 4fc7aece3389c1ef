"""Whose token it is, and corpora."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import Field

from annotator.api.fields import Language, RequestFields, Text
from annotator.api.routing import operation
from annotator.corpora.access import CorpusAccess, CorpusRequest, UserRequest
from annotator.corpora.queries import labels_of
from annotator.home.actions import create_corpus
from annotator.home.counts import counts_of, progress
from annotator.runs.actions import DEFAULT_EXTRACTORS
from extraction.spans import LABELS

router = Router(tags=["corpora"])


class Account(Schema):
    username: str
    name: str
    scopes: list[str]
    expires_at: datetime


class OwnCorpus(Schema):
    """A corpus in which the token's person has a role."""

    slug: str
    name: str
    roles: list[str]
    is_archived: bool


class LabelOfCorpus(Schema):
    name: str
    title: str
    is_retired: bool


class CorpusDetail(OwnCorpus):
    languages: list[str]
    labels: list[LabelOfCorpus]
    pages: dict[str, int] = Field(description="How many pages are in each state")
    guideline_version: int
    created_at: datetime


class NewCorpus(RequestFields):
    """What a new corpus begins with."""

    slug: Text = Field(max_length=50)
    name: Text = Field("", max_length=200)
    languages: list[Language] = Field([], max_length=50)
    slots: int = Field(2, ge=1, le=5, description="Annotators per page")
    blind_share: float = Field(0.2, ge=0.2, le=1)
    audit_share: float = Field(0, ge=0, le=1)
    labels: list[Text] = Field(
        list(LABELS), description="Names of standard labels, or titles of its own", max_length=9
    )
    extractors: list[Text] = Field(list(DEFAULT_EXTRACTORS), max_length=50)


@operation(router, "GET", "/account", "get-account", response=Account)
def get_account(request: HttpRequest) -> dict[str, Any]:
    """Whose token this is, and what it may do."""
    token = request.api_token  # type: ignore[attr-defined]  # set by the guard
    user = token.user
    return {
        "username": user.username,
        "name": str(user),
        "scopes": token.scopes,
        "expires_at": token.expires_at,
    }


@operation(router, "GET", "/corpora", "list-corpora", response=list[OwnCorpus])
def list_corpora(request: UserRequest) -> list[dict[str, Any]]:
    """The corpora in which you have a role, by name."""
    return [_own(access) for access in CorpusAccess.all_of(request.user)]


@operation(router, "POST", "/corpora", "create-corpus", response=CorpusDetail, status=201)
def create(request: UserRequest, new: NewCorpus) -> Status[Any]:
    """Create a corpus, of which you are admin then."""
    corpus = create_corpus(**new.dict(), creator=request.user)
    return Status(201, _detail(CorpusAccess(request.user, corpus)))


@operation(router, "GET", "/corpora/{slug:slug}", "get-corpus", response=CorpusDetail)
def get_corpus(request: CorpusRequest, slug: str) -> dict[str, Any]:
    """A corpus, and how far its pages are."""
    return _detail(request.access)


def _own(access: CorpusAccess) -> dict[str, Any]:
    corpus = access.corpus
    return {
        "slug": corpus.slug,
        "name": corpus.name,
        "roles": sorted(access.roles),
        "is_archived": corpus.archived_at is not None,
    }


def _detail(access: CorpusAccess) -> dict[str, Any]:
    corpus = access.corpus
    labels = [
        {"name": label.name, "title": str(label), "is_retired": label.retired_at is not None}
        for label in labels_of(corpus)
    ]
    return {
        **_own(access),
        "languages": corpus.languages,
        "labels": labels,
        "pages": {part.state.name: part.pages for part in progress(counts_of(corpus))},
        "guideline_version": corpus.guideline_version,
        "created_at": corpus.created_at,
    }
