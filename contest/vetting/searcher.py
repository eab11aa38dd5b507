"""Searching process: questions on standard input, progress and answers on standard output, one JSON object a line.

It is a separate process so that no other one loads the compiler, its memory is freed when it ends, and it can be killed
at any time. It uses no database, and exits when its parent is gone.
"""

import json
import os
import queue
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.solving import Aim, Answer, Budget, Limit, Progress, Proof, Solved, Unknown, Unsolvable
from solvers.sokoban.solving.budget import Meter
from solvers.sokoban.solving.compiling import NoCompiler, require_compiler

_NICENESS = 5
_TELL_SECONDS = 0.5
_TINY = "######|#@-$.#|#----#|######"  # solved once to load the kernels, before any time is counted
# Shares of the remaining CPU seconds: for any solution, then for fewest pushes; fewest moves gets the rest.
_SHARES = (0.5, 0.5, 1.0)
_LEAST_SHARE = 0.05


@dataclass
class Notes:
    """Combined results of several searches of one level."""

    seconds: float
    megabytes: int
    report: Callable[[Progress], None]
    found: dict[str, Solved] = field(default_factory=dict)
    least_pushes: int = 0
    least_moves: int = 0
    proof: Proof | None = None
    limit: Limit | None = None
    nodes: int = 0
    cpu_seconds: float = 0.0

    def budget(self, share: float = 1.0) -> Budget:
        """Return a budget with this share of the remaining time."""
        left = max(self.seconds - self.cpu_seconds, 0.0) * share
        return Budget(cpu_seconds=max(left, _LEAST_SHARE), megabytes=self.megabytes)

    def take(self, answer: Answer) -> None:
        """Record the result of one search."""
        self.nodes += answer.nodes
        self.cpu_seconds += answer.cpu_seconds
        if isinstance(answer, Unsolvable):
            self.proof = answer.proof
            return
        if isinstance(answer, Unknown):
            self.limit = answer.limit
        self.least_pushes = max(self.least_pushes, answer.lower_bound_pushes)
        self.least_moves = max(self.least_moves, answer.lower_bound_moves)
        best = answer if isinstance(answer, Solved) else answer.best
        if best is not None:
            self._keep(best)

    def _keep(self, one: Solved) -> None:
        orders: dict[str, Callable[[Solved], tuple[int, int]]] = {
            "pushes": lambda solved: (solved.pushes, solved.moves),
            "moves": lambda solved: (solved.moves, solved.pushes),
        }
        for name, order in orders.items():
            held = self.found.get(name)
            if held is None or order(one) < order(held):
                self.found[name] = one
        if one.proven is Aim.PUSHES:
            self.least_pushes = max(self.least_pushes, one.pushes)
        if one.proven is Aim.MOVES:
            self.least_moves = max(self.least_moves, one.moves)

    def document(self) -> dict[str, Any]:
        """Return the answer in the format of the row."""
        answer = "solved" if self.found else "unsolvable" if self.proof else "unknown"
        return {
            "answer": answer,
            "proof": self.proof or "",
            "limit": (self.limit or "") if answer == "unknown" else "",
            "found": {
                name: {"lurd": one.lurd, "moves": one.moves, "pushes": one.pushes} for name, one in self.found.items()
            },
            "least_pushes": self.least_pushes,
            "least_moves": self.least_moves,
            "nodes": self.nodes,
            "cpu_seconds": round(self.cpu_seconds, 3),
        }


def look_at(level: Level, notes: Notes, _question: dict[str, Any]) -> None:
    """Find any solution first, then bounds and better solutions, for organisers."""
    from solvers.sokoban.solving import solver  # takes a second to import, and only this process needs it

    any_, few_pushes, few_moves = _SHARES
    notes.take(_sure(level, notes, solver.solve(level, Aim.ANY, notes.budget(any_), report=notes.report)))
    if notes.proof is None:
        notes.take(_sure(level, notes, solver.prove(level, Aim.PUSHES, notes.budget(few_pushes), report=notes.report)))
    if notes.proof is None:
        notes.take(_sure(level, notes, solver.prove(level, Aim.MOVES, notes.budget(few_moves), report=notes.report)))


def _sure(level: Level, notes: Notes, answer: Answer) -> Answer:
    """Return *answer*, but confirm "unsolvable" by the exact search.

    It keeps a level out of a round, so a single search with all its pruning is not trusted.
    """
    from solvers.sokoban.solving import exact  # as above

    is_sure = not isinstance(answer, Unsolvable) or answer.by == exact.NAME or answer.proof is Proof.OUT_OF_REACH
    if is_sure:
        return answer
    notes.nodes += answer.nodes
    notes.cpu_seconds += answer.cpu_seconds
    return exact.prove(level, Aim.PUSHES, notes.budget(), report=notes.report)


