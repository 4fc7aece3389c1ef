"""A corpus with annotators, made in the database of a running Goldpan; or what it has kept of their work.

Run by test_killed_at_work.py with the settings of that Goldpan.
"""

import json
import sys
from collections.abc import Callable

import django

SLUG = "at-work"
PARAGRAPH = "The bridge over the river opens again on Monday, the city says, after two years of work. "


def make(people: int, pages: int) -> dict[str, str]:
    """The session's key of each annotator."""
    from django.test import Client

    from annotator import pipeline
    from annotator.corpora.actions import create_account, grant_role
    from annotator.home.actions import create_corpus
    from annotator.pages.actions import add_page

    corpus = create_corpus(slug=SLUG, name="At work")
    for number in range(pages):
        raw = f"<html><title>{number}</title><h1>Page {number}</h1><p>{PARAGRAPH * 5}</p></html>".encode()
        pipeline.enqueue(add_page(corpus=corpus, raw=raw, url=f"https://daily.example/{number}").page)
    sessions = {}
    for number in range(people):
        name = f"annotator{number}"
        person = create_account(username=name, password="a long one for tests")
        grant_role(corpus=corpus, user=person, role="annotator")
        client = Client()
        client.force_login(person)
        sessions[name] = client.cookies["sessionid"].value
    return sessions


def ready() -> int:
    """How many pages can be annotated."""
    from annotator.annotations.models import Round

    return Round.objects.filter(page__corpus__slug=SLUG).count()


def kept() -> dict[str, object]:
    """The operation of each saved revision with its marks, and the addresses of submitted slots."""
    from annotator.annotations.models import Revision, Slot

    revisions = Revision.objects.filter(annotation__slot__corpus__slug=SLUG)
    submitted = Slot.objects.filter(corpus__slug=SLUG, submitted_at__isnull=False)
    return {
        "revisions": {
            str(operation): spans for operation, spans in revisions.values_list("operation", "spans")
        },
        "submitted": [str(key) for key in submitted.values_list("key", flat=True)],
    }


def work() -> dict[str, int]:
    """How many rows of work are open, and how many have failed for good."""
    from annotator.common.work import work_models

    rows = [model.objects for model in work_models()]
    return {
        "open": sum(each.open().count() for each in rows),
        "failed": sum(each.failed().count() for each in rows),
    }


if __name__ == "__main__":
    django.setup()
    acts: dict[str, Callable[..., object]] = {"make": make, "ready": ready, "kept": kept, "work": work}
    print(json.dumps(acts[sys.argv[1]](*map(int, sys.argv[2:]))))
