"""The pages of a release as `extraction.learning` takes them: loaded when they are asked for."""

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

from annotator.common import storage
from annotator.common.verdicts import WITH_SPANS
from annotator.corpora.queries import label_set_of
from annotator.releases.models import Release, ReleasePage
from annotator.releases.queries import rows_of
from annotator.releases.splits import DEV, SPLITS, TEST, TRAIN
from extraction.documents.document import Document as Parsed
from extraction.learning.samples import PageSplit, Sample
from extraction.spans import Span, can_tell, normalise, relevant


class TaughtPage(NamedTuple):
    """A released page whose gold tells what is content."""

    row: int
    sha256: str
    gold_sha256: str
    split: str
    # The pages of its site and their near duplicates are one group.
    group: str


class TaughtPages(NamedTuple):
    """The pages of a release that a model can learn from, in the order of their digests."""

    pages: list[TaughtPage]
    labels: frozenset[str]

    def of(self, split: str) -> list[TaughtPage]:
        """Those of a split."""
        return [page for page in self.pages if page.split == split]

    @property
    def splits_sha256(self) -> str:
        """A digest of the pages by split."""
        return _digest({split: [page.sha256 for page in self.of(split)] for split in SPLITS})

    @property
    def data_sha256(self) -> str:
        """A digest of the pages by split, with their gold and the labels that count."""
        pages = {split: [[page.sha256, page.gold_sha256] for page in self.of(split)] for split in SPLITS}
        return _digest({"labels": sorted(self.labels), **pages})


def _digest(value: object) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def taught_pages(release: Release, labels: str) -> TaughtPages:
    """The articles of a release whose gold can tell a label set, without pages that were taken down."""
    wanted = label_set_of(release.corpus, labels)
    rows = (
        rows_of(release)
        .filter(gold__verdict__in=WITH_SPANS)
        .values_list("pk", "sha256", "gold_sha256", "split", "group", "gold__distinguishable_labels")
    )
    found = [
        TaughtPage(pk, page, gold, split, group)
        for pk, page, gold, split, group, told in rows.iterator()
        if can_tell(told, wanted)
    ]
    return TaughtPages(found, wanted)


class StoredSamples(Collection[Sample]):
    """Pages with their gold; each is loaded when it is its turn, so that one at a time is in memory.

    `ready` is told of each page once it has been worked on.
    """

    def __init__(
        self, pages: Sequence[TaughtPage], labels: frozenset[str], ready: Callable[[], None]
    ) -> None:
        self._pages, self._labels, self._ready = pages, labels, ready

    def __len__(self) -> int:
        return len(self._pages)

    def __contains__(self, sample: object) -> bool:
        return isinstance(sample, Sample) and any(page.sha256 == sample.sha256 for page in self._pages)

    def __iter__(self) -> Iterator[Sample]:
        for page in self._pages:
            document, spans = stored_page(page)
            yield Sample(document, relevant(spans, self._labels), page.sha256, page.group)
            self._ready()


def stored_page(page: TaughtPage) -> tuple[Parsed, list[Span]]:
    """The document of a page, and its gold."""
    row = ReleasePage.objects.select_related("gold__document").get(pk=page.row)
    document = Parsed.unpack(storage.get(row.gold.document.packed_sha256))
    return document, normalise(row.gold.marks)


def split_of(taught: TaughtPages, ready: Callable[[], None]) -> PageSplit:
    """The release's own splits, in which no two have a site in common."""
    return PageSplit(*(StoredSamples(taught.of(split), taught.labels, ready) for split in (TRAIN, DEV, TEST)))
