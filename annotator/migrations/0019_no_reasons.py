"""Extractions say why they do not say why."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0018_one_design")]
    operations = [
        migrations.AddField(
            model_name="extraction",
            name="no_reasons",
            field=models.TextField(default=""),
        ),
    ]
