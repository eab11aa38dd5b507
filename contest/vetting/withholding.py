"""Withhold solutions that solve a level in play, as if nothing had been found (rules 4.9, 20.4).

A near copy of such a level, with a cell dug or a wall removed, has a different ground, so it is searched like
any board. Levels not public yet are not compared: a missing answer would reveal them (rule 7.4).
"""

from datetime import datetime
from typing import Any

from contest import visibility
from contest.models import Search, SearchAnswer, SearchKind
from solvers.sokoban.checks.bounds import least_pushes

# Kinds of searches with answers for everybody; the others are for organisers or made after the reveal.
PUBLIC_KINDS = (SearchKind.ASKED, SearchKind.HINT)


def must_withhold(search: Search, found: dict[str, Any], at: datetime) -> bool:
    """Return whether one of the solutions in *found* must be withheld at *at*."""
    solutions = [solution["lurd"] for solution in found.values()]
    return bool(solutions) and visibility.is_help_in_play(search.board, solutions, at)


def fields_without_answer(search: Search, *, nodes: int, cpu_seconds: float) -> dict[str, Any]:
    """Return the fields of *search* as if its budget had ended before anything was found.

    *nodes* were visited in *cpu_seconds*. A solution sent with the question is returned unchanged, as after a search
    that cannot improve it. A proof returns at least the bound that needs no search.
    """
    lurd = search.given
    own = {"lurd": lurd, "moves": len(lurd), "pushes": sum(letter.isupper() for letter in lurd)}
    bound = (search.task == "prove" and least_pushes(search.board)) or 0
    return {
        "answer": SearchAnswer.SOLVED if lurd else SearchAnswer.UNKNOWN,
        "limit": "" if lurd else "cpu_seconds",
        "found": {"pushes": own, "moves": own} if lurd else {},
        "proof": "",
        "least_pushes": bound,
        "least_moves": bound,
        "bound": bound,
        "best": None,
        "nodes": int(nodes * search.seconds / max(cpu_seconds, 0.001)),
        "cpu_seconds": float(search.seconds),
    }
