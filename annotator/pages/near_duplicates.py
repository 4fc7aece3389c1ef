"""Near duplicates: MinHash over word shingles, its bands as rows (Broder 1997; Leskovec et al., ch. 3)."""

import re
import struct
from collections import Counter
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from django.db import connection

from annotator.pages.models import ClusterLock, DuplicatePair, Page, ShingleBand, StoredDocument

if TYPE_CHECKING:
    from datasketch import MinHash

PERMUTATIONS = 128
BANDS = 16  # of 8 rows: pages with a Jaccard index of .7 share one with probability .6, of .85 with .99
SHINGLE_WORDS = 5
MIN_JACCARD = 0.8  # of the shingles of two near duplicates
MAX_CLUSTERS_COMPARED = 10
# Pages of one site share its menu, and so bands. Only the newest pages of a band are compared: near
# duplicates also share bands of their article text, which few other pages have.
MAX_PAGES_PER_BAND = 64
WORD = re.compile(r"\w+")


class NearDuplicate(NamedTuple):
    """A candidate: the keys of its cluster and page, and the Jaccard index of both pages."""

    cluster: int
    page: int
    jaccard: float


def assign_cluster(page: Page, text: str) -> int:
    """Store the page's bands, and return its cluster: the key of the cluster's first page, or its own.

    Pages that share a band are compared in full, as pages of one site share menus, and so bands. A page that
    resembles two clusters merges them. A page without words has no near duplicates. Call it last in a
    transaction: the next page of the corpus waits for its end.
    """
    shingles = shingles_of(text)
    digests = bands_of(shingles)
    ShingleBand.objects.bulk_create(
        [
            ShingleBand(page=page, corpus_id=page.corpus_id, band=band, digest=digest)
            for band, digest in enumerate(digests)
        ],
        ignore_conflicts=True,
    )
    _lock_clusters(page.corpus_id)
    alike = [found for found in _candidates(page, shingles, digests) if found.jaccard >= MIN_JACCARD]
    DuplicatePair.objects.bulk_create(
        DuplicatePair(page=page, other_id=found.page, jaccard=found.jaccard) for found in alike
    )
    return _merge_clusters([found.cluster for found in alike]) if alike else page.pk


def _lock_clusters(corpus_id: int) -> None:
    """Pages find each other only if one is committed before the other looks."""
    ClusterLock.objects.bulk_create([ClusterLock(corpus_id=corpus_id)], ignore_conflicts=True)
    ClusterLock.objects.select_for_update().get(corpus=corpus_id)


def _merge_clusters(clusters: list[int]) -> int:
    """Merge the clusters into the oldest one, and return it."""
    oldest = min(clusters)
    others = set(clusters) - {oldest}
    if others:
        Page.objects.filter(cluster__in=others).update(cluster=oldest)
    return oldest


def _candidates(page: Page, shingles: set[str], digests: list[int]) -> list[NearDuplicate]:
    """Return the page of each cluster that shares most bands with this page."""
    bands = _shared_bands(page, digests)
    rows = Page.objects.filter(pk__in=bands).values_list("pk", "cluster")
    clusters = {other: cluster for other, cluster in rows if cluster is not None}
    nearest: dict[int, int] = {}
    for other in sorted(clusters, key=lambda other: (-bands[other], other)):
        nearest.setdefault(clusters[other], other)
    compared = dict(list(nearest.items())[:MAX_CLUSTERS_COMPARED])
    documents = StoredDocument.objects.filter(page__in=compared.values()).order_by("page", "-made_at", "-id")
    texts = dict(documents.distinct("page").values_list("page", "text"))
    return [
        NearDuplicate(cluster, other, jaccard(shingles, shingles_of(texts[other])))
        for cluster, other in compared.items()
    ]


def _shared_bands(page: Page, digests: list[int]) -> Counter[int]:
    """Count the bands that other pages share with this one. The number of rows read has a fixed limit."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            select newest.page_id from unnest(%s::bigint[]) wanted (digest), lateral (
                select page_id from {ShingleBand._meta.db_table} band
                where band.corpus_id = %s and band.digest = wanted.digest and band.page_id <> %s
                order by page_id desc limit %s
            ) newest
            """,  # noqa: S608  a name of ours
            [digests, page.corpus_id, page.pk, MAX_PAGES_PER_BAND],
        )
        return Counter(other for (other,) in cursor)


def bands_of(shingles: set[str]) -> list[int]:
    """Return one signed 64-bit digest per band, which includes its number; none for a text without words."""
    if not shingles:
        return []
    signature = _empty_signature().copy()
    signature.update_batch([shingle.encode() for shingle in shingles])
    rows = np.asarray(signature.hashvalues, dtype=np.uint64).reshape(BANDS, -1)
    return [_digest(bytes([band]) + row.tobytes()) for band, row in enumerate(rows)]


@cache
def _empty_signature() -> "MinHash":
    """A signature of nothing, with the permutations, which take some milliseconds to draw."""
    # Imports much of SciPy, which takes a second; few processes need it.
    from datasketch import MinHash

    return MinHash(num_perm=PERMUTATIONS, seed=1)


def shingles_of(text: str) -> set[str]:
    words = WORD.findall(text.lower())
    if len(words) < SHINGLE_WORDS:
        return {" ".join(words)} if words else set()
    return {" ".join(words[i : i + SHINGLE_WORDS]) for i in range(len(words) - SHINGLE_WORDS + 1)}


def _digest(data: bytes) -> int:
    return int(struct.unpack("<q", blake2b(data, digest_size=8).digest())[0])


def jaccard(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0
