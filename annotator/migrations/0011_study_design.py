"""The study design as versions; rounds of one person's; the turn of a slot in the design's order."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models import F, Q

# What a corpus was opened with is its first design, and its seed goes on to draw.
FILL = """
insert into annotator_studydesign (corpus_id, number, slots, blind_share, shares, who, "order", random_share,
        check_rate, repeat_rate, repeat_weeks, seed, made_at)
    select id, 1, slots_per_page, blind_share, '{}', 'all', 'oldest', 0.2, 0, 0, 4, seed, created_at
    from annotator_corpus;
update annotator_round r set design_id = d.id
    from annotator_page p join annotator_studydesign d on d.corpus_id = p.corpus_id
    where p.id = r.page_id;
update annotator_slot s
    set turn = to_char(coalesce(p.captured_at, p.added_at) at time zone 'utc', 'YYYYMMDDHH24MISSUS')
    from annotator_round r join annotator_page p on p.id = r.page_id
    where r.id = s.round_id and s.submitted_at is null;
set constraints all immediate;
"""

HISTORY = """
create trigger goldpan_no_delete before delete on annotator_studydesign
    for each row execute function goldpan_history();
create trigger goldpan_no_update before update on annotator_studydesign
    for each row execute function goldpan_history();
"""
HISTORY_BEFORE = """
drop trigger goldpan_no_delete on annotator_studydesign;
drop trigger goldpan_no_update on annotator_studydesign;
"""

WHO = [
    ("all", "All annotators"),
    ("named", "Only those named"),
    ("balanced", "All, balanced over people, sites and languages"),
]
ORDER = [
    ("oldest", "The oldest first"),
    ("random", "In random order"),
    ("site", "Site by site"),
    ("disagreement", "Where extractors disagree first"),
]


class Migration(migrations.Migration):
    dependencies = [("annotator", "0010_releases")]
    operations = [
        migrations.CreateModel(
            "StudyDesign",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("slots", models.PositiveSmallIntegerField(default=2)),
                ("blind_share", models.FloatField(default=0.2)),
                ("shares", models.JSONField(blank=True, default=dict)),
                ("who", models.CharField(choices=WHO, default="all", max_length=10)),
                ("order", models.CharField(choices=ORDER, default="oldest", max_length=20)),
                ("random_share", models.FloatField(default=0.2)),
                ("check_rate", models.FloatField(default=0)),
                ("repeat_rate", models.FloatField(default=0)),
                ("repeat_weeks", models.PositiveSmallIntegerField(default=4)),
                ("seed", models.BigIntegerField(editable=False)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="designs",
                        to="annotator.corpus",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "people",
                    models.ManyToManyField(blank=True, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
            ],
            options={
                "ordering": ["corpus", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=["corpus", "number"], name="one_design_per_number"),
                    models.CheckConstraint(condition=Q(number__gte=1), name="designs_count_from_one"),
                    models.CheckConstraint(
                        condition=Q(slots__gte=1, slots__lte=9), name="a_design_has_slots"
                    ),
                    models.CheckConstraint(
                        condition=Q(blind_share__gte=0.2, blind_share__lte=1),
                        name="a_fifth_of_a_design_is_blind",
                    ),
                    models.CheckConstraint(
                        condition=Q(random_share__gte=0.1, random_share__lte=1),
                        name="a_random_stratum_is_reserved",
                    ),
                    models.CheckConstraint(
                        condition=Q(check_rate__gte=0, check_rate__lte=0.25)
                        & Q(repeat_rate__gte=0, repeat_rate__lte=0.25),
                        name="at_most_a_quarter_is_control",
                    ),
                    models.CheckConstraint(
                        condition=Q(repeat_weeks__gte=1, repeat_weeks__lte=104),
                        name="a_repeat_comes_after_weeks",
                    ),
                    models.CheckConstraint(
                        condition=Q(who__in=[name for name, _title in WHO]), name="a_known_allowance"
                    ),
                    models.CheckConstraint(
                        condition=Q(order__in=[name for name, _title in ORDER]), name="a_known_order"
                    ),
                ],
            },
        ),
        migrations.AddField("round", "account", models.JSONField(null=True)),
        migrations.AddField(
            "round",
            "design",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rounds",
                to="annotator.studydesign",
            ),
        ),
        migrations.AddField("round", "inclusion", models.FloatField(null=True)),
        migrations.AddField(
            "slot",
            "meant_for",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField("slot", "turn", models.CharField(db_collation="C", default="", max_length=40)),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.RemoveIndex("slot", "slots_open"),
        migrations.AddIndex(
            "slot",
            models.Index(
                condition=Q(submitted_at=None),
                fields=["corpus", "begun_at", "turn", "round", "number"],
                name="slots_open",
            ),
        ),
        migrations.AddConstraint(
            "round",
            models.UniqueConstraint(
                condition=Q(purpose="main"), fields=["design", "draw"], name="one_round_per_place"
            ),
        ),
        migrations.AddConstraint(
            "round",
            models.CheckConstraint(
                condition=Q(inclusion=None) | Q(inclusion__gt=0, inclusion__lte=1), name="odds_are_odds"
            ),
        ),
        migrations.AddConstraint(
            "round",
            models.CheckConstraint(
                condition=~Q(purpose__in=("repeat", "check")) | Q(blind=True), name="control_shows_nothing"
            ),
        ),
        migrations.AddConstraint(
            "slot",
            models.CheckConstraint(
                condition=Q(meant_for=None) | Q(annotator=None) | Q(annotator=F("meant_for")),
                name="nobody_else_has_what_is_meant_for_her",
            ),
        ),
        migrations.RunSQL(HISTORY, HISTORY_BEFORE),
    ]
