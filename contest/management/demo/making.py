"""Generator of the site's own levels: the solver finds them in rooms with a mirror line; proved, in five grades.

The result depends only on the seeds of `ROOMS`: the same code generates the same file. `manage.py make_levels` runs it.
"""

import random
from collections.abc import Callable, Collection
from dataclasses import dataclass

from contest.library.own.graded import AUTHOR, GRADES, LICENCE, PER_GRADE
from solvers.sokoban.formats import Attempt, Entry, Kind, sok
from solvers.sokoban.formats import Collection as LevelFile
from solvers.sokoban.level import GOAL, WALL, Level


@dataclass(frozen=True)
class Room:
    """Rooms of one inner size: number of boxes, number of rooms, and number of boards tried in each."""

    boxes: int
    width: int
    height: int
    rooms: int
    boards: int


ROOMS = (
    Room(1, 4, 3, 6, 8),
    Room(1, 5, 4, 8, 8),
    Room(2, 4, 4, 10, 12),
    Room(2, 5, 4, 18, 16),
    Room(2, 6, 5, 20, 16),
    Room(2, 7, 5, 16, 16),
    Room(3, 5, 5, 20, 16),
    Room(3, 6, 5, 22, 16),
    Room(3, 7, 6, 22, 14),
    Room(4, 6, 5, 20, 12),
    Room(4, 7, 5, 20, 12),
    Room(4, 7, 6, 18, 10),
    Room(5, 7, 6, 8, 6),
)


@dataclass(frozen=True)
class OwnLevel:
    """A level with its two proved optimal solutions, and the score that determines its grade."""

    level: Level
    by_moves: str
    by_pushes: str
    score: float


def make(known: Collection[str] = (), report: Callable[[int], object] | None = None) -> str:
    """Return the generated levels as a .sok file. Exclude levels with one of the *known* keys, turned or mirrored too.

    Takes about twenty minutes of CPU time. *report* is called with the number of levels found so far.
    """
    by_key: dict[str, OwnLevel] = {}
    for number, room in enumerate(ROOMS):
        for at in range(room.rooms):
            own_level = _best_in_room(room, 1000 * number + at)
            if own_level and own_level.level.key not in known:
                by_key.setdefault(own_level.level.key, own_level)
            if report:
                report(len(by_key))
    return _write(_choose(list(by_key.values())))


def _best_in_room(room: Room, seed: int) -> OwnLevel | None:
    """Return the best level found in one room, if any: by pushes for even seeds, by box changes for odd ones."""
    from solvers.sokoban.solving.finding import Quality, find_levels

    walls = room_of(room.width, room.height, random.Random(seed))  # noqa: S311 - the same seed makes the same room
    wanted = Quality.CHANGES if seed % 2 else Quality.PUSHES
    best = find_levels(room.boxes, walls=walls, quality=wanted, boards=room.boards, most=1, seed=seed)
    own_level = prove_optimal(crop(best[0].level)) if best else None
    return own_level if own_level and is_pleasant(own_level) else None


def room_of(width: int, height: int, chance: random.Random) -> Level:
    """Return a connected room of *width* by *height* inner squares, with a vertical mirror line."""
    while True:
        half = (width + 1) // 2
        rows = [[chance.random() < 0.18 for _ in range(half)] for _ in range(height)]
        inside = [row + row[::-1][width % 2 :] for row in rows]
        for corner in (0, height - 1):
            if chance.random() < 0.35:
                inside[corner][0] = inside[corner][-1] = True
        cells = [[WALL] * (width + 2)]
        cells += [[WALL, *(WALL if wall else 0 for wall in row), WALL] for row in inside]
        cells += [[WALL] * (width + 2)]
        level = Level.from_cells(cells)
        floor = [cell for cell, content in enumerate(level.cells) if not content & WALL]
        if len(floor) > width * height * 0.6 and _is_connected(level, floor) and not _has_dead_ends(level, floor):
            return level


def _is_connected(level: Level, floor: list[int]) -> bool:
    seen, todo = {floor[0]}, [floor[0]]
    while todo:
        for cell in level.neighbours(todo.pop()):
            if not level.cells[cell] & WALL and cell not in seen:
                seen.add(cell)
                todo.append(cell)
    return len(seen) == len(floor)


