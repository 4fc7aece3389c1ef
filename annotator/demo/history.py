"""The weeks behind the demo corpus: who did what, and how long before now.

Everything is done by the actions that people's requests call, with the clock set back. What a worker would do
meanwhile is done in between.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.utils import timezone

from annotator.annotations.eligibility import claimable_slots
from annotator.annotations.study.actions import begin_design
from annotator.annotations.study.models import PageOrder
from annotator.common import work
from annotator.corpora.actions import create_corpus, grant_role, invite
from annotator.corpora.guideline.actions import write_version
from annotator.corpora.guideline.examples import default_texts
from annotator.corpora.models import Corpus
from annotator.demo import people
from annotator.demo.clock import Clock
from annotator.demo.composing import ComposedPage, zip_of
from annotator.demo.habits import ReferenceMarks
from annotator.demo.older import add_pages_with_gold
from annotator.gold.finalisation import reopen_gold
from annotator.gold.models import Gold
from annotator.gold.queries import open_adjudications
from annotator.home import pending
from annotator.pages.imports.actions import confirm_import
from annotator.pages.imports.tasks import work_on_import
from annotator.pages.imports.uploads import PART_BYTES, add_file, add_part, finish_upload, start_upload
from annotator.pages.models import Page
from annotator.practice.actions import set_practice
from annotator.releases.actions import add_erratum, build_release, request_release, save_terms
from annotator.releases.models import Release
from annotator.runs.actions import enable

SLUG, NAME, LANGUAGES = "demo", "Demo", ("en", "es", "ar")
PRACTICE_SLUG, PRACTICE_NAME = "practice", "Practice pages"
# Ten that need no other library; the last six are enabled today, and left to the workers.
EXTRACTORS = ("boilerpipe-article", "boilerpipe-default", "goldpan", "tree-filter")
NEW_EXTRACTORS = ("bte", "cetd", "everything", "justext", "mss", "unfluff")
# The pages come in three imports, the last one today; then the page that opens first, the best looking one.
FIRST_PAGE = "last-lamp-at-carrow-head"
SECOND_IMPORT, TODAYS_IMPORT = 0.3, 0.12
# What was added to clause 6.1 in the second version of the guideline.
ADDED = {
    "en": ("box, beside it or below it.", " A teaser counts even where only its title is shown."),
    "es": (
        "en un recuadro, al lado o debajo.",
        " Un avance cuenta aunque solo se vea su título.",
    ),
}
# Days before now, the hour of the day, who, and which share of the corpus's slots they submit then.
EARLIER = (
    *((21, 9, "ines", 0.05), (21, 10, "marta", 0.06), (20, 14, "joon", 0.06), (19, 9, "tomasz", 0.07)),
    *((18, 9, "ines", 0.05), (17, 15, "marta", 0.06), (16, 10, "joon", 0.05), (14, 9, "tomasz", 0.06)),
)
LATER = (
    *((9, 9, "marta", 0.05), (9, 13, "ines", 0.05), (8, 10, "joon", 0.06), (7, 9, "tomasz", 0.05)),
    *((6, 9, "ines", 0.05), (5, 16, "marta", 0.04), (4, 10, "joon", 0.04), (2, 9, "tomasz", 0.03)),
)
# Most pages show no suggestion, so that agreement without any has an interval.
BLIND_SHARE = 0.7
# How often the adjudicator sits down in each of the two times, and what they leave for you.
ADJUDICATION_DAYS = (18, 15, 13), (8, 6)
LEFT_DISPUTES = 3


class History:
    """The corpus at a moment before now."""

    def __init__(self, pages: Sequence[ComposedPage], now: datetime) -> None:
        self.now, self.pages = now, pages
        self.clock = Clock(now)
        self.references: dict[str, ReferenceMarks] = {}
        self.corpus: Corpus
        self.admin = people.person("hanne")

    def write(self) -> Corpus:
        """Create the corpus and do what was done in it, until a moment ago."""
        with self.clock.running():
            self._found()
            self._first_weeks()
            self._second_weeks()
            self._today()
        return self.corpus

    # ---- the weeks ----

    def _found(self) -> None:
        self._set(days=23, hour=9)
        self.corpus = create_corpus(slug=SLUG, name=NAME, languages=LANGUAGES, audit_share=0.1)
        begin_design(
            corpus=self.corpus,
            order=PageOrder.OLDEST,
            blind_share=BLIND_SHARE,
            check_rate=0.1,
            repeat_rate=0.05,
            repeat_weeks=1,
        )
        for role, names in people.NAMES.items():
            for name in names:
                grant_role(corpus=self.corpus, user=people.person(name), role=role, by=self.admin)
        for name in EXTRACTORS:
            enable(corpus=self.corpus, name=name)
        second, today = (round(len(self.pages) * share) for share in (SECOND_IMPORT, TODAYS_IMPORT))
        self.first = next(page for page in self.pages if page.story.slug == FIRST_PAGE)
        by_date = sorted(self.pages, key=lambda page: page.captured_at)
        by_date.remove(self.first)
        self.imports = by_date[: -second - today], by_date[-second - today : -today], by_date[-today:]
        self.slots = 2 * len(self.pages)
        self._import("autumn-pages", self.imports[0])

    def _first_weeks(self) -> None:
        self._sessions(EARLIER, ADJUDICATION_DAYS[0])
        self._set(days=12, hour=11)
        save_terms(
            corpus=self.corpus,
            licence="CC BY 4.0",
            collection="Pages written for this demo, by nine newspapers and blogs that do not exist.",
            limitations="Three languages; nobody but the annotators of the demo has read them all.",
        )
        self._release("The first pages, under the first guideline.")

    def _second_weeks(self) -> None:
        self._set(days=11, hour=10)
        texts = {
            language: text.replace(ADDED[language][0], "".join(ADDED[language]), 1)
            for language, text in default_texts().items()
        }
        write_version(
            corpus=self.corpus,
            texts=texts,
            note="Teasers of which only the title is shown were marked by some and not by others.",
            made_by=self.admin,
            based_on=self.corpus.guideline_version,
        )
        self._set(days=10, hour=9)
        self._import("october-pages", self.imports[1])
        self._sessions(LATER, ADJUDICATION_DAYS[1])
        self._practice()
        self._set(days=1, hour=17)
        self._release("Pages of October, and the second guideline.")
        self._correct()

    def _practice(self) -> None:
        """A newcomer has failed practice once, and is in their second attempt."""
        self._set(days=6, hour=15)
        set_practice(
            corpus=self.corpus,
            made_by=self.admin,
            based_on=0,
            source=self._practice_corpus(),
            pages=3,
            min_f1=0.8,
            min_verdicts=2,
            max_attempts=2,
        )
        grant_role(corpus=self.corpus, user=people.person(people.NEWCOMER), role="annotator", by=self.admin)
        for well in (False, False, True, True):
            self.clock.forward(hours=19)
            people.practise(self.corpus, people.NEWCOMER, self.references, self.clock, well=well)

    def _practice_corpus(self) -> Corpus:
        """The pages of the older demo, with their gold."""
        corpus = create_corpus(slug=PRACTICE_SLUG, name=PRACTICE_NAME, languages=LANGUAGES)
        grant_role(corpus=corpus, user=self.admin, role="admin", by=self.admin)
        add_pages_with_gold(corpus)
        pending.run_pending(corpus)
        for gold in Gold.objects.filter(page__corpus=corpus, current=True).select_related("document", "page"):
            reference = ReferenceMarks(gold.document.text, tuple(gold.marks), gold.verdict, gold.reason)
            self.references[gold.page.sha256] = reference
        return corpus

    def _today(self) -> None:
        self.clock.moment = self.now - timedelta(hours=4)
        self._import("this-morning", self.imports[2], {"front-page-scan.html": b"%PDF-1.7 scan"})
        self.clock.moment = self.now - timedelta(hours=3)
        self._annotate("tomasz", 1)
        self._annotate("joon", 2)
        self._import("carrow-head", [self.first])
        # Whoever signs in as this annotator then begins with the page that is begun next.
        self._annotate_begun("ines")
        self.clock.moment = self.now - timedelta(minutes=45)
        first = Page.objects.get(corpus=self.corpus, sha256=self.first.sha256)
        people.annotate_page(first, "marta", self.references, self.clock)
        self._annotate("marta", 2)
        invite(corpus=self.corpus, roles=["annotator"], made_by=self.admin, note="Emre, from October on")
        for name in NEW_EXTRACTORS:
            enable(corpus=self.corpus, name=name)

    # ---- steps ----

    def _set(self, *, days: int, hour: int) -> None:
        day = timezone.localtime(self.now) - timedelta(days=days)
        self.clock.moment = min(day.replace(hour=hour, minute=7, second=0), self.now)

    def _sessions(self, sessions: Sequence[tuple[int, int, str, float]], adjudicated: Sequence[int]) -> None:
        """Let people work, and the adjudicator on the days between."""
        left = list(adjudicated)
        for days, hour, name, share in sessions:
            while left and days < left[0]:
                self._adjudicate(left.pop(0))
            self._set(days=days, hour=hour)
            self._annotate(name, max(1, round(share * self.slots)))
        for days in left:
            self._adjudicate(days)

    def _adjudicate(self, days: int) -> None:
        self._set(days=days, hour=14)
        self._settle()
        waiting = open_adjudications().filter(round__page__corpus=self.corpus).count()
        most = max(1, waiting - LEFT_DISPUTES)
        people.adjudicate(self.corpus, "ruth", self.references, self.clock, most=most)

    def _annotate(self, name: str, most: int) -> int:
        return people.annotate(self.corpus, name, self.references, self.clock, most=most)

    def _annotate_begun(self, name: str) -> None:
        """Submit all that is offered before untouched pages, with the checks that come due by it."""
        done = 1
        while done:
            self._settle()
            slots = claimable_slots(self.corpus, people.person(name), timezone.now())
            done = self._annotate(name, slots.exclude(begun_at=None).count())

    def _import(
        self, name: str, pages: Sequence[ComposedPage], others: Mapping[str, bytes] | None = None
    ) -> None:
        """Upload a ZIP archive of pages, look through it and import it, as an admin does in the browser."""
        archive = zip_of(pages, others or {})
        run = start_upload(corpus=self.corpus, user=self.admin)
        file = add_file(run=run, name=f"{name}.zip", size=len(archive))
        for offset in range(0, len(archive), PART_BYTES):
            add_part(file=file, offset=offset, data=archive[offset : offset + PART_BYTES])
        finish_upload(run=run)
        work_on_import(run.pk)
        confirm_import(run=run, with_gold=False, with_assets=True, user=self.admin)
        work_on_import(run.pk)
        self._settle()
        by_digest = {page.sha256: page for page in pages}
        stored = Page.objects.filter(corpus=self.corpus, sha256__in=by_digest).select_related("document")
        for page in stored:
            assert page.document is not None
            reference = by_digest[page.sha256].reference(page.document.text, page.document.blocks)
            self.references[page.sha256] = reference

    def _release(self, note: str) -> None:
        self._settle()
        requested = request_release(corpus=self.corpus, user=self.admin, note=note)
        claimed = work.claim(Release, requested.pk)
        assert claimed
        build_release(claimed)

    def _correct(self) -> None:
        """An error is found in the first release, and one gold is sent back."""
        golds = Gold.objects.filter(page__corpus=self.corpus, current=True, source="adjudicated")
        found = golds.exclude(spans=[]).order_by("pk").first()
        if found is None:
            return
        release = self.corpus.releases.get(number=1)
        if release.rows.filter(sha256=found.page.sha256).exists():
            add_erratum(
                release=release,
                digest=found.page.sha256,
                description="The caption of the first picture is marked as body.",
                user=people.person("daniel"),
            )
        reopen_gold(
            gold=found, by=people.person("daniel"), why="The caption of the first picture is body here."
        )

    def _settle(self) -> None:
        """Do what the workers would have done by now."""
        pending.run_pending(self.corpus)
