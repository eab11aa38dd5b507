"""Solve levels: the questions, which load compiled searches, and here the answers and budgets.

`solver` solves or proves a level; `portfolio` finds any solution, `exact` the best one, `optimizing` a better one, in
`pieces`; `finding` makes new levels, from the `farthest` starts of given walls; `difficulty` says how hard one is.
`answers` and `budget` are what they say and take, `board` is the level as all searches see it. `loading` compiles them
all, `search_picture` draws a proof, and `savitch` teaches a procedure that keeps little.

`searching` has the searches of the portfolio, `proving` the exact ones, `deadlocks` what all of them cut, `floor` what
they ask of one position, and `compiling` how they are compiled.
"""

from solvers.sokoban.solving.answers import Aim, Answer, Proof, Solved, Unknown, Unsolvable
from solvers.sokoban.solving.budget import Budget, Limit, Progress

__all__ = ["Aim", "Answer", "Budget", "Limit", "Progress", "Proof", "Solved", "Unknown", "Unsolvable"]
