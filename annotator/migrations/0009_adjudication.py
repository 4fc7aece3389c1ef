"""Marks of the adjudicator's own, audits of agreed pages, gold that is looked at again."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

PROTECT = django.db.models.deletion.PROTECT

# Disputes that are open get their place in the queue; settled ones are history and stay as they are.
FILL = """
update annotator_adjudication a set in_dispute = s.characters, weight = s.characters
    from (select adjudication_id, sum("end" - start) as characters from annotator_segment group by 1) s
    where s.adjudication_id = a.id and a.settled_at is null;
"""


class Migration(migrations.Migration):
    dependencies = [("annotator", "0008_agreement_kept")]
    operations = [
        migrations.AddField("corpus", "audit_share", models.FloatField(default=0)),
        migrations.AddConstraint(
            "corpus",
            models.CheckConstraint(
                condition=Q(audit_share__gte=0, audit_share__lte=1), name="an_audit_share_is_a_share"
            ),
        ),
        migrations.AddField(
            "adjudication",
            "kind",
            models.CharField(
                choices=[("dispute", "Dispute"), ("audit", "Audit"), ("reopened", "Reopened")],
                default="dispute",
                max_length=10,
            ),
        ),
        migrations.AddField("adjudication", "in_dispute", models.PositiveIntegerField(default=0)),
        migrations.AddField("adjudication", "weight", models.PositiveIntegerField(default=0)),
        migrations.AddField(
            "adjudication",
            "reopens",
            models.ForeignKey("annotator.gold", PROTECT, null=True, related_name="reopenings"),
        ),
        migrations.AddField(
            "adjudication",
            "reopened_by",
            models.ForeignKey(settings.AUTH_USER_MODEL, PROTECT, null=True, related_name="+"),
        ),
        migrations.AddField("adjudication", "why", models.CharField(blank=True, default="", max_length=500)),
        migrations.AddConstraint(
            "adjudication",
            models.CheckConstraint(
                condition=(Q(kind="reopened", reopens__isnull=False) & ~Q(why=""))
                | (~Q(kind="reopened") & Q(reopens=None, reopened_by=None, why="")),
                name="reopened_gold_has_its_reason",
            ),
        ),
        migrations.AddField("segment", "marks", models.JSONField(null=True)),
        migrations.AddConstraint(
            "segment",
            models.CheckConstraint(
                condition=Q(choice="anew", marks__isnull=False) | (~Q(choice="anew") & Q(marks=None)),
                name="marks_of_her_own_are_a_choice",
            ),
        ),
        migrations.AddField(
            "gold",
            "adjudication",
            models.OneToOneField("annotator.adjudication", PROTECT, null=True, related_name="gold"),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
