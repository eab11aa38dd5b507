"""Smallest improvements that gain a rank, from the rows of a round's results alone, without queries (rule 7.7)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from contest.models import Metric
from contest.results.rows import ResultRow, Score


@dataclass(frozen=True)
class Gain:
    """Gain of *rank* or better by *fewer* of *metric* on the level in *slot*, named *slot_name*."""

    slot: str
    slot_name: str
    metric: Metric
    fewer: int
    rank: int


def nearest_gain(rows: Sequence[ResultRow], players: Collection[int], least: Mapping[str, int]) -> Gain | None:
    """Return the smallest gain for any of *players* (by pk); None if none of them ranks behind somebody.

    *least* has a lower bound for pushes, and so for moves, by slot: no gain needs fewer. Time O(rows · levels) for each
    of their rows.
    """
    own = (row for row in rows if row.player.pk in players)
    gains = (gain for row in own for gain in _gains(rows, row, least))
    return min(gains, key=lambda gain: (gain.fewer, gain.rank), default=None)


def _gains(rows: Sequence[ResultRow], own: ResultRow, least: Mapping[str, int]) -> Iterator[Gain]:
    for at in range(len(own.levels)):
        for metric in Metric:
            own_score = _score(own, at, metric)
            ahead = [score for row in rows if _is_ahead(score := _score(row, at, metric), own_score)]
            if not ahead:
                continue
            # All who equal the passed score in the first count are passed too, as in `standings.next_gain`.
            passed = max(ahead, key=lambda score: score.rank or 0)
            if _first(passed) <= least.get(own_score.slot, 0):
                continue
            rank = min(score.rank or 0 for score in ahead if _first(score) == _first(passed))
            yield Gain(own_score.slot, own_score.slot_name, metric, _first(own_score) - _first(passed) + 1, rank)


def _score(row: ResultRow, at: int, metric: Metric) -> Score:
    return row.levels[at].moves if metric == Metric.MOVES else row.levels[at].pushes


def _is_ahead(score: Score, own_score: Score) -> bool:
    return score.rank is not None and own_score.rank is not None and score.rank < own_score.rank


def _first(score: Score) -> int:
    return score.moves if score.metric == Metric.MOVES else score.pushes
