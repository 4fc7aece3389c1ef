"""Triggers that models declare beside their constraints; django-pgtrigger writes them into migrations.

They keep history as it was written, whatever the code does (invariant 7). The exception is a page that is
taken down: its marks may be blanked, and nothing else.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pgtrigger
from django.db.migrations.state import ProjectState
from pgtrigger import migrations

_REFUSE = """
raise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name
    using errcode = 'integrity_constraint_violation',
          hint = 'Write a new row; submitted, final and finished rows stay as they are.';
"""

_CHECK_DOCUMENT = """
if exists (
    select from annotator_gold g join annotator_page p on p.id = g.page_id
    where p.id = of_page and g.current and g.document_id is distinct from p.document_id)
then
    raise exception 'the current gold of a page speaks of its current document'
        using errcode = 'integrity_constraint_violation';
end if;
return null;
"""

# A page that is gone is still known to the totals.
_COUNT_AGAIN = """
insert into annotator_pagetocount (page, corpus)
select of.page_id, coalesce(p.corpus_id, c.corpus)
from (%s) as of (page_id)
left join annotator_page p on p.id = of.page_id
left join annotator_countedpage c on c.page = of.page_id
where coalesce(p.corpus_id, c.corpus) is not null;
"""

# One row of the version's table for each corpus, however many rows a statement changes.
_ADD_ONE = """
insert into %(table)s as v (corpus_id, number)
select corpus_id, 1 from (
    select distinct p.corpus_id from (%(pages)s) as changed (page_id)
    join annotator_page p on p.id = changed.page_id) c
order by corpus_id
on conflict (corpus_id) do update set number = v.number + 1;
return null;
"""

# What stands in place of a text that may quote a page which was taken down.
TAKEN_DOWN = "taken down"

# Of work that has its result; a failure may be retried.
SUCCEEDED = pgtrigger.Q(old__finished_at__isnull=False, old__error="")


class AddTrigger(migrations.AddTrigger):
    """Of a migration: as the library's, but the model and all related ones are not made again for it.

    No model of a migration does anything with its triggers, and to make them eighty times took seconds.
    """

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        options = state.models[app_label, self.model_name].options
        options["triggers"] = [*options.get("triggers", []), self.trigger]


@dataclass(frozen=True)
class Blanking:
    """What a row holds instead once its page is taken down."""

    # Column -> value.
    values: Mapping[str, Any]
    # A query for the id of the page of the row `old`.
    page: str

    @property
    def sql(self) -> str:
        return f"""
if to_jsonb(new) = to_jsonb(old) || '{json.dumps(self.values)}'
    and exists (select from annotator_takedown where page_id = ({self.page}))
then
    return new;
end if;
"""


def condition(sql: str) -> pgtrigger.Condition:
    """A condition on the rows `old` and `new`."""
    return pgtrigger.Condition(f"({sql})")


def changes_other_than(*columns: str) -> str:
    """The SQL condition that an update changes another column than these."""
    names = "{" + ",".join(columns) + "}"
    return f"(to_jsonb(old) - '{names}'::text[]) <> (to_jsonb(new) - '{names}'::text[])"


def append_only(
    update: pgtrigger.Condition | None = None,
    *,
    delete: pgtrigger.Condition | None = None,
    unless: Blanking | None = None,
) -> list[pgtrigger.Trigger]:
    """Refuse updates and deletes of rows for which the conditions hold; all where there is no condition."""
    return [
        pgtrigger.Trigger(
            name="no_update",
            when=pgtrigger.Before,
            operation=pgtrigger.Update,
            condition=update,
            func=(unless.sql if unless else "") + _REFUSE,
        ),
        pgtrigger.Trigger(
            name="no_delete",
            when=pgtrigger.Before,
            operation=pgtrigger.Delete,
            condition=delete,
            func=_REFUSE,
        ),
    ]


def same_document(operation: pgtrigger.Operation, *, page: str) -> pgtrigger.Trigger:
    """At commit, the current gold of a page must belong to its current document; `page` is the page's id."""
    return pgtrigger.Trigger(
        name="same_document",
        when=pgtrigger.After,
        operation=operation,
        timing=pgtrigger.Deferred,
        declare=[("of_page", "bigint")],
        func=f"of_page := {page};" + _CHECK_DOCUMENT,
    )


def counts_again(
    operation: pgtrigger.Operation,
    *,
    page: str,
    condition: str = "",
    only_if: str = "",
    name: str = "counts_again",
) -> pgtrigger.Trigger:
    """Let the pages that the query `page` gives be counted again by `scoring.totals`.

    `condition` is on `old` and `new` rows of an update, `only_if` on those of whatever operation.
    """
    conditions = [only_if, f"tg_op <> 'UPDATE' or ({condition})" if condition else ""]
    func = _COUNT_AGAIN % page
    for each in filter(None, conditions):
        func = f"if {each} then {func} end if;"
    return pgtrigger.Trigger(
        name=name, when=pgtrigger.After, operation=operation, func=f"{func} return null;"
    )


def new_version(
    table: str, *, page: str, joins: str = "", counts: str = "", differs: str
) -> Iterator[pgtrigger.Trigger]:
    """Add one to the number of a corpus in `table` when rows of its pages come, go or change.

    `page` is the key of the page of a row `it`, reached by `joins`. `counts` is the condition under which it
    matters that a row comes or goes ("": never), `differs` the same of a change from the row `was`.
    """
    changed = f"old_rows was join new_rows it on it.id = was.id {joins} where {differs}"
    found = [(pgtrigger.Update, {"old": "old_rows", "new": "new_rows"}, changed)]
    if counts:
        found += [
            (pgtrigger.Insert, {"new": "new_rows"}, f"new_rows it {joins} where {counts}"),
            (pgtrigger.Delete, {"old": "old_rows"}, f"old_rows it {joins} where {counts}"),
        ]
    for operation, rows, where in found:
        pages = f"select {page} from {where}"  # noqa: S608  SQL of models
        yield pgtrigger.Trigger(
            name=f"{table.removeprefix('annotator_')}_{str(operation).lower()}",
            level=pgtrigger.Statement,
            when=pgtrigger.After,
            operation=operation,
            referencing=pgtrigger.Referencing(**rows),
            func=_ADD_ONE % {"table": table, "pages": pages},
        )
