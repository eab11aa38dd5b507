"""Klotski (华容道): parse a layout, replay moves, find shortest solutions, recompute the published records.

`layout` parses a board · `game` is one in play · `replay` plays `moves` · `solve` uses the `atlas` for exit distances,
else `searching` · `goals` defines the questions · `records` recomputes the published extremes · `draw` and `pictures`
make images.
"""

from solvers.klotski.game import Game
from solvers.klotski.goals import Goal, question
from solvers.klotski.layout import Kind, Layout, Mirror
from solvers.klotski.moves import Move
from solvers.klotski.replay import Replay, replay
from solvers.klotski.solve import Solution, solve

__all__ = ["Game", "Goal", "Kind", "Layout", "Mirror", "Move", "Replay", "Solution", "question", "replay", "solve"]
