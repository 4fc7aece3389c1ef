"""Extractions say why."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0002_history")]
    operations = [
        migrations.AddField(
            model_name="extraction",
            name="reasons",
            field=models.JSONField(default=list),
        ),
    ]
