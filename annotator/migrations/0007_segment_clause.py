"""A decision of an adjudicator may name the clause of the guideline that was its reason."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0006_flow")]
    operations = [
        migrations.AddField(
            model_name="segment",
            name="clause",
            field=models.CharField(blank=True, default="", max_length=5),
        ),
        migrations.AddField(
            model_name="segment",
            name="guideline_version",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddConstraint(
            model_name="segment",
            constraint=models.CheckConstraint(
                condition=models.Q(("clause", ""), ("guideline_version", None))
                | (
                    models.Q(("clause", ""), _negated=True)
                    & models.Q(("choice", ""), _negated=True)
                    & models.Q(("guideline_version__isnull", False))
                ),
                name="a_reason_is_a_clause_of_a_version",
            ),
        ),
    ]
