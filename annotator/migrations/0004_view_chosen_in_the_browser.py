from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("annotator", "0003_opaque_slot_keys")]

    operations = [migrations.RemoveField(model_name="storeddocument", name="prefer")]
