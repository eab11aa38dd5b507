"""Layouts that hold the records, read from the file `extremes.json`, which `records --strict --layouts` creates."""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from solvers.klotski.layout import Layout

FILE = Path(__file__).with_name("extremes.json")


class Extreme(NamedTuple):
    """Moves, and the layouts that need so many: for the classic game one of two mirror images, else one of four."""

    moves: int
    layouts: tuple[Layout, ...]


@cache
def extremes() -> dict[str, tuple[Extreme, ...]]:
    """Return the records by the keys of `records`; `classic_hardest` has one for each class of horizontals.

    >>> [(one.moves, len(one.layouts)) for one in extremes()["classic_hardest"]]
    [(19, 2), (93, 1), (138, 3), (135, 2), (97, 2), (56, 6)]
    """
    content = json.loads(FILE.read_text())
    return {
        key: tuple(Extreme(moves, tuple(map(Layout, cells))) for moves, cells in records)
        for key, records in content.items()
    }


def format_extremes(extremes_by_key: dict[str, tuple[Extreme, ...]]) -> str:
    """Return the records in the format of the file: one line each.

    >>> format_extremes(extremes()) == FILE.read_text()
    True
    """
    lines = (
        f'"{key}": {json.dumps([[extreme.moves, [layout.cells for layout in extreme.layouts]] for extreme in records])}'
        for key, records in extremes_by_key.items()
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"
