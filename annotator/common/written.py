"""Queries and writes that come with every step of an annotator: written by the ORM once a process.

To write such a statement takes the ORM several times as long as it takes the database to answer it, and half
of what the database does is to plan it; here it is prepared on each connection, and only the values are new
each time. What is asked is what the queryset says, whoever changes it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from inspect import signature
from itertools import count
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Expression, Field, Model, QuerySet
from django.db.models.base import ModelState
from django.db.models.query import ModelIterable, get_related_populators
from django.db.models.sql import InsertQuery, UpdateQuery
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError
from psycopg2.extensions import adapt

_numbers = count(1)

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


class Statement(NamedTuple):
    """What prepares it and what asks it, and the places in it, in the order in which values are given."""

    name: str
    prepare: str
    execute: str
    places: tuple[str, ...]

    @classmethod
    def of(cls, sql: str, params: Iterable[Any], places: Sequence[str]) -> "Statement":
        name = f"written_{next(_numbers)}"
        return cls(
            name=name,
            prepare=f"PREPARE {name} AS {sql % tuple(_in_sql(param, places) for param in params)}",
            execute=f"EXECUTE {name}" + (f"({', '.join(['%s'] * len(places))})" if places else ""),
            places=tuple(places),
        )

    def asked(self, values: Mapping[str, object]) -> "Asked":
        return Asked(self, [values[place] for place in self.places])


class Asked(NamedTuple):
    """A statement with its values, not yet sent."""

    statement: Statement
    values: list[object]


class Answer(NamedTuple):
    """How many rows it was about, and those that it gives."""

    count: int
    rows: list[Any]


def _send(connection: BaseDatabaseWrapper, *asked: Asked) -> Answer:
    """One message to the database and one back: what the last one says."""
    with connection.wrap_database_errors, connection.short_cursor() as cursor:
        for statement, _values in asked:
            if statement.name not in connection.prepared:
                with connection.connection.cursor() as preparing:
                    preparing.execute(statement.prepare)
                connection.prepared.add(statement.name)
        sql = "; ".join(statement.execute for statement, _values in asked)
        cursor.execute(sql, [value for _statement, values in asked for value in values])
        return Answer(cursor.rowcount, cursor.fetchall() if cursor.description else [])


def together(*asked: Asked) -> None:
    """One after the other in one message, in a transaction; nothing of them is counted or read back."""
    connection = connections[DEFAULT_DB_ALIAS]
    if not connection.in_atomic_block:
        raise TransactionManagementError("what is written together stands or falls together")
    _send(connection, *asked)


def _in_sql(param: Any, places: Sequence[str]) -> str:
    """A value of the queryset's own as a literal, or the number of a place."""
    if isinstance(param, Given):
        return f"${places.index(param.name) + 1}"
    return adapt(param).getquoted().decode()


class Written(Generic[Row]):
    """A queryset, of models or by `values_list`, with places for values: the parameters of `make`.

    `make` may branch on nothing that is given, and ask the database nothing.
    """

    def __init__(self, make: Callable[..., QuerySet[Row]]) -> None:
        self._make = make
        self._kept: tuple[Statement, Reader, bool] | None = None

    def __call__(self, **values: object) -> list[Row]:
        """The rows; `values` are what a column holds: keys, not instances."""
        return self._read(self.asked(**values))

    def after(self, *first: Asked, **values: object) -> list[Row]:
        """The rows as they are when `first` is done, as with rows that it had to wait for; one message."""
        return self._read(*first, self.asked(**values))

    def asked(self, **values: object) -> Asked:
        statement, _reader, holds = self._kept or self._write()
        if holds and not connections[DEFAULT_DB_ALIAS].in_atomic_block:
            raise TransactionManagementError("rows are held until a transaction ends, and there is none")
        return statement.asked(values)

    def _read(self, *asked: Asked) -> list[Row]:
        _statement, reader, _holds = self._kept or self._write()
        connection = connections[DEFAULT_DB_ALIAS]
        return list(reader.read(_send(connection, *asked).rows, connection))

    def first(self, **values: object) -> Row | None:
        """The first row, if there is any; the queryset has to say that it wants no more than one."""
        rows = self(**values)
        return rows[0] if rows else None

    def _write(self) -> "tuple[Statement, Reader, bool]":
        places, queryset = _made(self._make)
        compiler = queryset.query.get_compiler(DEFAULT_DB_ALIAS)
        statement = Statement.of(*compiler.as_sql(), places)
        is_of_models = queryset._iterable_class is ModelIterable
        self._kept = statement, Reader(compiler, is_of_models), compiler.query.select_for_update
        return self._kept


