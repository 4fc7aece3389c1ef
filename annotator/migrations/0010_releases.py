"""Releases, errata, tombstones; and how far history lets a page that must go be blanked (law 7)."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from annotator.migrations._takedown import functions

# What a release holds never changes; of a release nothing, once it is made; of an erratum only that it was
# corrected is added.
GUARDED = """
create trigger goldpan_no_delete before delete on annotator_releasepage
    for each row execute function goldpan_history();
create trigger goldpan_no_update before update on annotator_releasepage
    for each row execute function goldpan_history();
create trigger goldpan_no_delete before delete on annotator_takedown
    for each row execute function goldpan_history();
create trigger goldpan_no_update before update on annotator_takedown
    for each row execute function goldpan_history();
create trigger goldpan_no_delete before delete on annotator_release
    for each row when (old.sha256 <> '') execute function goldpan_history();
create trigger goldpan_no_update before update on annotator_release
    for each row when (old.sha256 <> '') execute function goldpan_history();
create trigger goldpan_no_delete before delete on annotator_erratum
    for each row execute function goldpan_history();
create trigger goldpan_no_update before update on annotator_erratum
    for each row when (
        old.corrected_in_id is not null
        or to_jsonb(old) - 'corrected_in_id' <> to_jsonb(new) - 'corrected_in_id')
    execute function goldpan_history();
"""
UNGUARDED = """
drop trigger goldpan_no_delete on annotator_releasepage;
drop trigger goldpan_no_update on annotator_releasepage;
drop trigger goldpan_no_delete on annotator_takedown;
drop trigger goldpan_no_update on annotator_takedown;
drop trigger goldpan_no_delete on annotator_release;
drop trigger goldpan_no_update on annotator_release;
drop trigger goldpan_no_delete on annotator_erratum;
drop trigger goldpan_no_update on annotator_erratum;
"""

# The one exception: of a page with a tombstone, a row may become the same row without text and spans.
TAKEDOWN = functions(create="create")
TAKEDOWN_BEFORE = """
create or replace function goldpan_history() returns trigger language plpgsql as $$
begin
    raise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name
        using errcode = 'integrity_constraint_violation',
              hint = 'Write a new row; submitted, settled and finished rows stay as they are.';
end $$;
drop function goldpan_page_of;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("annotator", "0009_adjudication"),
    ]

    operations = [
        migrations.CreateModel(
            name="Erratum",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sha256", models.CharField(max_length=64)),
                ("what", models.CharField(max_length=500)),
                ("found_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                "ordering": ["release", "sha256", "id"],
            },
        ),
        migrations.CreateModel(
            name="GoldCount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("amounts", models.JSONField()),
            ],
        ),
        migrations.CreateModel(
            name="Release",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("requested_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("hinted_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("heartbeat_at", models.DateTimeField(editable=False, null=True)),
                ("token", models.UUIDField(editable=False, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("finished_at", models.DateTimeField(editable=False, null=True)),
                ("error", models.TextField(blank=True, default="", editable=False)),
                ("number", models.PositiveIntegerField()),
                ("note", models.CharField(blank=True, default="", max_length=500)),
                ("pages", models.PositiveIntegerField(default=0)),
                ("done", models.PositiveIntegerField(default=0)),
                ("manifest", models.TextField(blank=True, default="")),
                ("sha256", models.CharField(blank=True, default="", max_length=64)),
                ("datasheets", models.JSONField(default=dict)),
            ],
            options={
                "ordering": ["-number"],
            },
        ),
        migrations.CreateModel(
            name="ReleasePage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sha256", models.CharField(max_length=64)),
                ("gold_sha256", models.CharField(max_length=64)),
                (
                    "split",
                    models.CharField(
                        choices=[("train", "Train"), ("dev", "Dev"), ("test", "Test")], max_length=5
                    ),
                ),
                ("group", models.CharField(max_length=64)),
                ("facts", models.JSONField(default=dict)),
            ],
            options={
                "ordering": ["release", "sha256"],
            },
        ),
        migrations.CreateModel(
            name="Takedown",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
        ),
        migrations.CreateModel(
            name="Terms",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("licence", models.CharField(blank=True, default="", max_length=500)),
                ("collection", models.TextField(blank=True, default="")),
                ("limits", models.TextField(blank=True, default="")),
            ],
        ),
        migrations.AddField(
            model_name="export",
            name="withdrawn_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="erratum",
            name="corpus",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="errata", to="annotator.corpus"
            ),
        ),
        migrations.AddField(
            model_name="erratum",
            name="found_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="goldcount",
            name="gold",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="counted", to="annotator.gold"
            ),
        ),
        migrations.AddField(
            model_name="release",
            name="corpus",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="releases", to="annotator.corpus"
            ),
        ),
        migrations.AddField(
            model_name="release",
            name="made_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="erratum",
            name="corrected_in",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="corrects",
                to="annotator.release",
            ),
        ),
        migrations.AddField(
            model_name="erratum",
            name="release",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="errata", to="annotator.release"
            ),
        ),
        migrations.AddField(
            model_name="export",
            name="release",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="exports",
                to="annotator.release",
            ),
        ),
        migrations.AddField(
            model_name="releasepage",
            name="gold",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="released_in", to="annotator.gold"
            ),
        ),
        migrations.AddField(
            model_name="releasepage",
            name="release",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="rows", to="annotator.release"
            ),
        ),
        migrations.AddField(
            model_name="takedown",
            name="made_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="takedown",
            name="page",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="takedown", to="annotator.page"
            ),
        ),
        migrations.AddField(
            model_name="terms",
            name="corpus",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="terms", to="annotator.corpus"
            ),
        ),
        migrations.AddIndex(
            model_name="release",
            index=models.Index(
                condition=models.Q(("finished_at", None)), fields=["hinted_at"], name="release_open"
            ),
        ),
        migrations.AddConstraint(
            model_name="release",
            constraint=models.UniqueConstraint(fields=("corpus", "number"), name="one_release_per_number"),
        ),
        migrations.AddConstraint(
            model_name="release",
            constraint=models.CheckConstraint(
                condition=models.Q(("number__gte", 1)), name="releases_count_from_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="erratum",
            constraint=models.UniqueConstraint(
                fields=("release", "sha256", "what"), name="one_erratum_of_a_kind"
            ),
        ),
        migrations.AddConstraint(
            model_name="releasepage",
            constraint=models.UniqueConstraint(fields=("release", "sha256"), name="one_row_per_page"),
        ),
        migrations.RunSQL(GUARDED + TAKEDOWN, UNGUARDED + TAKEDOWN_BEFORE),
    ]
