"""Why a page is in its cluster; bands in an order in which the newest pages are found at once."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotator", "0019_no_reasons"),
    ]

    operations = [
        migrations.CreateModel(
            name="Likeness",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("jaccard", models.FloatField()),
            ],
        ),
        migrations.RemoveIndex(
            model_name="shingleband",
            name="band_lookup",
        ),
        migrations.AddIndex(
            model_name="shingleband",
            index=models.Index(fields=["corpus", "digest", "page"], name="bands_newest_last"),
        ),
        migrations.AddField(
            model_name="likeness",
            name="other",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="annotator.page"
            ),
        ),
        migrations.AddField(
            model_name="likeness",
            name="page",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="likenesses", to="annotator.page"
            ),
        ),
        migrations.AddConstraint(
            model_name="likeness",
            constraint=models.UniqueConstraint(fields=("page", "other"), name="one_likeness_per_pair"),
        ),
        migrations.AddConstraint(
            model_name="likeness",
            constraint=models.CheckConstraint(
                condition=models.Q(("jaccard__gt", 0), ("jaccard__lte", 1)), name="a_likeness_is_a_share"
            ),
        ),
    ]
