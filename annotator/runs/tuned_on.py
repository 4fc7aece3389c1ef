"""Pages on which extractors were trained or tuned: they count in no figure of theirs (invariant 10).

Neither do their near duplicates and the pages of their sites. Models are not shown to annotators of them
(invariant 4).
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import connection
from django.db.models import Q, QuerySet

from annotator.pages.models import Page
from annotator.runs.models import Extractor, TunedOnPage


def write_tuned_on(extractor: Extractor, digests: Collection[str]) -> None:
    """Store the SHA-256 digests of all pages on which the extractor was trained or tuned."""
    TunedOnPage.objects.filter(extractor=extractor).delete()
    TunedOnPage.objects.bulk_create(
        TunedOnPage(extractor=extractor, sha256=digest) for digest in sorted(set(digests))
    )


# ---- scores ----


_IN_CORPUS = """
    select t.extractor_id, p.id, p.cluster_id, p.site
    from annotator_tunedonpage t join annotator_page p on p.sha256 = t.sha256
    where p.corpus_id = %s and t.extractor_id = any(%s)
"""


@dataclass(frozen=True)
class TunedOn:
    """On what an extractor was trained or tuned, as far as it is in a corpus."""

    pages: set[int]
    clusters: set[int]
    sites: set[str]

    def __contains__(self, page: Page) -> bool:
        """Whether it is one of these pages, a near duplicate of one or of the same site."""
        return page.pk in self.pages or page.cluster_id in self.clusters or page.site in self.sites


def tuned_on(corpus_id: int, extractors: Collection[int]) -> dict[int, TunedOn]:
    """Return on what each of these extractors was trained or tuned."""
    stated = Extractor.objects.filter(pk__in=extractors).values_list("pk", "tuned_on_sites")
    found = {extractor: TunedOn(set(), set(), set(sites)) for extractor, sites in stated}
    with connection.cursor() as cursor:
        cursor.execute(_IN_CORPUS, [corpus_id, list(found)])
        for extractor, page, cluster, site in cursor:
            known = found[extractor]
            known.pages.add(page)
            if cluster is not None:
                known.clusters.add(cluster)
            if site:
                known.sites.add(site)
    return found


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
