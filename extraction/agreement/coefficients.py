"""Coefficients of agreement from tables of counts, for many tables at once.

A table has the labels of a first annotator in rows and those of a second in columns, "" (unlabelled) first.
The last two axes are the table's, so that one call does for a thousand samples. NaN where it is undefined.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Coefficient = Callable[[Numbers], Numbers]


def ratio(above: Numbers, below: Numbers) -> Numbers:
    """Their quotient, NaN where the divisor is not positive."""
    undefined = np.full(np.shape(above), np.nan)
    return np.asarray(np.divide(above, below, out=undefined, where=np.asarray(below) > 0))


def total(tables: Numbers) -> Numbers:
    """How many units each table counts."""
    return np.asarray(tables.sum(axis=(-2, -1)))


def agreed(tables: Numbers) -> Numbers:
    """How many units have one and the same label."""
    return np.asarray(np.trace(tables, axis1=-2, axis2=-1))


def observed(tables: Numbers) -> Numbers:
    """The share of units with one and the same label."""
    return ratio(agreed(tables), total(tables))


def by_chance(tables: Numbers) -> Numbers:
    """The share expected of two who keep their own shares of labels but give them at random (Cohen 1960)."""
    return ratio((tables.sum(axis=-1) * tables.sum(axis=-2)).sum(axis=-1), total(tables) ** 2)


def cohen_kappa(tables: Numbers) -> Numbers:
    """Agreement beyond that chance; undefined where both gave every unit one and the same label."""
    expected = by_chance(tables)
    return ratio(observed(tables) - expected, 1 - expected)


def ac1_by_chance(tables: Numbers) -> Numbers:
    """The share expected by Gwet: that of units labelled at random times that of random agreement (2008)."""
    shares = ratio(
        tables.sum(axis=-1) + tables.sum(axis=-2),
        np.broadcast_to(2 * total(tables)[..., None], tables.shape[:-1]),
    )
    return np.asarray((shares * (1 - shares)).sum(axis=-1) / max(1, tables.shape[-1] - 1))


def gwet_ac1(tables: Numbers) -> Numbers:
    """Gwet's AC1 (2008), which does not fall when one label is rare; labels are all those of the table."""
    expected = ac1_by_chance(tables)
    return ratio(observed(tables) - expected, 1 - expected)


def positive(tables: Numbers) -> Numbers:
    """Positive specific agreement of labelled units, whichever the label: the F1 of one against the other.

    Undefined where neither labelled anything (Hripcsak and Rothschild 2005).
    """
    both = tables[..., 1:, 1:].sum(axis=(-2, -1))
    return ratio(2 * both, tables[..., 1:, :].sum(axis=(-2, -1)) + tables[..., :, 1:].sum(axis=(-2, -1)))


def positive_by_chance(tables: Numbers) -> Numbers:
    """The positive agreement of two who label as many units as they did, but at random."""
    one, other = tables[..., 1:, :].sum(axis=(-2, -1)), tables[..., :, 1:].sum(axis=(-2, -1))
    return ratio(2 * one * other, total(tables) * (one + other))


class Coincidences(NamedTuple):
    """Tables of coincidences: each ordered pair of a unit's m annotators weighs 1 / (m - 1), so that a table
    counts every label given. `kept` is how many of its labels cannot meet by chance: see `alpha`."""

    tables: Numbers
    kept: Numbers


def alpha_by_chance(found: Coincidences) -> Numbers:
    """The share of agreement that is expected when labels are drawn from all that were given."""
    return 1 - ratio(_unequal(found), total(found.tables) * (total(found.tables) - found.kept))


def alpha(found: Coincidences) -> Numbers:
    """Krippendorff's alpha, nominal, for any number of annotators; undefined where only one label occurs.

    A label cannot meet itself by chance, hence `kept` is 1 for units that are given. With the mean length of
    the span that a character is in, it is his alpha of unitizing of 2016: a span cannot meet itself.
    """
    pairable = total(found.tables)
    disagreed = (pairable - agreed(found.tables)) * (pairable - found.kept)
    return 1 - ratio(disagreed, _unequal(found))


def _unequal(found: Coincidences) -> Numbers:
    return np.asarray(total(found.tables) ** 2 - (found.tables.sum(axis=-1) ** 2).sum(axis=-1))
