"""Scores by further metrics, beside the scores; those of the scores that there are, workers work out."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

# Law 7: what is worked out stays, as a score does; a failure may be tried again.
_STAYS = """
create trigger goldpan_no_delete before delete on annotator_measurement
    for each row when (true) execute function goldpan_history();
create trigger goldpan_no_update before update on annotator_measurement
    for each row when (old.finished_at is not null and old.error = '') execute function goldpan_history();
"""
# Work to be done for each score that the board may show: the sweeper hints at it, so many a time.
REQUESTS = """
insert into annotator_measurement (score_id, figures, requested_at, hinted_at, attempts, error)
    select score.id, '{}', now(), now(), 0, ''
    from annotator_score score join annotator_gold gold on gold.id = score.gold_id
    where gold.current and score.finished_at is not null and score.error = '';
"""


class Migration(migrations.Migration):
    dependencies = [("annotator", "0021_release_stops")]
    operations = [
        migrations.CreateModel(
            name="Measurement",
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
                ("figures", models.JSONField(default=dict)),
                (
                    "score",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="measurement",
                        to="annotator.score",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["hinted_at"],
                        name="measurement_open",
                    )
                ],
            },
        ),
        migrations.RunSQL(_STAYS, migrations.RunSQL.noop),
        migrations.RunSQL(REQUESTS, migrations.RunSQL.noop),
    ]
