"""Which slice of the board is asked for. What is not understood is left at its default."""

from dataclasses import dataclass

from django.http import QueryDict
from django.utils.http import urlencode

from annotator.leaderboard.board import ALL, BLIND, MACRO, MICRO
from extraction.spans import LABEL_SETS


@dataclass(frozen=True)
class Slice:
    """Label set (None: what the gold can tell best), gold and mean."""

    labels: str | None = None
    gold: str = ALL
    mean: str = MACRO

    @property
    def query(self) -> str:
        """The slice as the end of an address; empty for the usual one."""
        given = {"labels": self.labels, "gold": self.gold, "mean": self.mean}
        usual = {"labels": None, "gold": ALL, "mean": MACRO}
        differs = {name: value for name, value in given.items() if value != usual[name]}
        return f"?{urlencode(differs)}" if differs else ""


def slice_of(query: QueryDict) -> Slice:
    return Slice(
        labels=query.get("labels") if query.get("labels") in LABEL_SETS else None,
        gold=BLIND if query.get("gold") == BLIND else ALL,
        mean=MICRO if query.get("mean") == MICRO else MACRO,
    )
