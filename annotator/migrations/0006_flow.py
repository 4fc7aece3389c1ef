"""A page in reserve, submissions as dated facts, reasons of skipping."""

from django.db import migrations, models
from django.db.models import Q
from django.db.models.deletion import PROTECT

OPEN_SLOT = Q(submitted_at=None)

# Submitted slots are history, which the trigger below guards: here they get a column that they never had.
FILL = """
alter table annotator_slot disable trigger goldpan_no_update;
update annotator_slot s
    set corpus_id = p.corpus_id,
        begun_at = (select min(o.submitted_at) from annotator_slot o where o.round_id = s.round_id)
    from annotator_round r join annotator_page p on p.id = r.page_id
    where r.id = s.round_id;
alter table annotator_slot enable trigger goldpan_no_update;

update annotator_slot s set annotator_id = null, claimed_at = null, lease_until = null
    where s.submitted_at is null and s.annotator_id is not null and exists (
        select 1 from annotator_slot o
        where o.submitted_at is null and o.annotator_id = s.annotator_id and o.corpus_id = s.corpus_id
            and (o.claimed_at, o.id) > (s.claimed_at, s.id));

update annotator_round r set settled_at = g.settled_at
    from annotator_gold g
    where g.page_id = r.page_id and g.source <> 'imported' and g.settled_at >= r.opened_at;

insert into annotator_submission (annotation_id, number, revision_id, submitted_at)
    select a.id, 1, v.id, a.submitted_at
    from annotator_annotation a join annotator_revision v on v.annotation_id = a.id and v.number = a.revision
    where a.submitted_at is not null;

update annotator_skip set note = reason, reason = case when reason = '' then '' else 'other' end;
set constraints all immediate;
"""

# A submitted annotation moves in one way: taken up again, saved, handed in again. Never back.
HISTORY = """
drop trigger goldpan_no_update on annotator_annotation;
create trigger goldpan_no_update before update on annotator_annotation for each row
    when (old.submitted_at is not null and (
        new.submitted_at is null or new.submitted_at < old.submitted_at
        or (old.reopened_at is null and to_jsonb(old) - 'reopened_at' <> to_jsonb(new) - 'reopened_at')
        or to_jsonb(old) - '{submitted_at,reopened_at,revision,active_seconds}'::text[]
            <> to_jsonb(new) - '{submitted_at,reopened_at,revision,active_seconds}'::text[]))
    execute function goldpan_history();
create trigger goldpan_no_delete before delete on annotator_submission
    for each row execute function goldpan_history();
create trigger goldpan_no_update before update on annotator_submission for each row
    when (old.withdrawn_at is not null or to_jsonb(old) - 'withdrawn_at' <> to_jsonb(new) - 'withdrawn_at')
    execute function goldpan_history();
"""
HISTORY_BEFORE = """
drop trigger goldpan_no_update on annotator_annotation;
create trigger goldpan_no_update before update on annotator_annotation for each row
    when (old.submitted_at is not null) execute function goldpan_history();
drop trigger goldpan_no_delete on annotator_submission;
drop trigger goldpan_no_update on annotator_submission;
"""

# The column that is held twice says the same twice.
SAME_CORPUS = """
create function goldpan_same_corpus() returns trigger language plpgsql as $$
begin
    if new.corpus_id is distinct from (
        select p.corpus_id from annotator_round r join annotator_page p on p.id = r.page_id
        where r.id = new.round_id)
    then
        raise exception 'a slot is of the corpus of its page' using errcode = 'integrity_constraint_violation';
    end if;
    return new;
end $$;
create trigger goldpan_same_corpus before insert or update of corpus_id, round_id on annotator_slot
    for each row execute function goldpan_same_corpus();
"""


