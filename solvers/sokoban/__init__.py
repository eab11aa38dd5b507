"""Sokoban: read a level, play it, read moves, replay them."""

from solvers.sokoban.game import Game, Push
from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.problems import Problem
from solvers.sokoban.replay import Replay, replay

__all__ = ["Game", "Level", "Moves", "Problem", "Push", "Replay", "replay"]
