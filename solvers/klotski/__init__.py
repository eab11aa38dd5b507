"""Klotski (华容道): read a layout, replay moves, find shortest ways, recompute the published records.

`layout` reads a board · `replay` plays `moves` · `solve` answers: from the `atlas` for ways out, else by `searching` ·
`goals` what can be asked · `records` the published ones · `draw` and `pictures`.
"""

from solvers.klotski.goals import Goal, question
from solvers.klotski.layout import Kind, Layout, Mirror
from solvers.klotski.moves import Move
from solvers.klotski.replay import Replay, replay
from solvers.klotski.solve import Solution, solve

__all__ = ["Goal", "Kind", "Layout", "Mirror", "Move", "Replay", "Solution", "question", "replay", "solve"]
