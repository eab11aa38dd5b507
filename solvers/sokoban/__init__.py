"""Sokoban: read a level or a collection, play it, replay moves, solve it.

`Game` is a level in play; `replay` judges moves. `read_collection` reads a file. `solve`, `prove`, `optimize` and
`find` search, within a `Budget`; they need numba, except `solve` for easy levels. A level is a Level or text.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from solvers.sokoban.game import Game, Push
from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.problems import Problem
from solvers.sokoban.replay import Replay, replay

if TYPE_CHECKING:
    from solvers.sokoban.formats import Collection, Entry, read_collection
    from solvers.sokoban.solving import Aim, Budget, Solved, Unknown, Unsolvable
    from solvers.sokoban.solving.solver import find, optimize, prove, solve

__all__ = [
    "Aim",
    "Budget",
    "Collection",
    "Entry",
    "Game",
    "Level",
    "Moves",
    "Problem",
    "Push",
    "Replay",
    "Solved",
    "Unknown",
    "Unsolvable",
    "find",
    "optimize",
    "prove",
    "read_collection",
    "replay",
    "solve",
]

# Imported on first use: most programs need neither the formats nor the searches.
_MODULES = {
    "formats": ("Collection", "Entry", "read_collection"),
    "solving": ("Aim", "Budget", "Solved", "Unknown", "Unsolvable"),
    "solving.solver": ("find", "optimize", "prove", "solve"),
}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"solvers.sokoban.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