def better(level: Level, notes: Notes, question: dict[str, Any]) -> None:
    """Improve the given solutions in both counts, then search for bounds."""
    from solvers.sokoban.solving import solver  # as above
    from solvers.sokoban.solving.optimizing import optimize

    for aim in (Aim.PUSHES, Aim.MOVES):
        lurd = question["given"].get(str(aim))
        if lurd:
            notes.take(optimize(level, lurd, aim, notes.budget(0.25), report=notes.report))
    if not notes.found:
        look_at(level, notes, question)
        return
    notes.take(solver.prove(level, Aim.PUSHES, notes.budget(0.5), report=notes.report))
    notes.take(solver.prove(level, Aim.MOVES, notes.budget(), report=notes.report))


def answer_somebody(level: Level, notes: Notes, question: dict[str, Any]) -> None:
    """Answer one question with the library's functions: solve, prove or optimize, with an aim."""
    from solvers.sokoban.solving import solver  # as above
    from solvers.sokoban.solving.optimizing import optimize

    aim = Aim(question["aim"])
    if question["act"] == "optimize":
        notes.take(optimize(level, question["given"]["any"], aim, notes.budget(), report=notes.report))
        return
    search = solver.prove if question["act"] == "prove" else solver.solve
    notes.take(_sure(level, notes, search(level, aim, notes.budget(), report=notes.report)))


_TASKS: dict[str, Callable[[Level, Notes, dict[str, Any]], None]] = {
    "vetting": look_at,
    "study": better,
    "asked": answer_somebody,
    "hint": answer_somebody,
}


def _answer(question: dict[str, Any]) -> dict[str, Any]:
    level = Level.parse(question["text"])
    _Teller()(Progress(0, part="preparing"))
    notes = Notes(question["seconds"], question["megabytes"], _Teller())
    try:
        _load_kernels()
    except NoCompiler:
        if not _look_plainly(level, notes, question):
            raise
        return notes.document()
    _TASKS[question["kind"]](level, notes, question)
    said = notes.document()
    if question["kind"] in ("vetting", "study") and notes.found:
        said["band"] = _band(level, notes)
    return said


def _look_plainly(level: Level, notes: Notes, question: dict[str, Any]) -> bool:
    """Try an easy level without the compiler; return whether that answers the question."""
    from solvers.sokoban.solving.solver import solve_easy  # as above

    easy = None if any(question["given"].values()) else solve_easy(level, notes.budget())
    if easy:
        notes.take(easy)
    return easy is not None


def _band(level: Level, notes: Notes) -> int:
    from solvers.sokoban.solving.difficulty import difficulty  # as above

    return int(difficulty(level, notes.found["pushes"].lurd).band)


_loaded = False


def _load_kernels() -> None:
    """Compile or load every kernel: the first time on a machine takes a minute or two."""
    global _loaded  # noqa: PLW0603 - once in a process
    if _loaded:
        return
    require_compiler()
    from solvers.sokoban.solving import solver  # as above
    from solvers.sokoban.solving.board import make_board
    from solvers.sokoban.solving.difficulty import difficulty
    from solvers.sokoban.solving.optimizing import optimize
    from solvers.sokoban.solving.portfolio import PARTS, solve_any

    level = Level.parse(_TINY)
    for part in PARTS:
        solve_any(level, make_board(level), Meter(Budget()), (part,))
    lurd = "rR"
    if not replay(level, Moves.parse(lurd)).is_solved:
        raise AssertionError(_TINY)
    for aim in (Aim.PUSHES, Aim.MOVES):
        solver.prove(level, aim)
        optimize(level, lurd, aim)
    difficulty(level, lurd)
    _loaded = True


class _Teller:
    """Writes the progress to standard output, at most twice a second."""

    def __init__(self) -> None:
        self._next = 0.0
        self._began = time.process_time()

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _TELL_SECONDS
        told = {name: getattr(progress, name) for name in ("nodes", "depth", "bound", "best", "part")}
        _write({"progress": told | {"cpu_seconds": round(time.process_time() - self._began, 2)}})


def _write(document: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(document, default=int) + "\n")  # the kernels return numpy numbers
    sys.stdout.flush()


def _questions(lines: "queue.Queue[str]") -> None:
    """Read questions; if the parent is gone, even killed, exit at once, whatever the search does."""
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)


def main() -> None:
    """Answer questions until standard input ends."""
    os.nice(_NICENESS)
    lines: queue.Queue[str] = queue.Queue()
    Thread(target=_questions, args=(lines,), daemon=True).start()
    while True:
        question = json.loads(lines.get())
        try:
            _write({"done": _answer(question)})
        except Exception as error:  # a solver error costs only this answer; the site reports that it broke off
            _write({"error": f"{type(error).__name__}: {error}"[:300]})


if __name__ == "__main__":
    main()
