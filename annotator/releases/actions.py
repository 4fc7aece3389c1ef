"""Writes about releases: terms, errata, and what the modules beside this one do."""

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.common.errors import Conflict, GoldpanError
from annotator.common.searches import search
from annotator.corpora.audit.actions import differences, record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.models import Corpus, User
from annotator.releases import gold_counts, queries
from annotator.releases.builder import build_release, request_release, stop_release
from annotator.releases.differences import correction_of
from annotator.releases.models import Erratum, Release, ReleasePage, ReleaseTerms, Takedown
from annotator.releases.takedown import take_down

__all__ = [
    "add_erratum",
    "build_release",
    "count_missing",
    "request_release",
    "save_terms",
    "stop_release",
    "take_down",
]


@transaction.atomic
def save_terms(*, corpus: Corpus, licence: str, collection: str, limitations: str) -> ReleaseTerms:
    """Save what the datasheets of future releases state."""
    stated = {
        "licence": licence.strip()[:500],
        "collection": collection.strip(),
        "limitations": limitations.strip(),
    }
    before = ReleaseTerms.objects.filter(corpus=corpus).values("licence", "collection", "limitations").first()
    terms, _new = ReleaseTerms.objects.update_or_create(corpus=corpus, defaults=stated)
    changed = ", ".join(sorted(differences(before or {}, stated)))
    record(AuditAction.RELEASE_TERMS_CHANGED, corpus=corpus, changes={"fields": changed})
    return terms


@transaction.atomic
def add_erratum(*, release: Release, digest: str, description: str, user: User | None) -> Erratum:
    """Record an error in a page of a release. `digest` may be a prefix of the page's digest.

    It is corrected at once where a later release has other gold of the page. One that is known of the release
    already, as it was found in another, is returned.
    Raises GoldpanError if the prefix does not identify one page of the release, or without a description;
    Conflict for a page that was taken down.
    """
    prefix = digest.strip().lower()
    found = ReleasePage.objects.filter(release=release, sha256__startswith=prefix)
    long_enough = len(prefix) >= queries.MIN_DIGEST_PREFIX
    digests = list(found.values_list("sha256", flat=True)[:2]) if long_enough else []
    if len(digests) != 1:
        raise GoldpanError(_("Enter the first characters of the digest of one page of this release."))
    if not description.strip():
        raise GoldpanError(_("Describe the error."))
    if Takedown.objects.filter(page__corpus=release.corpus_id, page__sha256=digests[0]).exists():
        raise Conflict(_("This page has already been taken down."))
    error = {"sha256": digests[0], "description": description.strip()[:500]}
    if known := queries.errata_of(release).filter(**error).first():
        return known
    erratum, is_new = Erratum.objects.get_or_create(
        release=release,
        **error,
        defaults={
            "corpus_id": release.corpus_id,
            "found_by": user,
            "corrected_in": correction_of(release, digests[0]),
        },
    )
    if is_new:
        changes = {"release": release.number}
        record(
            AuditAction.ERRATUM_ADDED, corpus=release.corpus, by=user, item=erratum.sha256, changes=changes
        )
    return erratum


def count_missing(*, at_once: int) -> int:
    """Count gold that is not counted yet; return how many."""
    golds = list(search(queries.uncounted, at_once=at_once))
    gold_counts.count(golds)
    return len(golds)
