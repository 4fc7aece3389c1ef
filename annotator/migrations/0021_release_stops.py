"""A release can be stopped, and the next one goes on with what was counted."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotator", "0020_likeness"),
    ]

    operations = [
        migrations.AddField(
            model_name="goldcount",
            name="agreement",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="release",
            name="stopped_at",
            field=models.DateTimeField(null=True),
        ),
    ]
