"""What extractors took of pages: to be evaluated elsewhere, or looked at beside the gold."""

from collections import defaultdict
from collections.abc import Sequence

from annotator.corpora.models import Corpus
from annotator.runs.models import Extraction
from annotator.runs.queries import off_board
from extraction.formats.records import OutputRecord
from extraction.spans import Span, normalise, relevant


def outputs_of(
    corpus: Corpus, texts: dict[int, str], labels: frozenset[str]
) -> dict[int, tuple[OutputRecord, ...]]:
    """Return what the extractors on the board took of documents with their texts.

    They are in the order of name, version and parameters; a name tells what the parameters change.
    """
    rows = Extraction.objects.filter(document__in=texts, finished_at__isnull=False)
    rows = rows.exclude(extractor__in=off_board(corpus.pk)).select_related("extractor")
    rows = rows.only(
        "document_id", "error", "spans", "extractor__name", "extractor__version", "extractor__parameters"
    )
    found: dict[int, list[OutputRecord]] = defaultdict(list)
    for row in rows.order_by(
        "extractor__name", "extractor__version", "extractor__parameters_key", "extractor"
    ):
        marked = normalise(Span(*span) for span in row.spans)
        text = text_under(labels, marked, texts[row.document_id])
        made_by = str(row.extractor), row.extractor.version
        found[row.document_id].append(OutputRecord(*made_by, tuple(marked), text, is_failed=bool(row.error)))
    return {document: tuple(each) for document, each in found.items()}


def text_under(labels: frozenset[str], spans: Sequence[Span], text: str) -> str:
    """Return the text under these labels, a line for each span."""
    return "\n".join(text[start:end] for start, end in relevant(spans, labels))
