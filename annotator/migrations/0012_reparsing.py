"""The document that counts is named by its page; re-parses, one job a page."""

import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q
from django.db.models.deletion import PROTECT

NOW = django.utils.timezone.now

# Until now the newest counted where none was pinned; of a page with gold, the one that the gold speaks of.
FILL = """
update annotator_page p set document_id = coalesce(
    (select g.document_id from annotator_gold g where g.page_id = p.id and g.current),
    p.document_id,
    (select d.id from annotator_document d where d.page_id = p.id order by d.made_at desc, d.id desc limit 1));
set constraints all immediate;
"""

# No reader ever sees a page whose document is one and whose gold speaks of another (law 2): asked for when a
# transaction ends, so that inside it the two may move one after the other.
SAME_DOCUMENT = """
create function goldpan_same_document() returns trigger language plpgsql as $$
declare
    of_page bigint := case tg_table_name when 'annotator_page' then (to_jsonb(new)->>'id')::bigint
                                         else (to_jsonb(new)->>'page_id')::bigint end;
begin
    if exists (
        select 1 from annotator_gold g join annotator_page p on p.id = g.page_id
        where p.id = of_page and g.current and g.document_id is distinct from p.document_id)
    then
        raise exception 'the current gold of a page speaks of its current document'
            using errcode = 'integrity_constraint_violation';
    end if;
    return null;
end $$;
create constraint trigger goldpan_same_document after insert or update of current on annotator_gold
    deferrable initially deferred for each row when (new.current) execute function goldpan_same_document();
create constraint trigger goldpan_same_document after update of document_id on annotator_page
    deferrable initially deferred for each row execute function goldpan_same_document();
create trigger goldpan_no_delete before delete on annotator_move
    for each row execute function goldpan_history();
create trigger goldpan_no_update before update on annotator_move for each row
    when (old.finished_at is not null and old.error = '') execute function goldpan_history();
"""
WITHOUT = """
drop trigger goldpan_no_delete on annotator_move;
drop trigger goldpan_no_update on annotator_move;
drop trigger goldpan_same_document on annotator_page;
drop trigger goldpan_same_document on annotator_gold;
drop function goldpan_same_document;
"""


class Migration(migrations.Migration):
    dependencies = [("annotator", "0011_study_design")]
    operations = [
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AlterField(
            "page",
            "document",
            models.ForeignKey("annotator.document", PROTECT, null=True, related_name="current_of"),
        ),
        migrations.CreateModel(
            "Reparse",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.CharField(max_length=60)),
                ("started_at", models.DateTimeField(default=NOW)),
                ("stopped_at", models.DateTimeField(null=True)),
                ("corpus", models.ForeignKey("annotator.corpus", PROTECT, related_name="reparses")),
                (
                    "requested_by",
                    models.ForeignKey(settings.AUTH_USER_MODEL, PROTECT, null=True, related_name="+"),
                ),
            ],
            {
                "ordering": ["-started_at", "-id"],
                "constraints": [
                    models.UniqueConstraint(fields=["corpus", "version"], name="one_reparse_per_version")
                ],
            },
        ),
        migrations.CreateModel(
            "Move",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("requested_at", models.DateTimeField(default=NOW, editable=False)),
                ("hinted_at", models.DateTimeField(default=NOW, editable=False)),
                ("heartbeat_at", models.DateTimeField(editable=False, null=True)),
                ("token", models.UUIDField(editable=False, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("finished_at", models.DateTimeField(editable=False, null=True)),
                ("error", models.TextField(blank=True, default="", editable=False)),
                ("run", models.ForeignKey("annotator.reparse", PROTECT, related_name="moves")),
                ("page", models.ForeignKey("annotator.page", PROTECT, related_name="moves")),
                ("waiting_since", models.DateTimeField(null=True)),
                ("before", models.ForeignKey("annotator.document", PROTECT, related_name="+")),
                ("document", models.ForeignKey("annotator.document", PROTECT, null=True, related_name="+")),
                ("gold_before", models.ForeignKey("annotator.gold", PROTECT, null=True, related_name="+")),
                ("gold", models.OneToOneField("annotator.gold", PROTECT, null=True, related_name="move")),
                ("same", models.PositiveIntegerField(default=0)),
                ("changed", models.PositiveIntegerField(default=0)),
                ("lost", models.PositiveIntegerField(default=0)),
                ("characters_lost", models.PositiveIntegerField(default=0)),
                ("report", models.JSONField(default=list)),
                (
                    "adjudication",
                    models.ForeignKey("annotator.adjudication", PROTECT, null=True, related_name="+"),
                ),
            ],
            {
                "ordering": ["id"],
                "indexes": [
                    models.Index(condition=Q(finished_at=None), fields=["hinted_at"], name="move_open"),
                    models.Index(
                        fields=["run", "-characters_lost", "-changed", "id"], name="moves_worst_first"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=["run", "page"], name="one_move_per_page"),
                    models.CheckConstraint(
                        condition=Q(finished_at=None) | ~Q(error="") | Q(document__isnull=False),
                        name="moved_to_a_document",
                    ),
                    models.CheckConstraint(
                        condition=Q(gold=None) | Q(gold_before__isnull=False),
                        name="carried_from_earlier_gold",
                    ),
                ],
            },
        ),
        migrations.RunSQL(SAME_DOCUMENT, WITHOUT),
    ]
