"""What goes into an export: its format, where the gold comes from, and what goes along."""

from dataclasses import dataclass

from annotator.corpora.models import Corpus
from annotator.releases.exports.formats import WRITERS
from annotator.releases.models import Release
from extraction.formats.writing import Writer


@dataclass(frozen=True, kw_only=True)
class Contents:
    """The current gold of a corpus, or one of its releases, in a format.

    `pages`: with the bytes as captured, where the format can have them. `annotations`: with what annotators
    submitted before adjudication, under pseudonyms. `outputs`: with what extractors took.
    """

    corpus: Corpus
    format: str
    release: Release | None = None
    pages: bool = True
    annotations: bool = False
    outputs: bool = False

    @property
    def writer(self) -> Writer:
        return WRITERS[self.format]

    @property
    def with_pages(self) -> bool:
        """Whether the bytes of pages go out."""
        return self.writer.holds_pages(asked=self.pages)

    @property
    def with_annotations(self) -> bool:
        """Whether annotations go out."""
        return self.annotations and self.writer.annotations

    @property
    def with_outputs(self) -> bool:
        """Whether the outputs of extractors go out."""
        return self.outputs and self.writer.outputs
