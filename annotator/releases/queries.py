"""What is asked about releases."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotator.annotations.models import TO_GOLD, WITH_SPANS, Annotation, Purpose, Round
from annotator.corpora.models import Corpus
from annotator.gold.models import Gold
from annotator.gold.queries import current_gold
from annotator.gold.weights import gold_weights
from annotator.pages.models import Page
from annotator.releases.models import Erratum, GoldCount, Release, ReleasePage, Takedown, Terms
from annotator.releases.report import Counted, report
from annotator.releases.splits import SPLITS, Member

# Of a digest, so many letters name a page.
DIGEST_BEGINS = 6


def releases_of(corpus: Corpus) -> QuerySet[Release]:
    """The releases of a corpus, the newest first, those that are still made and those that failed too."""
    return Release.objects.filter(corpus=corpus).select_related("made_by", "corpus").defer("manifest")


def finished(corpus: Corpus) -> QuerySet[Release]:
    return releases_of(corpus).exclude(sha256="")


def newest_with_splits(corpus: Corpus, most: int) -> list[Release]:
    """The newest finished releases, each with `splits`: how many of its pages are in each, in their order."""
    found = list(finished(corpus)[:most])
    counted: dict[int, dict[str, int]] = {release.pk: dict.fromkeys(SPLITS, 0) for release in found}
    rows = ReleasePage.objects.filter(release__in=counted).order_by().values_list("release", "split")
    for pk, split, pages in rows.annotate(n=Count("pk")):
        counted[pk][split] = pages
    for release in found:
        release.splits = counted[release.pk]
    return found


def gold_since(release: Release) -> int:
    """Pages of the corpus whose gold of today the release does not hold."""
    held = ReleasePage.objects.filter(release=release, gold=OuterRef("pk"))
    return current_gold(release.corpus).exclude(Exists(held)).count()


def rows_of(release: Release) -> QuerySet[ReleasePage]:
    """The release's pages in the order of their digests, without those that were taken down."""
    down = Takedown.objects.filter(page=OuterRef("gold__page"))
    rows = ReleasePage.objects.filter(release=release).exclude(Exists(down))
    return rows.select_related("gold__page", "gold__document").order_by("sha256")


def tombstones_of(release: Release) -> QuerySet[Takedown]:
    """Takedowns of pages that the release held."""
    return (
        Takedown.objects.filter(page__gold__released_in__release=release)
        .select_related("page", "made_by")
        .order_by("page__sha256")
    )


def errata_of(release: Release) -> QuerySet[Erratum]:
    return Erratum.objects.filter(release=release).select_related("corrected_in", "found_by")


def splits_before(corpus: Corpus) -> dict[str, str]:
    """The split of every page that was ever released, by digest; where it moved, the newest."""
    rows = ReleasePage.objects.filter(release__corpus=corpus, release__finished_at__isnull=False)
    return dict(rows.order_by("release__number").values_list("sha256", "split"))


def to_release(corpus: Corpus) -> QuerySet[Gold]:
    """What a release made now would freeze, in the order of the pages' digests."""
    return current_gold(corpus).order_by("page__sha256")


def members(corpus: Corpus) -> dict[int, Member]:
    """What a release made now would freeze, by the keys of the golds: as much as decides on their splits."""
    facts = ("page__sha256", "page__site", "page__cluster__sha256", "page__language")
    rows = to_release(corpus).values_list("pk", *facts)
    return {
        gold: Member(sha256, site, cluster or "", language) for gold, sha256, site, cluster, language in rows
    }


def with_page(golds: QuerySet[Gold]) -> QuerySet[Gold]:
    """With page and document, but for texts."""
    return golds.select_related("page", "document").defer("document__text", "document__blocks")


def uncounted(corpus: Corpus | None = None) -> QuerySet[Gold]:
    """Current gold of which nobody has counted yet what its page is made of."""
    golds = Gold.objects.filter(current=True).exclude(Exists(GoldCount.objects.filter(gold=OuterRef("pk"))))
    return golds.filter(page__corpus=corpus) if corpus else golds


def counted(corpus: Corpus) -> Iterator[Counted]:
    """Every current gold that is an article: others have no text to mark."""
    weights = gold_weights(corpus)
    rows = GoldCount.objects.filter(
        gold__page__corpus=corpus, gold__current=True, gold__verdict__in=WITH_SPANS
    )
    facts = rows.values_list("gold__page", "gold__page__language", "gold__page__site", "amounts")
    for page, *found in facts.iterator():
        yield Counted(*found, weights.get(page, 1.0))


def guidelines_of(corpus: Corpus) -> dict[int, set[int]]:
    """The guideline versions by which each page was annotated, in its last round if there are more."""
    found: dict[int, set[int]] = {}
    submitted = Annotation.objects.filter(
        slot__corpus=corpus, slot__round__purpose__in=TO_GOLD, submitted_at__isnull=False
    )
    anew = Round.objects.filter(purpose=Purpose.GUIDELINE, settled_at__isnull=False)
    later = anew.filter(page=OuterRef("slot__round__page"), pk__gt=OuterRef("slot__round"))
    submitted = submitted.exclude(Exists(later)).exclude(
        slot__round__purpose=Purpose.GUIDELINE, slot__round__settled_at=None
    )
    for page, version in submitted.values_list("slot__round__page", "guideline_version").distinct():
        found.setdefault(page, set()).add(version)
    return found


def terms_of(corpus: Corpus) -> Terms:
    """What the corpus says of itself; unsaved where it has said nothing."""
    return Terms.objects.filter(corpus=corpus).first() or Terms(corpus=corpus)


def current_report(corpus: Corpus) -> dict[str, Any]:
    """The corpus report of the gold that is current, as far as it is counted."""
    return report(counted(corpus), list(corpus.labels.values_list("name", flat=True)))


# ---- pages taken down ----


def page_of(corpus: Corpus, sought: str) -> Page | None:
    """The one page whose digest begins so, or that has this address; None where none has, or several have."""
    sought = sought.strip()
    if len(sought) < DIGEST_BEGINS:
        return None
    named = Q(sha256__startswith=sought.lower()) | Q(url=sought)
    found = list(Page.objects.filter(named, corpus=corpus, takedown=None)[:2])
    return found[0] if len(found) == 1 else None


def releases_with(page: Page) -> QuerySet[Release]:
    """The releases that hold a page."""
    return finished(page.corpus).filter(rows__gold__page=page).distinct()


def tombstones(corpus: Corpus) -> QuerySet[Takedown]:
    return Takedown.objects.filter(page__corpus=corpus).select_related("page", "made_by").order_by("-made_at")
