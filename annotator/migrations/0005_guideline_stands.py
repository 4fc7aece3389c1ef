"""A version of the guideline is frozen (law 7), and a corpus names one of its own as the one that stands.

By itself: the rows of the migration before must be checked before their tables can be altered.
"""

from django.db import migrations

FORWARD = """
create trigger goldpan_no_delete before delete on annotator_guideline
    for each row execute function goldpan_history();
create trigger goldpan_no_update before update on annotator_guideline
    for each row execute function goldpan_history();
alter table annotator_corpus add constraint a_guideline_stands
    foreign key (id, guideline_version) references annotator_guideline (corpus_id, number)
    deferrable initially deferred;
"""
BACKWARD = """
alter table annotator_corpus drop constraint a_guideline_stands;
drop trigger goldpan_no_update on annotator_guideline;
drop trigger goldpan_no_delete on annotator_guideline;
"""


class Migration(migrations.Migration):
    dependencies = [("annotator", "0004_guideline")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
