# Folded from what makemigrations wrote: a table is made with its constraints, since each further step takes time.
import datetime as dt
import secrets
import uuid

import django.contrib.auth.models
import django.contrib.auth.validators
import django.contrib.postgres.fields
import django.contrib.postgres.functions
import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.text
import django.utils.timezone
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
                ("labels_version", models.PositiveIntegerField(default=1)),
                ("archived_at", models.DateTimeField(editable=False, null=True)),
                ("deleted_at", models.DateTimeField(editable=False, null=True)),
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
            name="CountedPage",
            fields=[
                ("page", models.BigIntegerField(primary_key=True, serialize=False)),
                ("corpus", models.BigIntegerField()),
                ("gold", models.BigIntegerField()),
                ("finalised_at", models.DateTimeField()),
                ("since", models.DateTimeField()),
                ("draw", models.BigIntegerField()),
                ("language", models.CharField(blank=True, max_length=8)),
                ("site", models.CharField(blank=True, max_length=255)),
                ("month", models.CharField(max_length=7)),
                ("capture", models.CharField(default="sent", max_length=10)),
                ("verdict", models.CharField(max_length=20)),
                ("guideline", models.PositiveIntegerField(null=True)),
                (
                    "releases",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.PositiveIntegerField(), default=list, size=None
                    ),
                ),
                (
                    "labels",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=60), default=list, size=None
                    ),
                ),
                ("characters", models.BigIntegerField(default=0)),
                ("placed", models.BigIntegerField(default=0)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["corpus", "draw"], name="counted_pages"),
                    models.Index(fields=["corpus", "finalised_at"], name="counted_newest"),
                    models.Index(fields=["corpus", "language", "draw"], name="counted_language"),
                    models.Index(fields=["corpus", "site", "draw"], name="counted_site"),
                    models.Index(fields=["corpus", "month", "draw"], name="counted_month"),
                    models.Index(fields=["corpus", "verdict", "draw"], name="counted_verdict"),
                    models.Index(fields=["corpus", "guideline", "draw"], name="counted_guideline"),
                ],
            },
        ),
        migrations.CreateModel(
            name="PageToCount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("page", models.BigIntegerField()),
                ("corpus", models.BigIntegerField()),
            ],
            options={
                "indexes": [models.Index(fields=["corpus", "-id"], name="pages_to_count")],
            },
        ),
        migrations.CreateModel(
            name="Search",
            fields=[
                ("name", models.CharField(max_length=100, primary_key=True, serialize=False)),
                ("searched_until", models.DateTimeField()),
                ("searched_all_at", models.DateTimeField()),
            ],
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
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="agreement_report_failed",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("corpus", "selection", "version"), name="one_report_per_selection"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Analysis",
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
                ("name", models.CharField(max_length=20)),
                ("filters", models.CharField(max_length=1000)),
                ("asked_state", models.CharField(default="", max_length=100)),
                ("state", models.CharField(default="", max_length=100)),
                ("computed_at", models.DateTimeField(null=True)),
                ("done", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField(default=0)),
                ("result", models.JSONField(null=True)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="annotator.corpus"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["enqueued_at"],
                        name="analysis_open",
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="analysis_failed",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("corpus", "name", "filters"), name="one_analysis_per_filters"
                    )
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
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="bias_report_failed",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("corpus", "version"), name="one_bias_report_per_state")
                ],
            },
        ),
        migrations.CreateModel(
            name="Counting",
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
                (
                    "corpus",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="annotator.corpus"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["enqueued_at"],
                        name="counting_open",
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="counting_failed",
                    ),
                ],
            },
        ),
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
                ("architecture", models.CharField(blank=True, default="", max_length=60)),
                ("model_sha256", models.CharField(blank=True, default="", max_length=64)),
                ("source", models.TextField(blank=True, default="")),
                ("licence", models.CharField(blank=True, default="", max_length=200)),
                ("tuned_on_pages", models.JSONField(default=list)),
                ("tuned_on_sites", models.JSONField(default=list)),
                (
                    "trained_in",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="trained_extractors",
                        to="annotator.corpus",
                    ),
                ),
                (
                    "uploaded_in",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="uploaded_extractors",
                        to="annotator.corpus",
                    ),
                ),
            ],
            options={
                "ordering": ["name", "version", "parameters_key"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("trained_in", None), ("uploaded_in", None)),
                        fields=("name", "version", "parameters_key"),
                        name="unique_extractor",
                    ),
                    models.UniqueConstraint(
                        fields=("trained_in", "name", "version"), name="unique_trained_extractor"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("architecture", ""), ("model_sha256", ""), ("trained_in", None)),
                            models.Q(
                                ("trained_in__isnull", False),
                                ("uploaded_in", None),
                                models.Q(("architecture", ""), _negated=True),
                                models.Q(("model_sha256", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="trained_extractor_has_its_model",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("trained_in", None), ("can_be_arm", False), _connector="OR"),
                        name="trained_extractors_are_never_shown",
                    ),
                    models.UniqueConstraint(
                        fields=("uploaded_in", "name", "version"), name="unique_uploaded_extractor"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("uploaded_in", None), ("can_be_arm", False), _connector="OR"),
                        name="uploaded_outputs_are_never_shown",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="GoldTotal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("dimension", models.CharField(blank=True, max_length=10)),
                ("value", models.CharField(blank=True, max_length=255)),
                ("labels", models.CharField(blank=True, max_length=60)),
                ("pages", models.BigIntegerField(default=0)),
                ("scores", models.BigIntegerField(default=0)),
                ("characters", models.BigIntegerField(default=0)),
                ("placed", models.BigIntegerField(default=0)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="annotator.corpus"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("corpus", "dimension", "labels", "value"), name="one_gold_total_per_slice"
                    )
                ],
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
                ("title", models.CharField(blank=True, default="", max_length=40)),
                ("number", models.PositiveSmallIntegerField()),
                ("key", models.PositiveSmallIntegerField()),
                ("position", models.PositiveSmallIntegerField()),
                ("retired_at", models.DateTimeField(editable=False, null=True)),
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
                "ordering": ["position"],
                "constraints": [
                    models.UniqueConstraint(fields=("corpus", "name"), name="one_label_per_name"),
                    models.UniqueConstraint(
                        condition=models.Q(("retired_at", None)),
                        fields=("corpus", "number"),
                        name="one_label_per_colour",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("retired_at", None)),
                        fields=("corpus", "key"),
                        name="one_label_per_key",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("key__range", (1, 9)), ("number__range", (1, 9)), ("retired_at", None)),
                            models.Q(("key", 0), ("number", 0), ("retired_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="a_label_has_colour_and_key",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("name", "content"), _negated=True), name="content_is_for_programs"
                    ),
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
                (
                    "capture",
                    models.CharField(
                        choices=[("sent", "As its server sent it"), ("rendered", "As a browser rendered it")],
                        default="sent",
                        max_length=10,
                    ),
                ),
                ("note", models.CharField(blank=True, default="", max_length=1000)),
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
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="page_failed",
                    ),
                    models.Index(fields=["finished_at"], name="page_finished"),
                    models.Index(fields=["sha256"], name="page_twins"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("corpus", "sha256"), name="unique_page_in_corpus"),
                    models.CheckConstraint(condition=models.Q(("size__gt", 0)), name="page_is_not_empty"),
                    models.CheckConstraint(
                        condition=models.Q(("capture__in", ["sent", "rendered"])), name="known_capture"
                    ),
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
            name="StoredLeaderboard",
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
                ("filters", models.CharField(max_length=1000)),
                ("asked_state", models.CharField(default="", max_length=100)),
                ("state", models.CharField(default="", max_length=100)),
                ("computed_at", models.DateTimeField(null=True)),
                ("board", models.JSONField(null=True)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="annotator.corpus"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["enqueued_at"],
                        name="leaderboard_open",
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="leaderboard_failed",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("corpus", "filters"), name="one_leaderboard_per_filters")
                ],
            },
        ),
        migrations.CreateModel(
            name="TotalsCheck",
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
                ("compared", models.PositiveIntegerField(default=0)),
                (
                    "corpus",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="annotator.corpus"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["enqueued_at"],
                        name="totals_check_open",
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="totals_check_failed",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AgreementVersion",
            fields=[
                (
                    "corpus",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="annotator.corpus",
                    ),
                ),
                ("number", models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="ClusterLock",
            fields=[
                (
                    "corpus",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="annotator.corpus",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LeaderboardVersion",
            fields=[
                (
                    "corpus",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="annotator.corpus",
                    ),
                ),
                ("number", models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="WeightsVersion",
            fields=[
                (
                    "corpus",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="annotator.corpus",
                    ),
                ),
                ("number", models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("scopes", models.JSONField()),
                ("beginning", models.CharField(editable=False, max_length=16)),
                ("token_sha256", models.CharField(editable=False, max_length=64, unique=True)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(editable=False, null=True)),
                ("used_at", models.DateTimeField(editable=False, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-made_at", "-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("scopes", []), _negated=True), name="api_token_has_scopes"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("expires_at__gt", models.F("made_at"))),
                        name="api_token_expires_after_it_is_made",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AuditEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "at",
                    models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False),
                ),
                (
                    "action",
                    models.CharField(
                        choices=[
                            ("signed_in", "Signed in"),
                            ("sign_in_failed", "Sign-in failed"),
                            ("signed_out", "Signed out"),
                            ("account_created", "Account created"),
                            ("password_changed", "Password changed"),
                            ("display_name_changed", "Display name changed"),
                            ("password_link_created", "Password reset link created"),
                            ("sessions_ended", "Sessions ended"),
                            ("token_made", "API token made"),
                            ("token_revoked", "API token revoked"),
                            ("identity_linked", "Single sign-on linked"),
                            ("second_factor_added", "Second factor added"),
                            ("second_factor_removed", "Second factor removed"),
                            ("email_changed", "E-mail changed"),
                            ("invitation_created", "Invitation created"),
                            ("invitation_revoked", "Invitation revoked"),
                            ("invitation_accepted", "Invitation accepted"),
                            ("role_granted", "Role granted"),
                            ("role_ended", "Role ended"),
                            ("corpus_created", "Corpus created"),
                            ("corpus_archived", "Corpus archived"),
                            ("corpus_restored", "Corpus restored"),
                            ("corpus_deleted", "Corpus deleted"),
                            ("labels_changed", "Labels changed"),
                            ("study_settings_changed", "Study settings changed"),
                            ("practice_settings_changed", "Practice settings changed"),
                            ("practice_waived", "Practice waived"),
                            ("audit_share_changed", "Audit share changed"),
                            ("extractor_enabled", "Extractor enabled"),
                            ("extractor_disabled", "Extractor disabled"),
                            ("extractors_run", "Extractors run"),
                            ("run_started", "Extractor run started"),
                            ("run_cancelled", "Extractor run cancelled"),
                            ("run_completed", "Extractor run completed"),
                            ("outputs_uploaded", "Outputs uploaded"),
                            ("training_started", "Training of a model started"),
                            ("training_stopped", "Training of a model stopped"),
                            ("training_resumed", "Training of a model resumed"),
                            ("curve_requested", "Learning curve requested"),
                            ("curve_stopped", "Learning curve stopped"),
                            ("guideline_published", "Guideline published"),
                            ("gold_reopened", "Gold reopened"),
                            ("reannotation_requested", "Re-annotation requested"),
                            ("reannotation_stopped", "Re-annotation stopped"),
                            ("reannotation_resumed", "Re-annotation resumed"),
                            ("reparse_started", "Re-parse started"),
                            ("reparse_stopped", "Re-parse stopped"),
                            ("work_retried", "Work retried"),
                            ("release_requested", "Release requested"),
                            ("release_stopped", "Release stopped"),
                            ("release_created", "Release created"),
                            ("release_terms_changed", "Release terms changed"),
                            ("erratum_added", "Erratum added"),
                            ("webhook_added", "Webhook added"),
                            ("webhook_paused", "Webhook switched off"),
                            ("webhook_resumed", "Webhook switched on"),
                            ("webhook_removed", "Webhook removed"),
                            ("import_started", "Import started"),
                            ("import_cancelled", "Import cancelled"),
                            ("import_undone", "Import undone"),
                            ("assets_requested", "Missing styles and images requested"),
                            ("feed_followed", "Feed followed"),
                            ("feed_changed", "Feed paused or resumed"),
                            ("feed_removed", "Feed removed"),
                            ("export_requested", "Export requested"),
                            ("export_stopped", "Export stopped"),
                            ("export_downloaded", "Export downloaded"),
                            ("page_taken_down", "Page taken down"),
                        ],
                        max_length=30,
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("web", "Web"),
                            ("api", "API"),
                            ("command_line", "Command line"),
                            ("worker", "Worker"),
                        ],
                        max_length=12,
                    ),
                ),
                ("address", models.GenericIPAddressField(null=True)),
                ("item", models.CharField(blank=True, default="", max_length=200)),
                ("changes", models.JSONField(default=dict)),
                (
                    "about",
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
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotator.corpus",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["corpus", "-id"], name="audit_log_of_corpus")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "action__in",
                                [
                                    "signed_in",
                                    "sign_in_failed",
                                    "signed_out",
                                    "account_created",
                                    "password_changed",
                                    "display_name_changed",
                                    "password_link_created",
                                    "sessions_ended",
                                    "token_made",
                                    "token_revoked",
                                    "identity_linked",
                                    "second_factor_added",
                                    "second_factor_removed",
                                    "email_changed",
                                    "invitation_created",
                                    "invitation_revoked",
                                    "invitation_accepted",
                                    "role_granted",
                                    "role_ended",
                                    "corpus_created",
                                    "corpus_archived",
                                    "corpus_restored",
                                    "corpus_deleted",
                                    "labels_changed",
                                    "study_settings_changed",
                                    "practice_settings_changed",
                                    "practice_waived",
                                    "audit_share_changed",
                                    "extractor_enabled",
                                    "extractor_disabled",
                                    "extractors_run",
                                    "run_started",
                                    "run_cancelled",
                                    "run_completed",
                                    "outputs_uploaded",
                                    "training_started",
                                    "training_stopped",
                                    "training_resumed",
                                    "curve_requested",
                                    "curve_stopped",
                                    "guideline_published",
                                    "gold_reopened",
                                    "reannotation_requested",
                                    "reannotation_stopped",
                                    "reannotation_resumed",
                                    "reparse_started",
                                    "reparse_stopped",
                                    "work_retried",
                                    "release_requested",
                                    "release_stopped",
                                    "release_created",
                                    "release_terms_changed",
                                    "erratum_added",
                                    "webhook_added",
                                    "webhook_paused",
                                    "webhook_resumed",
                                    "webhook_removed",
                                    "import_started",
                                    "import_cancelled",
                                    "import_undone",
                                    "assets_requested",
                                    "feed_followed",
                                    "feed_changed",
                                    "feed_removed",
                                    "export_requested",
                                    "export_stopped",
                                    "export_downloaded",
                                    "page_taken_down",
                                ],
                            )
                        ),
                        name="known_audit_action",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("source__in", ["web", "api", "command_line", "worker"])),
                        name="known_audit_source",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="FollowedFeed",
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
                ("followed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("url", models.TextField()),
                ("title", models.CharField(blank=True, default="", max_length=200)),
                ("every_hours", models.PositiveSmallIntegerField(default=24)),
                (
                    "daily_cap",
                    models.PositiveSmallIntegerField(
                        default=5,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                    ),
                ),
                ("with_assets", models.BooleanField(default=False)),
                ("paused_at", models.DateTimeField(null=True)),
                ("next_check_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("checked_at", models.DateTimeField(null=True)),
                ("misses", models.PositiveSmallIntegerField(default=0)),
                ("problem", models.CharField(blank=True, default="", max_length=300)),
                ("listed", models.PositiveIntegerField(default=0)),
                ("taken", models.PositiveIntegerField(default=0)),
                ("etag", models.CharField(blank=True, default="", max_length=200)),
                ("last_modified", models.CharField(blank=True, default="", max_length=200)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="feeds",
                        to="annotator.corpus",
                    ),
                ),
                (
                    "followed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["enqueued_at"],
                        name="followedfeed_open",
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="followedfeed_failed",
                    ),
                    models.Index(
                        condition=models.Q(("finished_at__isnull", False), ("paused_at", None)),
                        fields=["next_check_at"],
                        name="feeds_due",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("corpus", "url"), name="unique_feed_of_corpus"),
                    models.CheckConstraint(
                        condition=models.Q(("daily_cap__gte", 1), ("daily_cap__lte", 100)),
                        name="daily_cap_is_sensible",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("every_hours__gte", 1)), name="feeds_are_checked_hourly_at_most"
                    ),
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
                ("email", models.EmailField(blank=True, default="", max_length=254)),
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
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="reannotation_failed",
                    ),
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
                ("splits", models.JSONField(default=dict)),
                ("left_out", models.PositiveIntegerField(default=0)),
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
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="release_failed",
                    ),
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
            name="Session",
            fields=[
                (
                    "session_key",
                    models.CharField(
                        max_length=40, primary_key=True, serialize=False, verbose_name="session key"
                    ),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "session",
                "verbose_name_plural": "sessions",
                "abstract": False,
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
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.TextField()),
                ("events", models.JSONField()),
                ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("ended_at", models.DateTimeField(editable=False, null=True)),
                ("paused_at", models.DateTimeField(editable=False, null=True)),
                ("tells_from", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("searched_until", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="webhooks",
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
                "ordering": ["pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("events", []), _negated=True), name="webhook_has_events"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None)),
                        fields=("corpus", "url"),
                        name="one_webhook_per_address",
                    ),
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
            name="CountedScore",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("corpus", models.BigIntegerField()),
                ("score", models.BigIntegerField(null=True)),
                ("kind", models.PositiveSmallIntegerField()),
                ("failed", models.BooleanField()),
                ("microseconds", models.BigIntegerField(null=True)),
                (
                    "amounts",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.IntegerField(null=True), size=None
                    ),
                ),
                (
                    "f1",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.SmallIntegerField(null=True), size=None
                    ),
                ),
                (
                    "page",
                    models.ForeignKey(
                        db_column="page",
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="scores",
                        to="annotator.countedpage",
                    ),
                ),
                (
                    "extractor",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="annotator.extractor",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__0"), name="worst_pages_0"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__1"), name="worst_pages_1"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__2"), name="worst_pages_2"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__3"), name="worst_pages_3"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__4"), name="worst_pages_4"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__5"), name="worst_pages_5"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__6"), name="worst_pages_6"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__7"), name="worst_pages_7"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__8"), name="worst_pages_8"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__9"), name="worst_pages_9"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__10"), name="worst_pages_10"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__11"), name="worst_pages_11"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__12"), name="worst_pages_12"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__13"), name="worst_pages_13"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__14"), name="worst_pages_14"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__15"), name="worst_pages_15"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__16"), name="worst_pages_16"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__17"), name="worst_pages_17"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__18"), name="worst_pages_18"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__19"), name="worst_pages_19"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__20"), name="worst_pages_20"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__21"), name="worst_pages_21"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__22"), name="worst_pages_22"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__23"), name="worst_pages_23"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__24"), name="worst_pages_24"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__25"), name="worst_pages_25"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__26"), name="worst_pages_26"
                    ),
                    models.Index(
                        models.F("corpus"), models.F("extractor"), models.F("f1__27"), name="worst_pages_27"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("page", "extractor"), name="one_counted_score_per_cell", nulls_distinct=False
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Run",
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
                ("part", models.CharField(blank=True, default="", max_length=300)),
                ("position", models.BigIntegerField(default=0)),
                ("pages", models.PositiveIntegerField(default=0)),
                ("done", models.PositiveIntegerField(default=0)),
                ("failed", models.PositiveIntegerField(default=0)),
                ("retrying", models.PositiveIntegerField(default=0)),
                ("counted_at", models.DateTimeField(null=True)),
                ("counting_seconds", models.FloatField(default=0)),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("done_at_start", models.PositiveIntegerField(default=0)),
                ("paused_at", models.DateTimeField(null=True)),
                ("cancelled_at", models.DateTimeField(null=True)),
                ("completed_at", models.DateTimeField(null=True)),
                ("file_name", models.CharField(blank=True, default="", max_length=300)),
                ("file_sha256", models.CharField(blank=True, default="", max_length=64)),
                ("read_at", models.DateTimeField(null=True)),
                (
                    "missing_outputs",
                    models.CharField(
                        choices=[("left_out", "Leave these pages out"), ("empty", "Count as empty outputs")],
                        default="left_out",
                        max_length=10,
                    ),
                ),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="runs",
                        to="annotator.corpus",
                    ),
                ),
                (
                    "extractor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="runs",
                        to="annotator.extractor",
                    ),
                ),
                (
                    "replaced",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced_in",
                        to="annotator.extractor",
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
                "ordering": ["-requested_at", "-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)), fields=["enqueued_at"], name="run_open"
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="run_failed",
                    ),
                    models.Index(fields=["corpus", "-requested_at"], name="runs_of_corpus"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("cancelled_at", None), ("completed_at", None)),
                        fields=("corpus", "extractor"),
                        name="one_open_run_per_extractor",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("missing_outputs__in", ["left_out", "empty"])),
                        name="known_missing_outputs",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ScoreTotal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("metric", models.CharField(max_length=20)),
                ("labels", models.CharField(max_length=60)),
                ("dimension", models.CharField(blank=True, max_length=10)),
                ("value", models.CharField(blank=True, max_length=255)),
                ("kind", models.PositiveSmallIntegerField()),
                ("pages", models.BigIntegerField(default=0)),
                ("failures", models.BigIntegerField(default=0)),
                ("timed", models.BigIntegerField(default=0)),
                ("microseconds", models.BigIntegerField(default=0)),
                ("draws", models.BigIntegerField(default=0)),
                ("with_precision", models.BigIntegerField(default=0)),
                ("with_recall", models.BigIntegerField(default=0)),
                ("with_both", models.BigIntegerField(default=0)),
                ("precision", models.BigIntegerField(default=0)),
                ("recall", models.BigIntegerField(default=0)),
                ("f1", models.BigIntegerField(default=0)),
                ("precision_precision", models.BigIntegerField(default=0)),
                ("recall_recall", models.BigIntegerField(default=0)),
                ("precision_recall", models.BigIntegerField(default=0)),
                ("f1_f1", models.BigIntegerField(default=0)),
                ("precision_both", models.BigIntegerField(default=0)),
                ("recall_both", models.BigIntegerField(default=0)),
                ("true", models.BigIntegerField(default=0)),
                ("predicted", models.BigIntegerField(default=0)),
                ("gold", models.BigIntegerField(default=0)),
                ("true_true", models.BigIntegerField(default=0)),
                ("predicted_predicted", models.BigIntegerField(default=0)),
                ("gold_gold", models.BigIntegerField(default=0)),
                ("true_predicted", models.BigIntegerField(default=0)),
                ("true_gold", models.BigIntegerField(default=0)),
                ("predicted_gold", models.BigIntegerField(default=0)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="annotator.corpus"
                    ),
                ),
                (
                    "extractor",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="annotator.extractor",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("corpus", "metric", "labels", "dimension", "value", "extractor", "kind"),
                        name="one_total_per_slice",
                        nulls_distinct=False,
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AssetFetch",
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
                (
                    "source",
                    models.CharField(
                        choices=[("origin", "their addresses"), ("archive", "the Internet Archive")],
                        max_length=10,
                    ),
                ),
                ("found", models.PositiveIntegerField(default=0)),
                ("missing", models.PositiveIntegerField(default=0)),
                ("problems", models.JSONField(default=dict)),
                ("returns", models.PositiveSmallIntegerField(default=0)),
                (
                    "requested_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="asset_fetches",
                        to="annotator.page",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["enqueued_at"],
                        name="assetfetch_open",
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="assetfetch_failed",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("page", "source"), name="unique_asset_fetch")
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
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="importedgold_failed",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("page", "sha256"), name="unique_imported_gold")
                ],
            },
        ),
        migrations.CreateModel(
            name="PageAsset",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.TextField()),
                ("sha256", models.CharField(max_length=64)),
                ("size", models.PositiveIntegerField()),
                ("media_type", models.CharField(blank=True, default="", max_length=100)),
                ("fetched_at", models.DateTimeField(null=True)),
                (
                    "kind",
                    models.CharField(
                        blank=True,
                        choices=[("sheet", "Sheet"), ("image", "Image"), ("refused", "Refused")],
                        default="",
                        max_length=10,
                    ),
                ),
                ("refusal", models.CharField(blank=True, default="", max_length=200)),
                ("served_sha256", models.CharField(blank=True, default="", max_length=64)),
                ("served_type", models.CharField(blank=True, default="", max_length=40)),
                ("width", models.PositiveIntegerField(null=True)),
                ("height", models.PositiveIntegerField(null=True)),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assets",
                        to="annotator.page",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["sha256"], name="asset_twins"),
                    models.Index(fields=["page", "served_sha256"], name="asset_served"),
                    models.Index(django.db.models.functions.text.MD5("url"), name="asset_addresses"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("page"),
                        django.db.models.functions.text.MD5("url"),
                        name="unique_asset_address",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("served_sha256", ""), ("kind", "image"), _connector="OR"),
                        name="only_images_are_served",
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
                ("quirks", models.BooleanField(default=False)),
                ("external_sheets", models.PositiveIntegerField(null=True)),
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
                "indexes": [models.Index(fields=["made_at"], name="document_made")],
                "constraints": [
                    models.UniqueConstraint(fields=("page", "version"), name="unique_document_per_parser")
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
            name="Import",
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
                (
                    "source_kind",
                    models.CharField(
                        choices=[
                            ("upload", "Uploaded files"),
                            ("path", "Command line"),
                            ("addresses", "Addresses"),
                            ("feed", "Feed"),
                        ],
                        max_length=12,
                    ),
                ),
                ("name", models.CharField(max_length=300)),
                ("source", models.TextField(blank=True, default="")),
                ("format", models.CharField(blank=True, default="", max_length=20)),
                ("with_gold", models.BooleanField(default=False)),
                ("with_assets", models.BooleanField(default=True)),
                ("preview", models.JSONField(null=True)),
                ("total", models.PositiveIntegerField(null=True)),
                ("position", models.PositiveIntegerField(default=0)),
                ("new", models.PositiveIntegerField(default=0)),
                ("duplicates", models.PositiveIntegerField(default=0)),
                ("refused", models.PositiveIntegerField(default=0)),
                ("gold", models.PositiveIntegerField(default=0)),
                ("uploaded_at", models.DateTimeField(null=True)),
                ("previewed_at", models.DateTimeField(null=True)),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("paused_at", models.DateTimeField(null=True)),
                ("cancelled_at", models.DateTimeField(null=True)),
                ("completed_at", models.DateTimeField(null=True)),
                ("undo_requested_at", models.DateTimeField(null=True)),
                ("undone_at", models.DateTimeField(null=True)),
                ("cleared_at", models.DateTimeField(null=True)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="imports",
                        to="annotator.corpus",
                    ),
                ),
                (
                    "feed",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="imports",
                        to="annotator.followedfeed",
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
                "ordering": ["-requested_at", "-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)), fields=["enqueued_at"], name="import_open"
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="import_failed",
                    ),
                    models.Index(fields=["corpus", "-requested_at"], name="imports_of_corpus"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("source_kind__in", ["upload", "path", "addresses", "feed"])),
                        name="known_source_kind",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "position",
                                django.db.models.expressions.CombinedExpression(
                                    django.db.models.expressions.CombinedExpression(
                                        models.F("new"), "+", models.F("duplicates")
                                    ),
                                    "+",
                                    models.F("refused"),
                                ),
                            )
                        ),
                        name="import_counts_add_up",
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
                        condition=models.Q(("description", "taken down"), _negated=True),
                        fields=("release", "sha256", "description"),
                        name="unique_erratum",
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
                ("with_pages", models.BooleanField(default=True)),
                ("with_annotations", models.BooleanField(default=False)),
                ("pages", models.PositiveIntegerField(default=0)),
                ("done", models.PositiveIntegerField(default=0)),
                ("size", models.PositiveBigIntegerField(default=0)),
                ("sha256", models.CharField(blank=True, default="", max_length=64)),
                ("losses", models.JSONField(default=dict)),
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
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="export_failed",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LearningCurve",
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
                ("labels", models.CharField(max_length=20)),
                ("data_sha256", models.CharField(blank=True, default="", max_length=64)),
                ("folds_done", models.PositiveIntegerField(default=0)),
                ("folds", models.PositiveIntegerField(default=0)),
                ("stopped_at", models.DateTimeField(null=True)),
                ("result", models.JSONField(null=True)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="learning_curves",
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
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="learning_curves",
                        to="annotator.release",
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["enqueued_at"],
                        name="learningcurve_open",
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="learningcurve_failed",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("finished_at", None)),
                        fields=("corpus",),
                        name="one_open_learning_curve",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("result", None),
                            models.Q(
                                ("error", ""),
                                ("finished_at__isnull", False),
                                models.Q(("data_sha256", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="measured_curve_is_whole",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TrainedModel",
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
                ("architecture", models.CharField(max_length=60)),
                ("hyper_parameters", models.JSONField(default=dict)),
                ("seed", models.PositiveIntegerField(default=1)),
                ("labels", models.CharField(max_length=20)),
                ("splits_sha256", models.CharField(blank=True, default="", max_length=64)),
                ("data_sha256", models.CharField(blank=True, default="", max_length=64)),
                ("pages_ready", models.PositiveIntegerField(default=0)),
                ("pages", models.PositiveIntegerField(default=0)),
                ("rounds_done", models.PositiveIntegerField(default=0)),
                ("rounds_at_most", models.PositiveIntegerField(default=0)),
                ("stopped_at", models.DateTimeField(null=True)),
                ("code_version", models.CharField(blank=True, default="", max_length=120)),
                ("metrics", models.JSONField(default=dict)),
                ("file_sha256", models.CharField(blank=True, default="", max_length=64)),
                ("file_size", models.PositiveBigIntegerField(default=0)),
                ("licence_note", models.CharField(blank=True, default="", max_length=500)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="models",
                        to="annotator.corpus",
                    ),
                ),
                (
                    "extractor",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="model",
                        to="annotator.extractor",
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="models",
                        to="annotator.release",
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
                        condition=models.Q(("finished_at", None)),
                        fields=["enqueued_at"],
                        name="trainedmodel_open",
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="trainedmodel_failed",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("corpus", "number"), name="unique_model_number"),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="model_number_is_positive"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "architecture__in",
                                ("web2text", "boilernet", "crf", "mss-supervised", "goldpan"),
                            )
                        ),
                        name="known_architecture",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("extractor", None), ("file_sha256", "")),
                            models.Q(
                                ("error", ""),
                                ("extractor__isnull", False),
                                ("finished_at__isnull", False),
                                ("stopped_at", None),
                                models.Q(("file_sha256", ""), _negated=True),
                                models.Q(("data_sha256", ""), _negated=True),
                                models.Q(("splits_sha256", ""), _negated=True),
                                models.Q(("code_version", ""), _negated=True),
                                models.Q(("licence_note", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="trained_model_is_whole",
                    ),
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
                ("final_after", models.DurationField(default=dt.timedelta)),
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
                "indexes": [
                    models.Index(
                        condition=models.Q(("inclusion_probability__isnull", False)),
                        fields=["page"],
                        name="weighted_rounds",
                    )
                ],
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
                            models.Q(("purpose", "practice"), _negated=True), ("blind", True), _connector="OR"
                        ),
                        name="practice_rounds_are_blind",
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
            name="Delivery",
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
                (
                    "event",
                    models.CharField(
                        choices=[
                            ("gold.decided", "Gold was made or changed by people"),
                            ("release.made", "A release was made"),
                            ("run.ended", "A run was completed, was cancelled or failed"),
                        ],
                        max_length=20,
                    ),
                ),
                ("subject", models.CharField(max_length=100)),
                ("body", models.JSONField()),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("problem", models.CharField(blank=True, default="", max_length=200)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotator.corpus"
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deliveries",
                        to="annotator.webhook",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["enqueued_at"],
                        name="delivery_open",
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="delivery_failed",
                    ),
                    models.Index(fields=["webhook", "-id"], name="deliveries_of_webhook"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("webhook", "event", "subject"), name="no_event_is_told_twice"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("event__in", ["gold.decided", "release.made", "run.ended"])),
                        name="known_webhook_event",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="UploadedOutput",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=300)),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("matched", "Matched"),
                            ("unknown", "No such page"),
                            ("repeated", "Repeated"),
                            ("refused", "Refused"),
                        ],
                        max_length=10,
                    ),
                ),
                ("text", models.TextField(blank=True, default="")),
                ("spans", models.JSONField(null=True)),
                ("document_sha256", models.CharField(blank=True, default="", max_length=64)),
                ("reason", models.CharField(blank=True, default="", max_length=300)),
                ("placed", models.PositiveIntegerField(null=True)),
                ("total", models.PositiveIntegerField(null=True)),
                (
                    "page",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="uploaded_outputs",
                        to="annotator.page",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="outputs",
                        to="annotator.run",
                    ),
                ),
            ],
            options={
                "ordering": ["run", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("run", "number"), name="unique_output_number"),
                    models.UniqueConstraint(
                        condition=models.Q(("outcome", "matched")),
                        fields=("run", "page"),
                        name="one_output_per_page",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("outcome__in", ["matched", "unknown", "repeated", "refused"])),
                        name="known_output_outcome",
                    ),
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
                        db_index=False,
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
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="extraction_failed",
                    ),
                    models.Index(fields=["finished_at"], name="extraction_finished"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("document", "extractor"), name="unique_extraction")
                ],
            },
        ),
        migrations.CreateModel(
            name="Look",
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
                ("view_sha256", models.CharField(blank=True, default="", max_length=64)),
                ("sheets", models.PositiveIntegerField(default=0)),
                ("images", models.PositiveIntegerField(default=0)),
                ("missing_sheets", models.JSONField(default=list)),
                ("missing_images", models.JSONField(default=list)),
                (
                    "document",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="look",
                        to="annotator.storeddocument",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)), fields=["enqueued_at"], name="look_open"
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="look_failed",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="FeedEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.TextField()),
                ("digest", models.CharField(max_length=64)),
                ("site", models.CharField(max_length=255)),
                ("published_at", models.DateTimeField(null=True)),
                ("listed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("taken_at", models.DateTimeField(null=True)),
                (
                    "corpus",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotator.corpus"
                    ),
                ),
                (
                    "feed",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="annotator.followedfeed",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="annotator.import",
                    ),
                ),
            ],
            options={
                "ordering": ["-published_at", "pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("taken_at__isnull", False)),
                        fields=["corpus", "site", "taken_at"],
                        name="entries_taken_by_site",
                    ),
                    models.Index(fields=["corpus", "digest"], name="entries_by_address"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("feed", "digest"), name="unique_entry_of_feed")
                ],
            },
        ),
        migrations.CreateModel(
            name="ImportAddress",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("url", models.TextField()),
                ("location", models.CharField(max_length=300)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("problem", models.CharField(blank=True, default="", max_length=300)),
                ("not_before", models.DateTimeField(null=True)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="addresses",
                        to="annotator.import",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("run", "number"), name="unique_address_number"),
                    models.UniqueConstraint(fields=("run", "location"), name="unique_address_location"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ImportFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=500)),
                ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("size", models.PositiveBigIntegerField()),
                ("received", models.PositiveBigIntegerField(default=0)),
                ("parts", models.PositiveIntegerField(default=0)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="files",
                        to="annotator.import",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("run", "name"), name="unique_file_per_import"),
                    models.CheckConstraint(
                        condition=models.Q(("received__lte", models.F("size"))),
                        name="no_more_than_was_announced",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ImportRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                ("location", models.CharField(max_length=300)),
                (
                    "outcome",
                    models.CharField(
                        choices=[("added", "Added"), ("duplicate", "Already there"), ("refused", "Refused")],
                        max_length=10,
                    ),
                ),
                ("gold", models.BooleanField(default=False)),
                ("cause", models.CharField(blank=True, default="", max_length=30)),
                ("reason", models.TextField(blank=True, default="")),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="records",
                        to="annotator.import",
                    ),
                ),
                (
                    "page",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="import_records",
                        to="annotator.page",
                    ),
                ),
            ],
            options={
                "ordering": ["run", "position"],
                "indexes": [models.Index(fields=["run", "outcome", "position"], name="records_by_outcome")],
                "constraints": [
                    models.UniqueConstraint(fields=("run", "position"), name="unique_record_per_position"),
                    models.CheckConstraint(
                        condition=models.Q(("outcome__in", ["added", "duplicate", "refused"])),
                        name="known_outcome",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CurveFold",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("sizes", models.JSONField()),
                ("figures", models.JSONField()),
                (
                    "curve",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="measured",
                        to="annotator.learningcurve",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [models.UniqueConstraint(fields=("curve", "number"), name="one_row_per_fold")],
            },
        ),
        migrations.CreateModel(
            name="TrainingRound",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("part", models.CharField(max_length=20)),
                ("number", models.PositiveIntegerField()),
                ("loss", models.FloatField()),
                ("score", models.FloatField()),
                (
                    "model",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rounds",
                        to="annotator.trainedmodel",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("model", "part", "number"), name="one_point_per_round"),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="round_number_is_positive"
                    ),
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
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="agreement_failed",
                    ),
                    models.Index(fields=["finished_at"], name="agreement_finished"),
                    models.Index(
                        condition=models.Q(("finished_at__isnull", False), ("same_verdict", None)),
                        fields=["round"],
                        name="agreement_single",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("round", "edition"), name="one_comparison_per_edition")
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
                (
                    "key",
                    models.UUIDField(
                        db_default=django.contrib.postgres.functions.RandomUUID(), editable=False, unique=True
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
                    models.Index(
                        condition=models.Q(("submitted_at__isnull", False)),
                        fields=["submitted_at"],
                        name="slots_submitted",
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
            name="ShrunkPage",
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
                ("start", models.PositiveIntegerField()),
                ("end", models.PositiveIntegerField()),
                ("is_missing", models.BooleanField()),
                ("labels", models.CharField(max_length=20)),
                ("html", models.TextField(blank=True, default="")),
                ("tried", models.PositiveIntegerField(default=0)),
                ("is_minimal", models.BooleanField(default=False)),
                (
                    "extraction",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="shrunk_pages",
                        to="annotator.extraction",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at", None)),
                        fields=["enqueued_at"],
                        name="shrunkpage_open",
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="shrunkpage_failed",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("extraction", "start", "end", "is_missing", "labels"),
                        name="one_shrunk_page_per_error",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("start__lt", models.F("end"))), name="error_is_not_empty"
                    ),
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
                    )
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
                    "adjudication",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="gold",
                        to="annotator.adjudication",
                    ),
                ),
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
                "indexes": [models.Index(fields=["finalised_at"], name="gold_finalised")],
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
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="delta_failed",
                    ),
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
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="reparse_job_failed",
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
                        db_index=False,
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
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="score_failed",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("gold", "extraction"), name="one_score_per_cell")
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
                    ),
                    models.Index(
                        condition=models.Q(
                            ("finished_at__isnull", False), models.Q(("error", ""), _negated=True)
                        ),
                        fields=["finished_at"],
                        name="measurement_failed",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="adjudication",
            name="reopens",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="reopenings",
                to="annotator.gold",
            ),
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
            model_name="studydesign",
            name="people",
            field=models.ManyToManyField(blank=True, related_name="+", to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name="adjudication",
            constraint=models.UniqueConstraint(
                condition=models.Q(("reopens", None)),
                fields=("round", "edition"),
                name="one_adjudication_per_edition",
            ),
        ),
        migrations.AddConstraint(
            model_name="adjudication",
            constraint=models.UniqueConstraint(
                condition=models.Q(("finalised_at", None), ("reopens__isnull", False)),
                fields=("round",),
                name="one_open_adjudication_of_reopened_gold",
            ),
        ),
        migrations.AddConstraint(
            model_name="adjudication",
            constraint=models.CheckConstraint(
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
        ),
    ]
