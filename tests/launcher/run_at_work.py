"""A corpus with gold in a running Goldpan, a run of an extractor over it, and what became of it.

Run by test_run_at_work.py with the settings of that Goldpan, once: starting it for each question would take
the machine from the workers.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import django

SLUG = "run-at-work"
EXTRACTOR = "bte"
PARAGRAPH = "The bridge over the river opens again on Monday, the city says, after two years of work. "


def make(pages: int) -> int:
    """Import so many pages with their gold: published ones, or ours, and made ones for what is missing."""
    from annotator import pipeline
    from annotator.corpora.actions import create_corpus
    from annotator.pages.actions import add_page
    from annotator.runs.actions import enable
    from extraction.formats.gold import to_json
    from tests import corpora

    corpus = create_corpus(slug=SLUG, name="A run at work")
    enable(corpus=corpus, name="everything")
    # Two of the published pages have the same bytes, and are one page here.
    real = list({record.sha256: record for record in corpora.records_with_gold()}.values())
    for number in range(pages):
        if number < len(real):
            raw, charset, gold = real[number].raw, real[number].charset, to_json(real[number].gold)
        else:
            raw, charset, gold = _made(number)
        added = add_page(
            corpus=corpus,
            raw=raw,
            charset=charset,
            url=f"https://daily{number % 12}.example/{number}",
            gold=gold,
            gold_source="made",
        )
        pipeline.enqueue(added.page)
        pipeline.enqueue(added.gold)
    return pages


def _made(number: int) -> tuple[bytes, None, dict[str, Any]]:
    text = f"Page {number}. {PARAGRAPH * 5}"
    raw = f"<html><title>{number}</title><h1>Page</h1><p>{text}</p><p>Imprint</p></html>".encode()
    return raw, None, {"verdict": "article", "labels": ["body"], "text": text}


def start() -> int:
    """Start the run."""
    from annotator import pipeline
    from annotator.corpora.models import Corpus
    from annotator.runs.actions import register
    from annotator.runs.running import start_run

    run = start_run(corpus=Corpus.objects.get(slug=SLUG), extractor=register(EXTRACTOR))
    pipeline.run_requested(run)
    return run.pk


def progress() -> dict[str, object]:
    """How many extractions of the run have a result, and whether it is completed."""
    from annotator.runs.models import Extraction, Run

    run = Run.objects.get(corpus__slug=SLUG)
    done = Extraction.objects.filter(extractor=run.extractor, finished_at__isnull=False).count()
    return {"done": done, "completed": run.completed_at is not None}


def open_work() -> int:
    """How many rows of work are open."""
    from annotator.common.work import work_models
    from annotator.corpora.models import Corpus

    corpus = Corpus.objects.get(slug=SLUG)
    return sum(model.objects.of_corpus(corpus).open().count() for model in work_models())


def cells() -> dict[str, Any]:
    """What is to be there, what there is, how often the same, and how many failed; the pages of the board.

    Fails where a total is not what a computation from the scores gives, or what is counted from nothing.
    """
    from annotator.corpora.models import Corpus
    from annotator.gold.models import Gold
    from annotator.pages.models import Page
    from annotator.runs.models import Extraction
    from annotator.scoring.actions import rebuild
    from annotator.scoring.leaderboard.boards import board
    from annotator.scoring.models import Score
    from annotator.scoring.totals.counting import count_some
    from tests.annotator.scoring.totals.comparing import assert_totals_are_right, rows_of

    corpus = Corpus.objects.get(slug=SLUG)
    while count_some(corpus):
        pass
    assert_totals_are_right(corpus)
    before = rows_of(corpus)
    rebuild(corpus)
    assert rows_of(corpus) == before
    extractions = Extraction.objects.of_corpus(corpus)
    scores = Score.objects.of_corpus(corpus)
    each = Counter(extractions.filter(finished_at__isnull=False).values_list("document", "extractor__name"))
    scored = Counter(
        scores.filter(finished_at__isnull=False).values_list("gold", "extraction__extractor__name")
    )
    boards = {name: board(corpus, labels=name) for name in ("body", "main")}
    return {
        "pages": Page.objects.filter(corpus=corpus, document__isnull=False).count(),
        "gold": Gold.objects.filter(page__corpus=corpus, current=True).count(),
        "extractions": len(each),
        "scores": len(scored),
        "most": max([*each.values(), *scored.values()]),
        "failed": extractions.failed().count() + scores.failed().count(),
        "totals": sum(map(len, before)),
        "board": sum(
            (Counter({row.name: row.shown.n for row in made.rows}) for made in boards.values()), Counter()
        ),
    }


ACTS: dict[str, Callable[..., object]] = {
    "make": make, "start": start, "progress": progress, "open": open_work, "cells": cells
}  # fmt: skip


def answer_all() -> None:
    """Answer each question of standard input, a line, by a line; null while there is no database to ask."""
    from django.db import InterfaceError, OperationalError, connection

    for question in sys.stdin:
        name, *numbers = question.split()
        try:
            answer = ACTS[name](*map(int, numbers))
        except (OperationalError, InterfaceError):
            connection.close()
            answer = None
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    django.setup()
    answer_all()
