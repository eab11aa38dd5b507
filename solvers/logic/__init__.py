"""Quantified formulas and constraint graphs: the two problems of which Sokoban's hardness is made.

`formulas` reads and writes them · `deciding` decides them in polynomial space and counts it · `constraint_graphs` says
what a graph of turning edges is · `exploring` finds its turns · `reducing` makes of a formula a graph that can do what
the formula can, of the `parts` of such graphs · `placing` and `draw` make a picture of it ·
`errors` what can be wrong.
"""

from solvers.logic.constraint_graphs import ConstraintGraph, Edge
from solvers.logic.deciding import Decision, decide
from solvers.logic.exploring import Exploration, explore, reach
from solvers.logic.formulas import Formula, Quantifier
from solvers.logic.reducing import Reduction, reduce_formula

__all__ = [
    "ConstraintGraph",
    "Decision",
    "Edge",
    "Exploration",
    "Formula",
    "Quantifier",
    "Reduction",
    "decide",
    "explore",
    "reach",
    "reduce_formula",
]
