"""Totals equal a computation from the scores themselves, whatever happens to gold, scores and pages."""

import hashlib
import os
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from annotator.corpora.actions import create_corpus
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.gold.versions import add_gold
from annotator.pages.models import Page, StoredDocument
from annotator.releases.models import Release, ReleasePage
from annotator.releases.takedown import take_down
from annotator.runs import running
from annotator.runs.models import NOT_ENDED, Extraction, Extractor, Run
from annotator.scoring.actions import rebuild
from annotator.scoring.models import Measurement, PageToCount, Score, ScoreTotal
from annotator.scoring.totals.counting import count_some
from extraction.spans import LABEL_SETS, LABELS
from tests.annotator.scoring.totals.comparing import assert_totals_are_right, rows_of

pytestmark = pytest.mark.django_db

EVENTS = int(os.environ.get("GOLDPAN_EVENTS", "10000"))
MOST_RELEASES = 8
MOST_PAGES = 16
SITES = ("gazette.example", "herald.example", "")
METRICS = ("words", "shingle", "block", "rouge", "cleaneval", "char-lcs")


class World:
    """A corpus in which one thing after another happens, drawn by a seed."""

    def __init__(self, corpus: Corpus, seed: int) -> None:
        self.corpus = corpus
        self.dice = random.Random(seed)
        self.numbers = count()
        self.pages = [self._page() for _ in range(8)]
        self.extractors = [self._extractor("1", number) for number in range(3)]
        self.events: list[Callable[[], None]] = [
            *[self.new_gold] * 6,
            *[self.score] * 12,
            *[self.count] * 5,
            self.new_version,
            self.upload,
            self.start_run,
            self.cancel_run,
            self.reparse,
            self.take_down,
            self.add_page,
            self.change_page,
            self.measure_again,
            self.release,
        ]

    def happen(self) -> str:
        """Let something happen; its name."""
        event = self.dice.choice(self.events)
        event()
        return event.__name__

    # ---- what there is ----

    def _digest(self, number: int) -> str:
        return hashlib.sha256(f"{self.corpus.pk} {number}".encode()).hexdigest()

    def _page(self) -> Page:
        number = next(self.numbers)
        page = Page.objects.create(
            corpus=self.corpus,
            sha256=self._digest(number),
            size=1,
            site=self.dice.choice(SITES),
            language=self.dice.choice(["en", "es"]),
            captured_at=datetime(2026, 1 + number % 3, 3, tzinfo=UTC),
            finished_at=timezone.now(),
        )
        Page.objects.filter(pk=page.pk).update(cluster=page)
        self._document(page, "1")
        return page

    def _document(self, page: Page, version: str) -> StoredDocument:
        document, _is_new = StoredDocument.objects.get_or_create(
            page=page,
            version=version,
            defaults={"text": "x", "sha256": "", "length": 1, "blocks": [[0, 1]], "encoding": "",
                      "encoding_source": "", "packed_sha256": "", "view_sha256": ""},
        )  # fmt: skip
        Page.objects.filter(pk=page.pk).update(document=document)
        page.refresh_from_db()
        return document

    def _extractor(self, version: str, number: int) -> Extractor:
        made, _is_new = Extractor.objects.get_or_create(
            name=f"e{number}", version=version, defaults={"family": f"f{number % 2}"}
        )
        self._tune(made)
        return made

    def _tune(self, extractor: Extractor) -> None:
        """Every third extractor has learned from two pages, which may be there already or come later."""
        if self.dice.random() < 0.35:
            for number in self.dice.sample(range(MOST_PAGES), 2):
                extractor.tuned_on_pages.get_or_create(sha256=self._digest(number))

    def _some_page(self) -> Page:
        return self.dice.choice(self.pages)

    def _current(self) -> Gold | None:
        return self._some_page().gold.filter(current=True).first()

    # ---- what happens ----

    def new_gold(self) -> None:
        """New gold, or reopened gold that is made again, for a page that may have some."""
        page = self._some_page()
        if hasattr(page, "takedown"):
            return
        with transaction.atomic():
            page.refresh_from_db()
            exposed = self.dice.choice([[], ["f0"], ["f0", "f1"]])
            characters = self.dice.choice([None, 0, 50])
            add_gold(
                document=page.document,
                verdict=self.dice.choice(["article", "article", "article", "several", "not_article"]),
                spans=[(0, 1, "body", "single")],
                source="single",
                exposed_families=exposed,
                distinguishable_labels=self.dice.choice([LABELS, LABELS, ["body"], ["body+headline"]]),
                characters=characters,
                placed=characters and self.dice.randrange(characters + 1),
            )

    def score(self) -> None:
        """One more extractor has run on a page with gold, or crashed on it, and is scored."""
        gold = self._current()
        if gold is None:
            return
        extractor = self.dice.choice(self.extractors)
        error = "crash" if self.dice.random() < 0.1 else ""
        extraction, _is_new = Extraction.objects.get_or_create(
            document=gold.document,
            extractor=extractor,
            defaults={
                "finished_at": timezone.now(),
                "error": error,
                "seconds": self.dice.choice([None, 0.0123]),
            },
        )
        if Score.objects.filter(gold=gold, extraction=extraction).exists():
            return
        row = Score.objects.create(gold=gold, extraction=extraction)
        with transaction.atomic():
            Score.objects.filter(pk=row.pk).update(
                finished_at=timezone.now(),
                error="broken" if self.dice.random() < 0.03 else "",
                matrix=self._matrix(failed=bool(extraction.error)),
                blind=extractor.family not in gold.exposed_families,
            )
            Measurement.objects.create(
                score=row, figures=self._figures(gold, 0.9), error="rouge: broke", finished_at=timezone.now()
            )

    def measure_again(self) -> None:
        """A metric that had failed is computed at last."""
        gold = self._current()
        row = Measurement.objects.filter(score__gold=gold).exclude(error="").first() if gold else None
        if row:
            Measurement.objects.filter(pk=row.pk).update(figures=self._figures(gold, 1.0), error="")

    def new_version(self) -> None:
        if len(self.extractors) < 7:
            number = self.dice.randrange(3)
            self.extractors.append(self._extractor(str(len(self.extractors)), number))

    def upload(self) -> None:
        """Outputs made elsewhere are an extractor of their own, which is scored as the others are."""
        number = Extractor.objects.filter(uploaded_in=self.corpus).count()
        if number < 3:
            family = self.dice.choice(["published", "f0"])
            made = Extractor.objects.create(
                name="published",
                version=str(number),
                family=family,
                uploaded_in=self.corpus,
                can_be_arm=False,
            )
            self._tune(made)
            self.extractors.append(made)

    def start_run(self) -> None:
        """What is extracted from now on belongs to a run that is not whole."""
        extractor = self.dice.choice(self.extractors)
        if not Run.objects.filter(corpus=self.corpus, extractor=extractor).filter(NOT_ENDED).exists():
            Run.objects.create(corpus=self.corpus, extractor=extractor)

    def cancel_run(self) -> None:
        """A run ends before it is whole: its scores stay, what was not begun goes."""
        run = Run.objects.filter(corpus=self.corpus).filter(NOT_ENDED).first()
        if run:
            running.cancel_run(run=run)

    def reparse(self) -> None:
        """A page gets a new document, and its gold is projected."""
        page = self._some_page()
        current = page.gold.filter(current=True).first()
        if current is None or hasattr(page, "takedown"):
            return
        with transaction.atomic():
            document = self._document(page, str(page.documents.count() + 1))
            Gold.objects.filter(pk=current.pk).update(current=None)
            carried = {name: getattr(current, name) for name in ("verdict", "spans", "distinguishable_labels",
                       "exposed_families", "characters", "placed")}  # fmt: skip
            Gold.objects.create(
                page=page, document=document, number=page.gold.count() + 1, source="projected", **carried
            )

    def take_down(self) -> None:
        page = self._some_page()
        if self.dice.random() < 0.1 and not hasattr(page, "takedown"):
            take_down(page=page, reason="asked for")
            self.pages.remove(page)
            self.pages.append(self._page())

    def add_page(self) -> None:
        """An extractor may have learned from it, long before it came."""
        if len(self.pages) < MOST_PAGES and self.dice.random() < 0.2:
            self.pages.append(self._page())

    def change_page(self) -> None:
        changes = {
            "site": self.dice.choice(SITES),
            "language": self.dice.choice(["en", "es", ""]),
            "cluster": self._some_page(),
        }
        Page.objects.filter(pk=self._some_page().pk).update(**changes)

    def release(self) -> None:
        golds = Gold.objects.filter(page__corpus=self.corpus, current=True)
        # Each is a slice of its own, to which every further event would add.
        if self.corpus.releases.count() == MOST_RELEASES:
            return
        number = self.corpus.releases.count() + 1
        made = Release.objects.create(corpus=self.corpus, number=number)
        for gold in golds:
            ReleasePage.objects.create(
                release=made, gold=gold, sha256=gold.page.sha256, gold_sha256="", split="train", group=""
            )
        if self.dice.random() < 0.8:
            Release.objects.filter(pk=made.pk).update(sha256="f" * 64, finished_at=timezone.now())

    def count(self) -> None:
        count_some(self.corpus)

    # ---- figures ----

    def _matrix(self, *, failed: bool) -> dict[str, dict[str, int]]:
        predicted = ("", "content") if not failed else ("",)
        return {
            label: {
                column: self.dice.randrange(400) for column in (*predicted, *(LABELS if not failed else ()))
            }
            for label in ("", *LABELS)
        }

    def _figures(self, gold: Gold, share: float) -> dict[str, dict[str, list[float | None]]]:
        return {
            metric: {name: self._row(metric) for name in LABEL_SETS}
            for metric in METRICS
            if self.dice.random() < share
        }

    def _row(self, metric: str) -> list[float | None]:
        predicted, gold = self.dice.randrange(1, 900), self.dice.randrange(1, 900)
        true = self.dice.randrange(min(predicted, gold) + 1)
        if self.dice.random() < 0.1:
            return [0, 0, gold / 900, None, 0.0] if metric == "shingle" else [0, 0, gold, 0.0, 0.0]
        if metric == "shingle":
            return [true / 900, predicted / 900, gold / 900]
        return [true, predicted, gold]


