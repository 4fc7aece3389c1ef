"""Law 7 in the database: what is history cannot be rewritten, whatever the code above does."""

from django.db import migrations

# Nothing of such a row ever changes.
FROZEN = ("annotator_revision", "annotator_refusedsave")
# Nothing changes once the column is set (and, for work, once it succeeded: a failure may be tried again).
CLOSED = {
    "annotator_annotation": "old.submitted_at is not null",
    "annotator_slot": "old.submitted_at is not null",
    "annotator_adjudication": "old.settled_at is not null",
    "annotator_extraction": "old.finished_at is not null and old.error = ''",
    "annotator_agreement": "old.finished_at is not null and old.error = ''",
    "annotator_score": "old.finished_at is not null and old.error = ''",
    # Of gold only "current" moves, when a newer one takes its place.
    "annotator_gold": "to_jsonb(old) - 'current' <> to_jsonb(new) - 'current'",
}

FUNCTION = """
create function goldpan_history() returns trigger language plpgsql as $$
begin
    raise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name
        using errcode = 'integrity_constraint_violation',
              hint = 'Write a new row; submitted, settled and finished rows stay as they are.';
end $$;
"""


def _statements() -> list[str]:
    return [
        FUNCTION,
        *(_trigger(table, "delete", "true") for table in (*FROZEN, *CLOSED)),
        *(_trigger(table, "update", "true") for table in FROZEN),
        *(_trigger(table, "update", condition) for table, condition in CLOSED.items()),
    ]


def _trigger(table: str, event: str, condition: str) -> str:
    return (
        f"create trigger goldpan_no_{event} before {event} on {table} "
        f"for each row when ({condition}) execute function goldpan_history();"
    )


class Migration(migrations.Migration):
    dependencies = [("annotator", "0001_initial")]
    operations = [
        migrations.RunSQL(_statements(), ["drop function goldpan_history cascade"]),
    ]
