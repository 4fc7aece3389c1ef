"""manage.py train SLUG ARCHITECTURE: train a model on a release, and run it on all pages."""

from contextlib import suppress
from functools import partial
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator import pipeline
from annotator.common import work
from annotator.common.errors import Conflict
from annotator.common.terminal import PlainCommand
from annotator.corpora.models import Corpus
from annotator.corpora.terminal import bar, corpus_to_change_or_error, warn_if_held
from annotator.home import pending
from annotator.management.releases import release_or_error
from annotator.releases.models import Release
from annotator.releases.queries import finished
from annotator.training import training
from annotator.training.actions import request_model, resume_model, stop_model
from annotator.training.models import TrainedModel
from extraction.learning.architectures import NAMES


class Command(PlainCommand):
    help = (
        "Train a model on the train pages of a release, choose its best round by the dev pages, and run the"
        " extractor that it becomes on all pages. Interrupted, it goes on with --resume NUMBER."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("architecture", metavar="ARCHITECTURE", help=", ".join(NAMES))
        parser.add_argument("--release", type=int, help="the newest if left out")
        parser.add_argument(
            "--labels", default="main", metavar="SET", help="what is content; %(default)s if left out"
        )
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--rounds", type=int, metavar="N", help="at most; those of the authors if left out"
        )
        parser.add_argument(
            "--patience", type=int, metavar="N", help="stop after N rounds without a better one"
        )
        parser.add_argument(
            "--resume", type=int, metavar="NUMBER", help="go on with a model that was stopped or failed"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = corpus_to_change_or_error(options["slug"])
        number = options["resume"]
        wanted = self._resumed(corpus, number) if number else self._asked(corpus, options)
        warn_if_held(self, wanted)
        claimed = work.claim_once_free(TrainedModel, wanted.pk)
        if claimed is None:
            raise CommandError(f"Model {wanted.number} is being trained already, or has just been.")
        resume = f"To go on: manage.py train {corpus.slug} {wanted.architecture} --resume {wanted.number}"
        self.interrupted = f"Stopped. {resume}"
        try:
            self._train(claimed)
        except KeyboardInterrupt:
            with suppress(Conflict):  # it has just ended
                stop_model(model=wanted)
            raise
        trained = TrainedModel.objects.select_related("extractor").get(pk=wanted.pk)
        if trained.stopped_at:
            raise CommandError(f"Somebody has stopped it. {resume}")
        if trained.extractor is None:
            pipeline.enqueue(trained)
            raise CommandError(
                trained.error or "Another model is being trained on this machine; a worker goes on."
            )
        self.interrupted = f"Model {trained.number} is trained; its run goes on where workers run."
        with bar(None, "steps") as progress:
            pending.run_pending(corpus, progress=progress.update)
        self._print(trained)

    def _train(self, claimed: TrainedModel) -> None:
        with bar(None, "") as progress:

            def step(what: str, done: int, of: int) -> None:
                progress.set_description(what, refresh=False)
                progress.n, progress.total = done, of
                progress.refresh()

            work.attempt(claimed, partial(training.train, step=step))

    def _asked(self, corpus: Corpus, options: dict[str, Any]) -> TrainedModel:
        return request_model(
            release=self._release(corpus, options["release"]),
            architecture=options["architecture"],
            labels=options["labels"],
            seed=options["seed"],
            rounds=options["rounds"],
            patience=options["patience"],
        )

    def _release(self, corpus: Corpus, number: int | None) -> Release:
        if number is not None:
            return release_or_error(corpus, number)
        newest = finished(corpus).first()
        if newest is None:
            raise CommandError(f"{corpus.slug} has no release: make one with manage.py release {corpus.slug}")
        return newest

    def _resumed(self, corpus: Corpus, number: int) -> TrainedModel:
        found = TrainedModel.objects.filter(corpus=corpus, number=number).first()
        if found is None:
            raise CommandError(f"There is no model {number}.")
        if found.finished_at:
            resume_model(model=found)
        return found

    def _print(self, model: TrainedModel) -> None:
        assert model.extractor
        self.stdout.write(f"model {model.number}: {model.extractor} {model.extractor.version}")
        self.stdout.write(f"SHA-256 {model.file_sha256}")
        if unseen := model.unseen:
            figures = ", ".join(f"{name} {value:.3f}" for name, value in unseen["positive"].items())
            self.stdout.write(f"{unseen['pages']} test pages, blocks of content: {figures}")