class Reader:
    """Who knows what to make of the rows: instances, as the ORM makes them, or tuples."""

    def __init__(self, compiler: SQLCompiler, is_of_models: bool) -> None:
        columns = [selected for selected, *_ in compiler.select[: compiler.col_count]]
        self._converted = [(n, *how) for n, how in compiler.get_converters(columns).items()]
        self._model: type[Model] | None = None
        if is_of_models:
            self._model = compiler.klass_info["model"]
            own = compiler.klass_info["select_fields"]
            self._own = slice(own[0], own[-1] + 1)
            self._names = [column.target.attname for column in columns[self._own]]
            self._related = get_related_populators(compiler.klass_info, compiler.select, DEFAULT_DB_ALIAS)
            _make_plainly(self._related)
            self._beside = (compiler.annotation_col_map or {}).items()

    def read(self, rows: Iterable[Sequence[Any]], connection: BaseDatabaseWrapper) -> Iterator[Any]:
        for found in rows:
            row = list(found)
            for place, converters, expression in self._converted:
                for converter in converters:
                    row[place] = converter(row[place], expression, connection)
            yield self._instance(row) if self._model else tuple(row)

    def _instance(self, row: list[Any]) -> Model:
        assert self._model
        made = Plainly(self._model).from_db(DEFAULT_DB_ALIAS, self._names, row[self._own])
        for related in self._related:
            related.populate(row, made)
        for name, place in self._beside:
            setattr(made, name, row[place])
        return made


class Plainly(NamedTuple):
    """Instances of a model, as its own `from_db` makes them, but for `__init__`, to which nobody listens."""

    model: type[Model]

    def from_db(self, alias: str, names: Sequence[str], values: Sequence[Any]) -> Model:
        made = self.model.__new__(self.model)
        made._state = ModelState()
        made._state.adding, made._state.db = False, alias
        made.__dict__.update(zip(names, values, strict=True))
        return made


def _make_plainly(populators: Iterable[Any]) -> None:
    for populator in populators:
        populator.model_cls = Plainly(populator.model_cls)
        _make_plainly(populator.related_populators)


# ---- writes ----


class WrittenUpdate:
    """`update` of a queryset, in these columns; their values are given beside those of its places."""

    def __init__(self, make: Callable[..., QuerySet[Any]], *columns: str) -> None:
        self._make = make
        self._columns = columns
        self._statement: Statement | None = None

    def __call__(self, **values: object) -> int:
        """How many rows it was; `values` are what a column holds."""
        return _send(connections[DEFAULT_DB_ALIAS], self.asked(**values)).count

    def asked(self, **values: object) -> Asked:
        self._statement = self._statement or self._write()
        return self._statement.asked(values)

    def _write(self) -> Statement:
        places, queryset = _made(self._make)
        query = queryset.order_by().query.chain(UpdateQuery)
        fields = [query.get_meta().get_field(name) for name in self._columns]
        query.add_update_fields([(field, None, Given(field.name)) for field in fields])
        return Statement.of(*query.get_compiler(DEFAULT_DB_ALIAS).as_sql(), (*places, *self._columns))


def saving(row: Model, *names: str) -> Asked:
    """As `row.save(update_fields=names)`, of a row that is held; nobody listens to its model's saves."""
    fields = [row._meta.get_field(name) for name in names]
    return _update_of(type(row), names).asked(pk=row.pk, **_values(row, fields, add=False))


def adding(row: Model) -> Asked:
    """As `row.save(force_insert=True)` of a new row."""
    return _insert_of(type(row)).asked(_values(row, _columns_of_new(type(row)), add=True))


def add(row: Model, *before: Asked) -> None:
    """The same at once, `before` it what belongs to it, in one message: the row has its key then."""
    ((row.pk,),) = _send(connections[DEFAULT_DB_ALIAS], *before, adding(row)).rows
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


@cache
def _update_of(model: type[Model], names: tuple[str, ...]) -> WrittenUpdate:
    return WrittenUpdate(lambda pk: model._base_manager.filter(pk=pk), *names)


@cache
def _insert_of(model: type[Model]) -> Statement:
    fields = _columns_of_new(model)
    query = InsertQuery(model)
    query.insert_values(fields, [model(**{field.attname: Given(field.name) for field in fields})])
    compiler = query.get_compiler(DEFAULT_DB_ALIAS)
    compiler.returning_fields = [model._meta.pk]
    ((sql, params),) = compiler.as_sql()
    return Statement.of(sql, params, [field.name for field in fields])


@cache
def _columns_of_new(model: type[Model]) -> list[Any]:
    return [field for field in model._meta.concrete_fields if field is not model._meta.pk]


def _values(row: Model, fields: Iterable["Field[Any, Any]"], *, add: bool) -> dict[str, object]:
    """What the columns will hold, as the driver wants it."""
    connection = connections[DEFAULT_DB_ALIAS]
    return {field.name: field.get_db_prep_save(field.pre_save(row, add), connection) for field in fields}


def _made(make: Callable[..., QuerySet[Any]]) -> tuple[tuple[str, ...], QuerySet[Any]]:
    """The places, and the queryset with a `Given` in each of them."""
    places = tuple(signature(make).parameters)
    return places, make(*map(Given, places))
