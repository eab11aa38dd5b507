"""Withhold answers that would help with a level in play, as if nothing had been found (rules 4.9, 20.4).

An altered copy of such a level has a different ground, so it is asked like any board. A worker compares it: never a
request, as that takes long. Levels not public yet are not compared: a missing answer would reveal them (rule 7.4).
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from contest import visibility
from contest.models import Search, SearchAnswer, SearchKind, SearchState
from contest.rules.ground import also_solves, ground_of
from solvers import sokoban
from solvers.sokoban.checks.bounds import least_pushes
from solvers.sokoban.checks.resemblance import is_copy, resembles

# Kinds of searches that visitors ask for; the others are for organisers or made after the reveal. A question belongs to
# the visitor with its id and is stored for a day.
QUESTIONS = (SearchKind.ASKED, SearchKind.HINT)
PUBLIC_KINDS = (*QUESTIONS, SearchKind.COACH)
# Positions that a usual search visits in a CPU second, for boards that are not searched.
_USUAL_NODES = 40_000
# Cells of a board that are compared twice with one level in play in a CPU second.
_COMPARED_CELLS = 45_000


def compare(search: Search, found: dict[str, Any], at: datetime, after_each: Callable[[], object]) -> dict[str, bool]:
    """Return for each level in play, by its key as text, whether the answer to *search* would help with it.

    Every answer about a board that resembles the level does: "unsolvable" and bounds, too. Otherwise a solution in
    *found* does that also solves the level. A hint is also compared from the start of its level, with the solution
    that is stored there. *after_each* is called after each level: large boards take long.
    """
    solutions = {solution["lurd"] for solution in found.values()}
    boards = [(search.board, solutions)]
    if search.kind == SearchKind.HINT and search.level:
        own = {search.level.solution} - {""}
        boards.append((search.level.board, own | {search.given + lurd for lurd in solutions}))
    helps = {}
    for number, text in visibility.in_play(at).order_by().values_list("pk", "text"):
        level = sokoban.Level.parse(text)
        helps[str(number)] = any(
            _is_similar(board, level) or any(also_solves(text, board, lurd) for lurd in lurds)
            for board, lurds in boards
        )
        after_each()
    return helps


def compare_seconds(board: sokoban.Level, at: datetime) -> int:
    """Return the CPU seconds of comparing *board* before and after its search; 0 for boards of usual size."""
    return round(board.width * board.height * visibility.in_play(at).count() / _COMPARED_CELLS)


def _is_similar(board: sokoban.Level, level: sokoban.Level) -> bool:
    return ground_of(board) == ground_of(level) or is_copy(board, level) or resembles(board, level)


def hide(search: Search, at: datetime) -> None:
    """Hide in *search*, which is not saved, what must not be shown at *at*.

    An answer that helps with a level in play looks like none. One not compared with a level opened since then goes back
    to the queue. Until a search is done neither its answer nor its best count so far is shown.
    """
    helps = _compared_levels(search)
    in_play = [str(number) for number in visibility.in_play(at).order_by().values_list("pk", flat=True)]
    hidden: dict[str, Any] = {}
    if search.state == SearchState.DONE and not helps.keys() >= set(in_play):
        hidden = {"state": SearchState.QUEUED, "attempts": 0}
        Search.objects.filter(pk=search.pk, state=SearchState.DONE).update(**hidden)
        search.state = SearchState.QUEUED
    if search.state != SearchState.DONE:
        hidden |= {
            "answer": "",
            "limit": "",
            "proof": "",
            "found": {},
            "stretches": {},
            "loss": {},
            "least_pushes": 0,
            "least_moves": 0,
            "best": None,
        }
    elif any(helps[number] for number in in_play):
        hidden = fields_without_answer(search, nodes=search.nodes, cpu_seconds=search.cpu_seconds)
    for name, value in hidden.items():
        setattr(search, name, value)


def shown_as_stored(searches: Iterable[Search], at: datetime) -> list[Search]:
    """Return the finished *searches* in which `hide` would change nothing, with one query for all of them."""
    done = [search for search in searches if search.is_done]
    in_play = [str(number) for number in visibility.in_play(at).order_by().values_list("pk", flat=True)] if done else []
    return [search for search in done if not any(_compared_levels(search).get(number, True) for number in in_play)]


def is_outdated(search: Search, at: datetime) -> bool:
    """Return whether the answer to *search* was left out for levels that are no longer in play: search again."""
    helped = [int(number) for number, helps in _compared_levels(search).items() if helps]
    return bool(helped) and not visibility.in_play(at).filter(pk__in=helped).exists()


def _compared_levels(search: Search) -> dict[str, bool]:
    """Return the result of the last comparison of *search*."""
    helps: dict[str, bool] = search.tried[-1].get("helps", {}) if search.tried else {}
    return helps


def fields_without_answer(search: Search, *, nodes: int = 0, cpu_seconds: float = 0.0) -> dict[str, Any]:
    """Return the fields of *search* as if its budget had ended before anything was found.

    *nodes* were visited in *cpu_seconds*; 0: a usual number. A solution sent with the question is returned unchanged,
    as after a search that cannot improve it. A proof returns at least the bound that needs no search.
    """
    lurd = "" if search.kind == SearchKind.HINT else search.given  # a hint is given the moves to its position
    own = {"lurd": lurd, "moves": len(lurd), "pushes": sum(letter.isupper() for letter in lurd)}
    bound = (search.task == "prove" and least_pushes(search.board)) or 0
    rate = nodes / max(cpu_seconds, 0.001) if nodes else _USUAL_NODES
    return {
        "answer": SearchAnswer.SOLVED if lurd else SearchAnswer.UNKNOWN,
        "limit": "" if lurd else "cpu_seconds",
        "found": {"pushes": own, "moves": own} if lurd else {},
        "stretches": {},
        "loss": {},
        "proof": "",
        "least_pushes": bound,
        "least_moves": bound,
        "bound": bound,
        "best": None,
        "nodes": int(rate * search.seconds),
        "cpu_seconds": float(search.seconds),
    }
