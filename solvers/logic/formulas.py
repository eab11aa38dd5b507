"""Quantified formulas in prenex conjunctive normal form, and their text format QDIMACS (version 1.1, Narizzano et al.).

Variables are numbered from 1; the literal -3 means that variable 3 is false. Variables without a quantifier in the
text are existential and outermost, as QDIMACS defines.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from solvers.choices import Choice
from solvers.logic.errors import (
    NoEndOfLine,
    NoFormula,
    NoSuchVariable,
    NotALiteral,
    NotQuantified,
    QuantifiedLate,
    QuantifiedTwice,
    TooManyVariables,
    WrongNumberOfClauses,
)

MOST_VARIABLES = 1_000_000
_MOST_DIGITS = 9


class Quantifier(Choice):
    """Quantifiers, with their QDIMACS letters."""

    EXISTS = "e"
    FORALL = "a"


@dataclass(frozen=True)
class Formula:
    """*prefix*: (quantifier, variable) pairs, outermost first, one for each variable from 1 on; *clauses* of literals.

    A formula is true if its quantifiers make every clause true. Raise NotQuantified or NoSuchVariable.

    >>> Formula.parse("p cnf 2 2\\na 1 0\\ne 2 0\\n1 2 0\\n-1 -2 0\\n").prefix
    ((<Quantifier.FORALL: 'a'>, 1), (<Quantifier.EXISTS: 'e'>, 2))
    """

    prefix: tuple[tuple[Quantifier, int], ...]
    clauses: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        prefix = tuple((Quantifier(quantifier), variable) for quantifier, variable in self.prefix)
        object.__setattr__(self, "prefix", prefix)
        if sorted(variable for _quantifier, variable in self.prefix) != list(range(1, len(self.prefix) + 1)):
            raise NotQuantified
        for literal in (literal for clause in self.clauses for literal in clause):
            if not 1 <= abs(literal) <= len(self.prefix):
                raise NoSuchVariable(variable=abs(literal), most=len(self.prefix))

    @classmethod
    def parse(cls, text: str) -> "Formula":
        """Parse QDIMACS, or DIMACS, where all variables are existential. Raise a PuzzleError with its line."""
        lines = _split_lines(text)
        first_line, announced = next(lines, (1, [""]))
        match announced:
            case ["p", "cnf", variables, clauses] if _is_number(variables) and _is_count(clauses):
                if not _is_count(variables) or int(variables) > MOST_VARIABLES:
                    raise TooManyVariables(most=MOST_VARIABLES, line=first_line)
                most, count = int(variables), int(clauses)
            case _:
                raise NoFormula(line=first_line)
        prefix: dict[int, Quantifier] = {}
        clauses_read: list[tuple[int, ...]] = []
        for line, words in lines:
            if words[0] in ("a", "e"):
                if clauses_read:
                    raise QuantifiedLate(line=line)
                for variable in _read_literals(words[1:], line, most):
                    if variable < 0:
                        raise NotALiteral(value=variable, line=line)
                    if variable in prefix:
                        raise QuantifiedTwice(variable=variable, line=line)
                    prefix[variable] = Quantifier(words[0])
            else:
                clauses_read.append(_read_literals(words, line, most))
        if len(clauses_read) != count:
            raise WrongNumberOfClauses(announced=count, found=len(clauses_read))
        free = [(Quantifier.EXISTS, variable) for variable in range(1, most + 1) if variable not in prefix]
        return cls((*free, *((quantifier, variable) for variable, quantifier in prefix.items())), tuple(clauses_read))

    def __str__(self) -> str:
        """Return QDIMACS text, which `parse` can read."""
        blocks = [
            " ".join([quantifier.value, *(str(variable) for _quantifier, variable in block), "0"])
            for quantifier, block in groupby(self.prefix, key=lambda entry: entry[0])
        ]
        clauses = [" ".join([*map(str, clause), "0"]) for clause in self.clauses]
        return "\n".join([f"p cnf {len(self.prefix)} {len(self.clauses)}", *blocks, *clauses, ""])


def _split_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines that are not blank or comments, numbered and split into words."""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if words and words[0] != "c":
            yield number, words


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal()


def _is_count(word: str) -> bool:
    """Return whether *word* is a number with few enough digits for a count."""
    return _is_number(word) and len(word) <= _MOST_DIGITS


def _read_literals(words: list[str], line: int, most: int) -> tuple[int, ...]:
    """Return the literals of a line without its final 0."""
    numbers = []
    for word in words:
        if not _is_count(word.removeprefix("-")):
            raise NotALiteral(value=word, line=line)
        numbers.append(int(word))
    if numbers.count(0) != 1 or numbers[-1] != 0:
        raise NoEndOfLine(line=line)
    for number in numbers[:-1]:
        if abs(number) > most:
            raise NoSuchVariable(variable=abs(number), most=most, line=line)
    return tuple(numbers[:-1])
