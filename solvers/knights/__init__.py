"""Shortest paths of a knight on any board by arithmetic, and of any other leaper by search."""

from solvers.knights.board import Board, Square
from solvers.knights.counts import Case, case, distance, lower_bound, open_distance
from solvers.knights.leapers import Leaper
from solvers.knights.paths import path

__all__ = ["Board", "Case", "Leaper", "Square", "case", "distance", "lower_bound", "open_distance", "path"]
