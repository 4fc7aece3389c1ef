"""Queries that are asked with every step of an annotator: written by the ORM once a process.

To write such a query takes the ORM several times as long as it takes the database to answer it, and half of
what the database does is to plan it; here it is prepared on each connection, and only the values are new each
time. What is asked is what the queryset says, whoever changes it.
"""

from collections.abc import Callable, Sequence
from copy import copy
from inspect import signature
from itertools import count
from types import SimpleNamespace
from typing import Any, Generic, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Expression, Model, QuerySet
from django.db.models.query import ModelIterable
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError
from psycopg2.extensions import adapt

_numbers = count(1)
# The names that a connection of the driver knows.
_prepared: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()

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
    """What prepares the query and what asks it, the places in it, and who knows what to make of the rows."""

    name: str
    prepare: str
    execute: str
    places: tuple[str, ...]
    compiler: SQLCompiler
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
        _prepare(kept, connection)
        compiler = copy(kept.compiler)
        compiler.connection = connection
        given = tuple(values[place] for place in kept.places)
        compiler.as_sql = lambda: (kept.execute, given)  # type: ignore[method-assign]
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
        places = tuple(signature(self._make).parameters)
        queryset = self._make(*map(Given, places))
        compiler = queryset.query.get_compiler(DEFAULT_DB_ALIAS)
        sql, params = compiler.as_sql()
        name = f"written_{next(_numbers)}"
        self._kept = Kept(
            name=name,
            prepare=f"PREPARE {name} AS {sql % tuple(_in_sql(param, places) for param in params)}",
            execute=f"EXECUTE {name}" + (f"({', '.join(['%s'] * len(places))})" if places else ""),
            places=places,
            compiler=compiler,
            is_of_models=queryset._iterable_class is ModelIterable,
        )
        return self._kept


def _in_sql(param: Any, places: Sequence[str]) -> str:
    """A value of the queryset's own as a literal, or the number of a place."""
    if isinstance(param, Given):
        return f"${places.index(param.name) + 1}"
    return adapt(param).getquoted().decode()


def _prepare(kept: Kept, connection: BaseDatabaseWrapper) -> None:
    """Once on each connection; a dead one is found out first, as with every query."""
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    done = _prepared.setdefault(connection.connection, set())
    if kept.name not in done:
        with connection.connection.cursor() as cursor:
            cursor.execute(kept.prepare)
        done.add(kept.name)
