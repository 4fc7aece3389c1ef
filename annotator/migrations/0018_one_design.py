"""The study design alone says how many places a page has, 1 to 5, and how many pages are blind."""

from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models
from django.db.models import Q

# What a corpus said and its design did not yet say becomes its next design. No version is edited (law 7).
MOVE = """
with stands as (
    select distinct on (corpus_id) * from annotator_studydesign order by corpus_id, number desc
), made as (
    insert into annotator_studydesign (corpus_id, number, slots, blind_share, shares, who, "order",
            random_share, check_rate, repeat_rate, repeat_weeks, seed, made_at)
        select c.id, coalesce(d.number, 0) + 1, least(c.slots_per_page, 5), c.blind_share,
            coalesce(d.shares, '{}'), coalesce(d.who, 'all'), coalesce(d."order", 'oldest'),
            coalesce(d.random_share, 0.2), coalesce(d.check_rate, 0), coalesce(d.repeat_rate, 0),
            coalesce(d.repeat_weeks, 4),
            case when d.id is null then c.seed
                else ('x' || substr(md5(random()::text || c.id), 1, 15))::bit(60)::bigint end,
            now()
        from annotator_corpus c left join stands d on d.corpus_id = c.id
        where d.id is null or (d.slots, d.blind_share) <> (least(c.slots_per_page, 5), c.blind_share)
        returning id, corpus_id
)
insert into annotator_studydesign_people (studydesign_id, user_id)
    select made.id, p.user_id
    from made join stands on stands.corpus_id = made.corpus_id and stands.who = 'named'
        join annotator_studydesign_people p on p.studydesign_id = stands.id;
set constraints all immediate;
"""
MOVE_BACK = """
update annotator_corpus c set slots_per_page = d.slots, blind_share = d.blind_share
    from (select distinct on (corpus_id) * from annotator_studydesign order by corpus_id, number desc) d
    where d.corpus_id = c.id;
set constraints all immediate;
"""


class Migration(migrations.Migration):
    dependencies = [("annotator", "0017_bias_report")]
    operations = [
        migrations.RunSQL(MOVE, MOVE_BACK),
        migrations.RemoveConstraint("studydesign", "a_design_has_slots"),
        # Earlier versions may have up to 9, and stay: the database asks it of new rows only.
        AddConstraintNotValid(
            "studydesign",
            models.CheckConstraint(condition=Q(slots__gte=1, slots__lte=5), name="a_design_has_slots"),
        ),
        migrations.RemoveConstraint("corpus", "a_fifth_is_blind"),
        migrations.RemoveConstraint("corpus", "one_to_nine_slots"),
        migrations.RemoveField("corpus", "slots_per_page"),
        migrations.RemoveField("corpus", "blind_share"),
    ]
