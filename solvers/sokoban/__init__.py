"""Sokoban: read a level, read moves, replay them."""

from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.problems import Problem
from solvers.sokoban.replay import Replay, replay

__all__ = ["Level", "Moves", "Problem", "Replay", "replay"]
