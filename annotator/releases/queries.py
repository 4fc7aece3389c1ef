"""Queries about releases."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotator.annotations.models import TO_GOLD, Annotation, Purpose, Round
from annotator.annotations.queries import complete_rounds
from annotator.common.triggers import TAKEN_DOWN
from annotator.common.verdicts import WITH_SPANS
from annotator.corpora.models import Corpus
from annotator.gold.models import Adjudication, Gold
from annotator.gold.queries import current_gold, gold_weights
from annotator.pages.models import ImportedGold, Page
from annotator.releases.models import Erratum, GoldCount, Release, ReleasePage, ReleaseTerms, Takedown
from annotator.releases.report import ReportPage, report
from annotator.releases.splits import MOVES, SplitPage

# Characters of a digest that identify a page.
MIN_DIGEST_PREFIX = 6


def releases_of(corpus: Corpus) -> QuerySet[Release]:
    """Return the releases of a corpus, newest first, including unfinished and failed ones."""
    return Release.objects.filter(corpus=corpus).select_related("requested_by", "corpus").defer("manifest")


def finished(corpus: Corpus) -> QuerySet[Release]:
    return releases_of(corpus).exclude(sha256="")


def gold_since(release: Release) -> int:
    """Count the current gold that is not in the release."""
    held = ReleasePage.objects.filter(release=release, gold=OuterRef("pk"))
    return current_gold(release.corpus).exclude(Exists(held)).count()


class GoldChanges(NamedTuple):
    """How the current gold differs from a release, in pages; those that are removed have no gold now."""

    added: int
    changed: int
    removed: int
    same: int


def changes_since(release: Release) -> GoldChanges:
    """Return how the next release would differ from this one, by pages."""
    held = ReleasePage.objects.filter(release=release)
    gold = current_gold(release.corpus)
    counted = gold.aggregate(
        all=Count("pk"),
        known=Count("pk", filter=Exists(held.filter(gold__page=OuterRef("page")))),
        same=Count("pk", filter=Exists(held.filter(gold=OuterRef("pk")))),
    )
    return GoldChanges(
        added=counted["all"] - counted["known"],
        changed=counted["known"] - counted["same"],
        removed=held.count() - counted["known"],
        same=counted["same"],
    )


def rows_of(release: Release) -> QuerySet[ReleasePage]:
    """Return the pages of a release in the order of their digests, without those taken down."""
    takedowns = Takedown.objects.filter(page=OuterRef("gold__page"))
    rows = ReleasePage.objects.filter(release=release).exclude(Exists(takedowns))
    return rows.select_related("gold__page", "gold__document").order_by("sha256")


def tombstones_of(release: Release) -> QuerySet[Takedown]:
    """Return the takedowns of pages of the release."""
    return (
        Takedown.objects.filter(page__gold__released_in__release=release)
        .select_related("page", "made_by")
        .order_by("page__sha256")
    )


def errata_of(release: Release) -> QuerySet[Erratum]:
    """Return the errors that are known of a release: those found in it, and in others that have them too.

    Later releases have an error until one corrects it, earlier ones if they hold the same gold. Of a page
    that was moved, it is the split that counts.
    """
    rows = ReleasePage.objects.filter(release=release)
    there = ReleasePage.objects.filter(release=OuterRef("release"), sha256=OuterRef("sha256"))
    same_gold = there.filter(gold__in=rows.values("gold"))
    same_split = there.filter(split__in=rows.filter(sha256=OuterRef("sha256")).values("split"))
    was_moved = Q(description__in=MOVES)
    is_same = (~was_moved & Exists(same_gold)) | (was_moved & Exists(same_split))
    before = Q(release__number__gt=release.number) & is_same
    since = Q(release__number__lte=release.number)
    is_there_still = Q(corrected_in=None) | Q(corrected_in__number__gt=release.number)
    errata = Erratum.objects.filter(before | since, is_there_still, corpus=release.corpus_id)
    # What said something of a page that was taken down is blank.
    errata = errata.exclude(description=TAKEN_DOWN)
    return errata.select_related("corrected_in", "found_by").order_by("sha256", "found_at", "pk")


def splits_before(corpus: Corpus) -> dict[str, str]:
    """Return the latest split of every page that was ever released, by digest."""
    rows = ReleasePage.objects.filter(release__corpus=corpus, release__finished_at__isnull=False)
    return dict(rows.order_by("release__number").values_list("sha256", "split"))


def to_release(corpus: Corpus) -> QuerySet[Gold]:
    """Return the gold that a new release would contain, in the order of the pages' digests."""
    return current_gold(corpus).order_by("page__sha256")


