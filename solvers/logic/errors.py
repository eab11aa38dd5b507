"""Errors in formulas and constraint graphs, each with a message and values for translating it."""

from typing import Any

from solvers.errors import PuzzleError, shorten_value


class NoFormula(PuzzleError):
    """Raised for a text without the line `p cnf VARIABLES CLAUSES`."""

    code = "no_formula"
    template = "A formula begins with a line such as “p cnf 3 2”: how many variables, how many clauses."


class TooManyVariables(PuzzleError):
    """Raised for too many variables: a prefix names each of them, even those in no clause."""

    code = "too_many_variables"
    template = "A formula has at most {most} variables."


class NotALiteral(PuzzleError):
    """Raised for a word that is not a whole number."""

    code = "not_a_literal"
    template = "A line of a formula has whole numbers and ends with 0; {shown} is not a whole number."

    def __init__(self, *, value: Any, **place: int) -> None:
        super().__init__(shown=shorten_value(value), **place)


class NoEndOfLine(PuzzleError):
    """Raised for a clause or quantifier line without its final 0, or with more after it."""

    code = "no_end_of_line"
    template = "A clause, and a line of quantified variables, ends with its only 0."


class NoSuchVariable(PuzzleError):
    """Raised for a variable number above the announced maximum."""

    code = "no_such_variable"
    template = "There is no variable {variable}: they are 1 to {most}."


class QuantifiedTwice(PuzzleError):
    """Raised for a variable under two quantifiers."""

    code = "quantified_twice"
    template = "Variable {variable} is quantified twice."


class QuantifiedLate(PuzzleError):
    """Raised for a quantifier after a clause."""

    code = "quantified_late"
    template = "Quantifiers must come before all clauses."


class WrongNumberOfClauses(PuzzleError):
    """Raised for more or fewer clauses than announced."""

    code = "wrong_number_of_clauses"
    template = "{announced} clauses are announced, but there are {found}."


class NotQuantified(PuzzleError):
    """Raised for a formula built in Python without exactly one quantifier per variable."""

    code = "not_quantified"
    template = "Each variable from 1 on has one quantifier."


class BadEdge(PuzzleError):
    """Raised for an edge of a constraint graph between unknown vertices, or with a weight other than 1 or 2."""

    code = "bad_edge"
    template = (
        "Edge {edge} joins vertices {one} and {other} with weight {weight}; vertices are 0 to {last}, weights 1 and 2."
    )


class BadOrientation(PuzzleError):
    """Raised for heads that are not one per edge, or not an end of it."""

    code = "bad_orientation"
    template = "Each edge points to one of its ends."


class TooLittleInflow(PuzzleError):
    """Raised for a configuration in which a vertex has an inflow below 2."""

    code = "too_little_inflow"
    template = "Vertex {vertex} has an inflow of {inflow}, and needs 2."


class TooManyConfigurations(PuzzleError):
    """Raised for a search that has found the maximum number of configurations."""

    code = "too_many_configurations"
    template = "More than {most} configurations can be reached: the search gave up."


class NothingToReduce(PuzzleError):
    """Raised for a formula without a clause or with an empty clause, from which no graph can be built."""

    code = "nothing_to_reduce"
    template = "To become a graph, a formula needs a clause, and each clause needs a literal."
