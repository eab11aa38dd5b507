"""What can be wrong with a formula or a constraint graph, each with words for a person and values to translate them."""

from typing import Any

from solvers.errors import PuzzleError, brief


class NoFormula(PuzzleError):
    """A text without the line `p cnf VARIABLES CLAUSES`."""

    code = "no_formula"
    words = "A formula begins with a line such as “p cnf 3 2”: how many variables, how many clauses."


class TooManyVariables(PuzzleError):
    """More variables than are taken: a prefix names each of them, also those in no clause."""

    code = "too_many_variables"
    words = "A formula has at most {most} variables."


class NotALiteral(PuzzleError):
    """Something else where a whole number must stand."""

    code = "not_a_literal"
    words = "A line of a formula has whole numbers and ends with 0; {shown} is none."

    def __init__(self, *, value: Any, **place: int) -> None:
        super().__init__(shown=brief(value), **place)


class NoEndOfLine(PuzzleError):
    """A clause or quantifier without its 0, or with more behind it."""

    code = "no_end_of_line"
    words = "A clause, and a line of quantified variables, ends with its only 0."


class NoSuchVariable(PuzzleError):
    """A number beyond the variables that were announced."""

    code = "no_such_variable"
    words = "There is no variable {variable}: they are 1 to {most}."


class QuantifiedTwice(PuzzleError):
    """A variable under two quantifiers."""

    code = "quantified_twice"
    words = "Variable {variable} is quantified twice."


class QuantifiedLate(PuzzleError):
    """A quantifier behind a clause."""

    code = "quantified_late"
    words = "Quantifiers stand before all clauses."


class WrongNumberOfClauses(PuzzleError):
    """More or fewer clauses than were announced."""

    code = "wrong_number_of_clauses"
    words = "{announced} clauses are announced, and {found} are there."


class NotQuantified(PuzzleError):
    """A formula made in Python whose quantifiers are not one for each variable."""

    code = "not_quantified"
    words = "Each variable from 1 on has one quantifier."


class BadEdge(PuzzleError):
    """An edge of a constraint graph between vertices that are not there, or of another weight than 1 or 2."""

    code = "bad_edge"
    words = (
        "Edge {edge} joins vertices {one} and {other} with weight {weight}; vertices are 0 to {last}, weights 1 and 2."
    )


class BadOrientation(PuzzleError):
    """Heads that are not one for each edge, or no end of it."""

    code = "bad_orientation"
    words = "Each edge points to one of its ends."


class TooLittleInflow(PuzzleError):
    """A configuration in which a vertex gets less than 2."""

    code = "too_little_inflow"
    words = "Vertex {vertex} has an inflow of {inflow}, and needs 2."


class TooManyConfigurations(PuzzleError):
    """A search for turns that has met as many configurations as it may."""

    code = "too_many_configurations"
    words = "More than {most} configurations can be reached: the search gave up."


class NothingToReduce(PuzzleError):
    """A formula of which a reduction would make a graph without an end or without a beginning."""

    code = "nothing_to_reduce"
    words = "A formula becomes a graph if it has a clause, and each clause a literal."
