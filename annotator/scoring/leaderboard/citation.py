"""What figures are cited by: corpus, live or a release, time, and a digest."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotator.common.ids import read_id
from annotator.corpora.models import Corpus
from annotator.scoring.leaderboard.leaderboard import Leaderboard, to_json
from annotator.scoring.leaderboard.ranking import BLIND, COMMON, MICRO
from annotator.scoring.totals.slices import RELEASE, Selection


@dataclass(frozen=True)
class Citation:
    """`release` is 0 for live figures; `sha256` is the digest of the figures as canonical JSON."""

    corpus: Corpus
    release: int
    computed_at: datetime
    # What the figures are, in English.
    subject: str
    sha256: str

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
            f"{self.corpus.name} ({self.source}, {self.time}), {self.subject}, "
            f"SHA-256 {self.sha256[:16]}. Goldpan."
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


def cite(
    corpus: Corpus, figures: Mapping[str, Any], subject: str, *, computed_at: datetime, of: Selection
) -> Citation:
    """Return what figures are cited by; `subject` says in English what they are, `of` on which pages."""
    slices = [f"{each.dimension} {each.value}" for each in of.slices if each.dimension != RELEASE]
    return Citation(
        corpus=corpus,
        release=read_id(of.value(RELEASE) or "") or 0,
        computed_at=computed_at,
        subject=", ".join([subject, *slices]),
        sha256=digest_of(figures),
    )


def cite_board(corpus: Corpus, board: Leaderboard, *, computed_at: datetime) -> Citation:
    """Return what a leaderboard is cited by; all gold, macro averages and own pages go without saying."""
    subject = [
        board.metric,
        f"labels {board.labels}",
        f"{board.pages} gold pages",
        *(["blind gold"] if board.gold == BLIND else []),
        *(["micro average"] if board.mean == MICRO else []),
        *(["common pages"] if board.page_set == COMMON else []),
    ]
    return cite(
        corpus, to_json(board), ", ".join(subject), computed_at=computed_at, of=Selection.parse(board.slice)
    )


def digest_of(figures: Mapping[str, Any]) -> str:
    """Return the SHA-256 of figures as JSON with sorted keys and no spaces."""
    text = json.dumps(figures, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