def count_all(corpus: Corpus) -> None:
    while count_some(corpus):
        pass
    assert not PageToCount.objects.filter(corpus=corpus.pk).exists()


def run(corpus: Corpus, *, seed: int, events: int, check_every: int, world_of: type[World] = World) -> None:
    """Let so many things happen, and compare totals now and then; a failure names what led to it."""
    world = world_of(corpus, seed)
    for number in range(1, events + 1):
        world.happen()
        if number % check_every == 0 or number == events:
            try:
                check(corpus)
            except AssertionError as error:
                raise AssertionError(what_broke(world_of, seed, number - check_every, number)) from error
            tidy_up()
    before = rows_of(corpus)
    rebuild(corpus)
    assert rows_of(corpus) == before


def check(corpus: Corpus) -> None:
    count_all(corpus)
    assert_totals_are_right(corpus)


def tidy_up() -> None:
    """As PostgreSQL does by itself now and then; of what a transaction left behind, only after its end."""
    if not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("vacuum analyze")


def what_broke(world_of: type[World], seed: int, right_until: int, wrong_at: int) -> str:
    """Let the same happen once more, and compare after each event from the last right comparison on."""
    corpus = create_corpus(slug=f"again-{seed}", name="Again")
    world = world_of(corpus, seed)
    for number in range(1, wrong_at + 1):
        event = world.happen()
        if number > right_until:
            try:
                check(corpus)
            except AssertionError:
                return f"totals are wrong after event {number}, {event}"
    return f"totals are wrong between events {right_until} and {wrong_at}, but not when they happen again"


