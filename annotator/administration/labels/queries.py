"""What the labels of a corpus are used for."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, Q

from annotator.annotations.models import RefusedSave, Revision
from annotator.corpora.models import Corpus, Label
from annotator.corpora.queries import label_sets_of
from annotator.gold.models import Gold
from annotator.gold.queries import current_gold, marked_as
from annotator.pages.models import ImportedGold
from annotator.scoring.leaderboard.queries import distinguishes


@dataclass(frozen=True)
class LabelUse:
    """On how many pages gold has a label, and whether anything was ever marked with it."""

    gold: int
    is_used: bool


@dataclass(frozen=True)
class LabelSet:
    """A label set, its labels in their order, and on how many pages gold can tell it."""

    name: str
    labels: list[Label]
    gold: int


def uses_of(corpus: Corpus, labels: Sequence[Label]) -> dict[int, LabelUse]:
    """The use of each label, by its key, in two queries."""
    counted = current_gold(corpus).aggregate(
        **{f"n{label.pk}": Count("pk", filter=marked_as(label.name)) for label in labels}
    )
    used = _used(corpus, labels)
    return {label.pk: LabelUse(counted[f"n{label.pk}"], label.pk in used) for label in labels}


def is_used(label: Label) -> bool:
    """Whether anything was ever marked with the label: in a draft, a submission or gold."""
    return label.pk in _used(label.corpus, [label])


def label_sets(corpus: Corpus, labels: Sequence[Label]) -> list[LabelSet]:
    """The label sets with those of the corpus's labels that are in them, in one query besides."""
    sets = label_sets_of(corpus)
    counted = current_gold(corpus).aggregate(
        **{f"n_{name}": Count("pk", filter=distinguishes(members)) for name, members in sets.items()}
    )
    return [
        LabelSet(name, [label for label in labels if label.name in members], counted[f"n_{name}"])
        for name, members in sets.items()
    ]


def _used(corpus: Corpus, labels: Sequence[Label]) -> set[int]:
    """The keys of the labels that something was marked with, in one query."""
    found = Corpus.objects.filter(pk=corpus.pk).annotate(
        # Gold that is not aligned yet: nobody knows which labels it has.
        waiting=Exists(ImportedGold.objects.filter(page__corpus=corpus, finished_at=None)),
        **{f"u{label.pk}": _exists(corpus, label) for label in labels},
    )
    row = found.get()
    return {label.pk for label in labels if row.waiting or getattr(row, f"u{label.pk}")}


def _exists(corpus: Corpus, label: Label) -> Q:
    of_corpus = Q(annotation__slot__corpus=corpus)
    return (
        Q(Exists(Revision.objects.filter(_has(label), of_corpus).order_by()))
        | Q(Exists(RefusedSave.objects.filter(_has(label), of_corpus).order_by()))
        | Q(Exists(Gold.objects.filter(marked_as(label.name), page__corpus=corpus).order_by()))
    )


def _has(label: Label) -> Q:
    """In JSON, a list of spans contains [[name]] where one of them has that element."""
    return Q(spans__contains=[[label.name]])
