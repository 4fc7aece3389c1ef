"""manage.py upload_outputs SLUG NAME VERSION FILE: score outputs that an extractor made elsewhere."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotator.common.errors import GoldpanError
from annotator.common.terminal import PlainCommand
from annotator.corpora.terminal import bar, corpus_to_change_or_error
from annotator.home import pending
from annotator.runs.models import MissingOutputs, Run
from annotator.runs.queries import outputs_of
from annotator.runs.uploads import UploadedSystem, start_upload


class Command(PlainCommand):
    help = (
        "Upload outputs made elsewhere (JSON or JSONL, also .gz), align them with the pages and score them."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("name", help="of the system; not that of an extractor of Goldpan")
        parser.add_argument("version")
        parser.add_argument("file", type=Path)
        parser.add_argument("--source", default="", help="who published them where")
        parser.add_argument("--licence", default="")
        parser.add_argument("--family", default="", metavar="NAME", help="the extractor that it is based on")
        parser.add_argument(
            "--tuned-on", type=Path, metavar="FILE", help="digests, addresses or sites, one a line"
        )
        parser.add_argument(
            "--missing",
            choices=[choice.replace("_", "-") for choice in MissingOutputs.values],
            default="left-out",
            help="what becomes of pages without output",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = corpus_to_change_or_error(options["slug"])
        tuned_on: Path | None = options["tuned_on"]
        run = start_upload(
            corpus=corpus,
            system=UploadedSystem(
                **{name: options[name] for name in ("name", "version", "source", "licence", "family")},
                tuned_on=tuned_on.read_text(encoding="utf-8", errors="replace") if tuned_on else "",
            ),
            file_name=options["file"].name,
            data=options["file"].read_bytes(),
            missing=options["missing"].replace("-", "_"),
        )
        self.interrupted = "The outputs are uploaded; what is left goes on where workers run."
        with bar(None, "steps") as progress:
            pending.run_pending(corpus, progress=progress.update)
        run.refresh_from_db()
        if run.error:
            raise GoldpanError(run.error)
        self._report(run)

    def _report(self, run: Run) -> None:
        found = outputs_of(run)
        for each in found.unused:
            self.stderr.write(f"{each.name}: {each.reason}")
        self.stdout.write(
            f"{found.matched} matched, {found.unknown} unknown, {found.repeated} repeated, "
            f"{found.refused} refused; {found.without} pages without output; "
            f"{found.badly_placed_count} found in part"
        )
