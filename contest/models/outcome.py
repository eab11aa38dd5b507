"""What a round leaves behind: its lucky number, snapshots of its results, titles, ratings, the receipt chain."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce

from contest.models.player import League, Player
from contest.models.round import Round
from contest.models.sealed_answer import SealedAnswer
from contest.models.submission import Submission


class LuckyNumber(models.Model):
    """Rule 11: what the commitment hides until the round is revealed. A table of its own: no list of rounds has it."""

    round = models.OneToOneField(Round, models.CASCADE, related_name="lucky_number")
    number = models.BigIntegerField()
    salt = models.CharField(max_length=32)
    is_typed = models.BooleanField(default=False)  # rule 11.13
    # Rule 11.15: what the beacon published in which of its rounds; public from the start.
    beacon_round = models.BigIntegerField(null=True)
    beacon_value = models.CharField(max_length=64, blank=True)

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
        """Those of *players* under any name (rule 4.13).

        Which names those are is asked of players alone: a choice over both tables would be looked for in all rows.
        """
        names = Player.objects.filter(Q(pk__in=[one.pk for one in players]) | Q(merged_into__in=players))
        return self.filter(player__in=names.order_by().values("pk"))

    def of_entrants(self) -> models.QuerySet[Any]:
        """With *entrant*, the player whom the row counts for (rule 4.13), and whether it *is_outdone*.

        A row is outdone where another name of its player did better in the same round; of equal ones the older
        stands. Whatever adds rounds up asks this, until a revision ranks the two as one (rule 14.4).
        """
        rivals = Placing.objects.filter(round=OuterRef("round")).alias(points=_HALF_POINTS).order_by()
        own = OuterRef("move_half_points") + OuterRef("push_half_points")
        better = rivals.filter(Q(points__gt=own) | Q(points=own, pk__lt=OuterRef("pk")))
        # Few names are merged: of all others nothing is asked. Of those two plain questions, each by an index, and no
        # choice inside one.
        merged = Q(entrant__in=Player.objects.exclude(merged_into=None).order_by().values("merged_into"))
        names = Exists(better.filter(player__merged_into=OuterRef("entrant")))
        itself = Exists(better.filter(player=OuterRef("entrant")))
        return self.annotate(entrant=_ENTRANT).annotate(is_outdone=merged & (Q(names) | Q(itself)))

    def standing(self) -> models.QuerySet[Any]:
        """One row a player and round: the one that scores."""
        return self.of_entrants().filter(is_outdone=False)


class Placing(models.Model):
    """A player's place and titles in a final round; seasons and the hall of fame are sums of these (rule 21)."""

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
    """A player's rating after a round (rule 22); the newest is the current one."""

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


class ChainLink(models.Model):
    """Rule 24.2: each stored submission, each round's opening and each sealed answer, bound to all before it.

    Appended, never changed. Its *position*, from 0, is that of its leaf in the tree. Links of submissions from before
    there were leaves have no *nonce*; the tree takes the link itself for their leaf.
    """

    position = models.BigIntegerField(primary_key=True)
    submission = models.OneToOneField(Submission, models.PROTECT, null=True, related_name="chain_link")
    round = models.OneToOneField(Round, models.PROTECT, null=True, related_name="opening_link")
    sealed_answer = models.OneToOneField(SealedAnswer, models.PROTECT, null=True, related_name="chain_link")
    nonce = models.CharField(max_length=32, blank=True)
    leaf = models.CharField(max_length=64)
    link = models.CharField(max_length=64)
    document = models.TextField(blank=True)  # of an opening: what was bound, as canonical JSON

    objects: ClassVar[models.Manager["ChainLink"]] = models.Manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(submission=None, round__isnull=False, sealed_answer=None, nonce="") & ~Q(document="")
                | Q(submission__isnull=False, round=None, sealed_answer=None, document="")
                | Q(submission=None, round=None, sealed_answer__isnull=False, nonce="", document=""),
                name="chain_link_binds_one_thing",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.position}: {self.link[:12]}"

    @property
    def number(self) -> int | None:
        """The submission's; None of an opening and of a sealed answer."""
        return self.submission_id


class TreeNode(models.Model):
    """The hash of a whole subtree of 256^level leaves, so that no proof reads all leaves (judging.receipt_chain)."""

    level = models.PositiveSmallIntegerField()
    index = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)

    objects: ClassVar[models.Manager["TreeNode"]] = models.Manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["level", "index"], name="tree_node_once")]

    def __str__(self) -> str:
        return f"{self.level}/{self.index}: {self.sha256[:12]}"


class Checkpoint(models.Model):
    """A signed note of a tree's size and root: one of ours, or another site's that was countersigned here."""

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


class ChainGap(models.Model):
    """Numbers missing below *number* that a transaction still under way may yet use: the chain waits (chain.py)."""

    number = models.BigIntegerField()
    # The first transaction that had not begun when the gap was seen.
    horizon = models.BigIntegerField()

    objects: ClassVar[models.Manager["ChainGap"]] = models.Manager()

    def __str__(self) -> str:
        return f"below #{self.number}"
