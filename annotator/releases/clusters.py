"""Clusters of near duplicates: their pages, what joined them, and where they are in the newest release."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, Window
from django.db.models.functions import RowNumber

from annotator.annotations.models import Purpose, Round
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.pages.models import Likeness, Page
from annotator.releases.models import Release, ReleasePage
from annotator.releases.queries import finished
from annotator.releases.splits import SPLITS

# Of a cluster in the list; all of them have a screen of their own.
SHOWN = 5

Row = Mapping[str, Any]


class Held(NamedTuple):
    """What all clusters are together."""

    clusters: int
    pages: int
    of: int


class Cluster(NamedTuple):
    """One cluster and some of its pages: each with `likeness` (list), `has_gold`, `practised`, `split`.

    `splits` says how many of its pages are in each split of the newest release; a cluster whose parts met
    after it was made is in several, and the next release brings them together. `least` is the lowest Jaccard
    index that joined two of the pages listed, None where none was kept.
    """

    key: int
    size: int
    sites: int
    gold: int
    splits: list[tuple[str, int]]
    least: float | None
    pages: list[Page]

    @property
    def is_torn(self) -> bool:
        return len(self.splits) > 1


def clusters_of(corpus: Corpus) -> QuerySet[Page, Row]:
    """Clusters of two pages or more, the largest first, as rows of `cluster`, `size`, `sites` and `gold`."""
    gold = Gold.objects.filter(page=OuterRef("pk"), current=True)
    counted = (
        _standing(corpus)
        .annotate(settled=Exists(gold))
        .order_by()
        .values("cluster")
        .annotate(
            size=Count("pk"),
            sites=Count("site", distinct=True, filter=~Q(site="")),
            gold=Count("pk", filter=Q(settled=True)),
        )
    )
    return counted.filter(size__gt=1).order_by("-size", "cluster")


def held(corpus: Corpus) -> Held:
    """How many pages are in clusters, of how many that were built."""
    sizes = _standing(corpus).order_by().values("cluster").annotate(n=Count("pk"))
    rows = Counter(dict(sizes.values_list("cluster", "n")))
    many = [size for size in rows.values() if size > 1]
    return Held(len(many), sum(many), rows.total())


def described(corpus: Corpus, rows: Iterable[Row], *, shown: int = SHOWN) -> list[Cluster]:
    """These clusters with so many of their pages, the oldest first; in as many queries for one as for all."""
    rows = list(rows)
    keys = [row["cluster"] for row in rows]
    newest = finished(corpus).first()
    pages = _with_facts(_standing(corpus).filter(cluster__in=keys), newest)
    place = Window(RowNumber(), partition_by=[F("cluster")], order_by=[F("pk")])
    first = list(pages.annotate(place=place).filter(place__lte=shown).order_by("cluster", "pk"))
    _with_likeness(first)
    by_cluster = defaultdict(list)
    for page in first:
        by_cluster[page.cluster_id].append(page)
    splits = _splits(newest, keys)
    return [_cluster(row, splits.get(row["cluster"], {}), by_cluster[row["cluster"]]) for row in rows]


def pages_of(corpus: Corpus, cluster: int) -> QuerySet[Page]:
    """Its pages, the oldest first."""
    return _standing(corpus).filter(cluster=cluster).order_by("pk")


def with_facts(corpus: Corpus, pages: QuerySet[Page]) -> list[Page]:
    """The pages as a cluster lists them."""
    found = list(_with_facts(pages, finished(corpus).first()))
    _with_likeness(found)
    return found


def _cluster(row: Row, splits: Mapping[str, int], pages: list[Page]) -> Cluster:
    indices = [each.jaccard for page in pages for each in page.likeness]  # type: ignore[attr-defined]
    return Cluster(
        key=row["cluster"],
        size=row["size"],
        sites=row["sites"],
        gold=row["gold"],
        splits=[(split, splits[split]) for split in SPLITS if split in splits],
        least=min(indices, default=None),
        pages=pages,
    )


def _standing(corpus: Corpus) -> QuerySet[Page]:
    """Pages that have a cluster, and text to be alike in."""
    return Page.objects.filter(corpus=corpus, cluster__isnull=False, takedown=None)


def _with_facts(pages: QuerySet[Page], newest: Release | None) -> QuerySet[Page]:
    gold = Gold.objects.filter(page=OuterRef("pk"), current=True)
    practice = Round.objects.filter(page=OuterRef("pk"), purpose=Purpose.PRACTICE)
    rows = ReleasePage.objects.filter(release=newest, sha256=OuterRef("sha256")).order_by()
    split: Any = Subquery(rows.values("split")[:1]) if newest else Value("")
    return pages.annotate(has_gold=Exists(gold), practised=Exists(practice), split=split)


def _with_likeness(pages: list[Page]) -> None:
    """To each page the pages that it was like when it came, the closest first."""
    found = defaultdict(list)
    rows = Likeness.objects.filter(page__in=pages).select_related("other").order_by("-jaccard", "other")
    for each in rows:
        found[each.page_id].append(each)
    for page in pages:
        page.likeness = found[page.pk]  # type: ignore[attr-defined]


def _splits(release: Release | None, keys: list[int]) -> dict[int, Counter[str]]:
    """Cluster -> how many of its pages are in each split."""
    found: dict[int, Counter[str]] = defaultdict(Counter)
    rows = ReleasePage.objects.filter(
        release=release, gold__page__cluster__in=keys, gold__page__takedown=None
    )
    for cluster, split in rows.values_list("gold__page__cluster", "split"):
        found[cluster][split] += 1
    return found
