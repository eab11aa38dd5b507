"""Ask the solver one question and return its answer as a JSON object, in this process or in several."""

import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass
from functools import cache
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from solvers.errors import PuzzleError
from solvers.lifeline import exit_with
from solvers.sokoban.checks.bounds import least_pushes
from solvers.sokoban.commands.reading import Unusable
from solvers.sokoban.level import Level

_PATIENCE = 5.0  # seconds after Ctrl-C: a worker that is compiling cannot react to it


@dataclass(frozen=True)
class Question:
    """A task for the solver: `solve` or `prove`, or `optimize` or `coach` with *lurd*. *level*: text, or an error."""

    verb: str
    file: str
    number: int
    at: int
    title: str
    level: str | Exception
    aim: str
    lurd: str | None
    budget: dict[str, Any]
    certificate: str | None = None  # of `prove`: the file for it


class Result(NamedTuple):
    """An answer's output line (docs/reference/solvers.md lists its fields), and the line where the level begins."""

    at: int
    line: dict[str, Any]


def require_solver() -> None:
    """Raise Unusable if numba is not installed."""
    from solvers.sokoban.solving.compiling import NoCompiler, require_compiler  # cheap, but not needed by every command

    try:
        require_compiler()
    except NoCompiler as error:
        raise Unusable(str(error)) from None


def ask(
    question: Question, *, report: Any = None, cancelled: Callable[[], bool] | None = None
) -> Result:  # fmt: skip
    """Answer one question. Never raise because of a level's content."""
    if isinstance(question.level, Exception):
        return _refusal_result(question, "unreadable", str(question.level))
    try:
        return _answer_question(question, Level.parse(question.level), report, cancelled)
    except PuzzleError as error:
        return _refusal_result(question, error.code, str(error))


def _answer_question(question: Question, level: Level, report: Any, cancelled: Callable[[], bool] | None) -> Result:
    from solvers.sokoban.solving.answers import Aim, Solved, Unknown  # not needed by every command
    from solvers.sokoban.solving.budget import Budget
    from solvers.sokoban.solving.solver import prove, solve, solve_easy

    aim, budget = Aim(question.aim), Budget(**question.budget)
    answer: Any = None
    if question.verb == "solve" and aim == Aim.ANY:
        answer = solve_easy(level, budget) or _solve_before_compiling(level, budget, report, cancelled)
    if answer is None:
        load_kernels(question.verb)
    more: dict[str, Any] = {}
    if question.verb in ("optimize", "coach"):
        if question.lurd is None:
            return _refusal_result(question, "no_solution", "There is no solution to better: `solve` finds one.")
        answer, more = _improve_solution(question, level, report, cancelled)
    elif question.certificate:
        answer, more = _prove_with_certificate(question, level, report, cancelled)
    elif answer is None:
        answer = (solve if question.verb == "solve" else prove)(
            level, aim, budget, report=report, cancelled=cancelled
        )  # fmt: skip
    least = least_pushes(level) or 0
    limit = answer.limit.value if isinstance(answer, Unknown) else None
    best = answer.best if isinstance(answer, Unknown) else answer if isinstance(answer, Solved) else None
    return Result(
        question.at,
        {
            **_identify(question),
            "answer": "solved" if best else "unknown" if isinstance(answer, Unknown) else "unsolvable",
            "lurd": best.lurd if best else None,
            "moves": best.moves if best else None,
            "pushes": best.pushes if best else None,
            "optimal": answer.proven.value if isinstance(answer, Solved) and answer.proven else None,
            "lower_bound_pushes": max(getattr(answer, "lower_bound_pushes", 0), least),
            "lower_bound_moves": max(getattr(answer, "lower_bound_moves", 0), least),
            "nodes": answer.nodes,
            "cpu_seconds": round(answer.cpu_seconds, 3),
            "limit": limit,
            **more,
        },
    )


def _solve_before_compiling(level: Level, budget: Any, report: Any, cancelled: Callable[[], bool] | None) -> Any:
    """Return the greedy search's answer if the other searches are not compiled yet, or None if they are needed.

    If it fails, its time does not count towards the budget of `solve`: neither does compiling.
    """
    load_kernels("solve_small")
    from solvers.sokoban.solving.loading import missing_stages  # loads numba, like `load_kernels`
    from solvers.sokoban.solving.solver import solve_small

    return solve_small(level, budget, report=report, cancelled=cancelled) if missing_stages("solve") else None


