# Folded from what makemigrations wrote: a table is made with its constraints, since each further step takes time.

import secrets

import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models

import annotator.corpora.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="Extractor",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("version", models.CharField(max_length=60)),
                ("parameters", models.JSONField(default=dict)),
                ("parameters_key", models.CharField(default="{}", editable=False, max_length=500)),
                ("family", models.CharField(max_length=60)),
                ("can_be_arm", models.BooleanField(default=True)),
                ("added_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "ordering": ["name", "version", "parameters_key"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("name", "version", "parameters_key"), name="unique_extractor"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                (
                    "date_joined",
                    models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined"),
                ),
                (
                    "browser_key",
                    models.CharField(default=secrets.token_urlsafe, editable=False, max_length=43),
                ),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("username"),
                        name="one_user_per_name_in_any_case",
                    )
                ],
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="Corpus",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(unique=True)),
                ("name", models.CharField(max_length=200)),
                ("languages", models.JSONField(default=list, help_text="ISO 639-1 codes; empty: any")),
                ("audit_share", models.FloatField(default=0)),
                ("seed", models.BigIntegerField(editable=False)),
                ("guideline_version", models.PositiveIntegerField(default=1)),
                ("annotators_may_adjudicate", models.BooleanField(default=False)),
                ("board_version", models.BigIntegerField(default=0, editable=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                "ordering": ["name"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("audit_share__gte", 0), ("audit_share__lte", 1)),
                        name="an_audit_share_is_a_share",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CorpusExtractor",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="enabled",
                        to="annotator.corpus",
                    ),
                ),
                (
                    "extractor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="enabled",
                        to="annotator.extractor",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None)),
                        fields=("corpus", "extractor"),
                        name="unique_enabled_extractor",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Guideline",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("texts", models.JSONField()),
                ("note", models.CharField(blank=True, default="", max_length=500)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="guidelines",
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
            ],
            options={
                "ordering": ["corpus", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("corpus", "number"), name="one_guideline_per_number"),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="guidelines_count_from_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("texts", {}), _negated=True), name="a_guideline_says_something"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Import",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("format", models.CharField(max_length=20)),
                ("source", models.TextField()),
                ("with_gold", models.BooleanField(default=False)),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("finished_at", models.DateTimeField(null=True)),
                ("position", models.PositiveIntegerField(default=0, help_text="records processed")),
                ("new", models.PositiveIntegerField(default=0)),
                ("duplicates", models.PositiveIntegerField(default=0)),
                ("refused", models.PositiveIntegerField(default=0)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="imports",
                        to="annotator.corpus",
                    ),
                ),
            ],
            options={
                "ordering": ["-started_at"],
            },
        ),
        migrations.CreateModel(
            name="ImportProblem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("location", models.CharField(max_length=300)),
                ("reason", models.TextField()),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="problems",
                        to="annotator.import",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(fields=("run", "location"), name="unique_problem_per_location")
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("roles", models.JSONField()),
                ("note", models.CharField(blank=True, default="", max_length=200)),
                ("token_sha256", models.CharField(editable=False, max_length=64, unique=True)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("expires_at", models.DateTimeField(default=annotator.corpora.models._default_expiry)),
                ("revoked_at", models.DateTimeField(editable=False, null=True)),
                ("accepted_at", models.DateTimeField(editable=False, null=True)),
                (
                    "accepted_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="annotator.corpus",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-made_at"],
            },
        ),
        migrations.CreateModel(
            name="Label",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.SlugField(max_length=40)),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="labels",
                        to="annotator.corpus",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("corpus", "name"), name="one_label_per_name"),
                    models.UniqueConstraint(fields=("corpus", "number"), name="one_label_per_digit"),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1), ("number__lte", 9)), name="a_label_is_a_digit"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("name", "content"), _negated=True), name="content_is_for_programs"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("annotator", "annotator"),
                            ("adjudicator", "adjudicator"),
                            ("researcher", "researcher"),
                            ("admin", "admin"),
                        ],
                        max_length=20,
                    ),
                ),
                ("since", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("ended_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="annotator.corpus",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None)),
                        fields=("corpus", "user", "role"),
                        name="one_membership_per_role",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["annotator", "adjudicator", "researcher", "admin"])),
                        name="a_known_role",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PracticeSettings",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("pages", models.PositiveSmallIntegerField(default=5)),
                ("min_f1", models.FloatField(default=0.9)),
                ("min_verdicts", models.PositiveSmallIntegerField(default=4)),
                ("max_attempts", models.PositiveSmallIntegerField(default=2)),
                ("seed", models.BigIntegerField(editable=False)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="practices",
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
                    "source",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotator.corpus",
                    ),
                ),
            ],
            options={
                "ordering": ["corpus", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("corpus", "number"), name="one_practice_per_number"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("source", None),
                            models.Q(("source", models.F("corpus")), _negated=True),
                            _connector="OR",
                        ),
                        name="practice_is_on_another_corpus",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("max_attempts__gte", 1),
                            ("max_attempts__lte", 5),
                            ("pages__gte", 1),
                            ("pages__lte", 20),
                        ),
                        name="practice_has_pages_and_attempts",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("min_f1__gte", 0), ("min_f1__lte", 1), ("min_verdicts__lte", models.F("pages"))
                        ),
                        name="pass_mark_can_be_reached",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PracticeAttempt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("f1", models.FloatField(null=True)),
                ("verdicts", models.PositiveSmallIntegerField(null=True)),
                ("passed", models.BooleanField(null=True)),
                ("ran_out", models.BooleanField(default=False)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "annotator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="practice_attempts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotator.corpus"
                    ),
                ),
                (
                    "practice",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="attempts",
                        to="annotator.practicesettings",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("corpus", "annotator", "number"), name="one_attempt_per_number"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("finished_at", None)),
                        fields=("corpus", "annotator"),
                        name="one_open_attempt",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("finished_at", None), ("passed", None)),
                            models.Q(
                                ("finished_at__isnull", False),
                                ("passed__isnull", False),
                                ("verdicts__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="finished_attempt_is_judged",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("passed", True), ("ran_out", True), _negated=True),
                        name="attempt_without_pages_not_passed",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Qualification",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "basis",
                    models.CharField(
                        choices=[("passed", "passed"), ("before", "annotated before"), ("waived", "waived")],
                        max_length=10,
                    ),
                ),
                ("reason", models.CharField(blank=True, default="", max_length=500)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "annotator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="qualifications",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="qualifications",
                        to="annotator.corpus",
                    ),
                ),
                (
                    "waived_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("corpus", "annotator"), name="one_qualification_per_annotator"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("basis", "waived"),
                                ("waived_by__isnull", False),
                                models.Q(("reason", ""), _negated=True),
                            ),
                            models.Q(
                                models.Q(("basis", "waived"), _negated=True),
                                ("reason", ""),
                                ("waived_by", None),
                            ),
                            _connector="OR",
                        ),
                        name="waiver_has_admin_and_reason",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("basis__in", ["passed", "before", "waived"])),
                        name="known_qualification_basis",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Reannotation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("requested_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("enqueued_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("heartbeat_at", models.DateTimeField(editable=False, null=True)),
                ("token", models.UUIDField(editable=False, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("faults", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("last_fault", models.CharField(blank=True, default="", editable=False, max_length=200)),
                ("finished_at", models.DateTimeField(editable=False, null=True)),
                ("error", models.TextField(blank=True, default="", editable=False)),
                ("guideline_version", models.PositiveIntegerField()),
                ("criteria", models.JSONField()),
                ("stopped_at", models.DateTimeField(null=True)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reannotations",
                        to="annotator.corpus",
                    ),
                ),
                (
                    "requested_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-requested_at", "-id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["enqueued_at"],
                        name="reannotation_open",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("finished_at", None)),
                        fields=("corpus",),
                        name="one_reannotation_at_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Release",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("requested_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("enqueued_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("heartbeat_at", models.DateTimeField(editable=False, null=True)),
                ("token", models.UUIDField(editable=False, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("faults", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("last_fault", models.CharField(blank=True, default="", editable=False, max_length=200)),
                ("finished_at", models.DateTimeField(editable=False, null=True)),
                ("error", models.TextField(blank=True, default="", editable=False)),
                ("number", models.PositiveIntegerField()),
                ("note", models.CharField(blank=True, default="", max_length=500)),
                ("pages", models.PositiveIntegerField(default=0)),
                ("done", models.PositiveIntegerField(default=0)),
                ("stopped_at", models.DateTimeField(null=True)),
                ("manifest", models.TextField(blank=True, default="")),
                ("sha256", models.CharField(blank=True, default="", max_length=64)),
                ("datasheets", models.JSONField(default=dict)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="releases",
                        to="annotator.corpus",
                    ),
                ),
                (
                    "requested_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-number"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)), fields=["enqueued_at"], name="release_open"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("corpus", "number"), name="unique_release_number"),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="release_number_is_positive"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Erratum",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sha256", models.CharField(max_length=64)),
                ("description", models.CharField(max_length=500)),
                ("found_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="errata",
                        to="annotator.corpus",
                    ),
                ),
                (
                    "found_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "corrected_in",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="corrects",
                        to="annotator.release",
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="errata",
                        to="annotator.release",
                    ),
                ),
            ],
            options={
                "ordering": ["release", "sha256", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("release", "sha256", "description"), name="unique_erratum"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Export",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("requested_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("enqueued_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("heartbeat_at", models.DateTimeField(editable=False, null=True)),
                ("token", models.UUIDField(editable=False, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("faults", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("last_fault", models.CharField(blank=True, default="", editable=False, max_length=200)),
                ("finished_at", models.DateTimeField(editable=False, null=True)),
                ("error", models.TextField(blank=True, default="", editable=False)),
                ("format", models.CharField(max_length=20)),
                ("pages", models.PositiveIntegerField(default=0)),
                ("done", models.PositiveIntegerField(default=0)),
                ("size", models.PositiveBigIntegerField(default=0)),
                ("sha256", models.CharField(blank=True, default="", max_length=64)),
                ("stopped_at", models.DateTimeField(null=True)),
                ("withdrawn_at", models.DateTimeField(null=True)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="exports",
                        to="annotator.corpus",
                    ),
                ),
                (
                    "requested_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="exports",
                        to="annotator.release",
                    ),
                ),
            ],
            options={
                "ordering": ["-requested_at"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)), fields=["enqueued_at"], name="export_open"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ReleaseTerms",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("licence", models.CharField(blank=True, default="", max_length=500)),
                ("collection", models.TextField(blank=True, default="")),
                ("limitations", models.TextField(blank=True, default="")),
                (
                    "corpus",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="terms",
                        to="annotator.corpus",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Reparse",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.CharField(max_length=60)),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("stopped_at", models.DateTimeField(null=True)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reparses",
                        to="annotator.corpus",
                    ),
                ),
                (
                    "requested_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-started_at", "-id"],
                "constraints": [
                    models.UniqueConstraint(fields=("corpus", "version"), name="one_reparse_per_version")
                ],
            },
        ),
        migrations.CreateModel(
            name="StudyDesign",
            fields=[
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
                (
                    "who",
                    models.CharField(
                        choices=[
                            ("all", "All annotators"),
                            ("named", "Selected annotators"),
                            ("balanced", "Balanced across annotators, sites and languages"),
                        ],
                        default="all",
                        max_length=10,
                    ),
                ),
                (
                    "order",
                    models.CharField(
                        choices=[
                            ("oldest", "Oldest first"),
                            ("random", "Random"),
                            ("site", "Site by site"),
                            ("disagreement", "Highest extractor disagreement first"),
                        ],
                        default="oldest",
                        max_length=20,
                    ),
                ),
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
                ("people", models.ManyToManyField(blank=True, related_name="+", to=settings.AUTH_USER_MODEL)),
            ],
            options={
                "ordering": ["corpus", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("corpus", "number"), name="one_design_per_number"),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="designs_count_from_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("slots__gte", 1), ("slots__lte", 5)), name="design_has_slots"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("blind_share__gte", 0.2), ("blind_share__lte", 1)),
                        name="design_has_blind_fifth",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("random_share__gte", 0.1), ("random_share__lte", 1)),
                        name="design_has_random_stratum",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("check_rate__gte", 0),
                            ("check_rate__lte", 0.25),
                            ("repeat_rate__gte", 0),
                            ("repeat_rate__lte", 0.25),
                        ),
                        name="checks_at_most_a_quarter",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("repeat_weeks__gte", 1), ("repeat_weeks__lte", 104)),
                        name="repeat_after_weeks",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("who__in", ["all", "named", "balanced"])),
                        name="known_assignment_mode",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("order__in", ["oldest", "random", "site", "disagreement"])),
                        name="known_page_order",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="BiasReport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("requested_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("enqueued_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("heartbeat_at", models.DateTimeField(editable=False, null=True)),
                ("token", models.UUIDField(editable=False, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("faults", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("last_fault", models.CharField(blank=True, default="", editable=False, max_length=200)),
                ("finished_at", models.DateTimeField(editable=False, null=True)),
                ("error", models.TextField(blank=True, default="", editable=False)),
                ("version", models.CharField(max_length=64)),
                ("pages", models.PositiveIntegerField(default=0)),
                ("done", models.PositiveIntegerField(default=0)),
                ("figures", models.JSONField(null=True)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="bias_reports",
                        to="annotator.corpus",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["enqueued_at"],
                        name="bias_report_open",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("corpus", "version"), name="one_bias_report_per_state")
                ],
            },
        ),
        migrations.CreateModel(
            name="AgreementReport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("requested_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("enqueued_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("heartbeat_at", models.DateTimeField(editable=False, null=True)),
                ("token", models.UUIDField(editable=False, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("faults", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("last_fault", models.CharField(blank=True, default="", editable=False, max_length=200)),
                ("finished_at", models.DateTimeField(editable=False, null=True)),
                ("error", models.TextField(blank=True, default="", editable=False)),
                ("version", models.CharField(max_length=64)),
                ("pages", models.PositiveIntegerField(default=0)),
                ("done", models.PositiveIntegerField(default=0)),
                ("figures", models.JSONField(null=True)),
                ("selection", models.CharField(max_length=80)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="agreement_reports",
                        to="annotator.corpus",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["enqueued_at"],
                        name="agreement_report_open",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("corpus", "selection", "version"), name="one_report_per_selection"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Page",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("requested_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("enqueued_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("heartbeat_at", models.DateTimeField(editable=False, null=True)),
                ("token", models.UUIDField(editable=False, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("faults", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("last_fault", models.CharField(blank=True, default="", editable=False, max_length=200)),
                ("finished_at", models.DateTimeField(editable=False, null=True)),
                ("error", models.TextField(blank=True, default="", editable=False)),
                ("sha256", models.CharField(max_length=64)),
                ("size", models.PositiveIntegerField()),
                ("url", models.TextField(blank=True, default="")),
                ("site", models.CharField(blank=True, db_index=True, default="", max_length=255)),
                ("charset", models.CharField(blank=True, default="", max_length=40)),
                ("captured_at", models.DateTimeField(blank=True, null=True)),
                ("added_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("title", models.CharField(blank=True, default="", max_length=500)),
                ("language", models.CharField(blank=True, default="", max_length=8)),
                ("refusal", models.CharField(blank=True, default="", max_length=30)),
                ("pinned_at", models.DateTimeField(null=True)),
                (
                    "cluster",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="near_duplicates",
                        to="annotator.page",
                    ),
                ),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pages",
                        to="annotator.corpus",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(fields=["corpus", "id"], name="page_list"),
                    models.Index(
                        condition=models.Q(("finished_at", None)), fields=["enqueued_at"], name="page_open"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("corpus", "sha256"), name="unique_page_in_corpus"),
                    models.CheckConstraint(condition=models.Q(("size__gt", 0)), name="page_is_not_empty"),
                ],
            },
        ),
        migrations.CreateModel(
            name="DuplicatePair",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("jaccard", models.FloatField()),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="annotator.page"
                    ),
                ),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="duplicate_pairs",
                        to="annotator.page",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("page", "other"), name="unique_duplicate_pair"),
                    models.CheckConstraint(
                        condition=models.Q(("jaccard__gt", 0), ("jaccard__lte", 1)), name="jaccard_is_a_share"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ImportedGold",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("requested_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("enqueued_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("heartbeat_at", models.DateTimeField(editable=False, null=True)),
                ("token", models.UUIDField(editable=False, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("faults", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("last_fault", models.CharField(blank=True, default="", editable=False, max_length=200)),
                ("finished_at", models.DateTimeField(editable=False, null=True)),
                ("error", models.TextField(blank=True, default="", editable=False)),
                ("content", models.JSONField()),
                ("source", models.CharField(max_length=200)),
                ("sha256", models.CharField(max_length=64)),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="imported_gold",
                        to="annotator.page",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["enqueued_at"],
                        name="importedgold_open",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("page", "sha256"), name="unique_imported_gold")
                ],
            },
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("main", "main"),
                            ("guideline", "new guideline"),
                            ("repeat", "repeat"),
                            ("check", "check"),
                            ("practice", "practice"),
                        ],
                        default="main",
                        max_length=20,
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(default=1)),
                ("blind", models.BooleanField()),
                ("draw", models.PositiveIntegerField()),
                ("account", models.JSONField(null=True)),
                ("inclusion_probability", models.FloatField(null=True)),
                ("opened_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("edition", models.PositiveIntegerField(default=1)),
                ("finalised_at", models.DateTimeField(null=True)),
                ("returning_annotators_since", models.DateTimeField(null=True)),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rounds",
                        to="annotator.page",
                    ),
                ),
                (
                    "design",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rounds",
                        to="annotator.studydesign",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("page", "purpose", "number"), name="one_round_per_number"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("finalised_at", None), ("purpose", "guideline")),
                        fields=("page",),
                        name="one_open_reannotation_round",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("purpose", "main")),
                        fields=("page",),
                        name="one_main_round_per_page",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("purpose", "main")),
                        fields=("design", "draw"),
                        name="one_round_per_draw",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("inclusion_probability", None),
                            models.Q(("inclusion_probability__gt", 0), ("inclusion_probability__lte", 1)),
                            _connector="OR",
                        ),
                        name="valid_inclusion_probability",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("purpose__in", ("repeat", "check", "practice")), _negated=True),
                            ("blind", True),
                            _connector="OR",
                        ),
                        name="rounds_for_one_are_blind",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("purpose", "guideline"), _negated=True),
                            ("blind", True),
                            _connector="OR",
                        ),
                        name="reannotation_rounds_are_blind",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ReannotationPage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "exclusion",
                    models.CharField(
                        blank=True,
                        choices=[("in_work", "In Work"), ("too_few", "Too Few"), ("gone", "Gone")],
                        default="",
                        max_length=10,
                    ),
                ),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reannotations",
                        to="annotator.page",
                    ),
                ),
                (
                    "reannotation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rows",
                        to="annotator.reannotation",
                    ),
                ),
                (
                    "round",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reannotated",
                        to="annotator.round",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("reannotation", "page"), name="one_row_per_reannotated_page"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("round", None), ("exclusion", ""), _connector="OR"),
                        name="excluded_page_has_no_round",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ShingleBand",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("band", models.PositiveSmallIntegerField()),
                ("digest", models.BigIntegerField()),
                (
                    "corpus",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to="annotator.corpus"),
                ),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="bands", to="annotator.page"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["corpus", "digest", "page"], name="bands_newest_last")],
                "constraints": [
                    models.UniqueConstraint(fields=("page", "band"), name="unique_band_per_page")
                ],
            },
        ),
        migrations.CreateModel(
            name="Skip",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("language", "I don't read this language well"),
                            ("broken", "The page is broken or unreadable"),
                            ("rules", "The guideline doesn't cover this page"),
                            ("subject", "I'd rather not read this content"),
                            ("long", "It would take too long"),
                            ("other", "Other"),
                        ],
                        default="",
                        max_length=20,
                    ),
                ),
                ("note", models.CharField(blank=True, default="", max_length=200)),
                (
                    "annotator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="skips",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="skips",
                        to="annotator.round",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("round", "annotator"), name="one_skip_per_annotator")
                ],
            },
        ),
        migrations.CreateModel(
            name="Slot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("begun_at", models.DateTimeField(null=True)),
                ("queue_key", models.CharField(db_collation="C", default="", max_length=40)),
                ("claimed_at", models.DateTimeField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("reserved_at", models.DateTimeField(null=True)),
                ("submitted_at", models.DateTimeField(null=True)),
                (
                    "annotator",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="slots",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "arm",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotator.extractor",
                    ),
                ),
                (
                    "assigned_to",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotator.corpus"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="slots",
                        to="annotator.round",
                    ),
                ),
            ],
            options={
                "ordering": ["round", "number"],
                "indexes": [
                    models.Index(fields=["annotator", "corpus", "submitted_at"], name="slots_of_annotator"),
                    models.Index(
                        condition=models.Q(("submitted_at", None)),
                        fields=["corpus", "begun_at", "queue_key", "round", "number"],
                        name="slots_open",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("round", "number"), name="one_slot_per_number"),
                    models.UniqueConstraint(fields=("round", "annotator"), name="one_slot_per_annotator"),
                    models.UniqueConstraint(
                        condition=models.Q(("arm__isnull", False)),
                        fields=("round", "arm"),
                        name="no_arm_twice_in_a_round",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("annotator", None),
                                ("claimed_at", None),
                                ("lease_until", None),
                                ("submitted_at", None),
                            ),
                            models.Q(
                                ("annotator__isnull", False),
                                ("claimed_at__isnull", False),
                                ("lease_until__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="claim_has_annotator_and_lease",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("assigned_to", None),
                            ("annotator", None),
                            ("annotator", models.F("assigned_to")),
                            _connector="OR",
                        ),
                        name="assigned_slot_has_its_annotator",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("reserved_at", None),
                            models.Q(("annotator__isnull", False), ("submitted_at", None)),
                            _connector="OR",
                        ),
                        name="reserve_is_a_claim",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(
                            ("annotator__isnull", False), ("reserved_at", None), ("submitted_at", None)
                        ),
                        fields=("corpus", "annotator"),
                        name="one_active_claim",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("reserved_at__isnull", False)),
                        fields=("corpus", "annotator"),
                        name="one_reserve_claim",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="StoredDocument",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.CharField(max_length=60)),
                ("text", models.TextField()),
                ("sha256", models.CharField(max_length=64)),
                ("length", models.PositiveIntegerField()),
                ("blocks", models.JSONField()),
                ("encoding", models.CharField(max_length=40)),
                ("encoding_source", models.CharField(max_length=40)),
                ("repairs", models.JSONField(default=list)),
                ("packed_sha256", models.CharField(max_length=64)),
                ("view_sha256", models.CharField(max_length=64)),
                ("prefer", models.CharField(default="reading", max_length=10)),
                ("quirks", models.BooleanField(default=False)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="documents",
                        to="annotator.page",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("page", "version"), name="unique_document_per_parser")
                ],
            },
        ),
        migrations.CreateModel(
            name="Agreement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("requested_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("enqueued_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("heartbeat_at", models.DateTimeField(editable=False, null=True)),
                ("token", models.UUIDField(editable=False, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("faults", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("last_fault", models.CharField(blank=True, default="", editable=False, max_length=200)),
                ("finished_at", models.DateTimeField(editable=False, null=True)),
                ("error", models.TextField(blank=True, default="", editable=False)),
                ("edition", models.PositiveIntegerField(default=1)),
                (
                    "verdict",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("article", "Article"),
                            ("not_article", "Not an article"),
                            ("several", "Several articles"),
                            ("cannot_tell", "Cannot tell"),
                        ],
                        default="",
                        max_length=20,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("error_page", "Error page"),
                            ("paywall", "Paywall or consent wall"),
                            ("listing", "Listing or front page"),
                            ("media", "Media only"),
                            ("other", "Other"),
                        ],
                        default="",
                        max_length=20,
                    ),
                ),
                ("agreed", models.JSONField(default=list)),
                ("disputes", models.JSONField(default=list)),
                ("disputed_characters", models.PositiveIntegerField(default=0)),
                ("marked_characters", models.PositiveIntegerField(default=0)),
                ("confusion", models.JSONField(default=dict)),
                ("kappa", models.FloatField(null=True)),
                ("f1", models.FloatField(null=True)),
                ("same_verdict", models.BooleanField(null=True)),
                ("counts", models.JSONField(null=True)),
                ("participants", models.JSONField(default=list)),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="comparisons",
                        to="annotator.round",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotator.storeddocument",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["enqueued_at"],
                        name="agreement_open",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("round", "edition"), name="one_comparison_per_edition")
                ],
            },
        ),
        migrations.CreateModel(
            name="Extraction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("requested_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("enqueued_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("heartbeat_at", models.DateTimeField(editable=False, null=True)),
                ("token", models.UUIDField(editable=False, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("faults", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("last_fault", models.CharField(blank=True, default="", editable=False, max_length=200)),
                ("finished_at", models.DateTimeField(editable=False, null=True)),
                ("error", models.TextField(blank=True, default="", editable=False)),
                ("spans", models.JSONField(default=list)),
                ("reasons", models.JSONField(default=list)),
                ("explanation_error", models.TextField(default="")),
                ("seconds", models.FloatField(null=True)),
                (
                    "extractor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="extractions",
                        to="annotator.extractor",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="extractions",
                        to="annotator.storeddocument",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["enqueued_at"],
                        name="extraction_open",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("document", "extractor"), name="unique_extraction")
                ],
            },
        ),
        migrations.CreateModel(
            name="Takedown",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
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
                    "page",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="takedown",
                        to="annotator.page",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Unblinded",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="unblinded",
                        to="annotator.page",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("page", "user"), name="unblinded_once_per_page")
                ],
            },
        ),
        migrations.CreateModel(
            name="Annotation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("guideline_version", models.PositiveIntegerField()),
                ("opened_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("revision", models.PositiveIntegerField(default=0)),
                ("active_seconds", models.PositiveIntegerField(default=0)),
                ("submitted_at", models.DateTimeField(null=True)),
                ("reopened_at", models.DateTimeField(null=True)),
                (
                    "annotator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="annotations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "shown",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotator.extractor",
                    ),
                ),
                (
                    "slot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="annotations",
                        to="annotator.slot",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="annotations",
                        to="annotator.storeddocument",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["annotator", "submitted_at"], name="annotations_of_annotator")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("slot", "annotator"), name="one_annotation_per_slot_and_annotator"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("submitted_at__isnull", False)),
                        fields=("slot",),
                        name="one_submission_per_slot",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("submitted_at", None), ("revision__gt", 0), _connector="OR"),
                        name="submitted_is_saved",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("reopened_at", None), ("submitted_at__isnull", False), _connector="OR"
                        ),
                        name="reopened_was_submitted",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RefusedSave",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("spans", models.JSONField(default=list)),
                (
                    "verdict",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("article", "Article"),
                            ("not_article", "Not an article"),
                            ("several", "Several articles"),
                            ("cannot_tell", "Cannot tell"),
                        ],
                        default="",
                        max_length=20,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("error_page", "Error page"),
                            ("paywall", "Paywall or consent wall"),
                            ("listing", "Listing or front page"),
                            ("media", "Media only"),
                            ("other", "Other"),
                        ],
                        default="",
                        max_length=20,
                    ),
                ),
                ("note", models.TextField(blank=True, default="")),
                ("saved_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("operation", models.UUIDField()),
                ("based_on", models.PositiveIntegerField()),
                (
                    "annotation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="refused",
                        to="annotator.annotation",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("annotation", "operation"), name="one_refusal_per_operation"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Revision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("spans", models.JSONField(default=list)),
                (
                    "verdict",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("article", "Article"),
                            ("not_article", "Not an article"),
                            ("several", "Several articles"),
                            ("cannot_tell", "Cannot tell"),
                        ],
                        default="",
                        max_length=20,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("error_page", "Error page"),
                            ("paywall", "Paywall or consent wall"),
                            ("listing", "Listing or front page"),
                            ("media", "Media only"),
                            ("other", "Other"),
                        ],
                        default="",
                        max_length=20,
                    ),
                ),
                ("note", models.TextField(blank=True, default="")),
                ("saved_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("operation", models.UUIDField()),
                ("based_on", models.PositiveIntegerField()),
                ("number", models.PositiveIntegerField()),
                (
                    "annotation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="revisions",
                        to="annotator.annotation",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("annotation", "number"), name="one_revision_per_number"),
                    models.UniqueConstraint(
                        fields=("annotation", "operation"), name="one_revision_per_operation"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("based_on__lt", models.F("number"))),
                        name="based_on_earlier_revision",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Submission",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("submitted_at", models.DateTimeField()),
                ("withdrawn_at", models.DateTimeField(null=True)),
                (
                    "annotation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="submissions",
                        to="annotator.annotation",
                    ),
                ),
                (
                    "revision",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="submission",
                        to="annotator.revision",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("annotation", "number"), name="one_submission_per_number"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("withdrawn_at", None)),
                        fields=("annotation",),
                        name="one_current_submission",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Gold",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("article", "Article"),
                            ("not_article", "Not an article"),
                            ("several", "Several articles"),
                            ("cannot_tell", "Cannot tell"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("error_page", "Error page"),
                            ("paywall", "Paywall or consent wall"),
                            ("listing", "Listing or front page"),
                            ("media", "Media only"),
                            ("other", "Other"),
                        ],
                        default="",
                        max_length=20,
                    ),
                ),
                ("spans", models.JSONField(default=list)),
                ("distinguishable_labels", models.JSONField()),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("unanimous", "Unanimous"),
                            ("adjudicated", "Adjudicated"),
                            ("single", "Single"),
                            ("imported", "Imported"),
                            ("projected", "Projected"),
                        ],
                        max_length=20,
                    ),
                ),
                ("exposed_families", models.JSONField(default=list)),
                ("characters", models.PositiveIntegerField(null=True)),
                ("placed", models.PositiveIntegerField(null=True)),
                ("current", models.BooleanField(default=True, null=True)),
                ("finalised_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="gold", to="annotator.page"
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="gold",
                        to="annotator.storeddocument",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("page", "number"), name="one_gold_per_number"),
                    models.UniqueConstraint(fields=("page", "current"), name="one_current_gold_per_page"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("placed", None), ("placed__lte", models.F("characters")), _connector="OR"
                        ),
                        name="placed_within_characters",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AdjudicationDelta",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("requested_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("enqueued_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("heartbeat_at", models.DateTimeField(editable=False, null=True)),
                ("token", models.UUIDField(editable=False, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("faults", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("last_fault", models.CharField(blank=True, default="", editable=False, max_length=200)),
                ("finished_at", models.DateTimeField(editable=False, null=True)),
                ("error", models.TextField(blank=True, default="", editable=False)),
                ("differences", models.JSONField(default=dict)),
                (
                    "gold",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="delta", to="annotator.gold"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)), fields=["enqueued_at"], name="delta_open"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="GoldCount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("amounts", models.JSONField()),
                ("agreement", models.JSONField(null=True)),
                (
                    "gold",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="counted",
                        to="annotator.gold",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PracticePage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                ("same_verdict", models.BooleanField(null=True)),
                ("confusion", models.JSONField(null=True)),
                ("f1", models.FloatField(null=True)),
                ("evaluated_at", models.DateTimeField(null=True)),
                (
                    "attempt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pages",
                        to="annotator.practiceattempt",
                    ),
                ),
                (
                    "gold",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotator.gold",
                    ),
                ),
                (
                    "slot",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="practice_page",
                        to="annotator.slot",
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("attempt", "position"), name="one_practice_page_per_position"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("confusion__isnull", True),
                                ("evaluated_at", None),
                                ("f1", None),
                                ("gold", None),
                                ("same_verdict", None),
                            ),
                            models.Q(
                                ("confusion__isnull", False),
                                ("evaluated_at__isnull", False),
                                ("gold__isnull", False),
                                ("same_verdict__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="evaluated_page_has_its_result",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("f1", None), models.Q(("f1__gte", 0), ("f1__lte", 1)), _connector="OR"
                        ),
                        name="practice_f1_is_a_share",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="QualityCheck",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("same_verdict", models.BooleanField()),
                ("f1", models.FloatField(null=True)),
                ("confusion", models.JSONField(null=True)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "annotation",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="quality_check",
                        to="annotator.annotation",
                    ),
                ),
                (
                    "first_annotation",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="repeats",
                        to="annotator.annotation",
                    ),
                ),
                (
                    "gold",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="quality_checks",
                        to="annotator.gold",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("first_annotation__isnull", False), ("gold", None)),
                            models.Q(("first_annotation", None), ("gold__isnull", False)),
                            _connector="OR",
                        ),
                        name="compared_with_one_thing",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("f1", None), models.Q(("f1__gte", 0), ("f1__lte", 1)), _connector="OR"
                        ),
                        name="quality_check_f1_is_a_share",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ReleasePage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sha256", models.CharField(max_length=64)),
                ("gold_sha256", models.CharField(max_length=64)),
                (
                    "split",
                    models.CharField(
                        choices=[("train", "Train"), ("dev", "Dev"), ("test", "Test")], max_length=5
                    ),
                ),
                ("group", models.CharField(max_length=64)),
                ("metadata", models.JSONField(default=dict)),
                (
                    "gold",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="released_in",
                        to="annotator.gold",
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rows",
                        to="annotator.release",
                    ),
                ),
            ],
            options={
                "ordering": ["release", "sha256"],
                "constraints": [
                    models.UniqueConstraint(fields=("release", "sha256"), name="unique_page_in_release")
                ],
            },
        ),
        migrations.CreateModel(
            name="Score",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("requested_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("enqueued_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("heartbeat_at", models.DateTimeField(editable=False, null=True)),
                ("token", models.UUIDField(editable=False, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("faults", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("last_fault", models.CharField(blank=True, default="", editable=False, max_length=200)),
                ("finished_at", models.DateTimeField(editable=False, null=True)),
                ("error", models.TextField(blank=True, default="", editable=False)),
                ("matrix", models.JSONField(default=dict)),
                ("blind", models.BooleanField(default=True)),
                ("tuned_on", models.BooleanField(default=False)),
                (
                    "extraction",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="scores",
                        to="annotator.extraction",
                    ),
                ),
                (
                    "gold",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="scores",
                        to="annotator.gold",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)), fields=["enqueued_at"], name="score_open"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("gold", "extraction"), name="one_score_per_cell")
                ],
            },
        ),
        migrations.CreateModel(
            name="Measurement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("requested_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("enqueued_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("heartbeat_at", models.DateTimeField(editable=False, null=True)),
                ("token", models.UUIDField(editable=False, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("faults", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("last_fault", models.CharField(blank=True, default="", editable=False, max_length=200)),
                ("finished_at", models.DateTimeField(editable=False, null=True)),
                ("error", models.TextField(blank=True, default="", editable=False)),
                ("figures", models.JSONField(default=dict)),
                (
                    "score",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="measurement",
                        to="annotator.score",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["enqueued_at"],
                        name="measurement_open",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Adjudication",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("edition", models.PositiveIntegerField(default=1)),
                (
                    "kind",
                    models.CharField(
                        choices=[("dispute", "Dispute"), ("audit", "Audit"), ("reopened", "Reopened")],
                        default="dispute",
                        max_length=10,
                    ),
                ),
                ("opened_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("in_dispute", models.PositiveIntegerField(default=0)),
                ("weight", models.PositiveIntegerField(default=0)),
                ("why", models.CharField(blank=True, default="", max_length=500)),
                ("order", models.JSONField()),
                (
                    "verdict",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("article", "Article"),
                            ("not_article", "Not an article"),
                            ("several", "Several articles"),
                            ("cannot_tell", "Cannot tell"),
                        ],
                        default="",
                        max_length=20,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("error_page", "Error page"),
                            ("paywall", "Paywall or consent wall"),
                            ("listing", "Listing or front page"),
                            ("media", "Media only"),
                            ("other", "Other"),
                        ],
                        default="",
                        max_length=20,
                    ),
                ),
                ("verdict_decided_at", models.DateTimeField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("deferred_at", models.DateTimeField(null=True)),
                ("own_page", models.BooleanField(default=False)),
                ("finalised_at", models.DateTimeField(null=True)),
                (
                    "adjudicator",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="adjudications",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "reopened_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "comparison",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="adjudication",
                        to="annotator.agreement",
                    ),
                ),
                (
                    "reopens",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reopenings",
                        to="annotator.gold",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="adjudications",
                        to="annotator.round",
                    ),
                ),
            ],
            options={
                "ordering": ["opened_at", "id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("finalised_at", None),
                            models.Q(("adjudicator__isnull", False), ("verdict_decided_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="finalised_by_an_adjudicator",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("reopens", None)),
                        fields=("round", "edition"),
                        name="one_adjudication_per_edition",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("finalised_at", None), ("reopens__isnull", False)),
                        fields=("round",),
                        name="one_open_adjudication_of_reopened_gold",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("comparison", None),
                                ("kind", "reopened"),
                                ("reopens__isnull", False),
                                models.Q(("why", ""), _negated=True),
                            ),
                            models.Q(
                                models.Q(("kind", "reopened"), _negated=True),
                                ("comparison__isnull", False),
                                ("reopened_by", None),
                                ("reopens", None),
                                ("why", ""),
                            ),
                            _connector="OR",
                        ),
                        name="adjudication_has_its_origin",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ReparseJob",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("requested_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("enqueued_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("heartbeat_at", models.DateTimeField(editable=False, null=True)),
                ("token", models.UUIDField(editable=False, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("faults", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("last_fault", models.CharField(blank=True, default="", editable=False, max_length=200)),
                ("finished_at", models.DateTimeField(editable=False, null=True)),
                ("error", models.TextField(blank=True, default="", editable=False)),
                ("waiting_since", models.DateTimeField(null=True)),
                ("same_intervals", models.PositiveIntegerField(default=0)),
                ("changed_intervals", models.PositiveIntegerField(default=0)),
                ("lost_intervals", models.PositiveIntegerField(default=0)),
                ("lost_characters", models.PositiveIntegerField(default=0)),
                ("intervals", models.JSONField(default=list)),
                (
                    "adjudication",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotator.adjudication",
                    ),
                ),
                (
                    "gold",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reparse_job",
                        to="annotator.gold",
                    ),
                ),
                (
                    "gold_before",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotator.gold",
                    ),
                ),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reparse_jobs",
                        to="annotator.page",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="jobs",
                        to="annotator.reparse",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotator.storeddocument",
                    ),
                ),
                (
                    "document_before",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotator.storeddocument",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["enqueued_at"],
                        name="reparse_job_open",
                    ),
                    models.Index(
                        fields=["run", "-lost_characters", "-changed_intervals", "id"],
                        name="reparse_jobs_worst_first",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("run", "page"), name="one_reparse_job_per_page"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("finished_at", None),
                            models.Q(("error", ""), _negated=True),
                            ("document__isnull", False),
                            _connector="OR",
                        ),
                        name="reparsed_to_a_document",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("gold", None), ("gold_before__isnull", False), _connector="OR"),
                        name="projected_from_earlier_gold",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Segment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("start", models.PositiveIntegerField()),
                ("end", models.PositiveIntegerField()),
                ("pieces", models.JSONField()),
                ("can_take_both", models.BooleanField()),
                ("choice", models.CharField(blank=True, default="", max_length=10)),
                ("marks", models.JSONField(null=True)),
                ("decided_at", models.DateTimeField(null=True)),
                ("clause", models.CharField(blank=True, default="", max_length=5)),
                ("guideline_version", models.PositiveIntegerField(null=True)),
                (
                    "adjudication",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="segments",
                        to="annotator.adjudication",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("adjudication", "number"), name="one_segment_per_number"),
                    models.CheckConstraint(
                        condition=models.Q(("start__lt", models.F("end"))), name="segment_has_text"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("choice", ""), ("decided_at", None)),
                            models.Q(models.Q(("choice", ""), _negated=True), ("decided_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="choice_has_a_date",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("choice", "relabel"), ("marks__isnull", False)),
                            models.Q(models.Q(("choice", "relabel"), _negated=True), ("marks", None)),
                            _connector="OR",
                        ),
                        name="only_relabelled_segments_have_marks",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("clause", ""), ("guideline_version", None)),
                            models.Q(
                                models.Q(("clause", ""), _negated=True),
                                models.Q(("choice", ""), _negated=True),
                                ("guideline_version__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="cited_clause_has_a_version",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="page",
            name="document",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="current_of",
                to="annotator.storeddocument",
            ),
        ),
        migrations.AddField(
            model_name="gold",
            name="adjudication",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="gold",
                to="annotator.adjudication",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="corpus",
            trigger=pgtrigger.compiler.Trigger(
                name="guideline_exists",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    constraint="CONSTRAINT",
                    func="\nif not exists (\n    select from annotator_guideline where corpus_id = new.id and number = new.guideline_version)\nthen\n    raise exception 'the current guideline of a corpus is one of its own'\n        using errcode = 'foreign_key_violation';\nend if;\nreturn null;\n",
                    hash="2acd6ceb32bde29f92020757b1d31ce8955e5908",
                    operation='INSERT OR UPDATE OF "guideline_version"',
                    pgid="pgtrigger_guideline_exists_6f5e3",
                    table="annotator_corpus",
                    timing="DEFERRABLE INITIALLY DEFERRED",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="guideline",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="a0f9db4e793b88e10940d450d6fd24c5a05f8216",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_20922",
                    table="annotator_guideline",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="guideline",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="fad0f48c9448b5eac6244ded08bf30bb90f80cf5",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_ba024",
                    table="annotator_guideline",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="practicesettings",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="e09c712d1800eeeeb82c919bb4cefbd7996ba625",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_765cb",
                    table="annotator_practicesettings",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="practicesettings",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="c4bfba9ea4f9b9fd627eafe902af8afe447042a4",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_d9264",
                    table="annotator_practicesettings",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="practiceattempt",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."finished_at" IS NOT NULL)',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="a1f2f8454b81c0d66f793c1391f3398823b5086a",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_3fb06",
                    table="annotator_practiceattempt",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="practiceattempt",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="7d1a05231b72df78d77e74f5284a1b8d5cc17c03",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_f7678",
                    table="annotator_practiceattempt",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="qualification",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="e6e0949b6e5a34e7023718425d0f12a69c5386e7",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_8b52a",
                    table="annotator_qualification",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="qualification",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="85cd41c8f85a30995b17d80b65037c6ebf30ba35",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_2188b",
                    table="annotator_qualification",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="qualitycheck",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="d419c3d9ae77bdf1498e62b603b48495e85a9e21",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_b4324",
                    table="annotator_qualitycheck",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="qualitycheck",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="3c2299771fe3a10856099cbbcfd65ad10e4c884a",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_42e50",
                    table="annotator_qualitycheck",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="refusedsave",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nif to_jsonb(new) = to_jsonb(old) || '{\"spans\": [], \"note\": \"\"}'\n    and exists (select from annotator_takedown where page_id = (select r.page_id from annotator_annotation a join annotator_slot s on s.id = a.slot_id join annotator_round r on r.id = s.round_id where a.id = old.annotation_id))\nthen\n    return new;\nend if;\n\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="3a63e442165e4cc7f15c924c21dae8eeeb4ede2e",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_316b4",
                    table="annotator_refusedsave",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="refusedsave",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="42a6ad3f1c84d520f457ab16cce17199b2f90660",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_3c982",
                    table="annotator_refusedsave",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="release",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (NOT (OLD.\"sha256\" = ''))",
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="9d96ad04575f8de0fe60dae0ec06cdd3d8ee63f6",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_39172",
                    table="annotator_release",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="release",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (NOT (OLD.\"sha256\" = ''))",
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="fd0f707861776c1ee73662f19e8295e14cd627d5",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_a2ca8",
                    table="annotator_release",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="erratum",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (old.corrected_in_id is not null or (to_jsonb(old) - '{corrected_in_id}'::text[]) <> (to_jsonb(new) - '{corrected_in_id}'::text[]))",
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="989cd2ccd3636caaf2ab8c7aa5064491b668359f",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_6739a",
                    table="annotator_erratum",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="erratum",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="6c792aaa1aa03b3afd7acac47a91dcb79ab02a42",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_64423",
                    table="annotator_erratum",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="releasepage",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nif to_jsonb(new) = to_jsonb(old) || '{\"metadata\": {}}'\n    and exists (select from annotator_takedown where page_id = (select page_id from annotator_gold where id = old.gold_id))\nthen\n    return new;\nend if;\n\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="cfb94fd6e4cf7a569a39f741bf2023e8545f830f",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_a4672",
                    table="annotator_releasepage",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="releasepage",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="c1e53c91366f9cc96c2147e24ac015d637039be3",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_8436c",
                    table="annotator_releasepage",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="revision",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nif to_jsonb(new) = to_jsonb(old) || '{\"spans\": [], \"note\": \"\"}'\n    and exists (select from annotator_takedown where page_id = (select r.page_id from annotator_annotation a join annotator_slot s on s.id = a.slot_id join annotator_round r on r.id = s.round_id where a.id = old.annotation_id))\nthen\n    return new;\nend if;\n\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="fd7c2caa08cf0c0fee4520b0e514dca6087fa2b0",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_e3bb6",
                    table="annotator_revision",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="revision",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="52ecac8f18a1b4c3e8820eaacf5fe65e040c8da8",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_37a7a",
                    table="annotator_revision",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="reannotationpage",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."round_id" IS NOT NULL OR NOT (OLD."exclusion" = \'\'))',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="b0ec85610edd4faa5f3654b228b2d7530baa6f04",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_78bc5",
                    table="annotator_reannotationpage",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="reannotationpage",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="fc594642662321281facb82abab779e5426b994a",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_c742e",
                    table="annotator_reannotationpage",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="adjudication",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."finalised_at" IS NOT NULL)',
                    func="\nif to_jsonb(new) = to_jsonb(old) || '{\"why\": \"taken down\"}'\n    and exists (select from annotator_takedown where page_id = (select page_id from annotator_round where id = old.round_id))\nthen\n    return new;\nend if;\n\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="c775051ce0d2c8b50ac6a5297c67303adcc47994",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_39a37",
                    table="annotator_adjudication",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="adjudication",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="bdb4af162aa6c82863cc8115df07976c9ccdb385",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_5d21c",
                    table="annotator_adjudication",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="score",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."error" = \'\' AND OLD."finished_at" IS NOT NULL)',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="afcb32cc2a3916a10bfaca755cc0e22c330706f3",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_cd2b5",
                    table="annotator_score",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="score",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="9852cba78b961bef20936cd3a1fa73d081128b6f",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_98c1f",
                    table="annotator_score",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="measurement",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."error" = \'\' AND OLD."finished_at" IS NOT NULL)',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="a302ed6813a9540c2faa8af2e7a6d4ec17844a92",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_8ef9f",
                    table="annotator_measurement",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="measurement",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="734f8f132dd2a3678adf21a90083f1425bf9f152",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_08c52",
                    table="annotator_measurement",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="slot",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."submitted_at" IS NOT NULL)',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="15fd315d77e8c2ef00313c822fc2badc0dac92f8",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_71c8e",
                    table="annotator_slot",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="slot",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="70ad87fea69aa94ac231a5452fe1153f1d234451",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_7a093",
                    table="annotator_slot",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="slot",
            trigger=pgtrigger.compiler.Trigger(
                name="same_corpus",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nif not exists (\n    select from annotator_round r join annotator_page p on p.id = r.page_id\n    where r.id = new.round_id and (p.corpus_id = new.corpus_id) <> (r.purpose = 'practice'))\nthen\n    raise exception 'a slot is of the corpus of its page' using errcode = 'integrity_constraint_violation';\nend if;\nreturn new;\n",
                    hash="7675974f56d7276a00ee42081a7a72c8ba7e8a77",
                    operation='INSERT OR UPDATE OF "corpus_id", "round_id"',
                    pgid="pgtrigger_same_corpus_c3a88",
                    table="annotator_slot",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="practicepage",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."evaluated_at" IS NOT NULL)',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="d5afa7c7b465a16879aa90c4d35b50fb87b2fd68",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_edb47",
                    table="annotator_practicepage",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="practicepage",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="15b24bf828d470c0b7470d282925193663ac2674",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_1c2d0",
                    table="annotator_practicepage",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="reparsejob",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."error" = \'\' AND OLD."finished_at" IS NOT NULL)',
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="578d40590a44fd8c7c273b68f71564e2b490d185",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_cf2d2",
                    table="annotator_reparsejob",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="reparsejob",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="34ab45d5b7fdf3eed9f1dc5b603301fc0495399b",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_77dbf",
                    table="annotator_reparsejob",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="page",
            trigger=pgtrigger.compiler.Trigger(
                name="same_document",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    constraint="CONSTRAINT",
                    declare="DECLARE of_page bigint;",
                    func="of_page := new.id;\nif exists (\n    select from annotator_gold g join annotator_page p on p.id = g.page_id\n    where p.id = of_page and g.current and g.document_id is distinct from p.document_id)\nthen\n    raise exception 'the current gold of a page speaks of its current document'\n        using errcode = 'integrity_constraint_violation';\nend if;\nreturn null;\n",
                    hash="e6e2ac6edb5df14acb55bfaf6fe9258efbde8097",
                    operation='UPDATE OF "document_id"',
                    pgid="pgtrigger_same_document_3b1a5",
                    table="annotator_page",
                    timing="DEFERRABLE INITIALLY DEFERRED",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="gold",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN ((to_jsonb(old) - '{current}'::text[]) <> (to_jsonb(new) - '{current}'::text[]))",
                    func="\nif to_jsonb(new) = to_jsonb(old) || '{\"spans\": [], \"current\": null}'\n    and exists (select from annotator_takedown where page_id = (old.page_id))\nthen\n    return new;\nend if;\n\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="7dd011578781ef430c2211f074c8210605860f0d",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_6bde8",
                    table="annotator_gold",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="gold",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="c5a782e905058f32ce6ed98013d8bb6d75cc9406",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_c38e8",
                    table="annotator_gold",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="gold",
            trigger=pgtrigger.compiler.Trigger(
                name="same_document",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    constraint="CONSTRAINT",
                    declare="DECLARE of_page bigint;",
                    func="of_page := new.page_id;\nif exists (\n    select from annotator_gold g join annotator_page p on p.id = g.page_id\n    where p.id = of_page and g.current and g.document_id is distinct from p.document_id)\nthen\n    raise exception 'the current gold of a page speaks of its current document'\n        using errcode = 'integrity_constraint_violation';\nend if;\nreturn null;\n",
                    hash="e902da93d000c2c4aaf3b6061334f9c03fed361e",
                    operation='INSERT OR UPDATE OF "current"',
                    pgid="pgtrigger_same_document_cbe81",
                    table="annotator_gold",
                    timing="DEFERRABLE INITIALLY DEFERRED",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="extraction",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."error" = \'\' AND OLD."finished_at" IS NOT NULL)',
                    func="\nif to_jsonb(new) = to_jsonb(old) || '{\"spans\": []}'\n    and exists (select from annotator_takedown where page_id = (select page_id from annotator_storeddocument where id = old.document_id))\nthen\n    return new;\nend if;\n\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="d1a57bc4aeec4632e4c76e24de20ba0fb98bb7b3",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_96ec0",
                    table="annotator_extraction",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="extraction",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="f9e9eef69179da1c6fb7debf80bd627e60445e4b",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_0ea47",
                    table="annotator_extraction",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="annotation",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (old.submitted_at is not null and (\n        new.submitted_at is null or new.submitted_at < old.submitted_at\n        or (old.reopened_at is null and (to_jsonb(old) - '{reopened_at}'::text[]) <> (to_jsonb(new) - '{reopened_at}'::text[]))\n        or (to_jsonb(old) - '{submitted_at,reopened_at,revision,active_seconds}'::text[]) <> (to_jsonb(new) - '{submitted_at,reopened_at,revision,active_seconds}'::text[])))",
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="7b0815e5786c803bbcce3a745c8d324e64adf72e",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_a8137",
                    table="annotator_annotation",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="annotation",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="1604a47b4d99081dc2f25df1c3a274b3fd484ee6",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_f46a7",
                    table="annotator_annotation",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="agreement",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."error" = \'\' AND OLD."finished_at" IS NOT NULL)',
                    func="\nif to_jsonb(new) = to_jsonb(old) || '{\"agreed\": [], \"disputes\": []}'\n    and exists (select from annotator_takedown where page_id = (select page_id from annotator_round where id = old.round_id))\nthen\n    return new;\nend if;\n\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="30b5c1829fc4ef6dc23b7c8026bc5a34f71d59ba",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_b8ddf",
                    table="annotator_agreement",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="agreement",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="ba34dc3aa3c1de769d1e3f63748e409c8050317d",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_ff9c1",
                    table="annotator_agreement",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="studydesign",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="96dbffb3f1031802ebf3e691a7eb779f387dd1e5",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_ba0ef",
                    table="annotator_studydesign",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="studydesign",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="a3433cc6468e48034f854356523971c6beea0914",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_18277",
                    table="annotator_studydesign",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="submission",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (old.withdrawn_at is not null or (to_jsonb(old) - '{withdrawn_at}'::text[]) <> (to_jsonb(new) - '{withdrawn_at}'::text[]))",
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="913f59e28a4c8c03f2dab18b51271d4b15faeeb3",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_223ee",
                    table="annotator_submission",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="submission",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="c57a8e7a21acd9fddad993cf0f627b3a83b40dbb",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_453d4",
                    table="annotator_submission",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="takedown",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="4c277531e945a370b3a5256af8bb75ef08059b88",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_c0683",
                    table="annotator_takedown",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="takedown",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="d33e03bd79b18fd1379cdf7eaa50cc6496ff0a38",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_b74b5",
                    table="annotator_takedown",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="unblinded",
            trigger=pgtrigger.compiler.Trigger(
                name="no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="242547901abcd7db04ea25ed66afa83de11fcbaa",
                    operation="UPDATE",
                    pgid="pgtrigger_no_update_79470",
                    table="annotator_unblinded",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="unblinded",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\nraise exception 'history is not rewritten: % of %', lower(tg_op), tg_table_name\n    using errcode = 'integrity_constraint_violation',\n          hint = 'Write a new row; submitted, final and finished rows stay as they are.';\n",
                    hash="11d8d318ae1cca8604f663d6a8438be2eccf55d7",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_50792",
                    table="annotator_unblinded",
                    when="BEFORE",
                ),
            ),
        ),
    ]
