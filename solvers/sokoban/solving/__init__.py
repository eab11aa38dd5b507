"""Solve Sokoban levels: answers and budgets here; the entry points, which load compiled searches, in submodules.

`solver` solves or proves a level. `portfolio` finds any solution, `exact` an optimal one, `optimizing` a better one, in
`pieces`. `finding` generates new levels from the `farthest` start positions of given walls; `difficulty` estimates how
hard a level is. `answers` and `budget` define results and limits, `board` the level as all searches see it. `loading`
compiles all kernels, `search_picture` draws a proof, and `savitch` demonstrates a search in polynomial space.

`searching` has the searches of the portfolio, `proving` the exact ones, `deadlocks` the pruning they share, `floor`
the queries on one position, and `compiling` the rules for kernels. `certificates` writes proofs that strangers can
check, and has the checker.
"""

from solvers.sokoban.solving.answers import Aim, Answer, Proof, Solved, Unknown, Unsolvable
from solvers.sokoban.solving.budget import Budget, Limit, Progress

__all__ = ["Aim", "Answer", "Budget", "Limit", "Progress", "Proof", "Solved", "Unknown", "Unsolvable"]
