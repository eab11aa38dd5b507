"""Searching process: questions on standard input, progress and answers on standard output, one JSON object a line.

It is a separate process so that no other one loads the compiler, its memory is freed when it ends, and it can be killed
at any time. It uses no database, and exits when its parent is gone.
"""

import base64
import json
import os
import queue
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from threading import Thread
from typing import Any

from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.solving import Aim, Answer, Budget, Limit, Progress, Proof, Solved, Unknown, Unsolvable
from solvers.sokoban.solving.budget import Meter
from solvers.sokoban.solving.compiling import NoCompiler, require_compiler

_NICENESS = 5
_REPORT_SECONDS = 0.5
_TINY = "######|#@-$.#|#----#|######"  # solved once to load the kernels, before any time is counted
# Shares of the remaining CPU seconds: for any solution, then for fewest pushes; fewest moves gets the rest.
_SHARES = (0.5, 0.5, 1.0)
# A public attempt looks for a solution to the end.
_ATTEMPT_SHARES = (1.0, 0.5, 1.0)
_HINT_SHARE = 0.6  # then the rest shows why the position is lost
_LEAST_SHARE = 0.05
# CPU seconds to write each certificate, beyond the budget of the search, but no more than that.
_CERTIFICATE_SECONDS = 60
_CERTIFIED = ("vetting", "study", "proof")


@dataclass
class Results:
    """Combined results of several searches of one level."""

    seconds: float
    megabytes: int
    report: Callable[[Progress], None]
    found: dict[str, Solved] = field(default_factory=dict)
    least_pushes: int = 0
    least_moves: int = 0
    proof: Proof | None = None
    loss: dict[str, Any] = field(default_factory=dict)
    proved: dict[str, Answer] = field(default_factory=dict)
    limit: Limit | None = None
    nodes: int = 0
    cpu_seconds: float = 0.0

    def budget(self, share: float = 1.0) -> Budget:
        """Return a budget with this share of the remaining time."""
        left = max(self.seconds - self.cpu_seconds, 0.0) * share
        return Budget(cpu_seconds=max(left, _LEAST_SHARE), megabytes=self.megabytes)

    def record_answer(self, answer: Answer) -> None:
        """Record the result of one search."""
        self.nodes += answer.nodes
        self.cpu_seconds += answer.cpu_seconds
        if isinstance(answer, Unsolvable):
            self.proof, self.proved = answer.proof, {"unsolvable": answer}
            return
        if isinstance(answer, Solved) and answer.proven:
            self.proved[answer.proven.value] = answer
        if isinstance(answer, Unknown):
            self.limit = answer.limit
        self.least_pushes = max(self.least_pushes, answer.lower_bound_pushes)
        self.least_moves = max(self.least_moves, answer.lower_bound_moves)
        best = answer if isinstance(answer, Solved) else answer.best
        if best is not None:
            self._store_best(best)

    def _store_best(self, solution: Solved) -> None:
        sort_keys: dict[str, Callable[[Solved], tuple[int, int]]] = {
            "pushes": lambda solved: (solved.pushes, solved.moves),
            "moves": lambda solved: (solved.moves, solved.pushes),
        }
        for name, sort_key in sort_keys.items():
            best = self.found.get(name)
            if best is None or sort_key(solution) < sort_key(best):
                self.found[name] = solution
        if solution.proven is Aim.PUSHES:
            self.least_pushes = max(self.least_pushes, solution.pushes)
        if solution.proven is Aim.MOVES:
            self.least_moves = max(self.least_moves, solution.moves)

    def document(self) -> dict[str, Any]:
        """Return the answer in the format of the row."""
        answer = "solved" if self.found else "unsolvable" if self.proof else "unknown"
        return {
            "answer": answer,
            "proof": self.proof or "",
            "limit": (self.limit or "") if answer == "unknown" else "",
            "found": {
                name: {"lurd": solution.lurd, "moves": solution.moves, "pushes": solution.pushes}
                for name, solution in self.found.items()
            },
            "loss": self.loss,
            "least_pushes": self.least_pushes,
            "least_moves": self.least_moves,
            "nodes": self.nodes,
            "cpu_seconds": round(self.cpu_seconds, 3),
        }


