"""Writes of the labels of a corpus.

Each says on which version of the labels it builds, so that two admins do not overwrite each other, and
returns the next one. Names never change, since spans hold them; what is in use is retired, never deleted.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.administration.labels.queries import is_used
from annotator.common.errors import Conflict, GoldpanError
from annotator.corpora.audit.actions import differences, record
from annotator.corpora.audit.models import AuditAction
from annotator.corpora.labels import check_titles, name_for, one_line, own_title
from annotator.corpora.models import MAX_LABELS, Corpus, Label
from annotator.corpora.queries import label_names_of
from annotator.scoring.actions import count_all_again
from annotator.scoring.remeasuring import request_remeasuring


@dataclass(frozen=True)
class LabelSetting:
    """What a label is to be: its title, the digit that gives it, its colour and pattern by their number."""

    pk: int
    title: str
    key: int
    number: int


def change_labels(*, corpus: Corpus, based_on: int, labels: Sequence[LabelSetting]) -> int:
    """Give all labels that are not retired these titles, keys and colours, in this order.

    Raises Conflict if the labels were changed meanwhile, GoldpanError for settings that cannot be.
    """
    with _changing(corpus, based_on) as held:
        active = {label.pk: label for label in held if not label.retired_at}
        if {each.pk for each in labels} != active.keys():
            raise _changed_meanwhile()
        _check(labels)
        # Two labels may exchange their colours or keys: none has one while they are written.
        Label.objects.filter(pk__in=active).update(retired_at=timezone.now(), number=0, key=0)
        for position, each in enumerate(labels, start=1):
            Label.objects.filter(pk=each.pk).update(
                title=own_title(active[each.pk].name, each.title),
                key=each.key,
                number=each.number,
                position=position,
                retired_at=None,
            )
    return based_on + 1


def add_label(*, corpus: Corpus, based_on: int, title: str) -> int:
    """Add a label after the others, with the first free colour and key. Raises as `change_labels`."""
    with _changing(corpus, based_on) as held:
        active = [label for label in held if not label.retired_at]
        title = one_line(title)
        check_titles([*(str(label) for label in active), title])
        name = name_for(title, {label.name for label in held})
        Label.objects.create(
            corpus=corpus,
            name=name,
            title=own_title(name, title),
            position=len(held) + 1,
            given_since=timezone.now(),
            **_free(active),
        )
        _renumber(corpus)
    return based_on + 1


def retire_label(*, corpus: Corpus, based_on: int, pk: int) -> int:
    """Give the label no more, from now on; marks that have it stay. Raises as `change_labels`."""
    with _changing(corpus, based_on) as held:
        label = _one(held, pk)
        _check_another(held, label)
        Label.objects.filter(pk=pk, retired_at=None).update(
            retired_at=timezone.now(), number=0, key=0, position=len(held) + 1
        )
        _renumber(corpus)
    return based_on + 1


def restore_label(*, corpus: Corpus, based_on: int, pk: int) -> int:
    """Let a retired label be given again, with the first free colour and key. Raises as `change_labels`."""
    with _changing(corpus, based_on) as held:
        label = _one(held, pk)
        active = [each for each in held if not each.retired_at]
        check_titles([*(str(each) for each in active), str(label)])
        Label.objects.filter(pk=pk).update(
            retired_at=None, given_since=timezone.now(), position=len(held) + 1, **_free(active)
        )
        _renumber(corpus)
    return based_on + 1


def delete_label(*, corpus: Corpus, based_on: int, pk: int) -> int:
    """Delete a label that nothing was ever marked with. Raises Conflict if something was."""
    with _changing(corpus, based_on) as held:
        label = _one(held, pk)
        if is_used(label):
            raise Conflict(_("“%(label)s” is in use, so it can be retired only.") % {"label": label})
        _check_another(held, label)
        Label.objects.filter(pk=pk).delete()
        _renumber(corpus)
    return based_on + 1


@contextmanager
def _changing(corpus: Corpus, based_on: int) -> Iterator[list[Label]]:
    """The labels as they are, under a lock; what the block changes is recorded, and a version of its own."""
    with transaction.atomic():
        held = Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
        if held.labels_version != based_on:
            raise _changed_meanwhile()
        before, given = list(held.labels.all()), set(label_names_of(held))
        yield before
        changes = differences(_settings(before), after := _settings(held.labels.all()))
        changes |= {name: [value, None] for name, value in _settings(before).items() if name not in after}
        if changes:
            record(AuditAction.LABELS_CHANGED, corpus=held, changes=changes)
            count_all_again(held.pk)
            if set(label_names_of(held)) != given:
                request_remeasuring(held)
        Corpus.objects.filter(pk=held.pk).update(labels_version=based_on + 1)


def _settings(labels: Iterable[Label]) -> dict[str, Any]:
    """What the audit log says of each label."""
    return {
        label.name: "retired"
        if label.retired_at
        else f"{label.position}: {label}, key {label.key}, colour {label.number}"
        for label in labels
    }


def _one(labels: Iterable[Label], pk: int) -> Label:
    found = next((label for label in labels if label.pk == pk), None)
    if found is None:
        raise _changed_meanwhile()
    return found


def _changed_meanwhile() -> Conflict:
    return Conflict(_("Somebody else has changed the labels. Review them and save again."))


def _check_another(labels: Iterable[Label], label: Label) -> None:
    """Raise Conflict where no other label can be given."""
    if all(each.retired_at or each.pk == label.pk for each in labels):
        raise Conflict(_("A corpus needs at least one label."))


def _check(labels: Sequence[LabelSetting]) -> None:
    for what in ("key", "number"):
        given = [getattr(each, what) for each in labels]
        if len(set(given)) < len(given) or not all(1 <= each <= MAX_LABELS for each in given):
            raise GoldpanError(_("Each label needs a key and a colour of its own."))
    check_titles([each.title for each in labels])


def _free(active: Sequence[Label]) -> dict[str, int]:
    """The first colour and the first key that no label has."""
    if len(active) >= MAX_LABELS:
        raise Conflict(
            _("A corpus has at most %(most)d labels at a time. Retire one first.") % {"most": MAX_LABELS}
        )
    digits = range(1, MAX_LABELS + 1)
    return {
        what: next(digit for digit in digits if digit not in {getattr(label, what) for label in active})
        for what in ("number", "key")
    }


def _renumber(corpus: Corpus) -> None:
    """Positions without gaps, the retired labels last."""
    ordered = sorted(corpus.labels.all(), key=lambda label: (label.retired_at is not None, label.position))
    for position, label in enumerate(ordered, start=1):
        label.position = position
    Label.objects.bulk_update(ordered, ["position"])
