"""Permanent results of a round: its lucky number, snapshots, titles, ratings and receipt chain."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce

from contest.models.player import League, Player
from contest.models.round import Round
from contest.models.sealed_answer import SealedAnswer
from contest.models.submission import Submission


class LuckyNumber(models.Model):
    """The number behind the commitment, secret until the reveal (rule 11). Its own table: no round query reads it."""

    round = models.OneToOneField(Round, models.CASCADE, related_name="lucky_number")
    number = models.BigIntegerField()
    salt = models.CharField(max_length=32)
    is_typed = models.BooleanField(default=False)  # rule 11.13
    # Rule 11.15: the beacon's round and the value it published; public from the start.
    beacon_round = models.BigIntegerField(null=True)
    beacon_value = models.CharField(max_length=64, blank=True)
    beacon_signature = models.CharField(max_length=96, blank=True)

    objects: ClassVar[models.Manager["LuckyNumber"]] = models.Manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(number__gte=0, number__lt=2**53), name="lucky_number_in_range"),
        ]

    def __str__(self) -> str:
        return f"lucky number of {self.round}"


class Snapshot(models.Model):
    """The results of a round as published; revision 1 at finalisation, more by ruling (rules 14.3, 14.4)."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="snapshots")
    revision = models.PositiveIntegerField()
    made_at = models.DateTimeField()
    reason_zh = models.CharField(max_length=500, blank=True)
    reason_en = models.CharField(max_length=500, blank=True)
    document = models.JSONField()
    sha256 = models.CharField(max_length=64)

    objects: ClassVar[models.Manager["Snapshot"]] = models.Manager()

    class Meta:
        ordering = ["round", "revision"]
        constraints = [models.UniqueConstraint(fields=["round", "revision"], name="snapshot_revision_once")]

    def __str__(self) -> str:
        return f"{self.round}, revision {self.revision}"


_ENTRANT = Coalesce("player__merged_into", "player")
_HALF_POINTS = F("move_half_points") + F("push_half_points")


class PlacingQuerySet(models.QuerySet["Placing"]):
    def of(self, *players: Player) -> "PlacingQuerySet":
        """Return the placings of *players* under any of their names (rule 4.13).

        The names come from a query on players alone: an OR over both tables would scan all rows.
        """
        names = Player.objects.filter(Q(pk__in=[player.pk for player in players]) | Q(merged_into__in=players))
        return self.filter(player__in=names.order_by().values("pk"))

    def of_entrants(self) -> models.QuerySet[Any]:
        """Annotate *entrant*, the player the row counts for (rule 4.13), and whether the row *is_outdone*.

        A row is outdone if another name of the same player did better in the same round; of equal rows the older one
        counts. Every sum over rounds needs this until a revision ranks the two names as one (rule 14.4).
        """
        rivals = Placing.objects.filter(round=OuterRef("round")).alias(points=_HALF_POINTS).order_by()
        own = OuterRef("move_half_points") + OuterRef("push_half_points")
        better = rivals.filter(Q(points__gt=own) | Q(points=own, pk__lt=OuterRef("pk")))
        # Few names are merged, so the subqueries are skipped for all others. They are two plain Exists, each on an
        # index: one with an OR inside would not use it.
        merged = Q(entrant__in=Player.objects.exclude(merged_into=None).order_by().values("merged_into"))
        names = Exists(better.filter(player__merged_into=OuterRef("entrant")))
        itself = Exists(better.filter(player=OuterRef("entrant")))
        return self.annotate(entrant=_ENTRANT).annotate(is_outdone=merged & (Q(names) | Q(itself)))

    def standing(self) -> models.QuerySet[Any]:
        """Return one row per player and round: the one that scores."""
        return self.of_entrants().filter(is_outdone=False)


class Placing(models.Model):
    """A player's place and titles in a final round; seasons and the hall of fame sum these rows (rule 21)."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="placings")
    player = models.ForeignKey(Player, models.PROTECT, related_name="placings")
    league = models.CharField(max_length=8, choices=League)
    place = models.PositiveIntegerField(null=True)  # null: entered, no points
    move_half_points = models.PositiveIntegerField(default=0)
    push_half_points = models.PositiveIntegerField(default=0)
    firsts_by_moves = models.PositiveSmallIntegerField(default=0)
    firsts_by_pushes = models.PositiveSmallIntegerField(default=0)
    is_mmc = models.BooleanField(default=False)
    is_mpc = models.BooleanField(default=False)
    is_second = models.BooleanField(default=False)
    is_lucky = models.BooleanField(default=False)

    objects: ClassVar[models.Manager["Placing"]] = models.Manager.from_queryset(PlacingQuerySet)()

    class Meta:
        ordering = ["round", "place"]
        constraints = [models.UniqueConstraint(fields=["round", "player"], name="placing_once")]

    def __str__(self) -> str:
        return f"{self.round}: {self.player} {self.place}"

    @property
    def total(self) -> int:
        """The round total in half points (rules 9.2, 9.3)."""
        return self.move_half_points + self.push_half_points

    @property
    def titles(self) -> list[str]:
        held = {"MMC": self.is_mmc, "MPC": self.is_mpc, "second": self.is_second, "lucky": self.is_lucky}
        return [title for title, is_held in held.items() if is_held]


class Rating(models.Model):
    """A player's rating after a round (rule 22); the newest row is the current rating."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="ratings")
    player = models.ForeignKey(Player, models.PROTECT, related_name="ratings")
    league = models.CharField(max_length=8, choices=League)
    mu = models.FloatField()
    sigma = models.FloatField()

    objects: ClassVar[models.Manager["Rating"]] = models.Manager()

    class Meta:
        ordering = ["round", "player"]
        constraints = [models.UniqueConstraint(fields=["round", "player", "league"], name="rating_once")]

    def __str__(self) -> str:
        return f"{self.player}: {self.mu - 3 * self.sigma:.1f}"


