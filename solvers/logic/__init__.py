"""Quantified formulas and constraint graphs, the two problems behind the proof that Sokoban is PSPACE-complete.

`formulas` parses and writes formulas · `deciding` decides them in polynomial space and measures it ·
`constraint_graphs` defines nondeterministic constraint logic · `exploring` searches for edge reversals · `reducing`
turns a formula into an equivalent graph, built from `parts` · `placing` and `draw` make a picture of it ·
`landscape` draws the classes of complexity and the two routes of the proof · `errors` defines the errors.
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
