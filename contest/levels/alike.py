"""Public levels similar to a board: the same in any orientation, then those that have most in common with it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Greatest, Least

from contest import visibility
from contest.models import CollectedLevel, Collection, Level, Round
from contest.visibility import Viewer
from solvers import sokoban
from solvers.sokoban.checks.likeness import likeness

MAX_COMPARED = 1_000  # levels of each kind: a quarter of a second for boards of common size
MAX_CELLS = 1_600  # cells: comparing a larger board takes too long for a waiting reader
MIN_LIKENESS = 0.7
SHOWN = 6


@dataclass(frozen=True)
class SimilarLevel:
    """A public *level* and its similarity to the board, from 0 to 1; 1 if players cannot tell them apart."""

    level: Level | CollectedLevel
    likeness: float

    @property
    def percent(self) -> int:
        return int(100 * self.likeness)

    @property
    def source(self) -> Collection | Round:
        return self.level.collection if isinstance(self.level, CollectedLevel) else self.level.round


def similar_levels(viewer: Viewer, at: datetime, board: sokoban.Level) -> list[SimilarLevel]:
    """Return the public levels most similar to *board*, which has one player. Four queries.

    Compares levels with as many boxes, one more or one fewer, and sides that differ by at most one; at most the newest
    `MAX_COMPARED` of each kind.
    """
    same = [
        SimilarLevel(level, 1.0) for levels in _public(viewer, at) for level in levels.filter(key=board.key)[:SHOWN]
    ]
    same_levels = {similar.level for similar in same}
    others = [
        similar
        for similar in _compare(viewer, at, board)
        if similar.likeness >= MIN_LIKENESS and similar.level not in same_levels
    ]
    return [*same, *sorted(others, key=lambda similar: -similar.likeness)][:SHOWN]


def _compare(viewer: Viewer, at: datetime, board: sokoban.Level) -> Iterator[SimilarLevel]:
    if board.width * board.height > MAX_CELLS:
        return
    shorter, longer = sorted((board.width, board.height))
    for levels in _public(viewer, at):
        candidates = levels.annotate(
            shorter=Least(F("width"), F("height")), longer=Greatest(F("width"), F("height"))
        ).filter(
            Q(boxes__range=(len(board.boxes) - 1, len(board.boxes) + 1)),
            shorter__range=(shorter - 1, shorter + 1),
            longer__range=(longer - 1, longer + 1),
        )
        for level in candidates.order_by("-pk")[:MAX_COMPARED]:
            yield SimilarLevel(level, likeness(board, sokoban.Level.parse(level.text)))


def _public(viewer: Viewer, at: datetime) -> tuple[QuerySet[Level], QuerySet[CollectedLevel]]:
    collected = visibility.collected_levels(viewer, at).select_related("collection")
    return visibility.levels(viewer, at), collected.exclude(key="")  # no key without exactly one player
