"""The demo's earlier rounds: its players, and their solutions of the site's own levels."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import cache

from contest.library.own import graded
from contest.models import Slot
from solvers.sokoban.level import BOX, WALL, Level

# Nickname, country, time after the opening, slot of the level, moves.
Sent = tuple[str, str, timedelta, Slot, str]


@dataclass(frozen=True)
class Board:
    """A level of the demo; without *text*, the level is derived from its solution."""

    title: str
    solution: str
    author: str = "Leitai"
    text: str = ""


_PLAYERS = (
    ("推箱客", "cn"), ("Ada", "gb"), ("山水", "cn"), ("Mika", "fi"), ("云中", "cn"),
    ("Lucía", "ar"), ("小舟", "tw"), ("Jürgen", "de"), ("阿明", "my"), ("Petra", "cz"),
)  # fmt: skip
TITLES = (("热身赛", "Warm-up"), ("新叶", "New leaves"), ("对称", "Symmetry"), ("回廊", "Cloisters"))
# For each round, the indexes (from 0) of its main and extra level in the own levels.
_PLACES = ((50, 26), (60, 30), (74, 36), (83, 41))


@cache
def _board(place: int, name: str) -> Board:
    entry = graded.read()[place]
    by_moves = min(entry.solutions, key=lambda attempt: attempt.moves)
    return Board(name, by_moves.lurd, text=entry.level.published_text)


def boards(number: int) -> tuple[Board, Board]:
    """Return the main and the extra level of a round; the first round is number 1."""
    (zh, en), (main, extra) = TITLES[number - 1], _PLACES[number - 1]
    return _board(main, f"{zh} · {en}"), _board(extra, f"{zh}（二） · {en}, the second")


def entries_of(number: int) -> Iterator[Sent]:
    """Yield the submissions to round *number*: a better player walks back and forth less often before the solution."""
    for slot, board in zip((Slot.MAIN, Slot.EXTRA), boards(number), strict=True):
        for place, (nickname, country) in enumerate(_PLAYERS):
            form = (3 * place + 5 * number + 2 * len(slot)) % 7  # good and bad days
            if form == 6 and place:  # does not enter this round
                continue
            after = timedelta(days=1 + (place + form) % 18, hours=place, minutes=30 * (slot == Slot.EXTRA))
            yield nickname, country, after, slot, _longer(board, place // 4 + form)


def entries_of_others(main: Board, extra: Board) -> Iterator[Sent]:
    """Yield submissions to the last round by players who have no solutions listed for it in `demo`."""
    for place, (nickname, country) in enumerate(_PLAYERS):
        if nickname in ("Mika", "云中", "Lucía", "阿明", "Petra"):
            after = timedelta(days=4 + place, hours=place)
            yield nickname, country, after, Slot.MAIN, _longer(main, place)
            yield nickname, country, after + timedelta(minutes=20), Slot.EXTRA, _longer(extra, place - 1)


def _longer(board: Board, times: int) -> str:
    """Return the solution of *board* after stepping to a free square and back *times* times."""
    level = Level.parse(board.text)
    steps = {"l": -1, "r": 1, "u": -level.width, "d": level.width}
    back = {"l": "r", "r": "l", "u": "d", "d": "u"}
    free = next(way for way, by in steps.items() if not level.cells[level.player + by] & (WALL | BOX))
    return (free + back[free]) * times + board.solution
