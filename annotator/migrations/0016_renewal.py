"""Settled pages annotated anew for another guideline; who has seen on a page what others marked."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

PROTECT = django.db.models.deletion.PROTECT
NOW = django.utils.timezone.now

FILL = """
insert into annotator_unblinded (page_id, user_id, at)
    select r.page_id, a.adjudicator_id, min(coalesce(a.settled_at, a.opened_at))
    from annotator_adjudication a join annotator_round r on r.id = a.round_id
    where a.adjudicator_id is not null
    group by 1, 2;
set constraints all immediate;
"""
HISTORY = """
create trigger goldpan_no_delete before delete on annotator_unblinded
    for each row execute function goldpan_history();
create trigger goldpan_no_update before update on annotator_unblinded
    for each row execute function goldpan_history();
create trigger goldpan_no_delete before delete on annotator_renewedpage
    for each row execute function goldpan_history();
create trigger goldpan_no_update before update on annotator_renewedpage for each row
    when (old.round_id is not null or old.left_out <> '') execute function goldpan_history();
"""
HISTORY_BEFORE = """
drop trigger goldpan_no_delete on annotator_unblinded;
drop trigger goldpan_no_update on annotator_unblinded;
drop trigger goldpan_no_delete on annotator_renewedpage;
drop trigger goldpan_no_update on annotator_renewedpage;
"""


def _key() -> models.Field:
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


class Migration(migrations.Migration):
    dependencies = [("annotator", "0015_practice")]
    operations = [
        migrations.AddField("round", "former_since", models.DateTimeField(null=True)),
        migrations.AddConstraint(
            "round",
            models.UniqueConstraint(
                fields=["page"],
                condition=Q(purpose="guideline", settled_at=None),
                name="one_later_round_at_once",
            ),
        ),
        migrations.AddConstraint(
            "round",
            models.CheckConstraint(
                condition=~Q(purpose="guideline") | Q(blind=True), name="a_later_round_shows_nothing"
            ),
        ),
        migrations.CreateModel(
            "Unblinded",
            [
                ("id", _key()),
                ("at", models.DateTimeField(default=NOW)),
                ("page", models.ForeignKey("annotator.page", PROTECT, related_name="unblinded")),
                ("user", models.ForeignKey(settings.AUTH_USER_MODEL, PROTECT, related_name="+")),
            ],
            {"constraints": [models.UniqueConstraint(fields=["page", "user"], name="unblinded_once_a_page")]},
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.CreateModel(
            "Renewal",
            [
                ("id", _key()),
                ("requested_at", models.DateTimeField(default=NOW, editable=False)),
                ("hinted_at", models.DateTimeField(default=NOW, editable=False)),
                ("heartbeat_at", models.DateTimeField(editable=False, null=True)),
                ("token", models.UUIDField(editable=False, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("finished_at", models.DateTimeField(editable=False, null=True)),
                ("error", models.TextField(blank=True, default="", editable=False)),
                ("guideline_version", models.PositiveIntegerField()),
                ("asked", models.JSONField()),
                ("stopped_at", models.DateTimeField(null=True)),
                ("corpus", models.ForeignKey("annotator.corpus", PROTECT, related_name="renewals")),
                (
                    "requested_by",
                    models.ForeignKey(settings.AUTH_USER_MODEL, PROTECT, null=True, related_name="+"),
                ),
            ],
            {
                "ordering": ["-requested_at", "-id"],
                "indexes": [
                    models.Index(condition=Q(finished_at=None), fields=["hinted_at"], name="renewal_open")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=Q(finished_at=None), fields=["corpus"], name="one_renewal_at_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            "RenewedPage",
            [
                ("id", _key()),
                (
                    "left_out",
                    models.CharField(
                        blank=True,
                        choices=[("in_work", "In Work"), ("too_few", "Too Few"), ("gone", "Gone")],
                        default="",
                        max_length=10,
                    ),
                ),
                ("renewal", models.ForeignKey("annotator.renewal", PROTECT, related_name="rows")),
                ("page", models.ForeignKey("annotator.page", PROTECT, related_name="renewals")),
                (
                    "round",
                    models.OneToOneField("annotator.round", PROTECT, null=True, related_name="renewed"),
                ),
            ],
            {
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(fields=["renewal", "page"], name="one_row_per_renewed_page"),
                    models.CheckConstraint(
                        condition=Q(round=None) | Q(left_out=""), name="a_page_left_out_has_no_round"
                    ),
                ],
            },
        ),
        migrations.RunSQL(HISTORY, HISTORY_BEFORE),
    ]
