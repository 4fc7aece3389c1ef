"""What hidden checks and second readings find."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models
from django.db.models import Q

HISTORY = """
create trigger goldpan_no_delete before delete on annotator_finding
    for each row execute function goldpan_history();
create trigger goldpan_no_update before update on annotator_finding
    for each row execute function goldpan_history();
"""
HISTORY_BEFORE = """
drop trigger goldpan_no_delete on annotator_finding;
drop trigger goldpan_no_update on annotator_finding;
"""


class Migration(migrations.Migration):
    dependencies = [("annotator", "0012_reparsing")]
    operations = [
        migrations.CreateModel(
            "Finding",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("same_verdict", models.BooleanField()),
                ("f1", models.FloatField(null=True)),
                ("confusion", models.JSONField(null=True)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "annotation",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="finding",
                        to="annotator.annotation",
                    ),
                ),
                (
                    "first",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="second_readings",
                        to="annotator.annotation",
                    ),
                ),
                (
                    "gold",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="findings",
                        to="annotator.gold",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(first__isnull=False, gold=None) | Q(first=None, gold__isnull=False),
                        name="held_against_one_thing",
                    ),
                    models.CheckConstraint(
                        condition=Q(f1=None) | Q(f1__gte=0, f1__lte=1), name="an_f1_of_a_finding_is_a_share"
                    ),
                ],
            },
        ),
        migrations.RunSQL(HISTORY, HISTORY_BEFORE),
    ]
