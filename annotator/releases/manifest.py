"""The manifest of a release, built page by page."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from annotator.common.verdicts import WITH_SPANS
from annotator.corpora.models import Corpus
from annotator.corpora.queries import label_sets_of
from annotator.gold.models import Gold
from annotator.gold.queries import gold_weights
from annotator.releases import queries
from annotator.releases.canonical_json import digest_of
from annotator.releases.gold_counts import AgreementCounts, GoldStatistics
from annotator.releases.models import Release, ReleasePage
from annotator.releases.report import ReportPage, report
from annotator.releases.splits import SHARES, SPLITS
from extraction.agreement.counts import PageTables
from extraction.agreement.pool import Figures, Pool

ARTICLE = ("set", "article")


def agreement(
    pages: Sequence[tuple[AgreementCounts, float]], heartbeat: Callable[[], object]
) -> dict[str, Any]:
    """Return the coefficients of all pairs, and of pairs without suggestions as `blind`; pages are weighted.

    `heartbeat` is called between coefficients: each takes seconds on many pages.
    """
    return {
        "all": _figures([(counts.all, weight) for counts, weight in pages], heartbeat),
        "blind": _figures([(counts.blind, weight) for counts, weight in pages if counts.blind], heartbeat),
    }


def _figures(pages: list[tuple[PageTables, float]], heartbeat: Callable[[], object]) -> dict[str, Any]:
    pool = Pool([counts for counts, _weight in pages], weights=[weight for _counts, weight in pages])

    def to_json(figures: Figures) -> dict[str, Any]:
        heartbeat()
        return {name: figure.to_json() for name, figure in figures.items()}

    return {
        "character": to_json(pool.units("character")),
        "word": to_json(pool.units("word")),
        "block": to_json(pool.units("block")),
        "article": to_json(pool.units("character", ARTICLE)),
        "labels": {name: to_json(pool.units("character", (kind, name))) for kind, name in pool.views
                   if kind == "label"},
        "span": to_json(pool.spans()),
        "unitizing": to_json(pool.unitizing()),
        "verdict": to_json(pool.verdicts()),
    }  # fmt: skip


FORMAT = "goldpan-release/1"


class ManifestBuilder:
    """Collects a few hundred bytes per page; holds no text."""

    def __init__(self, release: Release) -> None:
        self.release = release
        self.pages: list[dict[str, Any]] = []
        self._reported: list[ReportPage] = []
        self._compared: list[tuple[AgreementCounts, float]] = []
        self._days: list[str] = []
        self._counted = {name: Counter[str]() for name in ("parsers", "verdicts", "sources")}
        self._weights = gold_weights(release.corpus)
        self._guidelines = queries.guidelines_of(release.corpus)

    def add(self, gold: Gold, row: ReleasePage, counted: GoldStatistics) -> None:
        weight = self._weights.get(gold.page_id, 1.0)
        if gold.verdict in WITH_SPANS:
            self._reported.append(ReportPage(gold.page.language, gold.page.site, counted.amounts, weight))
        if counted.counts:
            self._compared.append((counted.counts, weight))
        if gold.page.captured_at:
            self._days.append(gold.page.captured_at.date().isoformat())
        for name, of in (("parsers", gold.document.version), ("verdicts", gold.verdict),
                         ("sources", gold.source)):  # fmt: skip
            self._counted[name][of] += 1
        self.pages.append(self._entry(gold, row, weight))

    def _entry(self, gold: Gold, row: ReleasePage, weight: float) -> dict[str, Any]:
        """Return the entry of a page; its weight only if it is not 1."""
        return {
            "sha256": row.sha256,
            "document": gold.document.sha256,
            "parser": gold.document.version,
            "gold": row.gold_sha256,
            "verdict": gold.verdict,
            "source": gold.source,
            "guidelines": sorted(self._guidelines.get(gold.page_id, ())),
            "split": row.split,
            "group": row.group,
            "site": row.metadata["site"],
            "language": row.metadata["language"],
            "captured_at": row.metadata["captured_at"],
            **({"weight": weight} if weight != 1 else {}),
        }

    def build(self, heartbeat: Callable[[], object]) -> dict[str, Any]:
        """Return the manifest of all pages added; `heartbeat` is called meanwhile."""
        release, corpus = self.release, self.release.corpus
        terms = queries.terms_of(corpus)
        labels = list(corpus.labels.values_list("name", flat=True))
        sets = {name: sorted(members) for name, members in label_sets_of(corpus).items()}
        placed = Counter(page["split"] for page in self.pages)
        return {
            "format": FORMAT,
            "corpus": corpus.slug,
            "name": corpus.name,
            "number": release.number,
            "note": release.note,
            "licence": terms.licence,
            "collection": terms.collection,
            "limitations": terms.limitations,
            "labels": labels,
            "label_sets": {"sets": sets, "sha256": digest_of(sets)},
            "guideline": {"version": corpus.guideline_version, "sha256": _guidelines(corpus)},
            "splits": {
                "seed": corpus.slug,
                "shares": SHARES,
                "grouped_by": ["site", "near duplicates"],
                "pages": {split: placed[split] for split in SPLITS},
                "groups": len({page["group"] for page in self.pages}),
            },
            "agreement": agreement(self._compared, heartbeat),
            "report": report(self._reported, labels),
            "captured": self._captured(),
            **{name: dict(counter) for name, counter in self._counted.items()},
            "pages": self.pages,
        }

    def _captured(self) -> dict[str, Any]:
        return {
            "first": min(self._days, default=None),
            "last": max(self._days, default=None),
            "unknown": len(self.pages) - len(self._days),
        }


def _guidelines(corpus: Corpus) -> dict[str, str]:
    """Return the digest of each guideline version."""
    return {str(each.number): digest_of(each.texts) for each in corpus.guidelines.all()}
