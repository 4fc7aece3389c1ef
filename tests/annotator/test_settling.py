"""Whatever people do, and whatever happens to messages and workers, a corpus settles once it is left alone.

Nothing is left undone then, and every figure is as if it had been computed at the end, from nothing.
"""

import os
import random
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import timedelta
from types import SimpleNamespace

import pgtrigger
import pytest
from celery import current_app
from django.db.models import F

from annotator import pipeline
from annotator.administration.labels.actions import add_label, restore_label, retire_label
from annotator.agreement.queries import without_comparison
from annotator.annotations import actions as annotating
from annotator.annotations.models import Annotation, Slot
from annotator.annotations.study.models import AssignmentMode, PageOrder
from annotator.celery import import_tasks
from annotator.common import work
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.actions import grant_role, set_audit_share
from annotator.corpora.guideline.actions import write_version
from annotator.corpora.models import Corpus, User
from annotator.gold import actions as adjudicating
from annotator.gold.finalisation import reopen_gold
from annotator.gold.models import Gold
from annotator.gold.queries import rounds_to_finalise
from annotator.gold.reannotation.actions import request_reannotation
from annotator.gold.reannotation.page_selection import PageCriteria
from annotator.home.actions import change_roles
from annotator.pages.actions import add_page
from annotator.pages.models import Page, StoredDocument
from annotator.releases.actions import request_release, take_down
from annotator.reparsing import actions as reparsing
from annotator.runs import running
from annotator.runs.actions import disable, enable, register
from annotator.runs.models import NOT_ENDED, CorpusExtractor, Run
from annotator.runs.queries import enabled_in
from annotator.scoring.actions import pairs_of_gold, rebuild, request_scores
from annotator.scoring.models import Measurement, Score
from annotator.scoring.tasks import score_extractions
from annotator.scoring.totals.checking import compare_sample
from extraction.spans import Span
from tests.annotator.releases.made import STORIES
from tests.annotator.scoring.totals.comparing import rows_of
from tests.factories import ARTICLE, change_design, draft, label_block, make_user

pytestmark = pytest.mark.django_db(transaction=True)

FEW_EVENTS, MANY_EVENTS = 120, 1_500
SEED = int(os.environ.get("GOLDPAN_SEED", "1"))
# More than a worker, a message or a lease is waited for.
LONG = timedelta(hours=2)
EXTRACTORS = ("boilerpipe-default", "everything", "justext", "tree-filter")
OLDER = "1+older"


