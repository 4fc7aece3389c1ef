"""manage.py open_rounds SLUG: re-annotate gold pages under the current guideline."""

import secrets
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.common import work
from annotator.common.errors import GoldpanError
from annotator.common.terminal import PlainCommand
from annotator.common.verdicts import Verdict
from annotator.corpora.models import Corpus
from annotator.corpora.terminal import bar, corpus_or_error, corpus_to_change_or_error, warn_if_held
from annotator.gold.reannotation import actions, queries
from annotator.gold.reannotation.models import Reannotation
from annotator.gold.reannotation.page_selection import PageCriteria, ReannotationPlan, plan, unknown_keys

MOST_SEED = 2**31


class Command(PlainCommand):
    help = (
        "Open re-annotation rounds for gold pages after a change of the guideline. A page must match all "
        "options given. Its gold stays current until the new round is finished. Run again, it resumes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument(
            "--clause",
            action="append",
            default=[],
            help="guideline clause named in the adjudication; repeatable",
        )
        parser.add_argument("--site", default="")
        parser.add_argument("--label", default="", help="label that the gold contains")
        parser.add_argument("--language", default="", help="ISO 639-1")
        parser.add_argument("--verdict", default="", choices=["", *Verdict.values])
        parser.add_argument(
            "--page", action="append", default=[], help="SHA-256 of a page, or a prefix; repeatable"
        )
        parser.add_argument("--share", type=float, default=1.0, help="random share of the matching pages")
        parser.add_argument("--seed", type=int, help="random seed for --share; default: random")
        parser.add_argument(
            "--dry-run", action="store_true", help="only print how many rounds would be opened"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        found = corpus_or_error if options["dry_run"] else corpus_to_change_or_error
        corpus = found(options["slug"])
        criteria = _criteria(corpus, options)
        if options["dry_run"]:
            self._print(plan(corpus, criteria))
            return
        reannotation = self._requested(corpus, criteria)
        warn_if_held(self, reannotation)
        open_all(reannotation)
        run = queries.reannotations(corpus).get(pk=reannotation.pk)
        self._report(run)
        if run.error:
            raise CommandError(run.error)
        if not run.finished_at:
            raise CommandError(
                "Somebody has stopped it. Run again, it resumes."
                if run.stopped_at
                else "A worker goes on with it."
            )

    def _print(self, planned: ReannotationPlan) -> None:
        self.stdout.write(
            f"{planned.matching} gold pages match; {planned.in_work} are already open, "
            f"{planned.too_few} have too few eligible annotators"
        )
        self.stdout.write(
            f"{len(planned.pages)} rounds would be opened, with {planned.slots} slots, "
            f"{planned.fresh} of them for annotators new to the page"
        )

    def _requested(self, corpus: Corpus, criteria: PageCriteria) -> Reannotation:
        unfinished = queries.unfinished(corpus)
        if unfinished is None:
            self._print(plan(corpus, criteria))
            return actions.request_reannotation(corpus=corpus, criteria=criteria)
        self.stdout.write("resuming the unfinished re-annotation")
        actions.resume(reannotation=unfinished)
        return unfinished

    def _report(self, run: Any) -> None:
        self.stdout.write(
            f"{run.opened} of {run.pages} rounds are open; left out: {run.in_work} already open, "
            f"{run.too_few} with too few eligible annotators, {run.gone} no longer out of date"
        )
        self.stdout.write(f"seed {run.criteria['seed']}, guideline {run.guideline_version}")


def _criteria(corpus: Corpus, options: dict[str, Any]) -> PageCriteria:
    keys = tuple(key.lower() for key in options["page"])
    unknown = unknown_keys(corpus, keys)
    if unknown:
        raise GoldpanError(f"no page with digest: {', '.join(unknown)}")
    if not 0 < options["share"] <= 1:
        raise GoldpanError("the share must be above 0 and at most 1")
    seed = options["seed"]
    return PageCriteria(
        clauses=tuple(options["clause"]),
        site=options["site"],
        label=options["label"],
        language=options["language"],
        verdict=options["verdict"],
        share=options["share"],
        seed=secrets.randbelow(MOST_SEED) if seed is None else seed,
        keys=keys,
    )


def open_all(reannotation: Reannotation) -> None:
    """Open the rounds in this process, unless a worker has claimed the re-annotation."""
    claimed = work.claim_once_free(Reannotation, reannotation.pk)
    if claimed is None:
        return
    try:
        with bar(queries.waiting(claimed).count(), "rounds") as progress:
            work.attempt(claimed, lambda row: actions.open_rounds(row, step=lambda _done: progress.update()))
    except KeyboardInterrupt:
        actions.stop(reannotation=reannotation)
        raise
