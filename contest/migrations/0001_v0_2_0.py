"""Version 0.2.0, the first release."""

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import contest.models.player
import contest.models.round

# Rule 2.6, where the database can say it: no two announced rounds are open at the same moment.
EXCLUDE = """
ALTER TABLE contest_round ADD CONSTRAINT round_one_open_at_a_time
EXCLUDE USING gist (tstzrange(opens_at, closes_at) WITH &&) WHERE (announced_at IS NOT NULL AND cancelled_at IS NULL)
"""


def exclude_overlaps(_apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(EXCLUDE)


class Migration(migrations.Migration):
    replaces = [
        ("contest", "0001_initial"),
        ("contest", "0002_the_whole_rulebook"),
        ("contest", "0003_fill_in_the_rulebook"),
        ("contest", "0004_hold_to_the_rulebook"),
        ("contest", "0005_record_outages"),
        ("contest", "0006_name_players_by_random_numbers"),
        ("contest", "0007_find_held_submissions"),
        ("contest", "0008_rejudging"),
        ("contest", "0009_name_seasons"),
        ("contest", "0010_remember_when_names_were_taken"),
        ("contest", "0011_drop_indexes_that_others_cover"),
        ("contest", "0012_say_what_can_be_won"),
        ("contest", "0013_levels_wait_in_a_library"),
        ("contest", "0014_collections_and_proposals"),
        ("contest", "0015_remember_what_is_judged_again"),
        ("contest", "0016_make_films"),
        ("contest", "0017_organisers_write_posts"),
        ("contest", "0018_say_a_series_trouble_in_each_language"),
        ("contest", "0019_letters_to_subscribers"),
        ("contest", "0020_let_organisers_write_posts"),
        ("contest", "0021_keep_one_form_of_an_address"),
        ("contest", "0022_names_by_their_looks"),
        ("contest", "0023_remember_complete_rounds"),
        ("contest", "0024_give_everybody_a_turn"),
        ("contest", "0025_one_job_queue"),
        ("contest", "0026_say_when_a_series_advanced"),
        ("contest", "0027_rounds_from_elsewhere"),
        ("contest", "0028_vetting"),
        ("contest", "0029_publish_collections"),
        ("contest", "0030_events"),
    ]

    initial = True

    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(verbose_name="at")),
                ("actor_name", models.CharField(blank=True, max_length=150, verbose_name="who")),
                ("act", models.CharField(max_length=40, verbose_name="act")),
                ("target", models.CharField(max_length=80, verbose_name="target")),
                ("reason", models.TextField(blank=True, verbose_name="reason")),
                ("before", models.JSONField(default=dict)),
                ("after", models.JSONField(default=dict)),
                (
                    "actor",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "audit entry",
                "verbose_name_plural": "audit entries",
                "ordering": ["-at", "-pk"],
                "indexes": [models.Index(fields=["target", "-at"], name="audit_target")],
            },
        ),
        migrations.CreateModel(
            name="Banner",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text_zh", models.CharField(blank=True, max_length=500, verbose_name="text in Chinese")),
                ("text_en", models.CharField(blank=True, max_length=500, verbose_name="text in English")),
                ("shown_from", models.DateTimeField(verbose_name="shown from")),
                ("shown_until", models.DateTimeField(blank=True, null=True, verbose_name="shown until")),
            ],
            options={
                "verbose_name": "banner",
                "verbose_name_plural": "banners",
                "ordering": ["-shown_from"],
            },
        ),
        migrations.CreateModel(
            name="ChainGap",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.BigIntegerField()),
                ("horizon", models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="Collection",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "slug",
                    models.CharField(
                        help_text="Small letters, digits and hyphens; it cannot be changed later.",
                        max_length=60,
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                "\\A[a-z0-9]+(-[a-z0-9]+)*\\Z", "Small letters, digits and hyphens."
                            )
                        ],
                        verbose_name="address",
                    ),
                ),
                ("title_zh", models.CharField(blank=True, max_length=150, verbose_name="title in Chinese")),
                ("title_en", models.CharField(max_length=150, verbose_name="title in English")),
                ("author", models.CharField(blank=True, max_length=200, verbose_name="author")),
                ("remarks", models.TextField(blank=True, max_length=5000, verbose_name="remarks")),
                (
                    "licence",
                    models.CharField(
                        blank=True,
                        help_text="What everybody may do with the levels, as the author says.",
                        max_length=200,
                        verbose_name="licence",
                    ),
                ),
                (
                    "rights",
                    models.CharField(
                        help_text="Who gave leave to publish the levels, and when. Readers do not see it.",
                        max_length=300,
                        verbose_name="rights",
                    ),
                ),
                ("may_download", models.BooleanField(default=False, verbose_name="may be downloaded as a file")),
                ("path_length", models.PositiveIntegerField(default=0, editable=False)),
                ("count", models.PositiveIntegerField(default=0, editable=False)),
                ("published_at", models.DateTimeField(editable=False)),
                ("withdrawn_at", models.DateTimeField(editable=False, null=True)),
                (
                    "published_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "collection",
                "verbose_name_plural": "collections",
                "ordering": ["-path_length", "-published_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="CollectedLevel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveIntegerField()),
                ("title", models.CharField(blank=True, max_length=200)),
                ("author", models.CharField(blank=True, max_length=200)),
                ("text", models.TextField()),
                ("sha256", models.CharField(max_length=64)),
                ("key", models.CharField(blank=True, db_index=True, max_length=64)),
                ("width", models.PositiveSmallIntegerField()),
                ("height", models.PositiveSmallIntegerField()),
                ("boxes", models.PositiveSmallIntegerField()),
                ("area", models.PositiveIntegerField()),
                (
                    "grade",
                    models.PositiveSmallIntegerField(
                        choices=[(1, "first steps"), (2, "easy"), (3, "medium"), (4, "hard"), (5, "very hard")],
                        null=True,
                    ),
                ),
                ("least_moves", models.PositiveIntegerField(null=True)),
                ("least_pushes", models.PositiveIntegerField(null=True)),
                ("best_moves", models.PositiveIntegerField(null=True)),
                ("best_pushes", models.PositiveIntegerField(null=True)),
                ("solvers", models.PositiveIntegerField(default=0)),
                ("is_public", models.BooleanField(default=True)),
                ("published_at", models.DateTimeField()),
                (
                    "collection",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="levels",
                        to="contest.collection",
                    ),
                ),
            ],
            options={
                "verbose_name": "level of a collection",
                "verbose_name_plural": "levels of collections",
                "ordering": ["collection", "place"],
                "indexes": [
                    models.Index(fields=["is_public", "-published_at", "collection", "place"], name="collected_newest"),
                    models.Index(fields=["is_public", "boxes", "collection", "place"], name="collected_by_boxes"),
                    models.Index(fields=["is_public", "area", "collection", "place"], name="collected_by_area"),
                    models.Index(fields=["is_public", "solvers", "collection", "place"], name="collected_by_solvers"),
                    models.Index(fields=["is_public", "grade", "collection", "place"], name="collected_by_grade"),
                ],
                "constraints": [models.UniqueConstraint(fields=("collection", "place"), name="collected_level_place")],
            },
        ),
        migrations.CreateModel(
            name="FailedIntake",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("began_at", models.DateTimeField()),
                ("last_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                (
                    "part",
                    models.CharField(
                        choices=[("web", "web"), ("judge", "judge"), ("backup", "backup")],
                        max_length=8,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("beat_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Intake",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(blank=True, max_length=200)),
                ("brought_at", models.DateTimeField()),
                ("at_line", models.PositiveIntegerField(default=0)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("data", models.BinaryField(default=b"")),
                ("kept", models.PositiveIntegerField(default=0)),
                ("labels", models.JSONField(default=dict)),
                ("lines", models.PositiveIntegerField(default=1)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("reading", "being read"),
                            ("read", "read"),
                            ("keeping", "going into the library"),
                            ("stopped", "stopped"),
                            ("failed", "not readable"),
                        ],
                        default="reading",
                        max_length=8,
                    ),
                ),
                ("taken", models.PositiveIntegerField(default=0)),
                ("unread", models.PositiveIntegerField(default=0)),
                ("claim_token", models.UUIDField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                (
                    "brought_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Outage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("began_at", models.DateTimeField(unique=True)),
                ("ended_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["-began_at"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("ended_at__gt", models.F("began_at"))), name="outage_ends_after_it_began"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("nickname", models.CharField(max_length=128, verbose_name="nickname")),
                ("name_key", models.CharField(editable=False, max_length=512, unique=True, verbose_name="name key")),
                ("country", models.CharField(blank=True, max_length=8, verbose_name="country or region")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="e-mail")),
                (
                    "league",
                    models.CharField(
                        choices=[("human", "human"), ("bot", "bot")],
                        default="human",
                        max_length=8,
                        verbose_name="league",
                    ),
                ),
                ("claim_sha256", models.CharField(blank=True, editable=False, max_length=64)),
                ("created_at", models.DateTimeField(editable=False, verbose_name="first seen at")),
                ("erased_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("is_imported", models.BooleanField(default=False, editable=False)),
                (
                    "archive_number",
                    models.BigIntegerField(
                        default=contest.models.player.new_archive_number, editable=False, unique=True
                    ),
                ),
                ("reclaimed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("renamed_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("look_key", models.CharField(db_index=True, default="", editable=False, max_length=512)),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="aliases",
                        to="contest.player",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="players",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
            ],
            options={
                "verbose_name": "player",
                "verbose_name_plural": "players",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("league__in", ["human", "bot"])), name="player_league_known"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="LevelResult",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("receipt_id", models.CharField(editable=False, max_length=32, unique=True)),
                ("lurd", models.TextField()),
                ("sha256", models.CharField(max_length=64)),
                ("moves", models.PositiveIntegerField()),
                ("pushes", models.PositiveIntegerField()),
                ("received_at", models.DateTimeField()),
                ("is_best_by_moves", models.BooleanField(default=False)),
                ("is_best_by_pushes", models.BooleanField(default=False)),
                (
                    "level",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="results",
                        to="contest.collectedlevel",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="level_results", to="contest.player"
                    ),
                ),
                (
                    "sent_as",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="contest.player",
                    ),
                ),
            ],
            options={
                "verbose_name": "result of a level",
                "verbose_name_plural": "results of levels",
                "ordering": ["-received_at", "-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("is_best_by_moves", True)),
                        fields=["level", "moves", "pushes", "received_at", "id"],
                        name="level_result_by_moves",
                    ),
                    models.Index(
                        condition=models.Q(("is_best_by_pushes", True)),
                        fields=["level", "pushes", "moves", "received_at", "id"],
                        name="level_result_by_pushes",
                    ),
                    models.Index(fields=["level", "player"], name="level_result_of_player"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("sent_as", "level", "sha256"), name="level_result_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("is_best_by_moves", True)),
                        fields=("level", "player"),
                        name="level_result_best_by_moves",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("is_best_by_pushes", True)),
                        fields=("level", "player"),
                        name="level_result_best_by_pushes",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="NameReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("claim", "says the name is theirs"),
                            ("offensive", "offensive name"),
                            ("lookalike", "looks like another name"),
                            ("squatted", "name taken without use"),
                        ],
                        max_length=12,
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("reported_at", models.DateTimeField()),
                ("decided_at", models.DateTimeField(null=True)),
                ("decision", models.CharField(blank=True, max_length=500)),
                (
                    "other",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="contest.player"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="reports", to="contest.player"
                    ),
                ),
            ],
            options={
                "verbose_name": "report about a name",
                "verbose_name_plural": "reports about names",
                "ordering": ["-reported_at"],
            },
        ),
        migrations.CreateModel(
            name="Rejudging",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=100, unique=True, verbose_name="name")),
                ("engine_version", models.PositiveIntegerField()),
                ("made_at", models.DateTimeField()),
                ("applied_at", models.DateTimeField(null=True)),
                ("chosen", models.JSONField(default=dict)),
            ],
            options={
                "ordering": ["-made_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "number",
                    models.PositiveIntegerField(
                        unique=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name="number"
                    ),
                ),
                (
                    "title_zh",
                    models.CharField(
                        blank=True,
                        max_length=200,
                        validators=[contest.models.round.check_plain],
                        verbose_name="title in Chinese",
                    ),
                ),
                (
                    "title_en",
                    models.CharField(
                        blank=True,
                        max_length=200,
                        validators=[contest.models.round.check_plain],
                        verbose_name="title in English",
                    ),
                ),
                (
                    "announced_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="From then on number and times are public. Empty: a draft, which never opens by itself.",
                        null=True,
                        verbose_name="announced at",
                    ),
                ),
                (
                    "opens_at",
                    models.DateTimeField(validators=[contest.models.round.check_year], verbose_name="opens at"),
                ),
                (
                    "closes_at",
                    models.DateTimeField(validators=[contest.models.round.check_year], verbose_name="closes at"),
                ),
                (
                    "finalised_at",
                    models.DateTimeField(blank=True, editable=False, null=True, verbose_name="final since"),
                ),
                ("cancelled_at", models.DateTimeField(blank=True, null=True, verbose_name="cancelled at")),
                (
                    "settings",
                    models.JSONField(
                        default=contest.models.round.default_settings, editable=False, verbose_name="settings"
                    ),
                ),
                ("cancel_reason_en", models.CharField(blank=True, max_length=500, verbose_name="reason in English")),
                ("cancel_reason_zh", models.CharField(blank=True, max_length=500, verbose_name="reason in Chinese")),
                ("commitment", models.CharField(blank=True, editable=False, max_length=64)),
                ("make_up_closes_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("make_up_opens_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("reveal_waits_until", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "prizes_en",
                    models.CharField(
                        blank=True,
                        max_length=500,
                        validators=[contest.models.round.check_plain],
                        verbose_name="prizes in English",
                    ),
                ),
                (
                    "prizes_zh",
                    models.CharField(
                        blank=True,
                        max_length=500,
                        validators=[contest.models.round.check_plain],
                        verbose_name="prizes in Chinese",
                    ),
                ),
                ("complete_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("is_imported", models.BooleanField(default=False, editable=False)),
                ("tabulated_version", models.BigIntegerField(editable=False, null=True)),
            ],
            options={
                "verbose_name": "round",
                "verbose_name_plural": "rounds",
                "ordering": ["-number"],
                "indexes": [models.Index(fields=["opens_at", "closes_at"], name="round_times")],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="round_number_positive"),
                    models.CheckConstraint(
                        condition=models.Q(("closes_at__gt", models.F("opens_at"))),
                        name="round_closes_after_opening",
                        violation_error_message="A round closes after it has opened.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("announced_at", None), ("announced_at__lte", models.F("opens_at")), _connector="OR"
                        ),
                        name="round_announced_before_opening",
                        violation_error_message="A round is announced before it opens, or when it opens.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("make_up_closes_at", None), ("make_up_opens_at", None)),
                            models.Q(
                                ("make_up_closes_at__gt", models.F("make_up_opens_at")),
                                ("make_up_opens_at__gte", models.F("closes_at")),
                            ),
                            _connector="OR",
                        ),
                        name="round_make_up_after_close",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("announced_at", None), models.Q(("commitment", ""), _negated=True), _connector="OR"
                        ),
                        name="round_announced_with_commitment",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Disqualification",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason_zh", models.CharField(blank=True, max_length=500)),
                ("reason_en", models.CharField(blank=True, max_length=500)),
                ("note", models.TextField(blank=True)),
                ("ruled_at", models.DateTimeField()),
                ("lifted_at", models.DateTimeField(null=True)),
                ("lift_reason", models.CharField(blank=True, max_length=500)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="disqualifications",
                        to="contest.player",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="disqualifications",
                        to="contest.round",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("lifted_at", None)),
                        fields=("round", "player"),
                        name="disqualification_one_standing",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Level",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "slot",
                    models.CharField(
                        choices=[("main", "Main"), ("extra", "Extra"), ("extra2", "Extra 2"), ("extra3", "Extra 3")],
                        default="main",
                        max_length=8,
                        verbose_name="slot",
                    ),
                ),
                (
                    "title",
                    models.CharField(
                        blank=True, max_length=200, validators=[contest.models.round.check_plain], verbose_name="title"
                    ),
                ),
                (
                    "author",
                    models.CharField(
                        blank=True, max_length=200, validators=[contest.models.round.check_plain], verbose_name="author"
                    ),
                ),
                ("text", models.TextField(help_text="Rows joined by |, floor as -.", verbose_name="published text")),
                (
                    "solution",
                    models.TextField(
                        help_text="LURD; shown to nobody before the close.", verbose_name="organiser's solution"
                    ),
                ),
                ("sha256", models.CharField(editable=False, max_length=64)),
                ("key", models.CharField(db_index=True, editable=False, max_length=64)),
                ("width", models.PositiveSmallIntegerField(editable=False, verbose_name="columns")),
                ("height", models.PositiveSmallIntegerField(editable=False, verbose_name="rows")),
                ("boxes", models.PositiveSmallIntegerField(editable=False, verbose_name="boxes")),
                ("board_version", models.PositiveBigIntegerField(default=0, editable=False)),
                ("void_reason_en", models.CharField(blank=True, editable=False, max_length=500)),
                ("void_reason_zh", models.CharField(blank=True, editable=False, max_length=500)),
                ("voided_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("unsolved_reason", models.CharField(blank=True, editable=False, max_length=500)),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="levels",
                        to="contest.round",
                        verbose_name="round",
                    ),
                ),
            ],
            options={
                "verbose_name": "level",
                "verbose_name_plural": "levels",
                "ordering": ["round", models.Case(models.When(slot="main", then=0), default=1), "slot"],
                "constraints": [
                    models.UniqueConstraint(fields=("round", "slot"), name="level_one_per_slot"),
                    models.CheckConstraint(
                        condition=models.Q(("slot__in", ["main", "extra", "extra2", "extra3"])), name="level_slot_known"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LibraryLevel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(help_text="Rows joined by |, floor as -.", verbose_name="text")),
                ("solution", models.TextField(blank=True, verbose_name="organiser's solution")),
                (
                    "title",
                    models.CharField(
                        blank=True, max_length=200, validators=[contest.models.round.check_plain], verbose_name="title"
                    ),
                ),
                (
                    "author",
                    models.CharField(
                        blank=True, max_length=200, validators=[contest.models.round.check_plain], verbose_name="author"
                    ),
                ),
                (
                    "tags",
                    models.CharField(
                        blank=True, help_text="Words with commas between them.", max_length=200, verbose_name="tags"
                    ),
                ),
                (
                    "difficulty",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(5),
                        ],
                        verbose_name="difficulty",
                    ),
                ),
                (
                    "rights",
                    models.CharField(
                        blank=True,
                        help_text="Who gave permission to publish the level, and when.",
                        max_length=300,
                        verbose_name="rights",
                    ),
                ),
                ("sha256", models.CharField(editable=False, max_length=64)),
                ("key", models.CharField(db_index=True, editable=False, max_length=64)),
                ("width", models.PositiveSmallIntegerField(editable=False, verbose_name="columns")),
                ("height", models.PositiveSmallIntegerField(editable=False, verbose_name="rows")),
                ("boxes", models.PositiveSmallIntegerField(editable=False, verbose_name="boxes")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "needs work"),
                            ("ready", "ready"),
                            ("used", "used"),
                            ("retired", "put away"),
                        ],
                        default="draft",
                        max_length=8,
                        verbose_name="state",
                    ),
                ),
                ("added_at", models.DateTimeField(verbose_name="added at")),
                ("unsolved_reason", models.CharField(blank=True, max_length=500)),
                (
                    "added_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "used_in",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="contest.round"
                    ),
                ),
            ],
            options={
                "verbose_name": "level of the library",
                "verbose_name_plural": "levels of the library",
                "ordering": ["-added_at", "-pk"],
                "indexes": [
                    models.Index(fields=["-added_at", "-id"], name="library_newest"),
                    models.Index(fields=["state", "-added_at", "-id"], name="library_newest_of_state"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("difficulty", None),
                            models.Q(("difficulty__gte", 1), ("difficulty__lte", 5)),
                            _connector="OR",
                        ),
                        name="library_difficulty",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="IntakeLevel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveIntegerField()),
                ("title", models.CharField(blank=True, max_length=200)),
                ("author", models.CharField(blank=True, max_length=200)),
                ("text", models.TextField(blank=True)),
                ("solution", models.TextField(blank=True)),
                ("sha256", models.CharField(blank=True, max_length=64)),
                ("key", models.CharField(blank=True, max_length=64)),
                ("width", models.PositiveSmallIntegerField(default=0)),
                ("height", models.PositiveSmallIntegerField(default=0)),
                ("boxes", models.PositiveSmallIntegerField(default=0)),
                (
                    "standing",
                    models.CharField(
                        choices=[
                            ("ready", "ready"),
                            ("warned", "with warnings"),
                            ("unsolved", "without a solution"),
                            ("faulty", "faulty"),
                            ("unread", "not readable"),
                        ],
                        max_length=8,
                    ),
                ),
                ("is_known", models.BooleanField(default=False)),
                ("problems", models.JSONField(default=list)),
                ("is_wanted", models.BooleanField(default=False)),
                (
                    "intake",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="levels", to="contest.intake"
                    ),
                ),
                (
                    "kept_as",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="contest.librarylevel",
                    ),
                ),
            ],
            options={
                "verbose_name": "level of a collection",
                "verbose_name_plural": "levels of collections",
                "ordering": ["intake", "place"],
                "indexes": [
                    models.Index(fields=["intake", "standing"], name="intake_by_standing"),
                    models.Index(fields=["intake", "key"], name="intake_by_key"),
                ],
                "constraints": [models.UniqueConstraint(fields=("intake", "place"), name="intake_one_level_a_place")],
            },
        ),
        migrations.CreateModel(
            name="LuckyNumber",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.BigIntegerField()),
                ("salt", models.CharField(max_length=32)),
                ("is_typed", models.BooleanField(default=False)),
                (
                    "round",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="lucky_number", to="contest.round"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 0), ("number__lt", 9007199254740992)),
                        name="lucky_number_in_range",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("extended", "extended"),
                            ("make_up", "make-up window"),
                            ("slot_void", "level void"),
                            ("cancelled", "cancelled"),
                            ("revised", "results revised"),
                        ],
                        max_length=12,
                    ),
                ),
                ("text_zh", models.CharField(blank=True, max_length=1000)),
                ("text_en", models.CharField(blank=True, max_length=1000)),
                ("values", models.JSONField(default=dict)),
                ("written_at", models.DateTimeField()),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="notes", to="contest.round"
                    ),
                ),
            ],
            options={
                "ordering": ["written_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Placing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("league", models.CharField(choices=[("human", "human"), ("bot", "bot")], max_length=8)),
                ("place", models.PositiveIntegerField(null=True)),
                ("move_half_points", models.PositiveIntegerField(default=0)),
                ("push_half_points", models.PositiveIntegerField(default=0)),
                ("firsts_by_moves", models.PositiveSmallIntegerField(default=0)),
                ("firsts_by_pushes", models.PositiveSmallIntegerField(default=0)),
                ("is_mmc", models.BooleanField(default=False)),
                ("is_mpc", models.BooleanField(default=False)),
                ("is_second", models.BooleanField(default=False)),
                ("is_lucky", models.BooleanField(default=False)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="placings", to="contest.player"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="placings", to="contest.round"
                    ),
                ),
            ],
            options={
                "ordering": ["round", "place"],
                "constraints": [models.UniqueConstraint(fields=("round", "player"), name="placing_once")],
            },
        ),
        migrations.CreateModel(
            name="Post",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "slug",
                    models.CharField(
                        max_length=60,
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[a-z0-9]+(-[a-z0-9]+)*\\Z", "Small letters, digits, and single hyphens between."
                            )
                        ],
                        verbose_name="address",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("news", "news"), ("announcement", "announcement"), ("report", "report")],
                        default="news",
                        max_length=12,
                        verbose_name="kind",
                    ),
                ),
                (
                    "title_zh",
                    models.CharField(
                        blank=True,
                        max_length=120,
                        validators=[contest.models.round.check_plain],
                        verbose_name="title in Chinese",
                    ),
                ),
                (
                    "title_en",
                    models.CharField(
                        blank=True,
                        max_length=120,
                        validators=[contest.models.round.check_plain],
                        verbose_name="title in English",
                    ),
                ),
                (
                    "text_zh",
                    models.TextField(
                        blank=True,
                        validators=[django.core.validators.MaxLengthValidator(10000)],
                        verbose_name="text in Chinese",
                    ),
                ),
                (
                    "text_en",
                    models.TextField(
                        blank=True,
                        validators=[django.core.validators.MaxLengthValidator(10000)],
                        verbose_name="text in English",
                    ),
                ),
                ("html_zh", models.TextField(blank=True, editable=False)),
                ("html_en", models.TextField(blank=True, editable=False)),
                ("author", models.CharField(blank=True, max_length=80, verbose_name="author, as shown")),
                ("is_pinned", models.BooleanField(default=False, verbose_name="stays on top")),
                ("published_at", models.DateTimeField(blank=True, null=True, verbose_name="shown from (Beijing time)")),
                ("edited_at", models.DateTimeField(editable=False, null=True)),
                ("note_zh", models.CharField(blank=True, max_length=200, verbose_name="what was changed, in Chinese")),
                ("note_en", models.CharField(blank=True, max_length=200, verbose_name="what was changed, in English")),
                ("version", models.PositiveIntegerField(default=0, editable=False)),
                (
                    "written_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="posts",
                        to="contest.round",
                        verbose_name="about the round",
                    ),
                ),
            ],
            options={
                "verbose_name": "post",
                "verbose_name_plural": "posts",
                "ordering": ["-published_at", "-pk"],
                "indexes": [models.Index(fields=["-published_at"], name="post_published")],
            },
        ),
        migrations.CreateModel(
            name="Mailing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "topic",
                    models.CharField(
                        choices=[
                            ("opening", "a round has opened"),
                            ("closing", "a round closes in 24 hours"),
                            ("results", "results are final"),
                            ("news", "news of the organisers"),
                            ("confirming", "confirming"),
                        ],
                        max_length=12,
                    ),
                ),
                ("key", models.CharField(max_length=60)),
                ("made_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("recipients", models.PositiveIntegerField(default=0)),
                (
                    "post",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mailings",
                        to="contest.post",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="contest.round"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("topic", "key"), name="mailing_once")],
            },
        ),
        migrations.CreateModel(
            name="Proposal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("title", models.CharField(blank=True, max_length=200, verbose_name="title")),
                ("author", models.CharField(blank=True, max_length=200, verbose_name="author")),
                ("text", models.TextField(verbose_name="level")),
                ("solution", models.TextField(blank=True, verbose_name="own solution")),
                ("key", models.CharField(blank=True, db_index=True, max_length=64)),
                ("width", models.PositiveSmallIntegerField()),
                ("height", models.PositiveSmallIntegerField()),
                ("boxes", models.PositiveSmallIntegerField()),
                (
                    "licence",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("contest", "The contest may publish it, with my name, and keep it in its archive."),
                            ("cc-by", "Anybody may use it with my name (CC BY 4.0)."),
                            ("cc0", "Anybody may use it freely (CC0)."),
                        ],
                        max_length=8,
                        verbose_name="rights",
                    ),
                ),
                ("note", models.TextField(blank=True, max_length=2000, verbose_name="note to the organisers")),
                ("language", models.CharField(blank=True, max_length=12)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("sent", "sent"),
                            ("review", "in review"),
                            ("accepted", "accepted"),
                            ("declined", "declined"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="draft",
                        max_length=9,
                        verbose_name="state",
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1)),
                ("made_at", models.DateTimeField()),
                ("sent_at", models.DateTimeField(null=True)),
                ("decided_at", models.DateTimeField(null=True)),
                (
                    "account",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "kept_as",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="proposal",
                        to="contest.librarylevel",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="proposals",
                        to="contest.player",
                    ),
                ),
            ],
            options={
                "verbose_name": "proposed level",
                "verbose_name_plural": "proposed levels",
                "ordering": ["-made_at", "-pk"],
                "indexes": [models.Index(fields=["state", "sent_at"], name="proposal_queue")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state", "draft"), ("state", "withdrawn"), ("sent_at__isnull", False), _connector="OR"
                        ),
                        name="proposal_sent_at",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ProposalComment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(max_length=2000)),
                ("is_by_staff", models.BooleanField()),
                ("written_at", models.DateTimeField()),
                (
                    "proposal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="comments", to="contest.proposal"
                    ),
                ),
                (
                    "written_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["written_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Question",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(max_length=2000, verbose_name="question")),
                ("asked_at", models.DateTimeField()),
                ("public_text", models.TextField(blank=True)),
                ("answer_zh", models.TextField(blank=True)),
                ("answer_en", models.TextField(blank=True)),
                ("answered_at", models.DateTimeField(null=True)),
                ("is_public", models.BooleanField(default=False)),
                (
                    "answered_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="questions", to="contest.player"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="questions", to="contest.round"
                    ),
                ),
            ],
            options={
                "verbose_name": "question",
                "verbose_name_plural": "questions",
                "ordering": ["-asked_at"],
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("league", models.CharField(choices=[("human", "human"), ("bot", "bot")], max_length=8)),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="ratings", to="contest.player"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="ratings", to="contest.round"
                    ),
                ),
            ],
            options={
                "ordering": ["round", "player"],
                "constraints": [models.UniqueConstraint(fields=("round", "player", "league"), name="rating_once")],
            },
        ),
        migrations.CreateModel(
            name="Search",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("vetting", "vetting"),
                            ("study", "after the reveal"),
                            ("asked", "asked by somebody"),
                            ("hint", "hint"),
                        ],
                        max_length=8,
                    ),
                ),
                ("urgency", models.PositiveSmallIntegerField(default=2)),
                ("text", models.TextField()),
                ("sha256", models.CharField(max_length=64)),
                ("ground", models.CharField(blank=True, db_index=True, max_length=64)),
                ("task", models.CharField(blank=True, max_length=8)),
                ("aim", models.CharField(blank=True, max_length=6)),
                ("given", models.TextField(blank=True)),
                ("owner", models.CharField(blank=True, max_length=64)),
                ("network", models.CharField(blank=True, max_length=64)),
                ("public_id", models.CharField(max_length=32, null=True, unique=True)),
                ("seconds", models.PositiveIntegerField(verbose_name="CPU seconds")),
                ("megabytes", models.PositiveIntegerField(verbose_name="megabytes")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "waiting"),
                            ("running", "running"),
                            ("done", "done"),
                            ("cancelled", "stopped"),
                            ("failed", "broke off"),
                        ],
                        default="queued",
                        max_length=9,
                    ),
                ),
                ("claim_token", models.UUIDField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("asked_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                ("part", models.CharField(blank=True, max_length=20)),
                ("nodes", models.PositiveBigIntegerField(default=0)),
                ("depth", models.PositiveIntegerField(default=0)),
                ("bound", models.PositiveIntegerField(default=0)),
                ("best", models.PositiveIntegerField(null=True)),
                ("cpu_seconds", models.FloatField(default=0.0)),
                (
                    "answer",
                    models.CharField(
                        blank=True,
                        choices=[("solved", "solvable"), ("unsolvable", "proved unsolvable"), ("unknown", "not known")],
                        max_length=10,
                    ),
                ),
                ("limit", models.CharField(blank=True, max_length=12)),
                ("proof", models.CharField(blank=True, max_length=16)),
                ("found", models.JSONField(default=dict)),
                ("least_pushes", models.PositiveIntegerField(default=0)),
                ("least_moves", models.PositiveIntegerField(default=0)),
                ("band", models.PositiveSmallIntegerField(null=True)),
                ("tried", models.JSONField(default=list)),
                (
                    "level",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="searches",
                        to="contest.level",
                    ),
                ),
            ],
            options={
                "verbose_name": "search",
                "verbose_name_plural": "searches",
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["queued", "running"])),
                        fields=["urgency", "asked_at"],
                        name="search_queue",
                    ),
                    models.Index(fields=["kind", "-asked_at"], name="search_newest_of_kind"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("kind", "vetting")), fields=("sha256",), name="search_one_vetting_a_board"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("kind", "study")), fields=("level",), name="search_one_study_a_level"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "done"), _negated=True),
                            ("answer__in", ["solved", "unsolvable", "unknown"]),
                            _connector="OR",
                        ),
                        name="search_done_has_answer",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SearchBudget",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seconds", models.PositiveIntegerField(default=60, verbose_name="CPU seconds")),
                ("megabytes", models.PositiveIntegerField(default=1024, verbose_name="megabytes")),
            ],
            options={
                "verbose_name": "budget of vetting",
                "verbose_name_plural": "budget of vetting",
            },
        ),
        migrations.CreateModel(
            name="Season",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "slug",
                    models.SlugField(
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                "(?:19|20|21)[0-9]{2}\\Z", "A year has its own season.", inverse_match=True
                            )
                        ],
                        verbose_name="name in addresses",
                    ),
                ),
                ("title_zh", models.CharField(blank=True, max_length=200, verbose_name="title in Chinese")),
                ("title_en", models.CharField(blank=True, max_length=200, verbose_name="title in English")),
                ("begins_at", models.DateTimeField(verbose_name="begins at")),
                ("ends_at", models.DateTimeField(verbose_name="ends at")),
            ],
            options={
                "verbose_name": "season",
                "verbose_name_plural": "seasons",
                "ordering": ["-begins_at"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("ends_at__gt", models.F("begins_at"))),
                        name="season_ends_after_it_began",
                        violation_error_message="A season ends after it has begun.",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SeenSolutions",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seen_at", models.DateTimeField()),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="contest.player"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="contest.round"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("round", "player"), name="seen_solutions_once")],
            },
        ),
        migrations.CreateModel(
            name="Series",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "name_zh",
                    models.CharField(
                        max_length=150, validators=[contest.models.round.check_plain], verbose_name="name in Chinese"
                    ),
                ),
                (
                    "name_en",
                    models.CharField(
                        max_length=150, validators=[contest.models.round.check_plain], verbose_name="name in English"
                    ),
                ),
                (
                    "first_opens_at",
                    models.DateTimeField(
                        help_text="Beijing time.",
                        validators=[contest.models.round.check_year],
                        verbose_name="first opening",
                    ),
                ),
                (
                    "every_weeks",
                    models.PositiveSmallIntegerField(
                        default=1,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(52),
                        ],
                        verbose_name="weeks from one opening to the next",
                    ),
                ),
                (
                    "length_days",
                    models.PositiveSmallIntegerField(
                        default=7,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(364),
                        ],
                        verbose_name="days a round lasts",
                    ),
                ),
                ("settings", models.JSONField(default=contest.models.round.default_settings, verbose_name="settings")),
                ("is_running", models.BooleanField(default=True, verbose_name="running")),
                ("advanced_at", models.DateTimeField(editable=False, null=True)),
                ("fault", models.CharField(blank=True, editable=False, max_length=200)),
            ],
            options={
                "verbose_name": "series",
                "verbose_name_plural": "series",
                "ordering": ["name_en", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("every_weeks__gte", 1), ("length_days__gte", 1)),
                        name="series_has_a_beat_and_a_length",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="QueuedLevel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "slot",
                    models.CharField(
                        choices=[("main", "Main"), ("extra", "Extra"), ("extra2", "Extra 2"), ("extra3", "Extra 3")],
                        default="main",
                        max_length=8,
                        verbose_name="slot",
                    ),
                ),
                ("place", models.PositiveIntegerField()),
                (
                    "level",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="queued", to="contest.librarylevel"
                    ),
                ),
                (
                    "series",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="queue", to="contest.series"
                    ),
                ),
            ],
            options={
                "ordering": ["series", "slot", "place", "pk"],
            },
        ),
        migrations.CreateModel(
            name="SeriesRound",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("told_at", models.DateTimeField(null=True)),
                ("troubles", models.JSONField(default=dict)),
                (
                    "round",
                    models.OneToOneField(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="turn", to="contest.round"
                    ),
                ),
                (
                    "series",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="turns", to="contest.series"
                    ),
                ),
            ],
            options={
                "ordering": ["series", "number"],
                "constraints": [models.UniqueConstraint(fields=("series", "number"), name="series_one_round_a_turn")],
            },
        ),
        migrations.CreateModel(
            name="Snapshot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("revision", models.PositiveIntegerField()),
                ("made_at", models.DateTimeField()),
                ("reason_zh", models.CharField(blank=True, max_length=500)),
                ("reason_en", models.CharField(blank=True, max_length=500)),
                ("document", models.JSONField()),
                ("sha256", models.CharField(max_length=64)),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="snapshots", to="contest.round"
                    ),
                ),
            ],
            options={
                "ordering": ["round", "revision"],
                "constraints": [models.UniqueConstraint(fields=("round", "revision"), name="snapshot_revision_once")],
            },
        ),
        migrations.CreateModel(
            name="Submission",
            fields=[
                ("number", models.BigAutoField(primary_key=True, serialize=False, verbose_name="number")),
                ("receipt_id", models.CharField(editable=False, max_length=32)),
                ("slot_named", models.CharField(blank=True, max_length=8)),
                ("text", models.BinaryField()),
                ("sha256", models.CharField(max_length=64)),
                (
                    "door",
                    models.CharField(
                        choices=[
                            ("web", "web form"),
                            ("api", "API"),
                            ("legacy", "older programs"),
                            ("import", "import"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "reader",
                    models.CharField(
                        choices=[
                            ("rle", "LURD with run-length"),
                            ("lenient", "anything pasted"),
                            ("legacy", "what older programs send"),
                        ],
                        max_length=8,
                    ),
                ),
                ("idempotency_key", models.CharField(blank=True, max_length=200, null=True)),
                ("received_at", models.DateTimeField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "waiting"),
                            ("running", "being judged"),
                            ("judged", "judged"),
                            ("quarantined", "held for staff"),
                        ],
                        default="queued",
                        max_length=12,
                    ),
                ),
                ("claim_token", models.UUIDField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                (
                    "verdict",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("accepted", "accepted"),
                            ("spectator", "spectator answer"),
                            ("not_solved", "not solved"),
                            ("illegal", "impossible move"),
                            ("malformed", "not readable"),
                            ("empty", "empty"),
                            ("too_long", "too long"),
                        ],
                        max_length=12,
                    ),
                ),
                ("lurd", models.TextField(blank=True)),
                ("moves", models.PositiveIntegerField(null=True)),
                ("pushes", models.PositiveIntegerField(null=True)),
                ("cut", models.PositiveIntegerField(default=0)),
                ("case_corrected", models.BooleanField(default=False)),
                ("index", models.PositiveIntegerField(null=True)),
                ("step", models.PositiveIntegerField(null=True)),
                ("why", models.CharField(blank=True, max_length=32)),
                ("why_values", models.JSONField(default=dict)),
                ("boxes_home", models.PositiveSmallIntegerField(null=True)),
                ("judged_at", models.DateTimeField(null=True)),
                ("is_hors_concours", models.BooleanField(default=False)),
                ("is_imported", models.BooleanField(default=False)),
                ("is_practice", models.BooleanField(default=False)),
                ("is_unpublished", models.BooleanField(default=False)),
                ("turned", models.JSONField(null=True)),
                ("void_note", models.TextField(blank=True)),
                ("void_reason_en", models.CharField(blank=True, max_length=500)),
                ("void_reason_zh", models.CharField(blank=True, max_length=500)),
                ("voided_at", models.DateTimeField(null=True)),
                ("original_number", models.BigIntegerField(null=True)),
                ("cost", models.PositiveIntegerField(default=0)),
                ("turn_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "level",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="submissions",
                        to="contest.level",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="submissions",
                        to="contest.player",
                    ),
                ),
                (
                    "sent_as",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="contest.player",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="submissions", to="contest.round"
                    ),
                ),
            ],
            options={
                "verbose_name": "submission",
                "verbose_name_plural": "submissions",
                "ordering": ["-number"],
                "indexes": [
                    models.Index(fields=["player", "received_at"], name="submission_quota"),
                    models.Index(
                        condition=models.Q(("verdict", "accepted")),
                        fields=["round", "-received_at", "-number"],
                        name="submission_list",
                    ),
                    models.Index(
                        condition=models.Q(("state", "quarantined")), fields=["number"], name="submission_held"
                    ),
                    models.Index(
                        condition=models.Q(("state__in", ("queued", "running"))),
                        fields=["turn_at", "number"],
                        name="submission_queue",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("slot_named", ""),
                            ("slot_named__in", ["main", "extra", "extra2", "extra3"]),
                            _connector="OR",
                        ),
                        name="submission_slot_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("judged_at__isnull", False),
                                ("state", "judged"),
                                models.Q(("verdict", ""), _negated=True),
                            ),
                            models.Q(
                                models.Q(("state", "judged"), _negated=True), ("judged_at", None), ("verdict", "")
                            ),
                            _connector="OR",
                        ),
                        name="submission_judged_has_verdict",
                    ),
                    models.UniqueConstraint(
                        fields=("sent_as", "round", "is_practice", "slot_named", "reader", "sha256"),
                        name="submission_same_text_once",
                    ),
                    models.UniqueConstraint(fields=("sent_as", "idempotency_key"), name="submission_idempotent"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("verdict__in", ["accepted", "spectator"]), _negated=True),
                            models.Q(("level__isnull", False), ("moves__isnull", False), ("pushes__isnull", False)),
                            _connector="OR",
                        ),
                        name="submission_accepted_has_score",
                    ),
                    models.UniqueConstraint(fields=("receipt_id",), name="submission_receipt"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Best",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("metric", models.CharField(choices=[("moves", "by moves"), ("pushes", "by pushes")], max_length=8)),
                ("first", models.PositiveIntegerField()),
                ("second", models.PositiveIntegerField()),
                ("received_at", models.DateTimeField()),
                (
                    "board",
                    models.CharField(
                        choices=[("contest", "contest"), ("spectator", "spectator answers"), ("practice", "practice")],
                        default="contest",
                        max_length=9,
                    ),
                ),
                (
                    "league",
                    models.CharField(choices=[("human", "human"), ("bot", "bot")], default="human", max_length=8),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="contest.submission"
                    ),
                ),
                (
                    "level",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bests",
                        to="contest.level",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="bests", to="contest.player"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["level", "board", "metric", "first", "second", "received_at", "submission", "league"],
                        name="best_ranking",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("metric__in", ["moves", "pushes"])), name="best_metric_known"
                    ),
                    models.UniqueConstraint(
                        fields=("level", "board", "player", "metric"), name="best_one_per_board_player_and_metric"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("board__in", ["contest", "spectator", "practice"])), name="best_board_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("league__in", ["human", "bot"])), name="best_league_known"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ChainLink",
            fields=[
                (
                    "submission",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="chain_link",
                        serialize=False,
                        to="contest.submission",
                    ),
                ),
                ("link", models.CharField(max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.BigIntegerField(null=True, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("announced", "Announced"),
                            ("opened", "Opened"),
                            ("closed", "Closed"),
                            ("revealed", "Revealed"),
                            ("final", "Final"),
                            ("revised", "Revised"),
                            ("cancelled", "Cancelled"),
                            ("note", "Note"),
                            ("accepted", "Accepted"),
                            ("best", "Best"),
                            ("post", "Post"),
                        ],
                        max_length=9,
                    ),
                ),
                ("key", models.CharField(max_length=60)),
                ("at", models.DateTimeField()),
                ("revision", models.PositiveIntegerField(null=True)),
                ("by", models.CharField(blank=True, max_length=8)),
                (
                    "submission",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="contest.submission",
                    ),
                ),
                (
                    "note",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="contest.note",
                    ),
                ),
                (
                    "post",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="contest.post",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="contest.round",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "indexes": [
                    models.Index(condition=models.Q(("number", None)), fields=["at", "id"], name="event_unnumbered")
                ],
                "constraints": [models.UniqueConstraint(fields=("kind", "key"), name="event_told_once")],
            },
        ),
        migrations.CreateModel(
            name="Film",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=64, unique=True)),
                ("kind", models.CharField(choices=[("gif", "GIF"), ("png", "APNG")], max_length=4)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "waiting"),
                            ("running", "being drawn"),
                            ("done", "done"),
                            ("failed", "failed"),
                        ],
                        default="queued",
                        max_length=8,
                    ),
                ),
                ("claim_token", models.UUIDField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("frames_done", models.PositiveIntegerField(default=0)),
                ("frames", models.PositiveIntegerField(default=0)),
                ("picture", models.BinaryField(null=True)),
                ("size", models.PositiveIntegerField(default=0)),
                ("asked_at", models.DateTimeField()),
                ("used_at", models.DateTimeField()),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="contest.submission"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["queued", "running"])), fields=["asked_at"], name="film_queue"
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("picture__isnull", False), ("state", "done")),
                            models.Q(models.Q(("state", "done"), _negated=True), ("picture", None)),
                            _connector="OR",
                        ),
                        name="film_done_has_picture",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Rejudged",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("levels_digest", models.CharField(max_length=64)),
                ("before", models.JSONField()),
                ("after", models.JSONField()),
                ("lurd", models.TextField(blank=True)),
                ("differs", models.BooleanField()),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="contest.submission"
                    ),
                ),
                (
                    "rejudging",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rows", to="contest.rejudging"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("rejudging", "submission"), name="rejudged_once_in_a_rejudging")
                ],
            },
        ),
        migrations.CreateModel(
            name="Subscriber",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("email", models.EmailField(max_length=254, unique=True)),
                ("wants_opening", models.BooleanField(default=False)),
                ("wants_closing", models.BooleanField(default=False)),
                ("wants_results", models.BooleanField(default=False)),
                ("wants_news", models.BooleanField(default=False)),
                (
                    "language",
                    models.CharField(choices=[("zh-hans", "Simplified Chinese"), ("en", "English")], max_length=10),
                ),
                ("key", models.CharField(max_length=32, unique=True)),
                ("asked_at", models.DateTimeField()),
                ("asked", models.PositiveSmallIntegerField(default=0)),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("stopped_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Letter",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("sending", "Sending"),
                            ("sent", "Sent"),
                            ("failed", "Failed"),
                            ("doubtful", "Doubtful"),
                            ("expired", "Expired"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("is_urgent", models.BooleanField(default=False)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("next_try_at", models.DateTimeField()),
                ("claimed_at", models.DateTimeField(null=True)),
                ("sent_at", models.DateTimeField(null=True)),
                ("answer", models.CharField(blank=True, max_length=40)),
                ("claim_token", models.UUIDField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                (
                    "mailing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="letters", to="contest.mailing"
                    ),
                ),
                (
                    "subscriber",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="letters", to="contest.subscriber"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(condition=models.Q(("state", "waiting")), fields=["next_try_at"], name="letter_due"),
                    models.Index(fields=["claimed_at"], name="letter_claimed"),
                ],
                "constraints": [models.UniqueConstraint(fields=("mailing", "subscriber"), name="letter_once")],
            },
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.CharField(max_length=16, unique=True)),
                ("sha256", models.CharField(max_length=64)),
                ("name", models.CharField(blank=True, max_length=100, verbose_name="what it is for")),
                ("scopes", models.JSONField(default=list)),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("last_used_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
                ("per_minute", models.PositiveIntegerField(null=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tokens", to="contest.player"
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
            },
        ),
        migrations.CreateModel(
            name="Verification",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("engine_version", models.PositiveIntegerField()),
                ("levels_digest", models.CharField(max_length=64)),
                ("outcome", models.JSONField()),
                ("created_at", models.DateTimeField()),
                (
                    "submission",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="verifications",
                        to="contest.submission",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("submission", "engine_version", "levels_digest"),
                        name="verification_once_per_engine_and_levels",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="VirtualStart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("started_at", models.DateTimeField()),
                ("has_seen", models.BooleanField(default=False)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="virtual_starts", to="contest.player"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="virtual_starts", to="contest.round"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("round", "player"), name="virtual_start_once")],
            },
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("url", models.URLField(max_length=500)),
                ("secret", models.CharField(max_length=64)),
                ("events", models.JSONField(default=list)),
                ("created_at", models.DateTimeField()),
                ("disabled_at", models.DateTimeField(null=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="webhooks", to="contest.player"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("event", models.CharField(max_length=40)),
                ("key", models.CharField(max_length=100)),
                ("body", models.JSONField()),
                ("created_at", models.DateTimeField()),
                ("next_try_at", models.DateTimeField(null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("delivered_at", models.DateTimeField(null=True)),
                ("last_answer", models.CharField(blank=True, max_length=200)),
                ("claim_token", models.UUIDField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="deliveries", to="contest.webhook"
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("delivered_at", None)), fields=["next_try_at"], name="delivery_due"
                    )
                ],
                "constraints": [models.UniqueConstraint(fields=("webhook", "event", "key"), name="delivery_once")],
            },
        ),
        migrations.RunPython(exclude_overlaps, migrations.RunPython.noop),
    ]
