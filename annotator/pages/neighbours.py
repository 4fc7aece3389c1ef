"""Near duplicates: MinHash over word shingles, its bands as rows (Broder 1997; Leskovec et al., ch. 3)."""

import re
import struct
from collections.abc import Iterator
from hashlib import blake2b

import numpy as np
from datasketch import MinHash
from django.db.models import Count

from annotator.pages.models import Document, Page, ShingleBand

PERMUTATIONS = 128
BANDS = 16  # 16 bands of 8 rows: pages with a Jaccard index of .7 meet with probability .6, of .85 with .99
SHINGLE = 5  # words
ALIKE = 0.8  # Jaccard index of the shingles of two near duplicates
COMPARED = 10  # clusters that are compared in full, at most
LOOKED_AT = 1_000  # pages that share a band, at most: those of one site share its menu
WORD = re.compile(r"\w+")


def cluster_of(page: Page, text: str) -> int:
    """Keep the page's bands; the primary key of the first page of its cluster, its own when it is alone.

    Pages that share a band are compared in full: pages of one site share menus, and so bands. A page that is
    like pages of two clusters makes them one.
    A page without a word has no neighbours. Call it holding the corpus's row.
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
    alike = [cluster for cluster, other in _candidates(page, digests) if jaccard(shingles, other) >= ALIKE]
    return _one(alike) if alike else page.pk


def _one(clusters: list[int]) -> int:
    """The oldest of the clusters, into which the others have gone: they met in a page that is like both."""
    oldest = min(clusters)
    Page.objects.filter(cluster__in=set(clusters) - {oldest}).update(cluster=oldest)
    return oldest


def _candidates(page: Page, digests: list[int]) -> Iterator[tuple[int, set[str]]]:
    """Of each cluster of which a page shares a band, that page which shares most: cluster and shingles."""
    meeting = ShingleBand.objects.filter(corpus_id=page.corpus_id, digest__in=digests).exclude(page=page)
    counted = meeting.filter(page__cluster__isnull=False).values_list("page__cluster", "page")
    closest = counted.annotate(bands=Count("id")).order_by("-bands", "page")[:LOOKED_AT]
    nearest: dict[int, int] = {}
    for cluster, other, _bands in closest:
        nearest.setdefault(cluster, other)
    for cluster, other in list(nearest.items())[:COMPARED]:
        document = Document.objects.filter(page_id=other).latest("made_at", "id")
        yield cluster, shingles_of(document.text)


def bands_of(shingles: set[str]) -> list[int]:
    """One signed 64-bit digest a band, of the band's number too; nothing for a text without words."""
    if not shingles:
        return []
    signature = MinHash(num_perm=PERMUTATIONS, seed=1)
    signature.update_batch([shingle.encode() for shingle in shingles])
    rows = np.asarray(signature.hashvalues, dtype=np.uint64).reshape(BANDS, -1)
    return [_digest(bytes([band]) + row.tobytes()) for band, row in enumerate(rows)]


def shingles_of(text: str) -> set[str]:
    words = WORD.findall(text.lower())
    if len(words) < SHINGLE:
        return {" ".join(words)} if words else set()
    return {" ".join(words[i : i + SHINGLE]) for i in range(len(words) - SHINGLE + 1)}


def _digest(data: bytes) -> int:
    return int(struct.unpack("<q", blake2b(data, digest_size=8).digest())[0])


def jaccard(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0