def vet_level(level: Level, results: Results, question: dict[str, Any]) -> None:
    """Find any solution first, then bounds and better solutions, for organisers or as a public attempt."""
    from solvers.sokoban.solving import solver  # takes a second to import, and only this process needs it

    any_, few_pushes, few_moves = _ATTEMPT_SHARES if question["kind"] == "machine" else _SHARES
    answer = solver.solve(level, Aim.ANY, results.budget(any_), report=results.report)
    results.record_answer(_confirm_unsolvable(level, results, answer))
    for aim, share in ((Aim.PUSHES, few_pushes), (Aim.MOVES, few_moves)):
        if results.proof is None:
            answer = solver.prove(level, aim, results.budget(share), report=results.report)
            results.record_answer(_confirm_unsolvable(level, results, answer))


def _confirm_unsolvable(level: Level, results: Results, answer: Answer) -> Answer:
    """Return *answer*, but confirm "unsolvable" by the exact search.

    It keeps a level out of a round, so a single search with all its pruning is not trusted.
    """
    from solvers.sokoban.solving import exact  # as above

    is_sure = not isinstance(answer, Unsolvable) or answer.by == exact.NAME or answer.proof is Proof.OUT_OF_REACH
    if is_sure:
        return answer
    results.nodes += answer.nodes
    results.cpu_seconds += answer.cpu_seconds
    return exact.prove_exactly(level, Aim.PUSHES, results.budget(), report=results.report)


def improve_solutions(level: Level, results: Results, question: dict[str, Any]) -> None:
    """Improve the given solutions in both counts, then search for bounds."""
    from solvers.sokoban.solving.optimizing import optimize  # as above

    for aim in (Aim.PUSHES, Aim.MOVES):
        lurd = question["given"].get(str(aim))
        if lurd:
            results.record_answer(optimize(level, lurd, aim, results.budget(0.25), report=results.report))
    if not results.found:
        vet_level(level, results, question)
        return
    results.proved.clear()  # a certificate shows its solution: never a player's, which may be withheld (rule 15.4)
    prove_optima(level, results, question)


def prove_optima(level: Level, results: Results, _question: dict[str, Any]) -> None:
    """Prove bounds for pushes, then for moves, without any given solution."""
    from solvers.sokoban.solving import solver  # as above

    results.record_answer(solver.prove(level, Aim.PUSHES, results.budget(0.5), report=results.report))
    results.record_answer(solver.prove(level, Aim.MOVES, results.budget(), report=results.report))


def answer_visitor(level: Level, results: Results, question: dict[str, Any]) -> None:
    """Answer one question with the library's functions: solve, prove or optimize, with an aim."""
    from solvers.sokoban.solving import solver  # as above
    from solvers.sokoban.solving.optimizing import optimize

    if question["act"] == "coach":
        coach_solution(level, results, question)
        return
    aim = Aim(question["aim"])
    if question["act"] == "optimize":
        results.record_answer(optimize(level, question["given"]["any"], aim, results.budget(), report=results.report))
        return
    search = solver.prove if question["act"] == "prove" else solver.solve
    answer = search(level, aim, results.budget(), report=results.report)
    results.record_answer(_confirm_unsolvable(level, results, answer))


def give_hint(level: Level, results: Results, question: dict[str, Any]) -> None:
    """Solve the position, or find why it is lost: the boxes that cannot all get home, and the push that lost them."""
    from solvers.sokoban.coaching.tutor import explain_loss  # as above
    from solvers.sokoban.solving import solver

    answer = solver.solve(level, Aim.ANY, results.budget(_HINT_SHARE), report=results.report)
    results.record_answer(_confirm_unsolvable(level, results, answer))
    if not results.found:
        loss = explain_loss(Level.parse(question["start"]), question["given"]["any"], results.budget())
        if loss:
            results.loss, results.proof = asdict(loss), results.proof or Proof.EXHAUSTED


def coach_solution(level: Level, results: Results, question: dict[str, Any]) -> None:
    """Better the given solution where it loses moves, and where it loses pushes; the aim "any" means both."""
    from solvers.sokoban.coaching.coach import coach  # as above

    aims = [aim for aim in (Aim.MOVES, Aim.PUSHES) if question["aim"] in ("any", aim)]
    while aims:
        budget = results.budget(1 / len(aims))
        advice = coach(level, question["given"]["any"], aims.pop(0), budget, report=results.report)
        results.record_answer(advice.better)