class Events:
    """What happens to a corpus, drawn by a seed; messages are taken up late, twice, or never."""

    def __init__(self, corpus: Corpus, cast: SimpleNamespace, seed: int) -> None:
        self.corpus, self.admin, self.dice = corpus, cast.hanne, random.Random(seed)
        self.messages: list[tuple[str, tuple[int, ...]]] = []
        self.annotators = [cast.ada, cast.ben, *(self._member(name, "annotator") for name in ("eve", "fay"))]
        self.adjudicators = [cast.cleo, self._member("jo", "adjudicator")]
        self.log: list[str] = []
        for _ in STORIES:
            self.page_comes()

    def happen(self) -> None:
        event = self.dice.choice(self.all)
        self.log.append(event.__name__)
        try:
            event()
        except GoldpanError as refused:
            self.log[-1] += f": {refused.message}"

    @property
    def all(self) -> list[Callable[[], None]]:
        """The events, those several times that happen often."""
        return [
            *[self.annotate] * 30,
            *[self.work_on_messages] * 25,
            *[self.adjudicate] * 12,
            *[self.page_comes] * 5,
            *[self.annotate_in_part] * 5,
            *[self.sweep] * 4,
            *[self.reopen_annotation] * 3,
            *[self.lose_message, self.repeat_message, self.kill_worker, self.time_passes] * 2,
            *[self.reparse, self.reannotate, self.reopen, self.change_labels, self.change_extractors] * 2,
            *[self.start_run, self.pause_run, self.cancel_run, self.release, self.take_down],
            *[self.change_settings, self.change_guideline, self.change_people],
        ]

    # ---- messages and workers ----

    def publish(self, task: str, ids: Iterable[int], _queue: str, _at: object) -> None:
        """Take the broker's place."""
        self.messages.append((task, tuple(ids)))

    def work_on_messages(self) -> None:
        for _ in range(min(len(self.messages), self.dice.randrange(25))):
            late = self.dice.random() < 0.3
            self._work_on(self.messages.pop(self.dice.randrange(len(self.messages)) if late else 0))

    def lose_message(self) -> None:
        if self.messages:
            self.messages.pop(self.dice.randrange(len(self.messages)))

    def repeat_message(self) -> None:
        self.messages += self.dice.sample(self.messages, min(len(self.messages), 1))

    def kill_worker(self) -> None:
        """It has claimed a row, and is not heard of again."""
        kind = self.dice.choice(list(work.work_models()))
        row = kind.objects.open().filter(attempts=0).order_by("pk").first()
        if row:
            work.claim(kind, row.pk)

    def time_passes(self, by: timedelta = LONG) -> None:
        for kind in work.work_models():
            kind.objects.open().update(enqueued_at=F("enqueued_at") - by, heartbeat_at=F("heartbeat_at") - by)
        held = Slot.objects.filter(annotator__isnull=False, submitted_at=None)
        held.update(lease_until=F("lease_until") - by)

    def sweep(self) -> None:
        pipeline.enqueue_due()
        self.messages += [(task, ()) for task in work.sweep_tasks()]

    def settle(self) -> None:
        """Everything is resumed, and workers do what there is to do."""
        for run in Run.objects.filter(NOT_ENDED, paused_at__isnull=False):
            running.resume_run(run=run)
        for _ in range(6):
            self.time_passes()
            self.sweep()
            while self.messages:
                self._work_on(self.messages.pop(0))

    def _work_on(self, message: tuple[str, tuple[int, ...]]) -> None:
        task, ids = message
        current_app.tasks[task](*ids)

    # ---- annotators and adjudicators ----

    def annotate(self) -> None:
        slot, annotator = self._claimed()
        self._save(slot, annotator)
        self._submit(slot, annotator)

    def annotate_in_part(self) -> None:
        self._save(*self._claimed())

    def reopen_annotation(self) -> None:
        annotator = self.dice.choice(self.annotators)
        own = Annotation.objects.filter(annotator=annotator, submitted_at__isnull=False).order_by("-pk")
        for annotation in own.select_related("slot")[:1]:
            annotating.reopen(slot=annotation.slot, annotator=annotator)
            self._save(annotation.slot, annotator)
            self._submit(annotation.slot, annotator)

    def adjudicate(self) -> None:
        user = self.dice.choice(self.adjudicators)
        held = adjudicating.claim_next(corpus=self.corpus, user=user)
        if held is None:
            return
        if not held.verdict:
            adjudicating.decide_verdict(adjudication=held, user=user, verdict="article")
        for number in held.segments.filter(choice="").values_list("number", flat=True):
            choice = self.dice.choice([*adjudicating.letters_of(held), "neither"])
            adjudicating.decide(adjudication=held, user=user, numbers=[number], choice=choice)
        adjudicating.submit(adjudication=held, user=user)

    def _claimed(self) -> tuple[Slot, User]:
        annotator = self.dice.choice(self.annotators)
        slot = annotating.claim_next(corpus=self._now(), annotator=annotator)
        if slot is None:
            raise Conflict("nothing to annotate")
        return slot, annotator

    def _save(self, slot: Slot, annotator: User) -> None:
        document = slot.round.page.document
        assert document
        names = list(self.corpus.labels.filter(retired_at=None).values_list("name", flat=True))
        spans: list[Span] = []
        for block in document.blocks[1:-1]:
            # Most are marked as others mark them.
            label = names[0] if self.dice.random() < 0.9 else self.dice.choice(["", *names])
            spans += [label_block(block, label)] if label else []
        annotating.save(slot=slot, annotator=annotator, draft=draft(slot, annotator, spans))

    def _submit(self, slot: Slot, annotator: User) -> None:
        revision = Annotation.objects.get(slot=slot, annotator=annotator).revision
        annotating.submit(slot=slot, annotator=annotator, based_on=revision)

    # ---- pages and gold ----

    def page_comes(self) -> None:
        raw = ARTICLE.format(number=Page.objects.count()).encode()
        pipeline.enqueue(add_page(corpus=self.corpus, raw=raw, url="https://gazette.example/bridge").page)

    def take_down(self) -> None:
        page = self.dice.choice(Page.objects.filter(takedown=None).order_by("pk"))
        take_down(page=page, reason="asked for")

    def reparse(self) -> None:
        """Some documents are of an older parser."""
        current = StoredDocument.objects.filter(current_of__isnull=False, page__takedown=None)
        for document in current.exclude(page__documents__version=OLDER):
            if self.dice.random() < 0.3:
                StoredDocument.objects.filter(pk=document.pk).update(version=OLDER)
        pipeline.enqueue_first(reparsing.start(corpus=self.corpus).jobs.open())

    def reannotate(self) -> None:
        criteria = PageCriteria(share=0.4, seed=self.dice.randrange(100))
        pipeline.enqueue(request_reannotation(corpus=self._now(), criteria=criteria))

    def reopen(self) -> None:
        if golds := Gold.objects.filter(current=True).order_by("pk"):
            reopen_gold(gold=self.dice.choice(golds), by=self.admin, why="look again")

    def release(self) -> None:
        pipeline.enqueue(request_release(corpus=self.corpus))

    # ---- settings ----

    def change_labels(self) -> None:
        corpus = self._now()
        label = self.dice.choice(list(corpus.labels.all()))
        version = corpus.labels_version
        if self.dice.random() < 0.3:
            add_label(corpus=corpus, based_on=version, title=f"Own {self.dice.randrange(20)}")
        elif label.retired_at:
            restore_label(corpus=corpus, based_on=version, pk=label.pk)
        else:
            retire_label(corpus=corpus, based_on=version, pk=label.pk)

    def change_extractors(self) -> None:
        extractor = register(self.dice.choice(EXTRACTORS))
        if CorpusExtractor.objects.filter(extractor=extractor, ended_at=None).exists():
            disable(corpus=self.corpus, extractor=extractor)
        else:
            enable(corpus=self.corpus, name=extractor.name)
            pipeline.extractors_wanted(self.corpus.pk)

    def start_run(self) -> None:
        extractor = register(self.dice.choice(EXTRACTORS))
        pipeline.run_requested(running.start_run(corpus=self.corpus, extractor=extractor))

    def pause_run(self) -> None:
        for run in Run.objects.filter(NOT_ENDED):
            running.pause_run(run=run)

    def cancel_run(self) -> None:
        for run in Run.objects.filter(NOT_ENDED):
            running.cancel_run(run=run)

    def change_settings(self) -> None:
        set_audit_share(corpus=self.corpus, share=self.dice.choice([0, 0.3]))
        change_design(
            self.corpus,
            people=self.annotators[:3],
            slots=self.dice.choice([1, 2, 2, 3]),
            who=self.dice.choice(list(AssignmentMode)),
            order=self.dice.choice(list(PageOrder)),
            check_rate=self.dice.choice([0, 0.2]),
        )

    def change_guideline(self) -> None:
        corpus = self._now()
        current = corpus.guidelines.get(number=corpus.guideline_version)
        texts = {language: f"{text}\n\nMore.\n" for language, text in current.texts.items()}
        write_version(corpus=corpus, texts=texts, note="", made_by=self.admin, based_on=current.number)

    def change_people(self) -> None:
        person = self.dice.choice(self.annotators)
        roles = self.dice.choice([["annotator"], ["annotator"], ["adjudicator"]])
        change_roles(corpus=self.corpus, user=person, roles=roles, by=self.admin)

    def _member(self, name: str, role: str) -> User:
        member = make_user(name)
        grant_role(corpus=self.corpus, user=member, role=role)
        return member

    def _now(self) -> Corpus:
        return Corpus.objects.get(pk=self.corpus.pk)


