"""Reads gold as records of the export formats; of each row only what the format can hold."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet

from annotator.annotations.models import TO_GOLD, Submission
from annotator.common import storage
from annotator.common.batches import batched
from annotator.common.verdicts import WITH_SPANS
from annotator.corpora.queries import label_set_of
from annotator.gold.models import Gold
from annotator.gold.queries import current_gold
from annotator.releases.canonical_json import canonical_gold
from annotator.releases.exports.annotations import Pseudonyms, annotations_of
from annotator.releases.exports.contents import Contents
from annotator.releases.exports.outputs import outputs_of, text_under
from annotator.releases.models import Release
from annotator.releases.queries import rows_of
from extraction.documents.document import Document
from extraction.formats.gold import GoldRecord
from extraction.formats.records import AnnotationRecord, DocumentText, OutputRecord, PageRecord
from extraction.formats.writing import Loss
from extraction.spans import Span, can_tell, normalise

# Rows read at once, with their texts.
BATCH_SIZE = 200
# The label set of the plain text of formats that also have spans.
TEXT_LABELS = "main"

Progress = Callable[[int], None]


class PageFacts(NamedTuple):
    """What is known of a page: as it is now, or as it was released."""

    url: str
    charset: str
    captured_at: str | None
    language: str
    site: str


class GoldRow(NamedTuple):
    """A page, its gold and its document, as the columns of `_COLUMNS`."""

    gold: int
    document: int
    sha256: str
    verdict: str
    reason: str
    spans: list[Any]
    labels: list[str]
    text: str
    text_sha256: str
    parser: str
    packed_sha256: str
    source: str


_COLUMNS = (
    "pk", "document_id", "page__sha256", "verdict", "reason", "spans", "distinguishable_labels",
    "document__text", "document__sha256", "document__version", "document__packed_sha256",
    "source",
)  # fmt: skip
_PAGE = ("page__url", "page__charset", "page__captured_at", "page__language", "page__site")


class _Exported(NamedTuple):
    row: GoldRow
    page: PageFacts
    split: str = ""


def count_of(contents: Contents) -> int:
    """Return how many pages the format can hold."""
    return _golds(contents).count()


def left_out_of(contents: Contents) -> int:
    """Return how many pages the format cannot hold, as they are no articles."""
    if not contents.writer.articles:
        return 0
    return _golds(contents, every=True).count() - _golds(contents).count()


def records(contents: Contents, step: Progress, losses: Counter[Loss]) -> Iterator[PageRecord]:
    """Yield the records in the order of their pages' digests, and count what is lost of them."""
    exported = _of_release(contents, contents.release) if contents.release else _current(contents)
    reader = _RecordReader(contents)
    losses_of, always = contents.writer.losses_of, contents.writer.always_loses(with_pages=contents.pages)
    if contents.release is None:  # releases alone have splits
        always -= {Loss.SPLITS}
    done = 0
    for batch in batched(exported, BATCH_SIZE):
        for record in reader.records(batch):
            yield record
            losses.update(losses_of(record))
            losses.update(always)
            done += 1
            step(done)
    if left_out := left_out_of(contents):
        losses[Loss.NOT_ARTICLES] = left_out
    if contents.with_annotations and (elsewhere := _annotated_elsewhere(contents)):
        losses[Loss.ANNOTATIONS] = elsewhere


def _annotated_elsewhere(contents: Contents) -> int:
    """Return how many pages have annotations, but none in the document of their gold."""
    of_page = Submission.objects.filter(
        withdrawn_at=None,
        annotation__slot__round__purpose__in=TO_GOLD,
        annotation__slot__round__page=OuterRef("page"),
    )
    in_document = of_page.filter(annotation__document=OuterRef("document"))
    return _golds(contents).filter(Exists(of_page), ~Exists(in_document)).count()


def _golds(contents: Contents, *, every: bool = False) -> QuerySet[Gold]:
    if contents.release is None:
        golds = current_gold(contents.corpus)
    else:
        golds = Gold.objects.filter(pk__in=rows_of(contents.release).order_by().values("gold"))
    return golds if every or not contents.writer.articles else golds.filter(verdict__in=WITH_SPANS)


