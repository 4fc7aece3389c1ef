"""Paging by primary key: equally fast at the start and at the end of a long list."""

from typing import Any, Generic, NamedTuple, TypeVar

from django import forms
from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)

LARGEST_KEY = 2**63 - 1


class KeyForm(forms.Form):
    """The key at which the shown part begins, as an address has it."""

    before = forms.IntegerField(min_value=1, max_value=LARGEST_KEY, required=False, widget=forms.HiddenInput)
    after = forms.IntegerField(min_value=1, max_value=LARGEST_KEY, required=False, widget=forms.HiddenInput)

    def known(self) -> dict[str, Any]:
        """The valid values, and an empty one for each other."""
        self.is_valid()
        return {name: self.cleaned_data.get(name, field.to_python("")) for name, field in self.fields.items()}


class KeySlice(NamedTuple, Generic[Row]):
    """One screenful of a list, with the keys before and after it."""

    rows: list[Row]
    newer: int | None
    older: int | None


def key_slice(
    rows: QuerySet[Row], *, size: int, before: int | None = None, after: int | None = None
) -> KeySlice[Row]:
    """The `size` rows below the key `before`, or above the key `after`, of a list with the newest first."""
    if after is not None:
        found = _first(rows.filter(pk__gt=after).order_by("pk"), size + 1)
        shown, more_newer, more_older = found[:size][::-1], len(found) > size, True
    else:
        below = rows.filter(pk__lt=before) if before is not None else rows
        found = _first(below, size + 1)
        shown, more_newer, more_older = found[:size], before is not None, len(found) > size
    return KeySlice(
        rows=shown,
        newer=shown[0].pk if shown and more_newer else None,
        older=shown[-1].pk if shown and more_older else None,
    )


def _first(rows: QuerySet[Row], n: int) -> list[Row]:
    """The first rows. Their keys are found first, and what is shown of a row is looked up for them.

    The database would otherwise prepare to look it up for every row of the list.
    """
    return list(rows.filter(pk__in=rows.values("pk")[:n]))