def under_way(corpus: Corpus) -> set[str]:
    """Return the digests of pages whose gold was imported or annotated, and waits for a worker."""
    imported = ImportedGold.objects.filter(page__corpus=corpus).open()
    disputed = Adjudication.objects.filter(round=OuterRef("pk"), edition=OuterRef("edition"))
    rounds = complete_rounds().filter(page__corpus=corpus, finalised_at=None).exclude(Exists(disputed))
    pages = imported.values_list("page__sha256").union(rounds.values_list("page__sha256"))
    return {digest for (digest,) in pages}


def split_pages(corpus: Corpus) -> dict[int, SplitPage]:
    """Return what decides on the split of each page of a new release, by the keys of the golds."""
    columns = ("page__sha256", "page__site", "page__cluster__sha256", "page__language")
    rows = to_release(corpus).values_list("pk", *columns)
    return {
        gold: SplitPage(sha256, site, cluster or "", language)
        for gold, sha256, site, cluster, language in rows
    }


def with_page(golds: QuerySet[Gold]) -> QuerySet[Gold]:
    """Load the golds with page and document, without texts."""
    return golds.select_related("page", "document").defer("document__text", "document__blocks")


def uncounted(since: datetime | None = None, *, corpus: Corpus | None = None) -> QuerySet[Gold]:
    """Return the current gold, made after `since`, that is not counted yet."""
    golds = Gold.objects.filter(current=True).exclude(Exists(GoldCount.objects.filter(gold=OuterRef("pk"))))
    if since:
        golds = golds.filter(finalised_at__gte=since)
    return golds.filter(page__corpus=corpus) if corpus else golds


def report_pages(corpus: Corpus) -> Iterator[ReportPage]:
    """Yield the counts of all current gold of articles."""
    weights = gold_weights(corpus)
    rows = GoldCount.objects.filter(
        gold__page__corpus=corpus, gold__current=True, gold__verdict__in=WITH_SPANS
    )
    found = rows.values_list("gold__page", "gold__page__language", "gold__page__site", "amounts")
    for page, language, site, amounts in found.iterator():
        yield ReportPage(language, site, amounts, weights.get(page, 1.0))


def guidelines_of(corpus: Corpus) -> dict[int, set[int]]:
    """Return the guideline versions under which each page was annotated, in its last finished round."""
    found: dict[int, set[int]] = {}
    submitted = Annotation.objects.filter(
        slot__corpus=corpus, slot__round__purpose__in=TO_GOLD, submitted_at__isnull=False
    )
    reannotated = Round.objects.filter(purpose=Purpose.GUIDELINE, finalised_at__isnull=False)
    later = reannotated.filter(page=OuterRef("slot__round__page"), pk__gt=OuterRef("slot__round"))
    submitted = submitted.exclude(Exists(later)).exclude(
        slot__round__purpose=Purpose.GUIDELINE, slot__round__finalised_at=None
    )
    for page, version in submitted.values_list("slot__round__page", "guideline_version").distinct():
        found.setdefault(page, set()).add(version)
    return found


def terms_of(corpus: Corpus) -> ReleaseTerms:
    """Return the terms of the corpus, unsaved if there are none."""
    return ReleaseTerms.objects.filter(corpus=corpus).first() or ReleaseTerms(corpus=corpus)


def current_report(corpus: Corpus) -> dict[str, Any]:
    """Return the corpus report of the current gold, as far as it is counted."""
    return report(report_pages(corpus), list(corpus.labels.values_list("name", flat=True)))


# ---- pages taken down ----


def pages_sought(corpus: Corpus, sought: str) -> list[Page]:
    """Return the pages with this URL or digest prefix that are not taken down."""
    sought = sought.strip()
    if len(sought) < MIN_DIGEST_PREFIX:
        return []
    matches = Q(sha256__startswith=sought.lower()) | Q(url=sought)
    return list(Page.objects.filter(matches, corpus=corpus, takedown=None).order_by("sha256"))


def releases_with(page: Page) -> QuerySet[Release]:
    """Return the releases that contain a page."""
    return finished(page.corpus).filter(rows__gold__page=page).distinct()


def tombstones(corpus: Corpus) -> QuerySet[Takedown]:
    return Takedown.objects.filter(page__corpus=corpus).select_related("page", "made_by").order_by("-made_at")
