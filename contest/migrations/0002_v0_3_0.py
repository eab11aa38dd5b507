"""Version 0.3.0."""

import unicodedata
from collections import Counter
from typing import Any

import contest.models.library.level_library
import contest.models.round
import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Avg, Count, Max, OuterRef, Subquery
from django.db.models.functions import Now


def fill_in(apps, schema_editor):
    """As `rankings.ratings` does from now on; its numbers stand here as they were when this was written."""
    newest, rounds = {}, Counter()
    rows = apps.get_model("contest", "Rating").objects.order_by("round__closes_at", "round__number")
    for player, league, mu, sigma in rows.values_list("player", "league", "mu", "sigma"):
        newest[player, league] = mu - 3 * sigma
        rounds[player, league] += 1
    players = apps.get_model("contest", "Player").objects
    found = []
    for player in players.filter(pk__in={player for player, _league in newest}).only("pk", "league", "shown_rating"):
        if rounds[player.pk, player.league] >= 3:
            player.shown_rating = round(BASE + STEP * newest[player.pk, player.league])
            found.append(player)
    players.bulk_update(found, ["shown_rating"], batch_size=500)


BASE, STEP = 1000, 90


COPY = """
INSERT INTO contest_chainentry (position, submission_id, round_id, nonce, leaf, link, document)
SELECT row_number() OVER (ORDER BY submission_id) - 1, submission_id, NULL, '', link, link, '' FROM contest_chainlink
"""


def keep_the_first_format(apps, schema_editor):
    rounds = apps.get_model("contest", "Round").objects
    rounds.filter(models.Q(opens_at__lte=Now()) | models.Q(is_imported=True)).update(archive_format=1)


def grow(apps, schema_editor):
    """Hash the whole subtrees of the links that are there, 256 at a time."""
    from contest.rules import merkle

    links, nodes = apps.get_model("contest", "ChainEntry").objects, apps.get_model("contest", "TreeNode").objects
    count, level = links.count(), 1
    while whole := count // merkle.WIDTH:
        for index in range(whole):
            span = (index * merkle.WIDTH, (index + 1) * merkle.WIDTH - 1)
            if level == 1:
                leaves = links.filter(position__range=span).order_by("position").values_list("leaf", flat=True)
                hashes = [merkle.leaf_hash(bytes.fromhex(leaf)) for leaf in leaves]
            else:
                below = nodes.filter(level=level - 1, index__range=span).order_by("index")
                hashes = [bytes.fromhex(sha256) for sha256 in below.values_list("sha256", flat=True)]
            nodes.create(level=level, index=index, sha256=merkle.root(hashes).hex())
        count, level = whole, level + 1


def _fill_in(apps, _schema_editor):
    """Title and author as `models.collection.words_of` says them now."""
    model = apps.get_model("contest", "CollectedLevel")
    piece = []
    for level in model.objects.only("title", "author").order_by("pk").iterator(chunk_size=1_000):
        words = unicodedata.normalize("NFKC", f"{level.title} {level.author}").casefold()
        level.words = " ".join(words.split())
        piece.append(level)
        if len(piece) == 1_000:
            model.objects.bulk_update(piece, ["words"])
            piece = []
    model.objects.bulk_update(piece, ["words"])


_MAY_ADD = """
SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm')
    OR (EXISTS (SELECT 1 FROM pg_available_extension_versions WHERE name = 'pg_trgm' AND trusted)
        AND has_database_privilege(current_database(), 'CREATE'))
"""


_INDEXES = {"collected_letters": ("contest_collectedlevel", "words"), "player_letters": ("contest_player", "name_key")}


