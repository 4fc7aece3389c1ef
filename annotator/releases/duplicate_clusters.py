"""Clusters of near duplicates: their pages, their similarity, and their splits in the newest release."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, Window
from django.db.models.functions import RowNumber

from annotator.annotations.models import Purpose, Round
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.pages.models import DuplicatePair, Page
from annotator.releases.models import Release, ReleasePage
from annotator.releases.queries import finished
from annotator.releases.splits import SPLITS

# In the list of clusters; the screen of one cluster has them all.
PAGES_PER_CLUSTER = 5

ClusterRow = Mapping[str, Any]


class ClusterTotals(NamedTuple):
    """The number of clusters, of pages in them, and of all pages compared."""

    clusters: int
    pages: int
    compared: int


class DuplicateCluster(NamedTuple):
    """A cluster and some of its pages, with `duplicate_pairs_found`, `has_gold`, `in_practice` and `split`.

    `splits` counts its pages in each split of the newest release. A cluster that was merged after that
    release can be in several; the next release moves it to one. `min_jaccard` is the lowest Jaccard index
    between the pages listed, None if there is none.
    """

    key: int
    size: int
    sites: int
    gold: int
    splits: list[tuple[str, int]]
    min_jaccard: float | None
    pages: Sequence[Page]

    @property
    def is_in_several_splits(self) -> bool:
        return len(self.splits) > 1


def clusters_of(corpus: Corpus) -> QuerySet[Page, ClusterRow]:
    """Return clusters of two or more pages, largest first: `cluster`, `size`, `sites`, `gold_pages`."""
    gold = Gold.objects.filter(page=OuterRef("pk"), current=True)
    counted = (
        _clustered_pages(corpus)
        .annotate(has_gold=Exists(gold))
        .order_by()
        .values("cluster")
        .annotate(
            size=Count("pk"),
            sites=Count("site", distinct=True, filter=~Q(site="")),
            gold_pages=Count("pk", filter=Q(has_gold=True)),
        )
    )
    return counted.filter(size__gt=1).order_by("-size", "cluster")


def totals(corpus: Corpus) -> ClusterTotals:
    """Count the clusters of two pages or more, and their pages."""
    sizes = _clustered_pages(corpus).order_by().values("cluster").annotate(n=Count("pk"))
    rows = Counter(dict(sizes.values_list("cluster", "n")))
    many = [size for size in rows.values() if size > 1]
    return ClusterTotals(len(many), sum(many), rows.total())


def described(
    corpus: Corpus, rows: Iterable[ClusterRow], *, shown: int = PAGES_PER_CLUSTER
) -> list[DuplicateCluster]:
    """Return these clusters with their first `shown` pages. The number of queries is fixed."""
    rows = list(rows)
    keys = [row["cluster"] for row in rows]
    newest = finished(corpus).first()
    pages = _with_details(_clustered_pages(corpus).filter(cluster__in=keys), newest)
    rank = Window(RowNumber(), partition_by=[F("cluster")], order_by=[F("pk")])
    first = list(pages.annotate(rank=rank).filter(rank__lte=shown).order_by("cluster", "pk"))
    _attach_pairs(first)
    by_cluster = defaultdict(list)
    for page in first:
        by_cluster[page.cluster_id].append(page)
    splits = _splits(newest, keys)
    return [_cluster(row, splits.get(row["cluster"], {}), by_cluster[row["cluster"]]) for row in rows]


def pages_of(corpus: Corpus, cluster: int) -> QuerySet[Page]:
    """Return the pages of a cluster, oldest first."""
    return _clustered_pages(corpus).filter(cluster=cluster).order_by("pk")


def with_details(corpus: Corpus, pages: QuerySet[Page]) -> list[Page]:
    """Return the pages with the attributes that a cluster lists."""
    found = list(_with_details(pages, finished(corpus).first()))
    _attach_pairs(found)
    return found


def _cluster(row: ClusterRow, splits: Mapping[str, int], pages: Sequence[Page]) -> DuplicateCluster:
    indices = [each.jaccard for page in pages for each in page.duplicate_pairs_found]
    return DuplicateCluster(
        key=row["cluster"],
        size=row["size"],
        sites=row["sites"],
        gold=row["gold_pages"],
        splits=[(split, splits[split]) for split in SPLITS if split in splits],
        min_jaccard=min(indices, default=None),
        pages=pages,
    )


def _clustered_pages(corpus: Corpus) -> QuerySet[Page]:
    """Return the pages that have a cluster and were not taken down."""
    return Page.objects.filter(corpus=corpus, cluster__isnull=False, takedown=None)


def _with_details(pages: QuerySet[Page], newest: Release | None) -> QuerySet[Page]:
    gold = Gold.objects.filter(page=OuterRef("pk"), current=True)
    practice = Round.objects.filter(page=OuterRef("pk"), purpose=Purpose.PRACTICE)
    rows = ReleasePage.objects.filter(release=newest, sha256=OuterRef("sha256")).order_by()
    split: Any = Subquery(rows.values("split")[:1]) if newest else Value("")
    return pages.annotate(has_gold=Exists(gold), in_practice=Exists(practice), split=split)


def _attach_pairs(pages: Sequence[Page]) -> None:
    """Attach to each page the pairs found when it was added, most similar first."""
    found = defaultdict(list)
    rows = DuplicatePair.objects.filter(page__in=pages).select_related("other").order_by("-jaccard", "other")
    for each in rows:
        found[each.page_id].append(each)
    for page in pages:
        page.duplicate_pairs_found = found[page.pk]


def _splits(release: Release | None, keys: list[int]) -> dict[int, Counter[str]]:
    """Return cluster -> pages in each split."""
    found: dict[int, Counter[str]] = defaultdict(Counter)
    rows = ReleasePage.objects.filter(
        release=release, gold__page__cluster__in=keys, gold__page__takedown=None
    )
    for cluster, split in rows.values_list("gold__page__cluster", "split"):
        assert cluster is not None
        found[cluster][split] += 1
    return found
