"""What suggestions do, kept as the figures of agreement are."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("annotator", "0016_renewal")]
    operations = [
        migrations.CreateModel(
            "BiasReport",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("requested_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("hinted_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("heartbeat_at", models.DateTimeField(null=True, editable=False)),
                ("token", models.UUIDField(null=True, editable=False)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("finished_at", models.DateTimeField(null=True, editable=False)),
                ("error", models.TextField(blank=True, default="", editable=False)),
                ("version", models.CharField(max_length=64)),
                ("pages", models.PositiveIntegerField(default=0)),
                ("done", models.PositiveIntegerField(default=0)),
                ("figures", models.JSONField(null=True)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="bias_reports",
                        to="annotator.corpus",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["hinted_at"], condition=Q(finished_at=None), name="bias_report_open")
                ],
                "constraints": [
                    models.UniqueConstraint(fields=["corpus", "version"], name="one_bias_report_per_state")
                ],
            },
        )
    ]