def _add(_apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(_MAY_ADD)
        if not cursor.fetchone()[0]:
            return
    schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    for name, (table, column) in _INDEXES.items():
        schema_editor.execute(f"CREATE INDEX {name} ON {table} USING gin (({column}::text) gin_trgm_ops)")


def _remove(_apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for name in _INDEXES:
            schema_editor.execute(f"DROP INDEX IF EXISTS {name}")


NAMES = {
    "round_opened": ["opened"],
    "round_closed": ["revealed"],
    "results": ["final", "revised"],
    "new_best": ["best"],
}


def rename(apps, schema_editor):
    last = apps.get_model("contest", "Event").objects.aggregate(last=Max("number"))["last"] or 0
    for hook in apps.get_model("contest", "Webhook").objects.all():
        hook.events = [kind for name in hook.events for kind in NAMES.get(name, [name])]
        hook.told = last
        hook.save(update_fields=["events", "told"])


def make_main(apps: Any, schema_editor: Any) -> None:
    tracks = apps.get_model("contest", "Track").objects.using(schema_editor.connection.alias)
    tracks.get_or_create(slug="main", defaults={"title_zh": "主赛", "title_en": "Main contest", "order": 0})


def _belongs(related_name: str) -> Any:
    return models.ForeignKey(
        default="main",
        on_delete=django.db.models.deletion.PROTECT,
        related_name=related_name,
        to="contest.track",
        verbose_name="track",
    )


# Rule 2.6, where the database can say it: no two announced rounds of a track are open at the same moment. A range of
# one number stands for the track, since GiST compares no texts without an extension.
_EXCLUDE = """
ALTER TABLE contest_round ADD CONSTRAINT round_one_open_at_a_time
EXCLUDE USING gist ({track}tstzrange(opens_at, closes_at) WITH &&) WHERE (announced_at IS NOT NULL AND cancelled_at IS NULL)
"""


_TRACK = "int8range(hashtextextended(track_id, 0), hashtextextended(track_id, 0), '[]') WITH &&, "


_MAY = (("add_track", "Can add track"), ("change_track", "Can change track"), ("view_track", "Can view track"))


def exclude_of_a_track(_apps: Any, schema_editor: Any) -> None:
    _exclude(schema_editor, _TRACK)


def exclude_of_all(_apps: Any, schema_editor: Any) -> None:
    _exclude(schema_editor, "")


def _exclude(schema_editor: Any, track: str) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE contest_round DROP CONSTRAINT round_one_open_at_a_time")
        schema_editor.execute(_EXCLUDE.format(track=track))


def allow(apps: Any, schema_editor: Any) -> None:
    """Let the organisers of an older site make tracks, as those of a new one may (docs/how-to/organising.md)."""
    database = schema_editor.connection.alias
    group = apps.get_model("auth", "Group").objects.using(database).filter(name="organiser").first()
    if group is None:
        return
    # Django makes permissions after all migrations: too late for this.
    kinds = apps.get_model("contenttypes", "ContentType").objects.using(database)
    kind, _is_new = kinds.get_or_create(app_label="contest", model="track")
    permissions = apps.get_model("auth", "Permission").objects.using(database)
    for codename, name in _MAY:
        permission, _is_new = permissions.get_or_create(content_type=kind, codename=codename, defaults={"name": name})
        group.permissions.add(permission)


ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))


SCALES = ("beautiful", "hard", "new")


LEAST = 3


def _fill_in_0048(apps, _schema_editor):
    levels, votes = (apps.get_model("contest", name).objects for name in ("CollectedLevel", "Vote"))
    cast = votes.filter(collected=OuterRef("pk"), player__merged_into=None).order_by().values("collected")
    means = {scale: cast.annotate(mean=Avg(scale), count=Count(scale)).filter(count__gte=LEAST) for scale in SCALES}
    voted_for = votes.exclude(collected=None).values("collected")
    levels.filter(pk__in=voted_for).update(**{scale: Subquery(of.values("mean")) for scale, of in means.items()})


def _words(name: str) -> models.CharField:
    return models.CharField(name, max_length=300, validators=[contest.models.round.check_plain])


def _words_0052(name: str, length: int, *, blank: bool = False) -> models.CharField:
    return models.CharField(name, blank=blank, max_length=length, validators=[contest.models.round.check_plain])


def _words_0053(name: str, length: int, **more: bool) -> models.CharField:
    return models.CharField(name, max_length=length, validators=[contest.models.round.check_plain], **more)


KINDS = (
    "announced", "opened", "closed", "revealed", "final", "revised", "cancelled",
    "postponed", "void", "rejudged", "note", "accepted", "best", "post",
)  # fmt: skip


