import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0016_totals_of_scores")]

    operations = [
        migrations.DeleteModel(name="TotalsCheck"),
        migrations.CreateModel(
            name="TotalsCheck",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("requested_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("enqueued_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("heartbeat_at", models.DateTimeField(editable=False, null=True)),
                ("token", models.UUIDField(editable=False, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("faults", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("last_fault", models.CharField(blank=True, default="", editable=False, max_length=200)),
                ("finished_at", models.DateTimeField(editable=False, null=True)),
                ("error", models.TextField(blank=True, default="", editable=False)),
                ("compared", models.PositiveIntegerField(default=0)),
                (
                    "corpus",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="annotator.corpus"
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="totalscheck",
            index=models.Index(
                condition=models.Q(("finished_at", None)), fields=["enqueued_at"], name="totals_check_open"
            ),
        ),
        migrations.AddIndex(
            model_name="totalscheck",
            index=models.Index(
                condition=models.Q(("finished_at__isnull", False), models.Q(("error", ""), _negated=True)),
                fields=["finished_at"],
                name="totals_check_failed",
            ),
        ),
    ]
