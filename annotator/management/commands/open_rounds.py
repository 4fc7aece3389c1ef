"""manage.py open_rounds SLUG: settled pages are annotated anew under the guideline that stands."""

import secrets
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotator import journey
from annotator.annotations.models import Verdict
from annotator.common import work
from annotator.common.errors import GoldpanError
from annotator.corpora.models import Corpus
from annotator.corpora.terminal import bar, corpus_or_error, plain_errors
from annotator.renewal import actions, queries
from annotator.renewal.choosing import Asked, Plan, plan, unknown_keys
from annotator.renewal.models import Renewal

MOST_SEED = 2**31


class Command(BaseCommand):
    help = (
        "Open new rounds for settled pages, because the guideline has changed. All that is asked must "
        "hold, and what is not asked leaves all of them. Until a round is settled the earlier gold stands. "
        "Stopped, the same command goes on."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument(
            "--clause", action="append", default=[], help="by which an adjudicator settled it; repeatable"
        )
        parser.add_argument("--site", default="")
        parser.add_argument("--label", default="", help="that the gold has")
        parser.add_argument("--language", default="", help="ISO 639-1")
        parser.add_argument("--verdict", default="", choices=["", *Verdict.values])
        parser.add_argument(
            "--page", action="append", default=[], help="a page's SHA-256 or how it begins; repeatable"
        )
        parser.add_argument("--share", type=float, default=1.0, help="of what is left, drawn by the seed")
        parser.add_argument("--seed", type=int, help="draws the share; one is drawn if it is not given")
        parser.add_argument("--dry-run", action="store_true", help="only say how many rounds that would be")

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = corpus_or_error(options["slug"])
        with plain_errors():
            asked = _asked(corpus, options)
            if options["dry_run"]:
                self._say(plan(corpus, asked))
                return
            renewal = self._renewal(corpus, asked)
            open_all(renewal)
        self._report(queries.renewals(corpus).get(pk=renewal.pk))

    def _say(self, would_be: Plan) -> None:
        self.stdout.write(
            f"{would_be.fitting} settled pages fit; {would_be.in_work} are open already, "
            f"{would_be.too_few} have too few people"
        )
        self.stdout.write(
            f"{len(would_be.pages)} rounds would be opened, with {would_be.slots} places; "
            f"{would_be.fresh} by people new to the page"
        )

    def _renewal(self, corpus: Corpus, asked: Asked) -> Renewal:
        unfinished = queries.unfinished(corpus)
        if unfinished is None:
            self._say(plan(corpus, asked))
            return actions.request_renewal(corpus=corpus, asked=asked)
        self.stdout.write("going on with what was chosen before")
        actions.go_on(renewal=unfinished)
        return unfinished

    def _report(self, said: Any) -> None:
        self.stdout.write(
            f"{said.opened} of {said.pages} rounds are open; left out: {said.in_work} open already, "
            f"{said.too_few} with too few people, {said.gone} no longer out of date"
        )
        self.stdout.write(f"seed {said.asked['seed']}, guideline {said.guideline_version}")


def _asked(corpus: Corpus, options: dict[str, Any]) -> Asked:
    keys = tuple(key.lower() for key in options["page"])
    unknown = unknown_keys(corpus, keys)
    if unknown:
        raise GoldpanError(f"no page here is meant by: {', '.join(unknown)}")
    if not 0 < options["share"] <= 1:
        raise GoldpanError("a share is above 0 and at most 1")
    seed = options["seed"]
    return Asked(
        clauses=tuple(options["clause"]),
        site=options["site"],
        label=options["label"],
        language=options["language"],
        verdict=options["verdict"],
        share=options["share"],
        seed=secrets.randbelow(MOST_SEED) if seed is None else seed,
        keys=keys,
    )


def open_all(renewal: Renewal) -> None:
    """Open the rounds here; what a worker holds already is left to it."""
    claimed = work.claim(Renewal, renewal.pk)
    if claimed is None:
        journey.renewal_requested(renewal)
        return
    with bar(queries.waiting(claimed).count(), "rounds") as progress:
        actions.open_rounds(claimed, step=lambda _done: progress.update())