def _improve_solution(
    question: Question, level: Level, report: Any, cancelled: Callable[[], bool] | None
) -> tuple[Any, dict[str, Any]]:
    """Return a better solution, and for `coach` the field with the stretches where the given one loses."""
    from solvers.sokoban.coaching.coach import coach  # loads numba, like `load_kernels`
    from solvers.sokoban.solving.budget import Budget
    from solvers.sokoban.solving.optimizing import optimize

    function: Callable[..., Any] = coach if question.verb == "coach" else optimize
    budget = Budget(**question.budget)
    answer = function(level, question.lurd, question.aim, budget, report=report, cancelled=cancelled)
    if question.verb != "coach":
        return answer, {}
    return answer.better, {"stretches": [asdict(stretch) for stretch in answer.stretches]}


def _prove_with_certificate(
    question: Question, level: Level, report: Any, cancelled: Callable[[], bool] | None
) -> tuple[Any, dict[str, Any]]:
    """Return the answer, and fields with the certificate's file or the reason why there is none."""
    from solvers.sokoban.solving.answers import Unknown
    from solvers.sokoban.solving.budget import Budget
    from solvers.sokoban.solving.certificates.writing import NoCertificate  # loads numba, like `load_kernels`
    from solvers.sokoban.solving.solver import prove

    file, budget = question.certificate, Budget(**question.budget)
    try:
        answer = prove(level, question.aim, budget, report=report, cancelled=cancelled, certificate=file)
    except NoCertificate as error:
        return error.answer, {"certificate": None, "no_certificate": str(error)}
    if isinstance(answer, Unknown):
        return answer, {"certificate": None, "no_certificate": "nothing is proved"}
    return answer, {"certificate": file}


@cache
def load_kernels(verb: str) -> None:
    """Compile the kernels if not cached, before the time budget of the first level starts."""
    from solvers.sokoban.solving.compiling import without_collector

    with without_collector():  # numba takes most of a second
        from solvers.sokoban.solving.loading import load

    is_terminal = sys.stderr is not None and sys.stderr.isatty()

    def show(message: str) -> None:
        print(f"\r\x1b[Kcompiling, once on this machine: {message}", end="", file=sys.stderr, flush=True)

    load(verb, report=show if is_terminal else None)
    if is_terminal:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _identify(question: Question) -> dict[str, Any]:
    return {"file": question.file, "number": question.number, "title": question.title}


def _refusal_result(question: Question, code: str, message: str) -> Result:
    empty = {"lurd": None, "moves": None, "pushes": None, "optimal": None}
    limits = {"lower_bound_pushes": 0, "lower_bound_moves": 0, "nodes": 0, "cpu_seconds": 0.0, "limit": code}
    return Result(question.at, {**_identify(question), "answer": "unknown", **empty, **limits, "error": message})


def ask_in_processes(questions: list[Question], jobs: int, stop: Callable[[], bool]) -> Iterator[Result]:
    """Yield the answers in the order of the questions.

    After *stop* no further question is started, and running searches return their best result.
    """
    context = get_context("spawn")
    lifeline, lifeline_end = context.Pipe(duplex=False)
    halt, halting = context.Pipe(duplex=False)
    with ProcessPoolExecutor(
        jobs, mp_context=context, initializer=_start_worker, initargs=(lifeline, halt)
    ) as processes:
        try:
            futures = deque(processes.submit(_ask_unless_halted, question) for question in questions)
            while futures and not stop():
                if wait([futures[0]], timeout=0.2).done and (result := futures.popleft().result()):
                    yield result
            halting.send_bytes(b"halt")  # never received: polling it stays true in every worker
            answered = wait(futures, timeout=_PATIENCE).done
            yield from (result for future in futures if future in answered and (result := future.result()))
        finally:
            lifeline_end.close()


_is_halted: Callable[[], bool]  # in a worker


def _start_worker(lifeline: Connection, halt: Connection) -> None:
    """Ignore Ctrl-C in this worker: the parent handles it and writes to *halt* to stop the worker's searches."""
    import signal  # needed only in workers

    global _is_halted  # noqa: PLW0603 - a pool can pass pipes to a worker only at its start
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    exit_with(lifeline)
    _is_halted = halt.poll


def _ask_unless_halted(question: Question) -> Result | None:
    return None if _is_halted() else ask(question, cancelled=_is_halted)
