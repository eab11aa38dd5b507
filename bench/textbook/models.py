from typing import ClassVar

from django.db import models


class Level(models.Model):
    text = models.TextField()

    objects: ClassVar[models.Manager["Level"]] = models.Manager()

    def __str__(self) -> str:
        return f"Level {self.pk}"


class Submission(models.Model):
    level = models.ForeignKey(Level, on_delete=models.CASCADE)
    level_id: int
    nickname = models.CharField(max_length=32)
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(max_length=10, default="queued")
    verdict = models.CharField(max_length=20, blank=True)
    moves = models.IntegerField(null=True)
    pushes = models.IntegerField(null=True)

    objects: ClassVar[models.Manager["Submission"]] = models.Manager()

    class Meta:
        indexes = [models.Index(fields=["level", "verdict", "moves", "pushes"], name="leaderboard")]

    def __str__(self) -> str:
        return f"{self.nickname}: {self.verdict}"