def _has_dead_ends(level: Level, floor: list[int]) -> bool:
    """Return True if a square is open on only one side, which is clutter in such small rooms."""
    return any(sum(not level.cells[cell] & WALL for cell in level.neighbours(at)) < 2 for at in floor)


def crop(level: Level) -> Level:
    """Return the level reduced to its floor and the walls that touch it."""
    width, height = level.width, level.height
    reach = level.reach

    def touches(cell: int) -> bool:
        row, column = divmod(cell, width)
        around = ((row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1))
        return any(0 <= r < height and 0 <= c < width and r * width + c in reach for r, c in around)

    cells = [content if cell in reach or touches(cell) else 0 for cell, content in enumerate(level.cells)]
    rows = [cells[at : at + width] for at in range(0, len(cells), width)]
    rows = [row for row in rows if any(row)]
    columns = [at for at in range(width) if any(row[at] for row in rows)]
    return Level.from_cells([row[columns[0] : columns[-1] + 1] for row in rows])


def prove_optimal(level: Level) -> OwnLevel | None:
    from solvers.sokoban.solving.answers import Aim, Solved
    from solvers.sokoban.solving.budget import Budget
    from solvers.sokoban.solving.difficulty import difficulty
    from solvers.sokoban.solving.exact import prove_exactly

    by_pushes = prove_exactly(level, Aim.PUSHES, Budget(nodes=400_000))
    by_moves = prove_exactly(level, Aim.MOVES, Budget(nodes=2_000_000))
    if not isinstance(by_pushes, Solved) or not isinstance(by_moves, Solved):
        return None
    return OwnLevel(level, by_moves.lurd, by_pushes.lurd, difficulty(level, by_pushes.lurd).score)


def is_pleasant(own_level: OwnLevel) -> bool:
    """Return True if few boxes start on goals, and the solution is neither too short nor too long."""
    level = own_level.level
    at_home = sum(bool(level.cells[box] & GOAL) for box in level.boxes)
    return at_home * 3 <= len(level.boxes) and 5 <= len(own_level.by_moves) <= 400


def _choose(candidates: list[OwnLevel]) -> list[OwnLevel]:
    """Return GRADES times PER_GRADE levels, evenly spread over the scores, easiest first; sort each grade by boxes."""
    ranked = sorted(candidates, key=lambda own_level: (own_level.score, own_level.level.key))
    wanted = GRADES * PER_GRADE
    if len(ranked) < wanted:
        raise ValueError(f"only {len(ranked)} levels were found, and {wanted} are wanted")
    chosen = [ranked[at * (len(ranked) - 1) // (wanted - 1)] for at in range(wanted)]
    grades = [chosen[at : at + PER_GRADE] for at in range(0, wanted, PER_GRADE)]
    return [
        own_level for grade in grades for own_level in sorted(grade, key=lambda own_level: len(own_level.level.boxes))
    ]


def _write(chosen: list[OwnLevel]) -> str:
    entries = tuple(_entry(number, own_level) for number, own_level in enumerate(chosen, 1))
    return sok.write(LevelFile(f"{AUTHOR}, {LICENCE}", entries=entries))


def _entry(number: int, own_level: OwnLevel) -> Entry:
    grade = (number - 1) // PER_GRADE + 1
    pushes = sum(step.isupper() for step in own_level.by_pushes)
    comments = f"Grade: {grade}\nFewest moves: {len(own_level.by_moves)} (proved)\nFewest pushes: {pushes} (proved)"
    # If one solution has both the fewest moves and the fewest pushes, write it only once.
    different = {(len(lurd), sum(map(str.isupper, lurd))): lurd for lurd in (own_level.by_pushes, own_level.by_moves)}
    attempts = tuple(Attempt(Kind.SOLUTION, lurd, *counts) for counts, lurd in sorted(different.items()))
    return Entry(number, 0, own_level.level, title=f"{grade}-{(number - 1) % PER_GRADE + 1:02}", author=AUTHOR,
                 comments=comments, attempts=attempts)  # fmt: skip
