"""`solve`, `prove` and `optimize`: ask the solver about the levels of files."""

import json
import signal
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from solvers.sokoban.commands import asking
from solvers.sokoban.commands.asking import Question, Result
from solvers.sokoban.commands.meter import Meter
from solvers.sokoban.commands.reading import (
    FINE,
    NOT_SOLVED,
    Unusable,
    Verbs,
    display_name,
    entries,
    moves_text,
)
from solvers.sokoban.commands.words import number_of
from solvers.sokoban.formats import Entry, Unread
from solvers.sokoban.reading.readers import Reader, judge

INTERRUPTED = 130
_HELP = {
    "solve": "find a solution of each level",
    "prove": "find the solution with the fewest pushes or moves of each level, or prove that there is none",
    "optimize": "better the solutions of levels",
}


def add(verbs: "Verbs[Any]") -> None:
    """Add the commands to the command line."""
    for verb, words in _HELP.items():
        command = verbs.add_parser(verb, help=words)
        command.add_argument(
            "level", nargs="+" if verb != "optimize" else None, metavar="LEVEL", help="a file of levels"
        )
        command.add_argument("-n", "--number", type=int, metavar="N", help="take level N of the file")
        if verb == "optimize":
            command.add_argument("moves_file", nargs="?", metavar="MOVES", help="a file with the moves")
            command.add_argument(
                "-m", "--moves", metavar="LURD", help="the moves; else those under the levels are taken"
            )
        takes_budget(command, seconds=1 if verb == "optimize" else 60 if verb == "prove" else 20)
        aims = ["any", "pushes", "moves"] if verb == "solve" else ["pushes", "moves"]
        command.add_argument("--aim", choices=aims, default=aims[0], help=f"what counts; {aims[0]} if you say nothing")
        command.add_argument("--jobs", type=positive, default=1, metavar="N", help="work on so many levels at once")
        command.add_argument("--jsonl", "--json", dest="json", action="store_true", help="a JSON object for each level")
        command.set_defaults(command=answer, verb=verb)
    command = verbs.add_parser("warm", help="compile the searches, once on a machine: a minute that no question waits")
    command.set_defaults(command=warm)


def warm(_options: Namespace) -> int:
    """Compile all searches into numba's cache, and print a line for each part."""
    asking.require_solver()
    from solvers.sokoban.solving import loading  # loads numba

    loading.main()
    return FINE