# ---- once it has settled ----


def left_undone(corpus: Corpus) -> list[str]:
    """What somebody should have done by now, and what failed."""
    standing = Page.objects.filter(corpus=corpus, takedown=None)
    open_rows = {
        kind: kind.objects.open().exclude(kind.kind.blocked) if kind.kind.blocked else kind.objects.open()
        for kind in work.work_models()
    }
    return [
        *(f"{kind.__name__} {row.pk} is open" for kind, rows in open_rows.items() for row in rows),
        *(
            f"{type(row).__name__} {row.pk}: {row.error}"
            for kind in open_rows
            for row in kind.objects.failed()
        ),
        *(f"page {page.pk} has no round" for page in standing.exclude(rounds__purpose="main")),
        *(f"round {round_.pk} is not compared" for round_ in without_comparison()),
        *(f"round {round_.pk} has no gold" for round_ in rounds_to_finalise()),
        *(f"page {page.pk} lacks extractions" for page in standing if lacks_extractions(page)),
        *(
            f"gold {gold.pk} is not of its page's document"
            for gold in Gold.objects.filter(current=True).exclude(document=F("page__document"))
        ),
        *compare_sample(corpus).differences,
    ]


def lacks_extractions(page: Page) -> bool:
    assert page.document
    done = page.document.extractions.done().values_list("extractor", flat=True)
    return not set(done).issuperset(enabled_in(page.corpus_id))


