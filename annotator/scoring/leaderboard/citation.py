"""What figures of a leaderboard are cited by: corpus, live or a release, time, and a digest."""

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotator.corpora.models import Corpus
from annotator.scoring.leaderboard.leaderboard import Leaderboard, to_json

RELEASE = "release:"


@dataclass(frozen=True)
class Citation:
    """`release` is 0 for live figures; `sha256` is the digest of the figures as canonical JSON."""

    corpus: Corpus
    release: int
    computed_at: datetime
    metric: str
    labels: str
    pages: int
    sha256: str
    # The slice, followed by a comma; "" for all pages.
    slice: str = ""

    @property
    def source(self) -> str:
        return f"release {self.release}" if self.release else "live"

    @property
    def time(self) -> str:
        """ISO 8601, in UTC, to the second."""
        return f"{self.computed_at:%Y-%m-%dT%H:%M:%SZ}"

    @property
    def line(self) -> str:
        """The line to cite, in English wherever it is copied to."""
        return (
            f"{self.corpus.name} ({self.source}, {self.time}), {self.metric}, labels {self.labels}, "
            f"{self.slice}{self.pages} gold pages, SHA-256 {self.sha256[:16]}. Goldpan."
        )

    def fields(self) -> dict[str, str]:
        """Return what files say beside the figures."""
        return {
            "corpus": self.corpus.slug,
            "source": self.source,
            "computed_at": self.time,
            "sha256": self.sha256,
            "cite": self.line,
        }


def cite(corpus: Corpus, board: Leaderboard, *, computed_at: datetime, chosen: str = "") -> Citation:
    """Return what a leaderboard is cited by; `chosen` is the slice of its filters."""
    number = chosen.removeprefix(RELEASE) if chosen.startswith(RELEASE) else ""
    return Citation(
        corpus=corpus,
        release=int(number) if number.isdigit() else 0,
        computed_at=computed_at,
        metric=board.metric,
        labels=board.labels,
        pages=board.pages,
        sha256=digest_of(to_json(board)),
        slice=f"{chosen.replace(':', ' ')}, " if chosen and not number else "",
    )


def digest_of(figures: dict[str, Any]) -> str:
    """Return the SHA-256 of figures as JSON with sorted keys and no spaces."""
    text = json.dumps(figures, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
