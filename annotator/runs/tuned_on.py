"""Pages on which extractors were trained or tuned: they count in no figure of theirs (invariant 10).

Neither do their near duplicates and the pages of their sites. Models are not shown to annotators of them
(invariant 4).
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from annotator.pages.models import Page
from annotator.runs.models import Extractor, TunedOnPage


def write_tuned_on(extractor: Extractor, digests: Collection[str]) -> None:
    """Store the SHA-256 digests of all pages on which the extractor was trained or tuned."""
    TunedOnPage.objects.filter(extractor=extractor).delete()
    TunedOnPage.objects.bulk_create(
        TunedOnPage(extractor=extractor, sha256=digest) for digest in sorted(digests)
    )


# ---- scores ----


@dataclass(frozen=True)
class TunedOn:
    """On what an extractor was trained or tuned, as far as it is in a corpus."""

    digests: frozenset[str]
    clusters: frozenset[int]
    sites: frozenset[str]

    def __contains__(self, page: Page) -> bool:
        """Whether it is one of these pages, a near duplicate of one or of the same site."""
        return page.sha256 in self.digests or page.cluster_id in self.clusters or page.site in self.sites


def tuned_on(corpus_id: int, extractors: Collection[int]) -> dict[int, TunedOn]:
    """Return on what each of these extractors was trained or tuned."""
    listed = TunedOnPage.objects.filter(extractor__in=extractors)
    found = Page.objects.filter(corpus=corpus_id, sha256__in=listed.values("sha256"))
    known = {page.sha256: page for page in found.only("sha256", "cluster", "site")}
    own: dict[int, list[Page]] = {extractor: [] for extractor in extractors}
    if known:
        for extractor, digest in listed.filter(sha256__in=known).values_list("extractor", "sha256"):
            own[extractor].append(known[digest])
    sites = dict(Extractor.objects.filter(pk__in=extractors).values_list("pk", "tuned_on_sites"))
    return {
        extractor: TunedOn(
            frozenset(page.sha256 for page in pages),
            frozenset(page.cluster_id for page in pages if page.cluster_id),
            frozenset([*sites[extractor], *(page.site for page in pages)]) - {""},
        )
        for extractor, pages in own.items()
    }


# ---- suggestions ----


def knowing(page: Page) -> QuerySet[Extractor]:
    """Return the trained extractors that learned from the page or from a near duplicate of it."""
    twins = Page.objects.filter(cluster__isnull=False, cluster=page.cluster_id).values("sha256")
    listed = TunedOnPage.objects.filter(Q(sha256=page.sha256) | Q(sha256__in=twins))
    return Extractor.objects.filter(trained_in__isnull=False, pk__in=listed.values("extractor"))


def known_to(extractor: Extractor) -> QuerySet[Page]:
    """Return the pages from which a trained extractor learned, and their near duplicates."""
    learned = Page.objects.filter(sha256__in=extractor.tuned_on_pages.values("sha256"))
    return Page.objects.filter(Q(pk__in=learned) | Q(cluster__in=learned.values("cluster")))