@pytest.mark.parametrize("seed", [1, 2])
def test_totals_are_right_after_random_events(corpus: Corpus, seed: int) -> None:
    run(corpus, seed=seed, events=200, check_every=100)


# Within one transaction, each event would take longer than the one before: no row version is ever removed.
@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_totals_are_right_after_thousands_of_random_events(corpus: Corpus) -> None:
    run(corpus, seed=3, events=EVENTS, check_every=500)


class Broken(World):
    """A world in which the totals get wrong at one event."""

    AT = 70

    def __init__(self, corpus: Corpus, seed: int) -> None:
        super().__init__(corpus, seed)
        self.happened = 0

    def happen(self) -> str:
        event = super().happen()
        self.happened += 1
        if self.happened == self.AT:
            totals = ScoreTotal.objects.filter(corpus=self.corpus, dimension="", with_precision__gt=0)
            assert totals.update(precision=F("precision") + 10_000)
        return event


def test_a_failure_names_the_event_after_which_totals_are_wrong(corpus: Corpus) -> None:
    with pytest.raises(AssertionError, match=rf"after event {Broken.AT}, \w+"):
        run(corpus, seed=6, events=90, check_every=30, world_of=Broken)


def test_changes_are_counted_newest_first(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an adjudicator has just decided does not wait for an import."""
    monkeypatch.setattr("annotator.scoring.totals.counting.PAGES_AT_ONCE", 2)
    world = World(corpus, 5)
    for page in world.pages[:5]:
        add_gold(document=page.document, verdict="article", spans=[], source="single")
    assert count_some(corpus) == 2
    left = set(PageToCount.objects.values_list("page", flat=True))
    assert left == {page.pk for page in world.pages[:3]}
    assert timezone.now() - timedelta(days=1) < timezone.now()
