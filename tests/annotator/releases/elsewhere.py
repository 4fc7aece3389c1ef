"""Creates the same corpus in the database of DATABASE_URL: `python -m ... SEED`.

The seed varies what must not affect a release: keys, names, the order of pages and submissions, other data.
"""

import sys
from datetime import UTC, datetime, timedelta, timezone
from random import Random
from typing import Any

import django

django.setup()

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX  # noqa: E402

from annotator.agreement.actions import compare, request_comparison  # noqa: E402
from annotator.annotations import actions as annotating  # noqa: E402
from annotator.annotations.models import Slot  # noqa: E402
from annotator.common import work  # noqa: E402
from annotator.corpora.actions import create_corpus, grant_role  # noqa: E402
from annotator.corpora.models import Corpus, User  # noqa: E402
from annotator.gold import actions as adjudicating  # noqa: E402
from annotator.gold.finalisation import finalise_round  # noqa: E402
from annotator.gold.models import Adjudication  # noqa: E402
from annotator.gold.versions import add_gold  # noqa: E402
from annotator.pages.actions import add_page, build_document  # noqa: E402
from annotator.pages.models import Page  # noqa: E402
from annotator.releases.actions import add_erratum, save_terms, take_down  # noqa: E402
from annotator.releases.models import Release  # noqa: E402
from annotator.runs.actions import enable  # noqa: E402
from annotator.runs.models import Extractor  # noqa: E402
from extraction.sandbox import Parser  # noqa: E402
from extraction.spans import Span  # noqa: E402
from tests.annotator.releases.made import gold_on, release, story  # noqa: E402
from tests.factories import draft, extract_all, label_block  # noqa: E402

EXTRACTORS = ("tree-filter", "goldpan", "boilerpipe-article")
PAGES, LATE = 18, 4
ALIKE = " ".join(f"word{index}" for index in range(200))


class History:
    """A corpus from its first page to its second release."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)
        self.parser = Parser()

    def create(self) -> None:
        with self.parser:
            self._something_else()
            self.corpus = create_corpus(slug="dailies", name="Dailies", languages=["en", "es"])
            self.people = [self._person(role) for role in ("annotator", "annotator", "adjudicator", "admin")]
            save_terms(corpus=self.corpus, licence="CC0", collection="By hand.", limitations="Few.")
            self._pages(range(PAGES))
            release(self.corpus, user=self.people[3], note="The first.")
            self._what_was_wrong()
            self._pages(range(PAGES, PAGES + LATE))
            release(self.corpus, note="The second.")

    def _something_else(self) -> None:
        """People, extractors and pages of another corpus, so that keys differ."""
        other = create_corpus(slug="weeklies")
        for name in self.dice.sample(EXTRACTORS, len(EXTRACTORS)):
            enable(corpus=other, name=name)
        for number in range(self.dice.randrange(3, 9)):
            self._person("")
            gold_on(self._page(other, story(1_000 + number)))
        release(other)

    def _person(self, role: str) -> User:
        person = User.objects.create(
            username=f"p{self.dice.randrange(10**9)}", password=UNUSABLE_PASSWORD_PREFIX
        )
        if role:
            grant_role(corpus=self.corpus, user=person, role=role)
        return person

    def _page(self, corpus: Corpus, html: str, **facts: Any) -> Page:
        page = work.claim(Page, add_page(corpus=corpus, raw=html.encode(), **facts).page.pk)
        assert build_document(page, self.parser)
        return page

    # ---- pages ----

    def _pages(self, numbers: range) -> None:
        names = self.dice.sample(EXTRACTORS, len(EXTRACTORS))
        for name in names:
            enable(corpus=self.corpus, name=name)
        shuffled = self.dice.sample(list(numbers), len(numbers))
        pages = {number: self._news(number) for number in shuffled}
        for number in self.dice.sample(shuffled, len(shuffled)):
            self._gold(number, pages[number])

    def _news(self, number: int) -> Page:
        """Shared sites, near duplicates, two languages, known and unknown capture times."""
        html = f"<h1>T</h1><p>{ALIKE}</p><!-- {number} -->" if number % 6 == 5 else story(number)
        east = timezone(timedelta(hours=self.dice.randrange(-9, 9)))
        day = datetime(2026, 1, 1 + number, 12, tzinfo=UTC).astimezone(east)
        return self._page(
            self.corpus,
            html,
            url=f"https://www{number}.{'one' if number % 4 == 0 else f'news{number}'}.example.com/",
            language="es" if number % 5 == 0 else "en",
            captured_at=day if number % 3 else None,
        )

    def _gold(self, number: int, page: Page) -> None:
        """Imported gold on some pages, two annotations on the others, some of which disagree."""
        if number % 3 == 0:
            gold_on(page)
            return
        extract_all(page)
        round_ = annotating.open_round(page=page)
        self._give_arms(number, list(round_.slots.all()))
        ada, ben, cleo, _hanne = self.people
        slots = [annotating.claim_on(page=page, annotator=person) for person in (ada, ben)]
        submissions = list(zip(slots, (ada, ben), (number, number + number % 2), strict=True))
        for slot, person, choice in self.dice.sample(submissions, 2):
            saved = annotating.save(
                slot=slot, annotator=person, draft=draft(slot, person, self._marks(page, choice))
            )
            annotating.submit(slot=slot, annotator=person, based_on=saved.number)
        compare(work.claim(type(asked := request_comparison(round_=round_)), asked.pk))
        if isinstance(finalise_round(round_=round_), Adjudication):
            self._adjudicate(cleo)

    def _give_arms(self, number: int, slots: list[Slot]) -> None:
        """Fixed arms instead of those drawn by the seed of the corpus."""
        Slot.objects.filter(pk__in=[slot.pk for slot in slots]).update(arm=None)
        for slot, name in zip(slots, EXTRACTORS, strict=False):
            if number % 4:
                Slot.objects.filter(pk=slot.pk).update(arm=Extractor.objects.get(name=name))

    def _marks(self, page: Page, choice: int) -> list[Span]:
        blocks = page.documents.get().blocks
        labels = ("headline", "body", "supplemental")
        return [
            label_block(block, labels[index]) for index, block in enumerate(blocks) if choice % 4 != index
        ]

    def _adjudicate(self, cleo: User) -> None:
        """The adjudicator agrees with the first slot."""
        held = adjudicating.claim_next(corpus=self.corpus, user=cleo)
        letter = adjudicating.letters_of(held)[held.order.index(0)]
        numbers = list(held.segments.values_list("number", flat=True))
        adjudicating.decide(adjudication=held, user=cleo, numbers=numbers, choice=letter)
        adjudicating.submit(adjudication=held, user=cleo)

    # ---- after the first release ----

    def _what_was_wrong(self) -> None:
        """Errata in random order, new gold, and pages taken down."""
        first = Release.objects.get(corpus=self.corpus, number=1)
        digests = [row.sha256 for row in first.rows.order_by("sha256")]
        found = [(digests[0], "No headline."), (digests[0], "Ärger."), (digests[0], "a caption"),
                 (digests[3], "The byline.")]  # fmt: skip
        for digest, what in self.dice.sample(found, len(found)):
            add_erratum(release=first, digest=digest, description=what, user=self.people[3])
        changed = self.corpus.pages.get(sha256=digests[0])
        add_gold(document=changed.documents.get(), verdict="several", spans=[], source="imported")
        for digest in self.dice.sample(digests[5:7], 2):
            take_down(page=self.corpus.pages.get(sha256=digest), reason="Asked to.", user=self.people[3])


if __name__ == "__main__":
    History(int(sys.argv[1])).create()
