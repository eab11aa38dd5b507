"""Points and champions of a round: pure functions of its rankings (rules 9 and 10).

A ranking here is a list of players' numbers, best first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

SLOTS = ("main", "extra", "extra2", "extra3")  # rule 1.2


@dataclass(frozen=True)
class Rankings:
    """The two rankings of a level (rule 8.6)."""

    moves: Sequence[int] = ()
    pushes: Sequence[int] = ()


@dataclass(frozen=True)
class Total:
    """A player's score in a round, in half points (rule 9.3)."""

    player: int
    by_moves: int
    by_pushes: int

    @property
    def half_points(self) -> int:
        return self.by_moves + self.by_pushes


@dataclass(frozen=True)
class Champions:
    """The first by moves, the first by pushes, and the second champion if both are one player (rule 10)."""

    moves: int | None = None
    pushes: int | None = None
    second: int | None = None

    @property
    def seats(self) -> set[int]:
        """Players with a champion's seat, who are excluded from the draw (rules 10.3, 11.6)."""
        return {player for player in (self.moves, self.pushes, self.second) if player is not None}


def totals(
    levels: Mapping[str, Rankings], move_points: Sequence[int], push_points: Sequence[int], scoring: Iterable[str]
) -> list[Total]:
    """Return all players with points, in the order of rule 11.7, from the rankings of *levels* by slot.

    The tables are in half points, one number for each eligible rank (rules 9.1, 9.2, 9.5); points of the scoring levels
    are summed (rule 9.4).

    >>> totals({"main": Rankings([1, 2], [2, 1])}, [40, 38], [39, 37], ["main"])
    [Total(player=1, by_moves=40, by_pushes=37), Total(player=2, by_moves=38, by_pushes=39)]
    """
    scored = [levels[slot] for slot in scoring if slot in levels]
    by_moves = _add_up((ranked.moves for ranked in scored), move_points)
    by_pushes = _add_up((ranked.pushes for ranked in scored), push_points)
    scores = [
        Total(player, by_moves.get(player, 0), by_pushes.get(player, 0))
        for player in dict.fromkeys([*by_moves, *by_pushes])
    ]
    places = _places(levels)
    none: tuple[int, ...] = ()
    return sorted(
        (total for total in scores if total.half_points),
        key=lambda total: (-total.half_points, -total.by_moves, places.get(total.player, none)),
    )


def champions(main: Rankings, second: str = "move_rank_2") -> Champions:
    """Return the main level's champions (rules 10.1 to 10.5): both firsts; a double winner leaves a seat to a second.

    >>> champions(Rankings([2, 1, 3], [2, 3, 1]))
    Champions(moves=2, pushes=2, second=1)
    """
    if not main.moves:
        return Champions()
    by_moves, by_pushes = main.moves[0], main.pushes[0]
    ranking = {"move_rank_2": main.moves, "push_rank_2": main.pushes, "none": ()}[second]
    return Champions(by_moves, by_pushes, ranking[1] if by_moves == by_pushes and len(ranking) > 1 else None)


def half_points(points: int) -> str:
    """Write half points as a decimal number.

    >>> half_points(77), half_points(40)
    ('38.5', '20')
    """
    return f"{points // 2}{'.5' if points % 2 else ''}"


def _add_up(rankings: Iterable[Sequence[int]], points: Sequence[int]) -> dict[int, int]:
    """Return each player's sum of points over *rankings*."""
    scored: dict[int, int] = {}
    for ranking in rankings:
        for player, half_points in zip(ranking, points, strict=False):
            scored[player] = scored.get(player, 0) + half_points
    return scored


def _places(levels: Mapping[str, Rankings]) -> dict[int, tuple[int, ...]]:
    """Return the tie-break of rule 11.7 after move points: each player's move ranks, then push ranks, slot by slot."""
    in_order = [levels[slot].moves for slot in SLOTS if slot in levels]
    in_order += [levels[slot].pushes for slot in SLOTS if slot in levels]
    ranks = [{player: rank for rank, player in enumerate(ranking, 1)} for ranking in in_order]
    players = {player for ranking in in_order for player in ranking}
    no_rank = 1 + max((len(ranking) for ranking in in_order), default=0)
    return {player: tuple(of_level.get(player, no_rank) for of_level in ranks) for player in players}
