"""leitai-levels: generated levels with proved optima, for programs that learn or are tested.

`load_levels` reads the levels that come with this package. `making` makes any number of them from a seed (`sokoban
dataset`). DATASHEET.md describes the data, how it was made, and what it is not good for.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.resources import files

from solvers.sokoban.level import Level

VERSION = 1  # raise it with every change of the levels that a seed makes
FILE = "levels.jsonl"
DATASHEET = "DATASHEET.md"
SPLITS = ("train", "test", "held_out")
GRADES = {1: range(2, 5), 2: range(5, 10), 3: range(10, 18), 4: range(18, 30), 5: range(30, 41)}  # pushes


@dataclass(frozen=True)
class DatasetLevel:
    """One level of the data set, with the fields of its JSON line.

    *push_optimum* is proved, *move_optimum* too, or None. *solution* has the fewest pushes, and among such solutions
    the fewest moves that were found. Cells count from 0, row by row: `row * width + column`. *key* is equal for levels
    that differ only by a rotation, a reflection, or the player's place within reach.
    """

    id: str
    seed: str
    xsb: str
    grade: int
    split: str
    push_optimum: int
    move_optimum: int | None
    difficulty: str
    difficulty_score: float
    dead_squares: tuple[int, ...]
    solution: str
    key: str

    @property
    def level(self) -> Level:
        return Level.parse(self.xsb)

    @classmethod
    def from_json(cls, line: str) -> "DatasetLevel":
        """Read one line of the file. Raise ValueError or TypeError if it is not such a level."""
        fields = json.loads(line)
        return cls(**fields | {"dead_squares": tuple(fields["dead_squares"])})

    def as_json(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))


def load_levels(split: str | None = None, grade: int | None = None) -> tuple[DatasetLevel, ...]:
    """Return the levels that come with this package, in their order; only those of *split* or *grade*, if given.

    >>> level = load_levels(grade=1)[0]
    >>> level.level.problems, level.push_optimum in GRADES[1]
    ((), True)

    Raise ValueError if there is no such split or grade. Needs no solver.
    """
    if split not in (None, *SPLITS) or grade not in (None, *GRADES):
        raise ValueError(f"the splits are {', '.join(SPLITS)}, and the grades {min(GRADES)} to {max(GRADES)}")
    return tuple(
        level for level in _read_levels() if split in (None, level.split) and grade in (None, level.grade)
    )  # fmt: skip


def _read_levels() -> Iterator[DatasetLevel]:
    return map(DatasetLevel.from_json, files(__name__).joinpath(FILE).read_text("ascii").splitlines())


def split_of(key: str) -> str:
    """Return the split of a level by its key: a tenth is held out, a tenth is for tests, the rest for training."""
    return {0: "held_out", 1: "test"}.get(int(key[:8], 16) % 10, "train")