def _current(contents: Contents) -> Iterator[_Exported]:
    rows = _golds(contents).order_by("page__sha256").values_list(*_COLUMNS, *_PAGE)
    for row in rows.iterator(chunk_size=BATCH_SIZE):
        url, charset, captured_at, language, site = row[len(_COLUMNS) :]
        facts = PageFacts(url, charset, captured_at and captured_at.isoformat(), language, site)
        yield _Exported(GoldRow(*row[: len(_COLUMNS)]), facts)


def _of_release(contents: Contents, release: Release) -> Iterator[_Exported]:
    rows = rows_of(release)
    if contents.writer.articles:
        rows = rows.filter(gold__verdict__in=WITH_SPANS)
    columns = rows.values_list(*(f"gold__{name}" for name in _COLUMNS), "metadata", "split")
    for row in columns.iterator(chunk_size=BATCH_SIZE):
        metadata, split = row[len(_COLUMNS) :]
        facts = PageFacts(**{name: metadata[name] for name in PageFacts._fields})
        yield _Exported(GoldRow(*row[: len(_COLUMNS)]), facts, split)


class _RecordReader:
    """Makes records of rows; remembers the pseudonyms of annotators."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents
        self._pseudonyms = Pseudonyms(f"{contents.corpus.seed}:annotators")
        labels = contents.writer.articles or TEXT_LABELS
        self._text_labels = label_set_of(contents.corpus, labels)

    def records(self, batch: Sequence[_Exported]) -> Iterator[PageRecord]:
        annotations, outputs = {}, {}
        texts = {each.row.document: each.row.text for each in batch}
        if self._contents.with_annotations:
            release = self._contents.release
            at = release.finished_at if release else None
            annotations = annotations_of([*texts], self._pseudonyms, at)
        if self._contents.with_outputs:
            outputs = outputs_of(self._contents.corpus, texts, self._text_labels)
        for each in batch:
            document = each.row.document
            yield self._record(each, annotations.get(document, ()), outputs.get(document, ()))

    def _record(
        self,
        exported: _Exported,
        annotations: tuple[AnnotationRecord, ...],
        outputs: tuple[OutputRecord, ...],
    ) -> PageRecord:
        row, page, writer = exported.row, exported.page, self._contents.writer
        spans = spans_of(row.spans)
        gold = GoldRecord(
            verdict=row.verdict,
            reason=row.reason,
            spans=tuple(spans),
            text=text_of(spans, row.labels, row.text, self._text_labels),
            labels=frozenset(row.labels),
            parser=row.parser,
        )
        return PageRecord(
            location=row.sha256,
            raw=storage.get(row.sha256) if self._contents.with_pages else b"",
            url=page.url,
            charset=page.charset or None,
            captured_at=page.captured_at,
            language=page.language or None,
            gold=gold,
            document=DocumentText(row.text, row.text_sha256, row.parser),
            annotations=annotations,
            outputs=outputs,
            split=exported.split,
            site=page.site,
            tree=Document.unpack(storage.get(row.packed_sha256)) if writer.needs_tree else None,
            canonical_gold=_canonical(row) if writer.needs_canonical_gold else "",
            known_sha256=row.sha256,
        )


def _canonical(row: GoldRow) -> str:
    return canonical_gold(
        document=row.text_sha256,
        verdict=row.verdict,
        reason=row.reason,
        spans=row.spans,
        labels=row.labels,
        source=row.source,
    )


def spans_of(rows: Sequence[Any]) -> list[Span]:
    """Return the spans of a gold in normal form, without their sources."""
    return normalise(Span(start, end, label) for start, end, label, _source in rows)


def text_of(spans: Sequence[Span], labels: Collection[str], text: str, requested: frozenset[str]) -> str:
    """Return the relevant text of a gold, one line per span.

    If the gold's labels do not distinguish the requested ones, those that they do distinguish are used.
    """
    wanted = requested if can_tell(labels, requested) else (requested & set(labels) or frozenset(labels))
    return text_under(wanted, spans, text)
