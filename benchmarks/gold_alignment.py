"""The share of a corpus's gold that is found in its documents, and why the rest is not."""

from collections import defaultdict
from collections.abc import Sequence
from statistics import median

from tqdm import tqdm

from benchmarks import published_corpora
from benchmarks.published_corpora import PublishedCorpus
from extraction.formats.unplaced import Placement, placements
from extraction.parsing.parse import parse

MIN_SHARE = 0.9


def report(corpus: PublishedCorpus, limit: int | None = None) -> list[str]:
    """Return the share on the median page, and the pages below 90 %, by reason."""
    records = tqdm(published_corpora.records(corpus, limit), desc="placing", unit=" pages", disable=None)
    found = list(placements(records, parse))
    if not found:
        return ["No page has gold."]
    shares = [placement.share for placement in found]
    below = [placement for placement in found if placement.share < MIN_SHARE]
    total = sum(placement.share * placement.characters for placement in found)
    lines = [
        f"Gold found in the document text: {median(shares):.2%} of its characters on the median page, "
        f"{total / max(1, sum(placement.characters for placement in found)):.2%} of all; "
        f"{len(below)} of {len(found)} pages below {MIN_SHARE:.0%}."
    ]
    return lines + (["", *_below(below)] if below else [])


def _below(placements: Sequence[Placement]) -> list[str]:
    by_reason: dict[str, list[Placement]] = defaultdict(list)
    for placement in sorted(placements, key=lambda placement: placement.share):
        by_reason[str(placement.reason)].append(placement)
    return [
        f"- {reason}: {', '.join(f'{_short(found.location)} ({found.share:.0%})' for found in pages)}"
        for reason, pages in sorted(by_reason.items(), key=lambda item: -len(item[1]))
    ]


def _short(location: str) -> str:
    """Return the beginning of a page's id."""
    return f"`{location.rpartition('/')[2][:12]}`"