def takes_budget(command: ArgumentParser, seconds: float) -> None:
    """Add arguments for the limits of one search."""
    command.add_argument("--cpu-seconds", type=_amount, default=seconds, metavar="S", help=f"a level; {seconds} else")
    command.add_argument("--nodes", type=positive, metavar="N", help="states a level; any number if you say nothing")
    command.add_argument("--megabytes", type=positive, default=1024, metavar="M", help="of tables a level; 1024 else")


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _amount(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise ValueError
    return number


def answer(options: Namespace) -> int:
    """Ask about all levels and print each answer as soon as it is available. Exit code 1 unless all are solved."""
    asking.require_solver()
    questions = list(_questions(options))
    if not questions:
        raise Unusable("There is no level to work on.")
    code = FINE
    with interruptible() as stop:
        for result in _results(questions, options.jobs, stop):
            print(json.dumps(result.line) if options.json else _words(result), flush=True)
            if result.line["answer"] != "solved":
                code = NOT_SOLVED
    return INTERRUPTED if stop.is_asked else code


def _questions(options: Namespace) -> Iterator[Question]:
    given = getattr(options, "moves", None) is not None or getattr(options, "moves_file", None) is not None
    files = [options.level] if isinstance(options.level, str) else options.level
    budget = {"nodes": options.nodes, "cpu_seconds": options.cpu_seconds, "megabytes": options.megabytes}
    for name in files:
        found_any = False
        for found in entries(name):
            if options.number not in (None, found.number):
                continue
            found_any = True
            lurd = None
            if options.verb == "optimize" and isinstance(found, Entry):
                lurd = _given_moves(found, options) if given else _best(found, options.aim)
            yield Question(
                options.verb, name, found.number, found.line, found.title, _text(found), options.aim, lurd, budget
            )
            if given:
                break  # one solution, one level
        if not found_any:
            raise Unusable(
                f"There is no level{'' if options.number is None else f' {options.number}'} in {display_name(name)}."
            )


def _text(found: Entry | Unread) -> str | Exception:
    return found.error if isinstance(found, Unread) else str(found.level)


def _given_moves(found: Entry, options: Namespace) -> str:
    judgement = judge([found.level], moves_text(options), Reader.RUN_LENGTH)
    if judgement.replay is None or not judgement.replay.is_solved:
        raise Unusable("These moves do not solve the level: `replay` says where they fail.")
    return judgement.replay.lurd


def _best(found: Entry, aim: str) -> str | None:
    """Return the best of the solutions under the level, or None."""

    def key(attempt: Any) -> tuple[int, int]:
        return (attempt.pushes, attempt.moves) if aim == "pushes" else (attempt.moves, attempt.pushes)

    best = min(found.solutions, key=key, default=None)
    return best.lurd if best else None


class _Stop:
    """Ctrl-C state: the first Ctrl-C prints the best result so far, the second terminates at once."""

    is_asked = False

    def __call__(self) -> bool:
        return self.is_asked

    def ask(self, *_: object) -> None:
        if self.is_asked:
            raise KeyboardInterrupt
        self.is_asked = True


@contextmanager
def interruptible() -> Iterator[_Stop]:
    stop = _Stop()
    try:
        before = signal.signal(signal.SIGINT, stop.ask)
    except ValueError:  # not in the main thread, which alone receives signals
        yield stop
        return
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def _results(questions: list[Question], jobs: int, stop: _Stop) -> Iterator[Result]:
    meter = Meter("levels")
    if jobs > 1 and len(questions) > 1:
        results = asking.ask_in_processes(questions, jobs, stop)
    else:
        results = (asking.ask(one, report=_bar(number, len(questions)), cancelled=stop) for number, one in
                   enumerate(questions, 1) if not stop.is_asked)  # fmt: skip
    for number, result in enumerate(results, 1):
        meter.end()
        _clear()
        yield result
        meter.show(number, len(questions))
    meter.end()


def _bar(number: int, total: int) -> Any:
    """Return a progress callback that writes to the terminal, or None without a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None

    def show(progress: Any) -> None:
        best = "" if progress.best is None else f", best {progress.best:,}"
        text = f"level {number} of {total}: {progress.part} {progress.nodes:,} states, bound {progress.bound:,}{best}"
        print(f"\r\x1b[K{text[:78]}", end="", file=sys.stderr, flush=True)

    return show


def _clear() -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _words(result: Result) -> str:
    line = result.line
    head = f"{display_name(line['file'])}:{result.at}: {line['number']}. {line['title']}".rstrip(" .") + ": "
    spent = f"{line['nodes']:,} states, {line['cpu_seconds']:.2f} s"
    bounds = f"at least {number_of(line['lower_bound_pushes'], 'push', 'pushes')}"
    bounds += f" and {number_of(line['lower_bound_moves'], 'move')}"
    if "error" in line:
        return f"{head}{line['error']}"
    if line["answer"] == "unsolvable":
        return f"{head}proved unsolvable ({spent})"
    if line["answer"] == "unknown":
        return f"{head}not known: the limit of {line['limit']} was reached; {bounds} ({spent})"
    proved = {None: "", "pushes": ", no solution has fewer pushes", "moves": ", no solution has fewer moves"}
    counts = f"{number_of(line['moves'], 'move')}, {number_of(line['pushes'], 'push', 'pushes')}"
    left = f"; {bounds}" if line["optimal"] is None and line["limit"] else ""
    return f"{head}solved, {counts}{proved[line['optimal']]}{left} ({spent})\n{line['lurd']}"
