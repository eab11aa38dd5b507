"""Quantified formulas and constraint graphs: the two problems of which Sokoban's hardness is made.

`formulas` reads and writes them · `deciding` decides them in polynomial space and counts it · `constraint_graphs` moves
edges · `reducing` makes of a formula a graph that can do what the formula can · `errors` what can be wrong.
"""

from solvers.logic.constraint_graphs import ConstraintGraph, Edge, reach
from solvers.logic.deciding import Decision, decide
from solvers.logic.formulas import Formula, Quantifier
from solvers.logic.reducing import Reduction, reduce_formula

__all__ = [
    "ConstraintGraph",
    "Decision",
    "Edge",
    "Formula",
    "Quantifier",
    "Reduction",
    "decide",
    "reach",
    "reduce_formula",
]
