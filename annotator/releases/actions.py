"""Writes about releases beside their making: what a corpus says of itself, errata."""

from django.utils.translation import gettext as _

from annotator.common.errors import GoldpanError
from annotator.corpora.models import Corpus, User
from annotator.releases import counting, queries
from annotator.releases.freezing import make, request_release, stop
from annotator.releases.models import Erratum, Release, ReleasePage, Terms
from annotator.releases.takedown import take_down

__all__ = [
    "count_missing",
    "make",
    "request_release",
    "say_terms",
    "stop",
    "take_down",
    "write_erratum",
]


def say_terms(*, corpus: Corpus, licence: str, collection: str, limits: str) -> Terms:
    """What the releases to come say of licence, collection and limits."""
    said = {"licence": licence.strip()[:500], "collection": collection.strip(), "limits": limits.strip()}
    terms, _new = Terms.objects.update_or_create(corpus=corpus, defaults=said)
    return terms


def write_erratum(*, release: Release, digest: str, what: str, user: User | None) -> Erratum:
    """Say what is wrong with a page of a release; `digest` may be its beginning.

    Raises GoldpanError where no page of the release begins so, or several do, or nothing is said.
    """
    begins = digest.strip().lower()
    found = ReleasePage.objects.filter(release=release, sha256__startswith=begins)
    digests = list(found.values_list("sha256", flat=True)[:2]) if len(begins) >= queries.DIGEST_BEGINS else []
    if len(digests) != 1:
        raise GoldpanError(_("Name one page of this release by the first letters of its digest."))
    if not what.strip():
        raise GoldpanError(_("Say what is wrong."))
    erratum, _new = Erratum.objects.get_or_create(
        release=release,
        sha256=digests[0],
        what=what.strip()[:500],
        defaults={"corpus_id": release.corpus_id, "found_by": user},
    )
    return erratum


def count_missing(*, at_once: int) -> int:
    """Count golds that nobody has counted; how many."""
    golds = list(queries.uncounted()[:at_once])
    counting.count(golds)
    return len(golds)
