"""manage.py run_extractors SLUG [NAME ...]: do all pending work of a corpus."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator import pipeline
from annotator.common.terminal import PlainCommand
from annotator.corpora.terminal import bar, corpus_to_change_or_error
from annotator.home import pending
from annotator.runs.actions import register_as_written
from annotator.runs.models import CorpusExtractor, Extractor, Run
from annotator.runs.parts import checked_part
from annotator.runs.running import start_run


class Command(PlainCommand):
    help = (
        "Parse, extract, compare and score what is missing in a corpus. Workers may run at the same time. "
        "Each NAME (with parameters NAME:key=value,...) that is not enabled is run on all pages, then is. "
        "Interrupted, it goes on where it stopped when it is run again."
    )

    interrupted = "Stopped here. What is left goes on where workers run, or with the same command again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("names", nargs="*", metavar="NAME")
        parser.add_argument(
            "--only",
            default="",
            metavar="PART",
            help="run the named extractors on a part of the pages: language:CODE, site:HOST, failed (another"
            " version failed on them) or missing (it has no output for them); they are not enabled then",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = corpus_to_change_or_error(options["slug"])
        part = checked_part(options["only"])
        if part and not options["names"]:
            raise CommandError("--only is for the extractors that are named, and none is.")
        runs = []
        for extractor in [self._registered(given) for given in options["names"]]:
            if not CorpusExtractor.objects.filter(corpus=corpus, extractor=extractor, ended_at=None).exists():
                run = start_run(corpus=corpus, extractor=extractor, part=part)
                runs.append(run.pk)
                if run.completed_at:
                    pipeline.extractors_changed(corpus.pk)
        with bar(None, "steps") as progress:
            failed = pending.run_pending(corpus, progress=progress.update)
        self.stdout.write(f"Done; failed in this corpus so far: {failed}." if failed else "Done.")
        if put_off := pending.overloaded(corpus):
            self.stderr.write(
                f"Put off, and left to the workers, which try it again: {len(put_off)}, as the machine was at"
                f" fault; for instance {put_off[0].last_fault}"
            )
        # Somebody may have paused or cancelled it.
        stopped = Run.objects.filter(pk__in=runs, completed_at=None).select_related("extractor")
        if stopped:
            listed = ", ".join(f"the run of {run} ({run.stage})" for run in stopped)
            raise CommandError(f"Not completed: {listed}.")

    def _registered(self, given: str) -> Extractor:
        name, _colon, parameters = given.partition(":")
        return register_as_written(name, parameters)
