"""The guideline: versions of its text, and our default for every corpus that stands."""

import django.db.models.deletion
import django.utils.timezone
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models

from annotator.corpora.guideline.defaults import default_texts


def give_default(apps: Apps, schema_editor: object) -> None:
    corpora = apps.get_model("annotator", "Corpus").objects.all()
    Guideline = apps.get_model("annotator", "Guideline")
    Guideline.objects.bulk_create(
        Guideline(corpus=corpus, number=corpus.guideline_version, texts=default_texts()) for corpus in corpora
    )


class Migration(migrations.Migration):
    dependencies = [("annotator", "0003_extraction_reasons")]
    operations = [
        migrations.CreateModel(
            name="Guideline",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("texts", models.JSONField()),
                ("note", models.CharField(blank=True, default="", max_length=500)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="guidelines",
                        to="annotator.corpus",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["corpus", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("corpus", "number"), name="one_guideline_per_number"),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="guidelines_count_from_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("texts", {}), _negated=True), name="a_guideline_says_something"
                    ),
                ],
            },
        ),
        migrations.RunPython(give_default, migrations.RunPython.noop),
    ]