class Migration(migrations.Migration):
    replaces = [
        ("contest", "0031_show_ratings_beside_names"),
        ("contest", "0032_plainer_words"),
        ("contest", "0033_community"),
        ("contest", "0034_archive_format_2"),
        ("contest", "0035_mix_public_randomness"),
        ("contest", "0036_search_levels"),
        ("contest", "0037_letters_in_threes"),
        ("contest", "0038_webhooks_follow_events"),
        ("contest", "0039_tracks"),
        ("contest", "0040_one_open_round_a_track"),
        ("contest", "0041_offer_dumps"),
        ("contest", "0042_newest_of_all_rounds"),
        ("contest", "0043_series_complete"),
        ("contest", "0044_second_looks"),
        ("contest", "0045_facts_of_a_backup"),
        ("contest", "0046_when_reached"),
        ("contest", "0047_teasers"),
        ("contest", "0048_means_of_votes"),
        ("contest", "0049_testers"),
        ("contest", "0050_desk_tokens"),
        ("contest", "0051_pictures_of_posts"),
        ("contest", "0052_series_of_posts"),
        ("contest", "0053_prizes"),
        ("contest", "0054_kinds_of_events"),
        ("contest", "0055_told_names"),
    ]
    dependencies = [
        ("contest", "0001_v0_2_0"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("auth", "__first__"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]
    operations = [
        # show ratings beside names
        migrations.AddField(
            model_name="player", name="shown_rating", field=models.SmallIntegerField(editable=False, null=True)
        ),
        migrations.RunPython(fill_in, migrations.RunPython.noop, elidable=True),
        # plainer words
        migrations.AlterField(
            model_name="intake",
            name="state",
            field=models.CharField(
                choices=[
                    ("reading", "being read"),
                    ("read", "read"),
                    ("keeping", "going into the library"),
                    ("stopped", "stopped"),
                    ("failed", "unreadable"),
                ],
                default="reading",
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="intakelevel",
            name="standing",
            field=models.CharField(
                choices=[
                    ("ready", "ready"),
                    ("warned", "with warnings"),
                    ("unsolved", "without a solution"),
                    ("faulty", "faulty"),
                    ("unread", "unreadable"),
                ],
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="librarylevel",
            name="state",
            field=models.CharField(
                choices=[("draft", "needs work"), ("ready", "ready"), ("used", "used"), ("retired", "archived")],
                default="draft",
                max_length=8,
                verbose_name="state",
            ),
        ),
        migrations.AlterField(
            model_name="namereport",
            name="kind",
            field=models.CharField(
                choices=[
                    ("claim", "says the name is theirs"),
                    ("offensive", "offensive name"),
                    ("lookalike", "looks like another name"),
                    ("squatted", "name reserved but never used"),
                ],
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="submission",
            name="state",
            field=models.CharField(
                choices=[
                    ("queued", "waiting"),
                    ("running", "being judged"),
                    ("judged", "judged"),
                    ("quarantined", "waiting for an organiser"),
                ],
                default="queued",
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="submission",
            name="verdict",
            field=models.CharField(
                blank=True,
                choices=[
                    ("accepted", "accepted"),
                    ("spectator", "spectator answer"),
                    ("not_solved", "not solved"),
                    ("illegal", "illegal move"),
                    ("malformed", "unreadable"),
                    ("empty", "empty"),
                    ("too_long", "too long"),
                ],
                max_length=12,
            ),
        ),
        # community
        migrations.AddField(
            model_name="player", name="told_at", field=models.DateTimeField(blank=True, editable=False, null=True)
        ),
        migrations.CreateModel(
            name="Comment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(blank=True, max_length=1000, verbose_name="comment")),
                (
                    "spoiler",
                    models.TextField(blank=True, max_length=1000, verbose_name="part that gives a solution away"),
                ),
                ("written_at", models.DateTimeField()),
                ("deleted_at", models.DateTimeField(null=True)),
                ("hidden_at", models.DateTimeField(null=True)),
                ("hidden_because", models.CharField(blank=True, max_length=500)),
                (
                    "answers",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="answered_by",
                        to="contest.comment",
                    ),
                ),
                (
                    "collected",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="comments",
                        to="contest.collectedlevel",
                    ),
                ),
                (
                    "level",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="comments",
                        to="contest.level",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="comments", to="contest.player"
                    ),
                ),
            ],
            options={
                "verbose_name": "comment on a level",
                "verbose_name_plural": "comments on levels",
                "ordering": ["-written_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="CommentReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.CharField(blank=True, max_length=500)),
                ("reported_at", models.DateTimeField()),
                ("decided_at", models.DateTimeField(null=True)),
                (
                    "comment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="reports", to="contest.comment"
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
            ],
            options={
                "verbose_name": "report about a comment",
                "verbose_name_plural": "reports about comments",
                "ordering": ["reported_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Star",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("starred_at", models.DateTimeField()),
                (
                    "collected",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="contest.collectedlevel",
                    ),
                ),
                (
                    "followed",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="contest.player"
                    ),
                ),
                (
                    "level",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="contest.level"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="stars", to="contest.player"
                    ),
                ),
            ],
            options={"ordering": ["-starred_at", "-pk"]},
        ),
        migrations.CreateModel(
            name="Vote",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "beautiful",
                    models.PositiveSmallIntegerField(
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(5),
                        ],
                    ),
                ),
                (
                    "hard",
                    models.PositiveSmallIntegerField(
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(5),
                        ],
                    ),
                ),
                (
                    "new",
                    models.PositiveSmallIntegerField(
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(5),
                        ],
                    ),
                ),
                ("cast_at", models.DateTimeField()),
                (
                    "collected",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="votes",
                        to="contest.collectedlevel",
                    ),
                ),
                (
                    "level",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="votes",
                        to="contest.level",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="votes", to="contest.player"
                    ),
                ),
            ],
            options={"verbose_name": "vote for a level", "verbose_name_plural": "votes for levels"},
        ),
        migrations.AddIndex(
            model_name="comment", index=models.Index(fields=["-written_at", "-id"], name="comment_latest")
        ),
        migrations.AddConstraint(
            model_name="comment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("collected__isnull", True), ("level__isnull", False)),
                    models.Q(("collected__isnull", False), ("level__isnull", True)),
                    _connector="OR",
                ),
                name="comment_on_one",
            ),
        ),
        migrations.AddIndex(
            model_name="commentreport",
            index=models.Index(
                condition=models.Q(("decided_at", None)), fields=["comment"], name="comment_report_waits"
            ),
        ),
        migrations.AddConstraint(
            model_name="star",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("collected__isnull", True), ("followed__isnull", False), ("level__isnull", True)),
                    models.Q(("collected__isnull", True), ("followed__isnull", True), ("level__isnull", False)),
                    models.Q(("collected__isnull", False), ("followed__isnull", True), ("level__isnull", True)),
                    _connector="OR",
                ),
                name="star_on_one",
            ),
        ),
        migrations.AddConstraint(
            model_name="star",
            constraint=models.UniqueConstraint(fields=("player", "followed"), name="star_once_a_player"),
        ),
        migrations.AddConstraint(
            model_name="star", constraint=models.UniqueConstraint(fields=("player", "level"), name="star_once_a_level")
        ),
        migrations.AddConstraint(
            model_name="star",
            constraint=models.UniqueConstraint(fields=("player", "collected"), name="star_once_a_collected_level"),
        ),
        migrations.AddConstraint(
            model_name="vote",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("collected__isnull", True), ("level__isnull", False)),
                    models.Q(("collected__isnull", False), ("level__isnull", True)),
                    _connector="OR",
                ),
                name="vote_on_one",
            ),
        ),
        migrations.AddConstraint(
            model_name="vote",
            constraint=models.CheckConstraint(
                condition=models.Q(("beautiful__range", (1, 5)), ("beautiful", None), _connector="OR"),
                name="vote_beautiful_within",
            ),
        ),
        migrations.AddConstraint(
            model_name="vote",
            constraint=models.CheckConstraint(
                condition=models.Q(("hard__range", (1, 5)), ("hard", None), _connector="OR"), name="vote_hard_within"
            ),
        ),
        migrations.AddConstraint(
            model_name="vote",
            constraint=models.CheckConstraint(
                condition=models.Q(("new__range", (1, 5)), ("new", None), _connector="OR"), name="vote_new_within"
            ),
        ),
        migrations.AddConstraint(
            model_name="vote", constraint=models.UniqueConstraint(fields=("level", "player"), name="vote_once_a_level")
        ),
        migrations.AddConstraint(
            model_name="vote",
            constraint=models.UniqueConstraint(fields=("collected", "player"), name="vote_once_a_collected_level"),
        ),
        # archive format 2
        migrations.AddField("round", "archive_format", models.PositiveSmallIntegerField(default=2, editable=False)),
        migrations.RunPython(keep_the_first_format, migrations.RunPython.noop),
        migrations.CreateModel(
            name="ChainEntry",
            fields=[
                ("position", models.BigIntegerField(primary_key=True, serialize=False)),
                (
                    "submission",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="contest.submission",
                    ),
                ),
                (
                    "round",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="opening_link",
                        to="contest.round",
                    ),
                ),
                ("nonce", models.CharField(blank=True, max_length=32)),
                ("leaf", models.CharField(max_length=64)),
                ("link", models.CharField(max_length=64)),
                ("document", models.TextField(blank=True)),
            ],
        ),
        migrations.CreateModel(
            name="TreeNode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("level", models.PositiveSmallIntegerField()),
                ("index", models.BigIntegerField()),
                ("sha256", models.CharField(max_length=64)),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("level", "index"), name="tree_node_once")]},
        ),
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("origin", models.CharField(max_length=255)),
                ("size", models.BigIntegerField()),
                ("root", models.CharField(max_length=64)),
                ("note", models.TextField()),
                ("made_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["origin", "size"], name="checkpoint_of_origin")],
            },
        ),
        migrations.RunSQL(COPY, migrations.RunSQL.noop),
        migrations.RunPython(grow, migrations.RunPython.noop),
        migrations.DeleteModel("ChainLink"),
        migrations.RenameModel("ChainEntry", "ChainLink"),
        migrations.AlterField(
            "chainlink",
            "submission",
            models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="chain_link",
                to="contest.submission",
            ),
        ),
        migrations.AddConstraint(
            "chainlink",
            models.CheckConstraint(
                condition=models.Q(
                    ("nonce", ""),
                    ("round__isnull", False),
                    ("submission", None),
                    models.Q(("document", ""), _negated=True),
                )
                | models.Q(("document", ""), ("round", None), ("submission__isnull", False)),
                name="chain_link_binds_one_thing",
            ),
        ),
        # mix public randomness
        migrations.AddField(model_name="luckynumber", name="beacon_round", field=models.BigIntegerField(null=True)),
        migrations.AddField(
            model_name="luckynumber", name="beacon_value", field=models.CharField(blank=True, max_length=64)
        ),
        # search levels
        migrations.RemoveIndex(model_name="collectedlevel", name="collected_newest"),
        migrations.RemoveIndex(model_name="collectedlevel", name="collected_by_boxes"),
        migrations.RemoveIndex(model_name="collectedlevel", name="collected_by_area"),
        migrations.RemoveIndex(model_name="collectedlevel", name="collected_by_solvers"),
        migrations.RemoveIndex(model_name="collectedlevel", name="collected_by_grade"),
        migrations.AddField(
            model_name="collectedlevel", name="words", field=models.TextField(default="", editable=False)
        ),
        migrations.RunPython(_fill_in, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="collectedlevel",
            index=models.Index(
                fields=["is_public", "-published_at", "collection", "place", "id"], name="collected_newest"
            ),
        ),
        migrations.AddIndex(
            model_name="collectedlevel",
            index=models.Index(fields=["is_public", "boxes", "collection", "place", "id"], name="collected_by_boxes"),
        ),
        migrations.AddIndex(
            model_name="collectedlevel",
            index=models.Index(fields=["is_public", "area", "collection", "place", "id"], name="collected_by_area"),
        ),
        migrations.AddIndex(
            model_name="collectedlevel",
            index=models.Index(
                fields=["is_public", "solvers", "collection", "place", "id"], name="collected_by_solvers"
            ),
        ),
        migrations.AddIndex(
            model_name="collectedlevel",
            index=models.Index(fields=["is_public", "grade", "collection", "place", "id"], name="collected_by_grade"),
        ),
        migrations.AddIndex(
            model_name="collectedlevel",
            index=models.Index(fields=["is_public", "author", "collection", "place", "id"], name="collected_by_author"),
        ),
        migrations.AddIndex(
            model_name="collectedlevel",
            index=models.Index(
                fields=["is_public", "best_moves", "collection", "place", "id"], name="collected_by_best"
            ),
        ),
        migrations.AddIndex(
            model_name="collectedlevel",
            index=models.Index(
                fields=["is_public", "least_pushes", "collection", "place", "id"], name="collected_by_least"
            ),
        ),
        migrations.AddIndex(
            model_name="collectedlevel",
            index=models.Index(
                fields=["is_public", "width", "height", "boxes", "grade", "least_pushes"], name="collected_counted"
            ),
        ),
        migrations.AddIndex(
            model_name="collectedlevel", index=models.Index(fields=["is_public", "words", "id"], name="collected_words")
        ),
        migrations.AddField(model_name="subscriber", name="wants_bell", field=models.BooleanField(default=False)),
        migrations.AlterField(
            model_name="mailing",
            name="topic",
            field=models.CharField(
                choices=[
                    ("opening", "a round has opened"),
                    ("closing", "a round closes in 24 hours"),
                    ("results", "results are final"),
                    ("news", "news of the organisers"),
                    (
                        "bell",
                        "what happened to you and to what you follow, once a day (for accounts with this address)",
                    ),
                    ("confirming", "confirming"),
                ],
                max_length=12,
            ),
        ),
        # letters in threes
        migrations.RunPython(_add, _remove),
        # webhooks follow events
        migrations.AddField("webhook", "told", models.BigIntegerField(default=0)),
        migrations.RunPython(rename, migrations.RunPython.noop, elidable=True),
        # tracks
        migrations.CreateModel(
            name="Track",
            fields=[
                (
                    "slug",
                    models.CharField(
                        max_length=30,
                        primary_key=True,
                        serialize=False,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[a-z][a-z0-9]*(-[a-z0-9]+)*\\Z", "Small letters, digits, and single hyphens between."
                            )
                        ],
                        verbose_name="name in addresses",
                    ),
                ),
                (
                    "title_zh",
                    models.CharField(
                        max_length=100, validators=[contest.models.round.check_plain], verbose_name="title in Chinese"
                    ),
                ),
                (
                    "title_en",
                    models.CharField(
                        max_length=100, validators=[contest.models.round.check_plain], verbose_name="title in English"
                    ),
                ),
                (
                    "order",
                    models.PositiveSmallIntegerField(
                        default=1, validators=[django.core.validators.MinValueValidator(1)], verbose_name="order"
                    ),
                ),
                ("is_rated", models.BooleanField(default=True, verbose_name="counts for ratings")),
            ],
            options={"verbose_name": "track", "verbose_name_plural": "tracks", "ordering": ["order", "slug"]},
        ),
        migrations.RunPython(make_main, migrations.RunPython.noop),
        migrations.AddField("round", "track", _belongs("rounds")),
        migrations.AddField("series", "track", _belongs("series")),
        # one open round a track
        migrations.RunPython(exclude_of_a_track, exclude_of_all),
        migrations.RunPython(allow, migrations.RunPython.noop),
        # offer dumps
        migrations.CreateModel(
            name="Dump",
            fields=[
                ID,
                ("night", models.DateField(unique=True)),
                ("begun_at", models.DateTimeField()),
                ("made_at", models.DateTimeField(null=True)),
                ("facts", models.JSONField()),
            ],
            options={"ordering": ["-night"]},
        ),
        migrations.CreateModel(
            name="DumpFile",
            fields=[
                ID,
                ("name", models.CharField(max_length=40)),
                ("lines", models.PositiveBigIntegerField(default=0)),
                ("size", models.PositiveBigIntegerField(default=0)),
                ("sha256", models.CharField(default="", max_length=64)),
                (
                    "dump",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="files", to="contest.dump"
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.CreateModel(
            name="DumpPiece",
            fields=[
                ID,
                ("place", models.PositiveIntegerField()),
                ("content", models.BinaryField()),
                (
                    "file",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pieces", to="contest.dumpfile"
                    ),
                ),
            ],
            options={"ordering": ["place"]},
        ),
        migrations.AddConstraint("dumpfile", models.UniqueConstraint(fields=("dump", "name"), name="dump_file_once")),
        migrations.AddConstraint(
            "dumppiece", models.UniqueConstraint(fields=("file", "place"), name="dump_piece_once")
        ),
        # newest of all rounds
        migrations.AddIndex(
            model_name="submission",
            index=models.Index(
                condition=models.Q(("verdict", "accepted")),
                fields=["-received_at", "-number"],
                name="submission_newest",
            ),
        ),
        # series complete
        migrations.AddField(
            model_name="series",
            name="days_ahead",
            field=models.PositiveSmallIntegerField(
                default=7,
                validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(60)],
                verbose_name="days from the announcement to the opening",
            ),
        ),
        migrations.AddField(
            model_name="series",
            name="final_after_days",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="Counted from the reveal or what was last done or asked; never while anything is open. Empty: you do it.",
                null=True,
                validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(60)],
                verbose_name="results become final by themselves after so many quiet days",
            ),
        ),
        migrations.AddField(
            model_name="series",
            name="prizes_en",
            field=models.CharField(
                blank=True,
                max_length=500,
                validators=[contest.models.round.check_plain],
                verbose_name="prizes in English",
            ),
        ),
        migrations.AddField(
            model_name="series",
            name="prizes_zh",
            field=models.CharField(
                blank=True,
                max_length=500,
                validators=[contest.models.round.check_plain],
                verbose_name="prizes in Chinese",
            ),
        ),
        migrations.AddField(
            model_name="series",
            name="title_en",
            field=models.CharField(
                blank=True,
                help_text="{name}, {number}, {year}, {month} and {day} stand for those of the round. Empty: name and number.",
                max_length=150,
                validators=[contest.models.round.check_plain, contest.models.library.level_library.check_pattern],
                verbose_name="title of its rounds in English",
            ),
        ),
        migrations.AddField(
            model_name="series",
            name="title_zh",
            field=models.CharField(
                blank=True,
                max_length=150,
                validators=[contest.models.round.check_plain, contest.models.library.level_library.check_pattern],
                verbose_name="title of its rounds in Chinese",
            ),
        ),
        migrations.AddField(model_name="seriesround", name="held_at", field=models.DateTimeField(null=True)),
        # second looks
        migrations.CreateModel(
            name="SecondLook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("act", models.CharField(max_length=40)),
                ("given", models.JSONField()),
                ("asked_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="second_looks", to="contest.round"
                    ),
                ),
            ],
            options={
                "ordering": ["asked_at", "pk"],
                "indexes": [
                    models.Index(condition=models.Q(("ended_at", None)), fields=["round"], name="second_look_waiting")
                ],
            },
        ),
        # facts of a backup
        migrations.AddField("heartbeat", "facts", models.JSONField(default=dict)),
        migrations.AlterField(
            "heartbeat",
            "part",
            models.CharField(
                choices=[("web", "web"), ("judge", "judge"), ("backup", "backup"), ("asked", "backup asked for")],
                max_length=8,
                primary_key=True,
                serialize=False,
            ),
        ),
        # when reached
        migrations.AlterField(
            model_name="heartbeat",
            name="part",
            field=models.CharField(
                choices=[
                    ("web", "web"),
                    ("judge", "judge"),
                    ("backup", "backup"),
                    ("asked", "backup asked for"),
                    ("reached", "reached"),
                ],
                max_length=8,
                primary_key=True,
                serialize=False,
            ),
        ),
        # teasers
        *[
            migrations.AddField(
                "post",
                f"teaser_{code}",
                models.CharField(
                    f"teaser in {name}",
                    blank=True,
                    default="",
                    max_length=300,
                    validators=[contest.models.round.check_plain],
                ),
                preserve_default=False,
            )
            for code, name in (("zh", "Chinese"), ("en", "English"))
        ],
        # means of votes
        migrations.AddField(
            model_name="collectedlevel", name="beautiful", field=models.FloatField(editable=False, null=True)
        ),
        migrations.AddField(
            model_name="collectedlevel", name="hard", field=models.FloatField(editable=False, null=True)
        ),
        migrations.AddField(
            model_name="collectedlevel", name="new", field=models.FloatField(editable=False, null=True)
        ),
        migrations.RunPython(_fill_in_0048, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="collectedlevel",
            index=models.Index(
                condition=models.Q(("beautiful__isnull", False)),
                fields=["is_public", "-beautiful", "collection", "place", "id"],
                name="collected_most_beautiful",
            ),
        ),
        migrations.AddIndex(
            model_name="collectedlevel",
            index=models.Index(
                condition=models.Q(("hard__isnull", False)),
                fields=["is_public", "-hard", "collection", "place", "id"],
                name="collected_most_hard",
            ),
        ),
        migrations.AddIndex(
            model_name="collectedlevel",
            index=models.Index(
                condition=models.Q(("new__isnull", False)),
                fields=["is_public", "-new", "collection", "place", "id"],
                name="collected_most_new",
            ),
        ),
        # testers
        migrations.CreateModel(
            name="Tester",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("named_at", models.DateTimeField()),
                ("agreed_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("seen", models.JSONField(default=list)),
                (
                    "account",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="tests",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("names", models.ManyToManyField(related_name="tests", to="contest.player")),
                (
                    "round",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="testers",
                        to="contest.round",
                    ),
                ),
            ],
            options={"ordering": ["named_at", "pk"]},
        ),
        migrations.CreateModel(
            name="TestEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "slot",
                    models.CharField(
                        choices=[("main", "Main"), ("extra", "Extra"), ("extra2", "Extra 2"), ("extra3", "Extra 3")],
                        max_length=8,
                    ),
                ),
                ("sha256", models.CharField(max_length=64)),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("accepted", "accepted"),
                            ("spectator", "spectator answer"),
                            ("not_solved", "not solved"),
                            ("illegal", "illegal move"),
                            ("malformed", "unreadable"),
                            ("empty", "empty"),
                            ("too_long", "too long"),
                        ],
                        max_length=12,
                        verbose_name="verdict",
                    ),
                ),
                ("moves", models.PositiveIntegerField(null=True)),
                ("pushes", models.PositiveIntegerField(null=True)),
                ("sent_at", models.DateTimeField()),
                (
                    "tester",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="contest.tester"
                    ),
                ),
            ],
            options={"ordering": ["-sent_at", "-pk"]},
        ),
        migrations.AddConstraint(
            model_name="tester",
            constraint=models.UniqueConstraint(fields=("round", "account"), name="tester_once_a_round"),
        ),
        # desk tokens
        migrations.CreateModel(
            name="DeskToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.CharField(max_length=16, unique=True)),
                ("sha256", models.CharField(max_length=64)),
                ("name", models.CharField(blank=True, max_length=100, verbose_name="what it is for")),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("last_used_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="desk_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["-created_at", "-pk"]},
        ),
        migrations.CreateModel(
            name="PreparedRound",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "round",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="prepared", to="contest.round"
                    ),
                ),
            ],
            options={"ordering": ["at", "pk"]},
        ),
        # pictures of posts
        migrations.CreateModel(
            "Picture",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("content", models.BinaryField()),
                ("width", models.PositiveIntegerField()),
                ("height", models.PositiveIntegerField()),
                ("sha256", models.CharField(max_length=64)),
                ("alt_zh", _words("what it shows, in Chinese")),
                ("alt_en", _words("what it shows, in English")),
                ("brought_at", models.DateTimeField()),
                (
                    "brought_by",
                    models.ForeignKey(
                        settings.AUTH_USER_MODEL, django.db.models.deletion.SET_NULL, null=True, related_name="+"
                    ),
                ),
            ],
            {"ordering": ["-pk"], "verbose_name": "picture", "verbose_name_plural": "pictures"},
        ),
        migrations.AddField(
            "post", "pictures", models.ManyToManyField("contest.picture", related_name="posts", editable=False)
        ),
        # series of posts
        migrations.CreateModel(
            "PostSeries",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "slug",
                    models.CharField(
                        "address",
                        max_length=60,
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                r"^[a-z0-9]+(-[a-z0-9]+)*\Z", "Small letters, digits, and single hyphens between."
                            )
                        ],
                    ),
                ),
                ("title_zh", _words_0052("title in Chinese", 120)),
                ("title_en", _words_0052("title in English", 120)),
                ("about_zh", _words_0052("what it is about, in Chinese", 300, blank=True)),
                ("about_en", _words_0052("what it is about, in English", 300, blank=True)),
            ],
            {"ordering": ["-pk"], "verbose_name": "series of posts", "verbose_name_plural": "series of posts"},
        ),
        migrations.AddField(
            "post",
            "series",
            models.ForeignKey(
                "contest.postseries",
                django.db.models.deletion.SET_NULL,
                null=True,
                blank=True,
                related_name="posts",
                verbose_name="part of the series",
            ),
        ),
        migrations.AddField(
            "post", "series_place", models.PositiveSmallIntegerField("which part", null=True, blank=True)
        ),
        # prizes
        migrations.CreateModel(
            "Sponsor",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", _words_0053("name", 120, unique=True)),
                (
                    "url",
                    models.CharField(
                        "web page",
                        blank=True,
                        max_length=200,
                        validators=[django.core.validators.URLValidator(schemes=["https", "http"])],
                    ),
                ),
            ],
            {"ordering": ["name"], "verbose_name": "sponsor", "verbose_name_plural": "sponsors"},
        ),
        migrations.CreateModel(
            "Prize",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("what_zh", _words_0053("prize in Chinese", 200)),
                ("what_en", _words_0053("prize in English", 200)),
                ("handed_at", models.DateTimeField(editable=False, null=True)),
                ("contact", models.TextField(blank=True, editable=False)),
                ("contact_at", models.DateTimeField(editable=False, null=True)),
                (
                    "player",
                    models.ForeignKey(
                        "contest.player",
                        django.db.models.deletion.SET_NULL,
                        editable=False,
                        null=True,
                        related_name="prizes",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        "contest.round", django.db.models.deletion.CASCADE, related_name="prizes", verbose_name="round"
                    ),
                ),
                (
                    "sponsor",
                    models.ForeignKey(
                        "contest.sponsor",
                        django.db.models.deletion.SET_NULL,
                        blank=True,
                        null=True,
                        related_name="prizes",
                        verbose_name="sponsor",
                    ),
                ),
            ],
            {"ordering": ["round", "pk"], "verbose_name": "prize", "verbose_name_plural": "prizes"},
        ),
        # kinds of events
        migrations.AlterField(
            "event", "kind", models.CharField(max_length=9, choices=[(kind, kind.capitalize()) for kind in KINDS])
        ),
        # told names
        migrations.AddField("Tester", "told", models.ManyToManyField(related_name="+", to="contest.player")),
    ]