def _binds(subject: str, **fields: Any) -> Q:
    """Return the condition that a link binds its *subject* and nothing else."""
    others = {"submission", "round", "sealed_answer", "closing_of"} - {subject}
    return Q(**{f"{subject}__isnull": False}, **dict.fromkeys(sorted(others)), **fields)


class ChainLink(models.Model):
    """Rule 24.2: one for each stored submission, sealed answer, opening and closing, hash-chained to all before it.

    Append-only. *position*, from 0, is the index of its leaf in the tree. Links of submissions from before leaves were
    introduced have no *nonce*; the tree uses the link itself as their leaf.
    """

    position = models.BigIntegerField(primary_key=True)
    submission = models.OneToOneField(Submission, models.PROTECT, null=True, related_name="chain_link")
    round = models.OneToOneField(Round, models.PROTECT, null=True, related_name="opening_link")
    sealed_answer = models.OneToOneField(SealedAnswer, models.PROTECT, null=True, related_name="chain_link")
    # A closing has the instant that it binds; a round may close twice (rules 3.10, 5.13).
    closing_of = models.ForeignKey(Round, models.PROTECT, null=True, related_name="closing_links")
    closes_at = models.DateTimeField(null=True)
    nonce = models.CharField(max_length=32, blank=True)
    leaf = models.CharField(max_length=64)
    link = models.CharField(max_length=64)
    # The bound facts as canonical JSON, if the leaf is the hash of such a line.
    document = models.TextField(blank=True)

    objects: ClassVar[models.Manager["ChainLink"]] = models.Manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=_binds("round", nonce="") & ~Q(document="")
                | _binds("submission") & (Q(document="") | ~Q(nonce=""))
                | _binds("sealed_answer", nonce="", document="")
                | _binds("closing_of", nonce="", closes_at__isnull=False) & ~Q(document=""),
                name="chain_link_binds_one_thing",
            ),
            models.UniqueConstraint(fields=["closing_of", "closes_at"], name="chain_link_closing_once"),
        ]

    def __str__(self) -> str:
        return f"{self.position}: {self.link[:12]}"

    @property
    def number(self) -> int | None:
        """The submission's number; None for an opening, a closing or a sealed answer."""
        return self.submission_id


class TreeNode(models.Model):
    """The hash of a subtree of 256^level leaves; saves proofs from reading all leaves (judging.receipt_chain)."""

    level = models.PositiveSmallIntegerField()
    index = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)

    objects: ClassVar[models.Manager["TreeNode"]] = models.Manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["level", "index"], name="tree_node_once")]

    def __str__(self) -> str:
        return f"{self.level}/{self.index}: {self.sha256[:12]}"


class Checkpoint(models.Model):
    """A signed note of a tree's size and root: ours, or another site's that was countersigned here."""

    origin = models.CharField(max_length=255)
    size = models.BigIntegerField()
    root = models.CharField(max_length=64)
    note = models.TextField()
    made_at = models.DateTimeField()

    objects: ClassVar[models.Manager["Checkpoint"]] = models.Manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["origin", "size"], name="checkpoint_of_origin")]

    def __str__(self) -> str:
        return f"{self.origin}: {self.size}"


class Witnessing(models.Model):
    """The countersigning of one log by one witness: the last signature and the last answer (rule 24.2)."""

    class Outcome(models.TextChoices):
        SIGNED = "signed"
        SILENT = "silent"  # no answer, or none that can be used
        REFUSED = "refused"  # the witness saw another history, or a proof failed

    log = models.CharField(max_length=255)
    witness = models.CharField(max_length=255)
    outcome = models.CharField(max_length=10, choices=Outcome)
    size = models.BigIntegerField()
    answered_at = models.DateTimeField()
    signed_size = models.BigIntegerField(null=True)
    signed_at = models.DateTimeField(null=True)
    fork = models.TextField(blank=True)  # a checkpoint signed by the log that contradicts one it showed before

    objects: ClassVar[models.Manager["Witnessing"]] = models.Manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["log", "witness"], name="witnessing_once")]

    def __str__(self) -> str:
        return f"{self.log} by {self.witness}: {self.signed_size}"


class ChainGap(models.Model):
    """Missing numbers below *number* that an open transaction may still use: the chain waits for it (receipt_chain)."""

    number = models.BigIntegerField()
    # The first transaction ID that had not started when the gap was seen.
    horizon = models.BigIntegerField()

    objects: ClassVar[models.Manager["ChainGap"]] = models.Manager()

    def __str__(self) -> str:
        return f"below #{self.number}"
