"""Practice on settled pages of another corpus, and who is through with it."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models import F, Q

# Nothing of such a row ever changes.
FROZEN = ("annotator_practice", "annotator_admission")
# Nothing changes once the column is set.
CLOSED = {
    "annotator_practicetry": "old.finished_at is not null",
    "annotator_practicepage": "old.looked_at is not null",
}
CONTROL = ("repeat", "check")

SAME_CORPUS = """
create or replace function goldpan_same_corpus() returns trigger language plpgsql as $$
begin
    if not exists (
        select 1 from annotator_round r join annotator_page p on p.id = r.page_id
        where r.id = new.round_id and (p.corpus_id = new.corpus_id) {other})
    then
        raise exception 'a slot is of the corpus of its page' using errcode = 'integrity_constraint_violation';
    end if;
    return new;
end $$;
"""
# Practice is on a page of another corpus, and nothing else is.
OR_PRACTICE = "<> (r.purpose = 'practice')"


def _triggers() -> list[tuple[str, str, str]]:
    """Table, event, condition."""
    return [
        *((table, event, "true") for table in FROZEN for event in ("delete", "update")),
        *((table, "delete", "true") for table in CLOSED),
        *((table, "update", condition) for table, condition in CLOSED.items()),
    ]


HISTORY = [
    f"create trigger goldpan_no_{event} before {event} on {table} "
    f"for each row when ({condition}) execute function goldpan_history();"
    for table, event, condition in _triggers()
]
HISTORY_BEFORE = [f"drop trigger goldpan_no_{event} on {table};" for table, event, _condition in _triggers()]


def _key() -> models.BigAutoField:
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


def _to(
    model: str, related_name: str, *, kind: type[models.ForeignKey] = models.ForeignKey, null: bool = False
) -> models.ForeignKey:
    protect = django.db.models.deletion.PROTECT
    return kind(on_delete=protect, related_name=related_name, to=model, null=null)


def _shows_nothing(purposes: tuple[str, ...]) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=~Q(purpose__in=purposes) | Q(blind=True), name="control_shows_nothing"
    )


class Migration(migrations.Migration):
    dependencies = [("annotator", "0014_reasons_taken_down")]
    operations = [
        migrations.RemoveConstraint("Round", "control_shows_nothing"),
        migrations.AddConstraint("Round", _shows_nothing((*CONTROL, "practice"))),
        migrations.CreateModel(
            "Practice",
            [
                ("id", _key()),
                ("number", models.PositiveIntegerField()),
                ("pages", models.PositiveSmallIntegerField(default=5)),
                ("least_f1", models.FloatField(default=0.9)),
                ("least_verdicts", models.PositiveSmallIntegerField(default=4)),
                ("tries", models.PositiveSmallIntegerField(default=2)),
                ("seed", models.BigIntegerField(editable=False)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("corpus", _to("annotator.corpus", "practices")),
                ("made_by", _to(settings.AUTH_USER_MODEL, "+", null=True)),
                ("source", _to("annotator.corpus", "+", null=True)),
            ],
            options={
                "ordering": ["corpus", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=["corpus", "number"], name="one_practice_per_number"),
                    models.CheckConstraint(
                        condition=Q(source=None) | ~Q(source=F("corpus")),
                        name="practice_is_on_another_corpus",
                    ),
                    models.CheckConstraint(
                        condition=Q(pages__gte=1, pages__lte=20, tries__gte=1, tries__lte=5),
                        name="practice_has_pages_and_tries",
                    ),
                    models.CheckConstraint(
                        condition=Q(least_f1__gte=0, least_f1__lte=1, least_verdicts__lte=F("pages")),
                        name="a_pass_mark_can_be_reached",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            "Admission",
            [
                ("id", _key()),
                (
                    "how",
                    models.CharField(
                        choices=[
                            ("passed", "passed"),
                            ("before", "worked here before"),
                            ("by_hand", "let through"),
                        ],
                        max_length=10,
                    ),
                ),
                ("why", models.CharField(blank=True, default="", max_length=500)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("annotator", _to(settings.AUTH_USER_MODEL, "admissions")),
                ("by", _to(settings.AUTH_USER_MODEL, "+", null=True)),
                ("corpus", _to("annotator.corpus", "admissions")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=["corpus", "annotator"], name="one_admission_per_annotator"
                    ),
                    models.CheckConstraint(
                        condition=(Q(how="by_hand", by__isnull=False) & ~Q(why=""))
                        | (~Q(how="by_hand") & Q(by=None, why="")),
                        name="whoever_lets_through_says_why",
                    ),
                    models.CheckConstraint(
                        condition=Q(how__in=["passed", "before", "by_hand"]), name="a_known_way_through"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            "PracticeTry",
            [
                ("id", _key()),
                ("number", models.PositiveSmallIntegerField()),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("f1", models.FloatField(null=True)),
                ("verdicts", models.PositiveSmallIntegerField(null=True)),
                ("passed", models.BooleanField(null=True)),
                ("ran_out", models.BooleanField(default=False)),
                ("finished_at", models.DateTimeField(null=True)),
                ("annotator", _to(settings.AUTH_USER_MODEL, "practice_tries")),
                ("corpus", _to("annotator.corpus", "+")),
                ("practice", _to("annotator.practice", "tries_made")),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=["corpus", "annotator", "number"], name="one_try_per_number"
                    ),
                    models.UniqueConstraint(
                        condition=Q(finished_at=None),
                        fields=["corpus", "annotator"],
                        name="one_try_at_a_time",
                    ),
                    models.CheckConstraint(
                        condition=Q(finished_at=None, passed=None)
                        | Q(finished_at__isnull=False, passed__isnull=False, verdicts__isnull=False),
                        name="a_finished_try_is_judged",
                    ),
                    models.CheckConstraint(
                        condition=~Q(ran_out=True, passed=True), name="who_ran_out_has_not_passed"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            "PracticePage",
            [
                ("id", _key()),
                ("place", models.PositiveSmallIntegerField()),
                ("same_verdict", models.BooleanField(null=True)),
                ("confusion", models.JSONField(null=True)),
                ("f1", models.FloatField(null=True)),
                ("looked_at", models.DateTimeField(null=True)),
                ("attempt", _to("annotator.practicetry", "pages")),
                ("gold", _to("annotator.gold", "+", null=True)),
                ("slot", _to("annotator.slot", "practice_page", kind=models.OneToOneField)),
            ],
            options={
                "ordering": ["place"],
                "constraints": [
                    models.UniqueConstraint(fields=["attempt", "place"], name="one_practice_page_per_place"),
                    models.CheckConstraint(
                        condition=Q(
                            looked_at=None, gold=None, same_verdict=None, confusion__isnull=True, f1=None
                        )
                        | Q(
                            looked_at__isnull=False,
                            gold__isnull=False,
                            same_verdict__isnull=False,
                            confusion__isnull=False,
                        ),
                        name="what_is_looked_at_has_its_result",
                    ),
                    models.CheckConstraint(
                        condition=Q(f1=None) | Q(f1__gte=0, f1__lte=1), name="an_f1_of_practice_is_a_share"
                    ),
                ],
            },
        ),
        migrations.RunSQL(HISTORY, HISTORY_BEFORE),
        migrations.RunSQL(SAME_CORPUS.format(other=OR_PRACTICE), SAME_CORPUS.format(other="")),
    ]
