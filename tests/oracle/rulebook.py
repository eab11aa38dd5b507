"""The rules of docs/reference/rules.md as plain functions, written without knowledge of the site."""

import hashlib
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

SLOTS = ("main", "extra", "extra2", "extra3")
STEPS = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}
Cell = tuple[int, int]
Settings = Mapping[str, Any]


def name_key(name: str) -> str:
    """Rule 4.5, for the Latin names of these rounds: blanks, width and case are ignored."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


# Playing (rule 6)


@dataclass(frozen=True)
class Board:
    walls: frozenset[Cell]
    goals: frozenset[Cell]
    boxes: frozenset[Cell]
    player: Cell


def board(text: str) -> Board:
    """A level as XSB, its rows joined by "|" (rule 2.3)."""
    cells = {(row, column): sign for row, line in enumerate(text.split("|")) for column, sign in enumerate(line)}

    def cells_of(signs: str) -> frozenset[Cell]:
        return frozenset(cell for cell, sign in cells.items() if sign in signs)

    (player,) = cells_of("@+")
    return Board(cells_of("#"), cells_of(".*+"), cells_of("$*"), player)


@dataclass(frozen=True)
class Play:
    """Result of some steps: *steps* are those up to the end of play (rule 6.4) or the first impossible one.

    Pushes are capitals. *all_but_one* is the number of steps to the first state, after a push, with one box missing
    (rule 13.3).
    """

    steps: str
    is_solved: bool
    is_possible: bool
    all_but_one: int | None


def play(level: Board, steps: str) -> Play:
    """Rules 6.2 to 6.6."""
    player, boxes = level.player, set(level.boxes)
    done, all_but_one = "", None
    for letter in steps.lower():
        down, right = STEPS[letter]
        ahead = (player[0] + down, player[1] + right)
        beyond = (ahead[0] + down, ahead[1] + right)
        is_push = ahead in boxes
        if ahead in level.walls or (is_push and (beyond in level.walls or beyond in boxes)):
            return Play(done, is_solved=False, is_possible=False, all_but_one=all_but_one)
        if is_push:
            boxes.remove(ahead)
            boxes.add(beyond)
        player, done = ahead, done + (letter.upper() if is_push else letter)
        if not done.islower():
            missing = len(boxes - level.goals)
            if missing == 0:
                return Play(done, is_solved=True, is_possible=True, all_but_one=all_but_one)
            if missing == 1 and len(boxes) > 1 and all_but_one is None:
                all_but_one = len(done)
    return Play(done, is_solved=False, is_possible=True, all_but_one=all_but_one)


@dataclass(frozen=True)
class Judged:
    """A verdict (rule 6.7), with the slot and the counted steps, if any."""

    verdict: str
    slot: str | None = None
    steps: str = ""

    @property
    def moves(self) -> int:
        return len(self.steps)

    @property
    def pushes(self) -> int:
        return sum(step.isupper() for step in self.steps)


def judge(levels: Mapping[str, Board], text: str, named: str, settings: Settings) -> Judged:
    """Rules 5.8, 6.1 to 6.9, 13.3, 13.4, for texts of plain letters."""
    if any(letter not in "lurdLURD" for letter in text):
        return Judged("malformed")
    if not text:
        return Judged("empty")
    if len(text) > settings["max_moves"]:
        return Judged("too_long")
    tried = {slot: play(levels[slot], text) for slot in SLOTS if slot in levels and named in ("", slot)}
    for slot, outcome in tried.items():
        if outcome.is_solved:
            return Judged("accepted", slot, outcome.steps)
    solves_another = any(play(level, text).is_solved for level in levels.values())
    for slot, outcome in tried.items() if settings["spectator"] and not solves_another else ():
        if outcome.is_possible and outcome.all_but_one:
            return Judged("spectator", slot, outcome.steps[: outcome.all_but_one])
    return Judged("not_solved" if any(outcome.is_possible for outcome in tried.values()) else "illegal")


# Rankings and points (rules 8 to 10, 12)


@dataclass(frozen=True)
class Result:
    """A counted submission."""

    number: int
    player: str
    moves: int
    pushes: int
    received_at: datetime


def by_moves(result: Result) -> tuple[Any, ...]:
    """Rule 8.4."""
    return result.moves, result.pushes, result.received_at, result.number


def by_pushes(result: Result) -> tuple[Any, ...]:
    """Rule 8.4."""
    return result.pushes, result.moves, result.received_at, result.number


ORDERS: Mapping[str, Callable[[Result], tuple[Any, ...]]] = {"moves": by_moves, "pushes": by_pushes}


def ranking(results: Iterable[Result], order: Callable[[Result], tuple[Any, ...]]) -> list[Result]:
    """Rule 8.3: each player once, with their best."""
    best: dict[str, Result] = {}
    for result in results:
        best[result.player] = min(result, best.get(result.player, result), key=order)
    return sorted(best.values(), key=order)


def front(results: Iterable[Result]) -> set[int]:
    """Rules 12.1, 12.2: compare each result with each other."""
    results = list(results)

    def is_better(result: Result, other_result: Result) -> bool:
        if (result.moves, result.pushes) == (other_result.moves, other_result.pushes):
            return (result.received_at, result.number) < (other_result.received_at, other_result.number)
        return result.moves <= other_result.moves and result.pushes <= other_result.pushes

    return {candidate.number for candidate in results if not any(is_better(other, candidate) for other in results)}


Rankings = Mapping[str, Mapping[str, Sequence[Result]]]  # by slot, then by moves or pushes


@dataclass(frozen=True)
class Total:
    player: str
    by_moves: Fraction
    by_pushes: Fraction


def points(rankings: Rankings, settings: Settings) -> list[Total]:
    """Rules 9.1 to 9.5: the players with points, in the order of rule 11.7."""
    tables = {"moves": settings["move_points"], "pushes": settings["push_points"]}
    scored: dict[str, dict[str, Fraction]] = {"moves": {}, "pushes": {}}
    for slot in settings["scoring_levels"]:
        for metric, ranked in rankings.get(slot, {}).items():
            for result, given in zip(ranked, tables[metric], strict=False):
                scored[metric][result.player] = scored[metric].get(result.player, Fraction()) + Fraction(str(given))
    none = Fraction()
    totals = [
        Total(player, scored["moves"].get(player, none), scored["pushes"].get(player, none))
        for player in {**scored["moves"], **scored["pushes"]}
    ]

    def ranks(player: str) -> list[float]:
        ranks_ = []
        for metric in ("moves", "pushes"):
            for slot in SLOTS:
                players = [result.player for result in rankings.get(slot, {}).get(metric, ())]
                ranks_.append(players.index(player) if player in players else float("inf"))
        return ranks_

    holding = [total for total in totals if total.by_moves + total.by_pushes > 0]
    return sorted(holding, key=lambda total: (-total.by_moves - total.by_pushes, -total.by_moves, ranks(total.player)))


def champions(rankings: Rankings, settings: Settings) -> dict[str, str | None]:
    """Rules 10.1 to 10.5."""
    titles: dict[str, str | None] = {"moves": None, "pushes": None, "second": None}
    main = rankings.get("main")
    if not main or not main["moves"]:
        return titles
    first = {metric: main[metric][0].player for metric in ("moves", "pushes")}
    titles |= first
    wanted = {"move_rank_2": "moves", "push_rank_2": "pushes"}.get(settings["second_champion"])
    if wanted and first["moves"] == first["pushes"] and len(main[wanted]) > 1:
        titles["second"] = main[wanted][1].player
    return titles


# The draw (rule 11)


def commitment(round_: int, lucky: int, salt: str) -> str:
    """Rule 11.2."""
    return hashlib.sha256(f"{round_}|{lucky}|{salt}".encode()).hexdigest()


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def sealed_text(round_: int, slot: str, player: int, salt: str, moves: str) -> str:
    """Rule 5.11."""
    return f"leitai-sealed-1\n{round_}/{slot}\n{player}\n{salt}\n{moves}"


def dividend(lucky: int, value: str | None) -> int:
    """Rules 11.9, 11.14: L, or M if public randomness is mixed in."""
    return int(hashlib.sha256(f"{lucky}|{value}".encode()).hexdigest()[:13], 16) if value else lucky


def draw(number: int, candidates: Sequence[str]) -> str | None:
    """Rules 11.8 to 11.10."""
    return candidates[number % len(candidates)] if candidates else None
