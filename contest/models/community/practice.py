"""After the close: virtual participation, and which players have seen solutions (rule 20)."""

from typing import ClassVar

from django.db import models

from contest.models.player import Player
from contest.models.round import Round


class VirtualStart(models.Model):
    """The time a player started a closed round's clock; once per round (rule 20.2)."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="virtual_starts")
    player = models.ForeignKey(Player, models.PROTECT, related_name="virtual_starts")
    started_at = models.DateTimeField()
    has_seen = models.BooleanField(default=False)

    objects: ClassVar[models.Manager["VirtualStart"]] = models.Manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "player"], name="virtual_start_once")]

    def __str__(self) -> str:
        return f"{self.player} in {self.round}"


class SeenSolutions(models.Model):
    """A record that a player was shown a published solution of a round (rule 20.3)."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    seen_at = models.DateTimeField()

    objects: ClassVar[models.Manager["SeenSolutions"]] = models.Manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "player"], name="seen_solutions_once")]

    def __str__(self) -> str:
        return f"{self.player} in {self.round}"
