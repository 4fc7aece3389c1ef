"""Queries that are asked with every step of an annotator: written by the ORM once a process.

To write such a query takes the ORM several times as long as it takes the database to answer it; here only the
values are new each time. What is asked is what the queryset says, whoever changes it.
"""

from collections.abc import Callable
from copy import copy
from inspect import signature
from types import SimpleNamespace
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Expression, Model, QuerySet
from django.db.models.query import ModelIterable
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row", bound=Model | tuple[Any, ...])


class Given(Expression):
    """The place of a value that is given when the query is asked; it has a `pk`, as an instance has."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    @property
    def pk(self) -> "Given":
        return self

    def as_sql(self, _compiler: SQLCompiler, _connection: object) -> tuple[str, list[Any]]:
        return "%s", [self]


class Kept(NamedTuple):
    """The SQL, the values in it and their places, and the compiler that knows what to make of the rows."""

    compiler: SQLCompiler
    sql: str
    places: tuple[Any, ...]
    is_of_models: bool


class Written(Generic[Row]):
    """A queryset, of models or by `values_list`, with places for values: the parameters of `make`.

    `make` may branch on nothing that is given, and ask the database nothing.
    """

    def __init__(self, make: Callable[..., QuerySet[Row]]) -> None:
        self._make = make
        self._kept: Kept | None = None

    def __call__(self, **values: object) -> list[Row]:
        """The rows; `values` are what a column holds: keys, not instances."""
        kept = self._kept or self._write()
        connection = connections[DEFAULT_DB_ALIAS]
        if kept.compiler.query.select_for_update and not connection.in_atomic_block:
            raise TransactionManagementError("rows are held until a transaction ends, and there is none")
        compiler = copy(kept.compiler)
        compiler.connection = connection
        given = tuple(values[place.name] if isinstance(place, Given) else place for place in kept.places)
        compiler.as_sql = lambda: (kept.sql, given)  # type: ignore[method-assign]
        if not kept.is_of_models:
            return list(compiler.results_iter(tuple_expected=True))
        query = SimpleNamespace(get_compiler=lambda using: compiler)  # noqa: ARG005  as Django names it
        asked = SimpleNamespace(db=DEFAULT_DB_ALIAS, query=query, _known_related_objects={})
        return list(ModelIterable(asked))

    def first(self, **values: object) -> Row | None:
        """The first row, if there is any; the queryset has to say that it wants no more than one."""
        rows = self(**values)
        return rows[0] if rows else None

    def _write(self) -> Kept:
        queryset = self._make(*map(Given, signature(self._make).parameters))
        compiler = queryset.query.get_compiler(DEFAULT_DB_ALIAS)
        is_of_models = queryset._iterable_class is ModelIterable
        self._kept = Kept(compiler, *compiler.as_sql(), is_of_models)
        return self._kept
