"""Why gold is looked at again may quote the page, so a takedown blanks it too."""

from django.db import migrations

from annotator.migrations._takedown import functions

PAGE_OF = """        when 'annotator_adjudication' then
            (select page_id from annotator_round where id = (held ->> 'round_id')::bigint)
"""
BLANK = """        when 'annotator_adjudication' then '{"why": "taken down"}'
"""


class Migration(migrations.Migration):
    dependencies = [("annotator", "0013_control")]
    operations = [migrations.RunSQL(functions(page_of=PAGE_OF, blank=BLANK), functions())]
