"""The filters of the leaderboard, from the query string. Unknown values fall back to the defaults."""

from dataclasses import asdict, dataclass, replace
from typing import Self

from django.http import QueryDict
from django.utils.http import urlencode

from annotator.corpora.queries import SINGLE
from annotator.scoring.leaderboard.ranking import ALL, BLIND, COMMON, MACRO, MICRO, OWN
from annotator.scoring.leaderboard.score_by_size import FIGURES
from annotator.scoring.measuring import STORED
from annotator.scoring.totals.slices import AND, Selection
from extraction.evaluation.page_metrics import METRICS
from extraction.spans import LABEL_SETS


@dataclass(frozen=True)
class LeaderboardFilters:
    """Metric, label set (None: the one that most gold can distinguish), gold, average and pages.

    `figure` is the one drawn in the chart.
    """

    labels: str | None = None
    gold: str = ALL
    mean: str = MACRO
    metric: str = STORED
    pages: str = OWN
    # The slices, as `totals.slices.Selection` is written.
    of: str = ""
    figure: str = FIGURES[0]

    @property
    def selection(self) -> Selection:
        """The pages that they select."""
        return Selection.parse(self.of)

    @property
    def changed(self) -> dict[str, str]:
        """The filters by name, without those that are as by default."""
        defaults = asdict(LeaderboardFilters())
        return {name: value for name, value in asdict(self).items() if value != defaults[name]}

    @property
    def query(self) -> str:
        """The filters as a query string; empty for the defaults."""
        return f"?{urlencode(self.changed)}" if self.changed else ""

    @property
    def key(self) -> str:
        """The query string of what the figures depend on, to store the leaderboard under."""
        return replace(self, figure=FIGURES[0]).query

    @classmethod
    def from_key(cls, key: str) -> Self:
        return cls(**QueryDict(key.removeprefix("?")).dict())


def filters_from(query: QueryDict) -> LeaderboardFilters:
    return LeaderboardFilters(
        labels=labels
        if (labels := query.get("labels", "")) in LABEL_SETS or labels.startswith(SINGLE)
        else None,
        gold=BLIND if query.get("gold") == BLIND else ALL,
        mean=MICRO if query.get("mean") == MICRO else MACRO,
        metric=metric if (metric := query.get("metric")) in METRICS else STORED,
        pages=COMMON if query.get("pages") == COMMON else OWN,
        of=str(Selection.parse(AND.join(query.getlist("of")))),
        figure=figure if (figure := query.get("figure")) in FIGURES else FIGURES[0],
    )
