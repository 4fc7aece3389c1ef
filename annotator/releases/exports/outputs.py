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
    """Return what the extractors on the board took, by name and version, of documents with their texts."""
    rows = Extraction.objects.filter(document__in=texts, finished_at__isnull=False)
    rows = rows.exclude(extractor__in=off_board(corpus.pk)).order_by(
        "extractor__name", "extractor__version", "extractor"
    )
    found: dict[int, list[OutputRecord]] = defaultdict(list)
    for document, name, version, error, spans in rows.values_list(
        "document", "extractor__name", "extractor__version", "error", "spans"
    ):
        marked = normalise(Span(*span) for span in spans)
        text = text_under(labels, marked, texts[document])
        found[document].append(OutputRecord(name, version, tuple(marked), text, is_failed=bool(error)))
    return {document: tuple(each) for document, each in found.items()}


def text_under(labels: frozenset[str], spans: Sequence[Span], text: str) -> str:
    """Return the text under these labels, a line for each span."""
    return "\n".join(text[start:end] for start, end in relevant(spans, labels))