_TASKS: dict[str, Callable[[Level, Results, dict[str, Any]], None]] = {
    "vetting": vet_level,
    "study": improve_solutions,
    "asked": answer_visitor,
    "hint": give_hint,
    "coach": answer_visitor,
    "machine": vet_level,
    "proof": prove_optima,
}


def _answer_question(question: dict[str, Any]) -> dict[str, Any]:
    level = Level.parse(question["text"])
    _ProgressWriter()(Progress(0, part="preparing"))
    results = Results(question["seconds"], question["megabytes"], _ProgressWriter())
    try:
        _load_kernels()
    except NoCompiler:
        if not _solve_without_compiler(level, results, question):
            raise
        return results.document()
    _TASKS[question["kind"]](level, results, question)
    document = results.document()
    if question["kind"] in ("vetting", "study") and results.found:
        document["band"] = _difficulty_band(level, results)
    if question["kind"] in _CERTIFIED:
        seconds = min(question["seconds"], _CERTIFICATE_SECONDS)
        document["certificates"] = {kind: _certify(level, answer, seconds) for kind, answer in results.proved.items()}
    return document


def _certify(level: Level, answer: Answer, seconds: float) -> dict[str, Any]:
    """Return the proved count and its certificate in Base64, which is empty beyond the limits."""
    from solvers.sokoban.solving.certificates.writing import NoCertificate, certify  # as above

    until = time.process_time() + seconds
    try:
        packed = certify(level, answer, cancelled=lambda: time.process_time() > until)
    except NoCertificate:
        packed = b""
    number = getattr(answer, answer.proven) if isinstance(answer, Solved) and answer.proven else None
    return {"number": number, "packed": base64.b64encode(packed).decode()}


def _solve_without_compiler(level: Level, results: Results, question: dict[str, Any]) -> bool:
    """Try an easy level without the compiler; return whether that answers the question."""
    from solvers.sokoban.solving.solver import solve_easy  # as above

    is_improvement = question["kind"] != "hint" and any(question["given"].values())
    easy = None if is_improvement else solve_easy(level, results.budget())
    if easy:
        results.record_answer(easy)
    return easy is not None


def _difficulty_band(level: Level, results: Results) -> int:
    from solvers.sokoban.solving.difficulty import difficulty  # as above

    return int(difficulty(level, results.found["pushes"].lurd).band)


_loaded = False


def _load_kernels() -> None:
    """Compile or load every kernel: the first time on a machine takes a minute or two."""
    global _loaded  # noqa: PLW0603 - once in a process
    if _loaded:
        return
    require_compiler()
    from solvers.sokoban.coaching.tutor import explain_loss  # as above
    from solvers.sokoban.solving import solver
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
    explain_loss(level)
    _loaded = True


class _ProgressWriter:
    """Writes the progress to standard output, at most twice a second."""

    def __init__(self) -> None:
        self._next = 0.0
        self._began = time.process_time()

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _REPORT_SECONDS
        values = {name: getattr(progress, name) for name in ("nodes", "depth", "bound", "best", "part")}
        _write({"progress": values | {"cpu_seconds": round(time.process_time() - self._began, 2)}})


def _write(document: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(document, default=int) + "\n")  # the kernels return numpy numbers
    sys.stdout.flush()


def _read_questions(lines: "queue.Queue[str]") -> None:
    """Read questions; if the parent is gone, even killed, exit at once, whatever the search does."""
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)


def main() -> None:
    """Answer questions until standard input ends."""
    os.nice(_NICENESS)
    lines: queue.Queue[str] = queue.Queue()
    Thread(target=_read_questions, args=(lines,), daemon=True).start()
    while True:
        question = json.loads(lines.get())
        try:
            _write({"done": _answer_question(question)})
        except Exception as error:  # a solver error costs only this answer; the site reports that it broke off
            _write({"error": f"{type(error).__name__}: {error}"[:300]})


if __name__ == "__main__":
    main()