class Migration(migrations.Migration):
    dependencies = [("annotator", "0005_guideline_stands")]
    operations = [
        migrations.CreateModel(
            "Submission",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "annotation",
                    models.ForeignKey("annotator.annotation", PROTECT, related_name="submissions"),
                ),
                ("number", models.PositiveIntegerField()),
                ("revision", models.OneToOneField("annotator.revision", PROTECT, related_name="submission")),
                ("submitted_at", models.DateTimeField()),
                ("withdrawn_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=["annotation", "number"], name="one_submission_per_number"
                    ),
                    models.UniqueConstraint(
                        fields=["annotation"], condition=Q(withdrawn_at=None), name="one_submission_counts"
                    ),
                ],
            },
        ),
        migrations.AddField("round", "edition", models.PositiveIntegerField(default=1)),
        migrations.AddField("round", "settled_at", models.DateTimeField(null=True)),
        migrations.AddField("annotation", "reopened_at", models.DateTimeField(null=True)),
        migrations.AddField("skip", "note", models.CharField(blank=True, default="", max_length=200)),
        migrations.AddField("slot", "begun_at", models.DateTimeField(null=True)),
        migrations.AddField("slot", "reserved_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "slot", "corpus", models.ForeignKey("annotator.corpus", PROTECT, null=True, related_name="+")
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AlterField(
            "slot", "corpus", models.ForeignKey("annotator.corpus", PROTECT, related_name="+")
        ),
        migrations.AlterField(
            "skip",
            "reason",
            models.CharField(
                blank=True,
                default="",
                max_length=20,
                choices=[
                    ("language", "I do not read this language well"),
                    ("broken", "It cannot be read as it is shown"),
                    ("rules", "The guideline does not say what to do"),
                    ("subject", "I would rather not read this"),
                    ("long", "It would take too long"),
                    ("other", "Something else"),
                ],
            ),
        ),
        *(
            operation
            for model, related, constraint in (
                ("agreement", "comparisons", "one_comparison_per_edition"),
                ("adjudication", "adjudications", "one_dispute_per_edition"),
            )
            for operation in (
                migrations.AddField(model, "edition", models.PositiveIntegerField(default=1)),
                migrations.AlterField(
                    model, "round", models.ForeignKey("annotator.round", PROTECT, related_name=related)
                ),
                migrations.AddConstraint(
                    model, models.UniqueConstraint(fields=["round", "edition"], name=constraint)
                ),
            )
        ),
        migrations.RemoveIndex("slot", "slots_of_annotator"),
        migrations.RemoveIndex("slot", "slots_open"),
        migrations.AddIndex(
            "slot",
            models.Index(fields=["annotator", "corpus", "submitted_at"], name="slots_of_annotator"),
        ),
        migrations.AddIndex(
            "slot",
            models.Index(
                fields=["corpus", "begun_at", "round", "number"], condition=OPEN_SLOT, name="slots_open"
            ),
        ),
        migrations.AddIndex(
            "annotation",
            models.Index(fields=["annotator", "submitted_at"], name="annotations_of_annotator"),
        ),
        migrations.AddConstraint(
            "annotation",
            models.CheckConstraint(
                condition=Q(reopened_at=None) | Q(submitted_at__isnull=False), name="reopened_was_submitted"
            ),
        ),
        migrations.AddConstraint(
            "slot",
            models.CheckConstraint(
                condition=Q(reserved_at=None) | Q(annotator__isnull=False, submitted_at=None),
                name="a_reserve_is_a_claim",
            ),
        ),
        migrations.AddConstraint(
            "slot",
            models.UniqueConstraint(
                fields=["corpus", "annotator"],
                condition=Q(submitted_at=None, reserved_at=None, annotator__isnull=False),
                name="one_active_claim",
            ),
        ),
        migrations.AddConstraint(
            "slot",
            models.UniqueConstraint(
                fields=["corpus", "annotator"],
                condition=Q(reserved_at__isnull=False),
                name="one_reserve_claim",
            ),
        ),
        migrations.RunSQL(HISTORY, HISTORY_BEFORE),
        migrations.RunSQL(SAME_CORPUS, "drop function goldpan_same_corpus cascade"),
    ]
