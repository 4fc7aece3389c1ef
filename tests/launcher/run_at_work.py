"""A corpus with gold in a running Goldpan, a run of an extractor over it, and what became of it.

Run by test_run_at_work.py with the settings of that Goldpan.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable

import django

SLUG = "run-at-work"
EXTRACTOR = "bte"
PARAGRAPH = "The bridge over the river opens again on Monday, the city says, after two years of work. "


def make(pages: int) -> int:
    """Import pages with their gold."""
    from annotator import pipeline
    from annotator.corpora.actions import create_corpus
    from annotator.pages.actions import add_page
    from annotator.runs.actions import enable

    corpus = create_corpus(slug=SLUG, name="A run at work")
    enable(corpus=corpus, name="everything")
    for number in range(pages):
        text = f"Page {number}. {PARAGRAPH * 5}"
        raw = f"<html><title>{number}</title><h1>Page</h1><p>{text}</p><p>Imprint</p></html>".encode()
        added = add_page(
            corpus=corpus,
            raw=raw,
            url=f"https://daily{number}.example/",
            gold={"verdict": "article", "labels": ["body"], "text": text},
            gold_source="made",
        )
        pipeline.page_added(added.page)
        pipeline.gold_arrived(added.gold)
    return pages


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


def cells() -> dict[str, object]:
    """How many extractions and scores there are, how often the same one, how many failed; and the board."""
    from annotator.corpora.models import Corpus
    from annotator.runs.models import Extraction
    from annotator.scoring.leaderboard.queries import board
    from annotator.scoring.models import Score
    from annotator.scoring.totals.counting import count_some

    corpus = Corpus.objects.get(slug=SLUG)
    while count_some(corpus):
        pass
    extractions = Extraction.objects.of_corpus(corpus)
    scores = Score.objects.of_corpus(corpus)
    each = Counter(extractions.filter(finished_at__isnull=False).values_list("document", "extractor__name"))
    scored = Counter(
        scores.filter(finished_at__isnull=False).values_list("gold", "extraction__extractor__name")
    )
    return {
        "extractions": len(each),
        "scores": len(scored),
        "most": max([*each.values(), *scored.values()]),
        "failed": extractions.failed().count() + scores.failed().count(),
        "board": {row.name: row.shown.n for row in board(corpus, labels="body").rows},
    }


if __name__ == "__main__":
    django.setup()
    acts: dict[str, Callable[..., object]] = {
        "make": make, "start": start, "progress": progress, "open": open_work, "cells": cells
    }  # fmt: skip
    print(json.dumps(acts[sys.argv[1]](*map(int, sys.argv[2:]))))
