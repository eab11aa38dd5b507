"""Solve levels: the questions are in `solver`, which loads compiled searches; here are the answers and budgets."""

from solvers.sokoban.solving.answers import Aim, Answer, Proof, Solved, Unknown, Unsolvable
from solvers.sokoban.solving.budget import Budget, Limit, Progress

__all__ = ["Aim", "Answer", "Budget", "Limit", "Progress", "Proof", "Solved", "Unknown", "Unsolvable"]
