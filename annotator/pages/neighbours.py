"""Near duplicates: MinHash over word shingles, its bands as rows (Broder 1997; Leskovec et al., ch. 3)."""

import re
import struct
from collections.abc import Iterator
from hashlib import blake2b

import numpy as np
from datasketch import MinHash

from annotator.pages.models import Document, Page, ShingleBand

PERMUTATIONS = 128
BANDS = 16  # 16 bands of 8 rows: pages with a Jaccard index of .7 meet with probability .6, of .85 with .99
SHINGLE = 5  # words
ALIKE = 0.8  # Jaccard index of the shingles of two near duplicates
COMPARED = 10  # clusters that are compared in full, at most
WORD = re.compile(r"\w+")


def cluster_of(page: Page, text: str) -> int:
    """Keep the page's bands; the primary key of the first page of its cluster, its own when it is alone.

    Pages that share a band are compared in full: pages of one site share menus, and so bands.
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
    alike = (cluster for cluster, other in _candidates(page, digests) if jaccard(shingles, other) >= ALIKE)
    return next(alike, page.pk)


def _candidates(page: Page, digests: list[int]) -> Iterator[tuple[int, set[str]]]:
    """Cluster and shingles of the pages that share a band, the oldest first, one a cluster."""
    meeting = ShingleBand.objects.filter(corpus_id=page.corpus_id, digest__in=digests).exclude(page=page)
    pages = Page.objects.filter(pk__in=meeting.values("page"), cluster__isnull=False)
    for cluster in pages.order_by("cluster").values_list("cluster", flat=True).distinct()[:COMPARED]:
        document = Document.objects.get(current_of=cluster)
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
