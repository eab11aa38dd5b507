"""Levels to train on, with what is proved about them, and the places that they come from.

`shipped` levels come with `leitai-solvers`, `from_file` reads any collection, `find` makes new ones from a seed,
`from_site` takes those that a site has published. `with_optimum` proves what is not known yet.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from solvers.sokoban import Level
from solvers.sokoban.dataset import DatasetLevel, load_levels
from solvers.sokoban.formats import Entry, Unread, read_file
from solvers.sokoban.problems import Fault

if TYPE_CHECKING:
    from leitai import Client
    from leitai.shapes import LibraryLevel

Row = TypeVar("Row")

_PROVED = re.compile(r"^(?:Fewest (moves|pushes): (\d+)|Optimum: (\d+) pushes) \(proved\)", re.MULTILINE)
_UNPLAYABLE = {Fault.PLAYERS, Fault.NO_BOXES, Fault.BOXES_GOALS, Fault.OPEN, Fault.SOLVED_AT_START}


@dataclass(frozen=True)
class Puzzle:
    """A level, its *title* and *source*, and what is known about it.

    *pushes* and *moves* are the fewest of any solution, each proved separately, or None. *grade* is the difficulty
    that the source states, from 1; None if it states none. Raise ValueError if the level cannot be played: it is open,
    solved at the start, or lacks a player, a box or a goal.
    """

    level: Level
    title: str = ""
    source: str = ""
    pushes: int | None = None
    moves: int | None = None
    grade: int | None = None

    def __post_init__(self) -> None:
        if fault := next((problem for problem in self.level.problems if problem.code in _UNPLAYABLE), None):
            raise ValueError(f"{self.name} cannot be played: {fault}.")

    @property
    def name(self) -> str:
        return f"Level {self.title!r}" if self.title else "A level without a title"

    @property
    def optimum(self) -> dict[str, int]:
        """The proved minima, by the names `pushes` and `moves`; what is not proved is left out."""
        known = {"pushes": self.pushes, "moves": self.moves}
        return {name: count for name, count in known.items() if count is not None}


Levels: TypeAlias = Puzzle | Level | str | Path | Iterable[Puzzle | Level | str | Path] | None


def read_levels(levels: Levels) -> list[Puzzle]:
    """Return *levels* as puzzles: XSB text, paths of collections (a text without #), None for the easiest shipped ones.

    >>> [puzzle.level.width for puzzle in read_levels("######|#@$-.#|######")]
    [6]

    Raise ValueError if there is no level, or one cannot be played; PuzzleError if a text is no board; OSError.
    """
    if levels is None:
        return shipped(1)
    several = [levels] if isinstance(levels, Puzzle | Level | str | Path) else levels
    puzzles = [puzzle for item in several for puzzle in _read_item(item)]
    if not puzzles:
        raise ValueError("There is no level to play.")
    return puzzles


def _read_item(item: Puzzle | Level | str | Path) -> list[Puzzle]:
    if isinstance(item, Puzzle):
        return [item]
    if isinstance(item, Path) or (isinstance(item, str) and "#" not in item):
        return from_file(item)
    return [Puzzle(item if isinstance(item, Level) else Level.parse(item))]


@cache
def _read_shipped(grade: int | None, split: str | None) -> tuple[Puzzle, ...]:
    return tuple(_puzzle_of_dataset(row, "leitai-levels") for row in load_levels(split, grade))


def _puzzle_of_dataset(row: DatasetLevel, source: str) -> Puzzle:
    return Puzzle(row.level, row.id, source, row.push_optimum, row.move_optimum, row.grade)


def shipped(grade: int | None = None, split: str | None = None) -> list[Puzzle]:
    """Return the 200 levels of `solvers.sokoban.dataset`, or those of a *grade* and a *split*; all optima are proved.

    >>> [len(shipped(grade)) for grade in range(1, 6)], shipped(1)[0].optimum
    ([40, 40, 40, 40, 40], {'pushes': 2, 'moves': 12})

    Raise ValueError if there is no such grade, 1 to 5, or split, `train`, `test` or `held_out`.
    """
    return list(_read_shipped(grade, split))


def from_file(path: str | Path) -> list[Puzzle]:
    """Return the levels of a collection in any format, with the optima that notes of `sokoban find` state as proved.

    Of a file of `sokoban dataset` (.jsonl) all that it has is read, and ValueError names a line that is no level. A
    board that cannot be read or played is left out with a warning that names it. Raise ValueError if none is left,
    NotText if the file is not text, and OSError if it cannot be opened.
    """
    path = Path(path)
    if path.suffix == ".jsonl":
        return [_puzzle_of_line(path.name, *line) for line in enumerate(path.read_text("utf-8").splitlines(), 1)]
    return _playable(read_file(path), partial(_puzzle_of_entry, source=path.name), path.name)


def _puzzle_of_line(source: str, number: int, line: str) -> Puzzle:
    try:
        return _puzzle_of_dataset(DatasetLevel.from_json(line), source)
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"{source}:{number}: this is no level of `sokoban dataset` ({error}).") from None


def _puzzle_of_entry(entry: Entry | Unread, source: str) -> Puzzle:
    """Return a level of a file. Raise ValueError, with its line, if it cannot be read or played."""
    try:
        if isinstance(entry, Unread):
            raise entry.error
        proved = dict.fromkeys(("pushes", "moves"), None) | {
            metric or "pushes": int(count or pushes) for metric, count, pushes in _PROVED.findall(entry.comments)
        }
        return Puzzle(entry.level, entry.title or f"Level {entry.number}", source, **proved)
    except ValueError as error:
        raise ValueError(f"{source}:{entry.line}: {error}") from None


def find(
    boxes: int = 2, *, width: int = 5, height: int = 4, count: int = 10, boards: int = 50, seed: int = 1
) -> list[Puzzle]:
    """Find at most *count* new levels with the fewest pushes proved; the same arguments find the same levels.

    Rooms have *width* by *height* squares inside; *boards* of them are tried. The grade is the solver's band, from 1
    to 4. Raise ValueError if the room is too small for the boxes, NoCompiler without numba (the extra `solving`).
    """
    from solvers.sokoban import find as find_levels  # its searches load numba

    source, puzzles = f"find, seed {seed}", []
    found = find_levels(boxes, width=width, height=height, boards=boards, most=count, seed=seed)
    for number, level in enumerate(found, 1):
        grade = int(level.difficulty.band)
        puzzles.append(Puzzle(level.level, f"Found {number}", source, level.solution.pushes, grade=grade))
    return puzzles


def from_site(site: str | Client, *, count: int = 100, **wanted: object) -> list[Puzzle]:
    """Return at most *count* levels that a site has published and lets programs download, with its proved optima.

    *site* is an address or a client of `leitai` (the extra `site`); *wanted* are filters of its library, such as
    `grade=1, boxes_to=3`. Raise ValueError if no level is left, and the client's errors.
    """
    from leitai import Client

    if isinstance(site, str):
        with Client(site) as client:
            return from_site(client, count=count, **wanted)
    rows = islice((row for row in site.library(**wanted) if row.board), count)
    return _playable(rows, _puzzle_of_row, "The site")


def _puzzle_of_row(row: LibraryLevel) -> Puzzle:
    address = str(row.extra.get("url", ""))
    proved = row.extra.get("least_pushes"), row.extra.get("least_moves")
    return Puzzle(Level.parse(row.board or ""), row.title, address, *proved, grade=row.extra.get("grade"))


def _playable(rows: Iterable[Row], build: Callable[[Row], Puzzle], source: str) -> list[Puzzle]:
    """Return the puzzle of each row; warn of rows that raise ValueError. Raise ValueError if none is left."""
    puzzles: list[Puzzle] = []
    for row in rows:
        try:
            puzzles.append(build(row))
        except ValueError as error:
            warnings.warn(f"Left out: {error}", stacklevel=3)
    if not puzzles:
        raise ValueError(f"{source} has no level that can be played.")
    return puzzles


def with_optimum(puzzles: Iterable[Puzzle], *, nodes: int = 200_000) -> list[Puzzle]:
    """Return the puzzles with fewest pushes and fewest moves proved where a search of *nodes* states proves them.

    What is known stays; a missing grade becomes the solver's band, from 1 to 4. Raise NoCompiler without numba.
    """
    from solvers.sokoban import Budget, Solved, prove  # loads numba
    from solvers.sokoban.solving.difficulty import difficulty

    completed = []
    for puzzle in puzzles:
        for aim in ("pushes", "moves"):
            if getattr(puzzle, aim) is None or puzzle.grade is None:
                answer = prove(puzzle.level, aim, Budget(nodes=nodes))
                if isinstance(answer, Solved) and answer.proven == aim:
                    puzzle = replace(puzzle, **{aim: getattr(answer, aim)})  # noqa: PLW2901 - the same, better known
                    grade = puzzle.grade or int(difficulty(puzzle.level, answer.lurd).band)
                    puzzle = replace(puzzle, grade=grade)  # noqa: PLW2901
        completed.append(puzzle)
    return completed