Figures = dict[tuple[object, ...], object]


def figures() -> Figures:
    """What current scores say, by gold, extraction, and metric with its set of labels."""
    found: Figures = {}
    rows = Measurement.objects.filter(score__gold__current=True).select_related("score")
    for row in rows:
        score = row.score
        key = (score.gold_id, score.extraction_id)
        found[*key, ""] = (score.matrix, score.blind)
        for metric, by_labels in row.figures.items():
            found |= {(*key, metric, labels): figure for labels, figure in by_labels.items()}
    return found


def figures_anew() -> Figures:
    """The same once all scores are gone and computed again."""
    with pgtrigger.ignore():
        Measurement.objects.all().delete()
        Score.objects.all().delete()
    for gold in Gold.objects.filter(current=True):
        score_extractions(*(row.pk for row in request_scores(pairs_of_gold(gold))))
    return figures()


@pytest.mark.usefixtures("same_draws")
@pytest.mark.parametrize("events", [FEW_EVENTS, pytest.param(MANY_EVENTS, marks=pytest.mark.long)])
def test_a_corpus_settles(
    corpus: Corpus, cast: SimpleNamespace, events: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_tasks()
    monkeypatch.setattr(pipeline, "waiting_in", Counter)
    happening = Events(corpus, cast, SEED)
    monkeypatch.setattr(pipeline, "_publish", happening.publish)
    for _ in range(events):
        happening.happen()
    happening.settle()
    story = "\n".join([f"seed {SEED}", *happening.log])
    assert left_undone(corpus) == [], story
    assert Gold.objects.filter(current=True).exists(), story
    totals = rows_of(corpus)
    rebuild(corpus)
    assert rows_of(corpus) == totals, story
    # Figures of sets of labels that the corpus does not have any more stay.
    stored, computed = figures(), figures_anew()
    assert computed.items() <= stored.items(), story
