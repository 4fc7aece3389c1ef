"""Which slice of the board is asked for. What is not understood is left at its default."""

from dataclasses import asdict, dataclass

from django.http import QueryDict
from django.utils.http import urlencode

from annotator.leaderboard.board import ALL, BLIND, MACRO, MICRO
from annotator.leaderboard.growth import FIGURES
from annotator.scoring.measuring import STORED
from extraction.measures import METRICS
from extraction.spans import LABEL_SETS


@dataclass(frozen=True)
class Slice:
    """Metric, label set (None: what the gold can tell best), gold and mean; `grew` is the figure drawn."""

    labels: str | None = None
    gold: str = ALL
    mean: str = MACRO
    metric: str = STORED
    grew: str = FIGURES[0]

    @property
    def query(self) -> str:
        """The slice as the end of an address; empty for the usual one."""
        usual = asdict(Slice())
        differs = {name: value for name, value in asdict(self).items() if value != usual[name]}
        return f"?{urlencode(differs)}" if differs else ""


def slice_of(query: QueryDict) -> Slice:
    return Slice(
        labels=query.get("labels") if query.get("labels") in LABEL_SETS else None,
        gold=BLIND if query.get("gold") == BLIND else ALL,
        mean=MICRO if query.get("mean") == MICRO else MACRO,
        metric=query["metric"] if query.get("metric") in METRICS else STORED,
        grew=query["grew"] if query.get("grew") in FIGURES else FIGURES[0],
    )
