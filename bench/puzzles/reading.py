"""Read 10,000 levels as a stream, compared with splitting at blank lines and parsing only the boards."""

import tracemalloc
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec

from bench.figures import Figure, cpu_seconds
from bench.games import room
from solvers.sokoban import Level

LEVELS = 10_000


def measure() -> Iterator[Figure]:
    """Yield the time of both methods, and the peak memory of the stream."""
    text = "\n".join(_file())
    size = f"{LEVELS:,} levels, {len(text) / 1e6:.1f} MB"
    if not find_spec("solvers.sokoban.formats"):
        (plain,) = cpu_seconds(lambda: _boards_alone(text), runs=3)
        yield Figure(f"{size}, boards alone", plain, "s")
        return
    formats = import_module("solvers.sokoban.formats")

    def read(lines: Iterable[str]) -> None:
        assert sum(hasattr(entry, "level") for entry in formats.read_levels(lines)) == LEVELS

    lines = text.split("\n")
    streamed, plain = cpu_seconds(lambda: read(lines), lambda: _boards_alone(text), runs=3)
    yield Figure(f"{size}, read_levels", streamed, "s", "boards alone", plain)
    tracemalloc.start()
    read(_file())
    yield Figure("the most memory that took", tracemalloc.get_traced_memory()[1] / 1e6, "MB")


def _boards_alone(text: str) -> None:
    boards = [part for part in text.split("\n\n") if part.startswith("#")]
    assert len([Level.parse(board) for board in boards]) == LEVELS


def _file() -> Iterator[str]:
    """Yield the lines of the file: a title above each level, as in most collections, and rooms of 6 to 15 columns."""
    rooms = [room(side, walls=0.1, boxes=3, seed=side) for side in range(6, 16)]
    for number in range(LEVELS):
        yield from (
            f"Level {number + 1}",
            "",
            *rooms[number % len(rooms)].rows(),
            "",
            f"Author: Nobody {number % 7}",
            "",
        )
