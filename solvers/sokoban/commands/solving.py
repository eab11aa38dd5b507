"""`solve`, `prove`, `optimize` and `coach`: ask the solver about the levels of files."""

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
    NOT_SOLVED,
    SUCCESS,
    Unusable,
    Verbs,
    display_name,
    read_entries,
    read_moves,
)
from solvers.sokoban.commands.words import number_of
from solvers.sokoban.formats import Entry, Unread
from solvers.sokoban.reading.readers import Reader, judge

INTERRUPTED = 130
NO_CERTIFICATE = 3  # proved, but the certificate would be too large
_HELP = {
    "solve": "find a solution of each level",
    "prove": "find the solution with the fewest pushes or moves of each level, or prove that there is none",
    "optimize": "better the solutions of levels",
    "coach": "say where solutions of levels lose moves or pushes, and what is better there",
}
_IMPROVING = ("optimize", "coach")  # they take one file, whose levels have solutions


def add(verbs: "Verbs[Any]") -> None:
    """Add the commands to the command line."""
    for verb, help_text in _HELP.items():
        command = verbs.add_parser(verb, help=help_text)
        command.add_argument(
            "level", nargs=None if verb in _IMPROVING else "+", metavar="LEVEL", help="a file of levels"
        )
        command.add_argument("-n", "--number", type=int, metavar="N", help="take level N of the file")
        if verb in _IMPROVING:
            command.add_argument("moves_file", nargs="?", metavar="MOVES", help="a file with the moves")
            command.add_argument(
                "-m", "--moves", metavar="LURD", help="the moves; else those under the levels are taken"
            )
        add_budget_options(command, seconds=1 if verb in _IMPROVING else 60 if verb == "prove" else 20)
        aims = {"solve": ["any", "pushes", "moves"], "coach": ["moves", "pushes"]}.get(verb, ["pushes", "moves"])
        command.add_argument("--aim", choices=aims, default=aims[0], help=f"what counts; default: {aims[0]}")
        command.add_argument("--jobs", type=positive_int, default=1, metavar="N", help="work on so many levels at once")
        command.add_argument("--jsonl", "--json", dest="json", action="store_true", help="a JSON object for each level")
        if verb == "prove":
            command.add_argument(
                "--certificate", metavar="FILE", help="of one level: write the proof, for check_certificate.py"
            )
        command.set_defaults(command=answer, verb=verb)
    command = verbs.add_parser("warm", help="compile the searches, once after installation: about a minute")
    command.set_defaults(command=warm)


def warm(_options: Namespace) -> int:
    """Compile all searches into numba's cache, and print a line for each part."""
    asking.require_solver()
    from solvers.sokoban.solving import loading  # loads numba

    loading.main()
    return SUCCESS


def add_budget_options(command: ArgumentParser, seconds: float | None, scope: str = "a level") -> None:
    """Add arguments for the limits of one search."""
    default = f"default: {seconds}" if seconds else "no limit by default"
    command.add_argument(
        "--cpu-seconds", type=_positive_number, default=seconds, metavar="S", help=f"{scope}; {default}"
    )
    command.add_argument("--nodes", type=positive_int, metavar="N", help=f"states {scope}; no limit by default")
    command.add_argument(
        "--megabytes", type=positive_int, default=1024, metavar="M", help=f"of tables {scope}; default: 1024"
    )


def budget_of(options: Namespace) -> dict[str, Any]:
    """Return the arguments of a Budget."""
    return {"nodes": options.nodes, "cpu_seconds": options.cpu_seconds, "megabytes": options.megabytes}


def positive_int(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _positive_number(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise ValueError
    return number


def answer(options: Namespace) -> int:
    """Ask about all levels and print each answer as soon as it is available. Exit code 1 unless all are solved."""
    asking.require_solver()
    questions = list(_read_questions(options))
    if not questions:
        raise Unusable("There is no level to work on.")
    if len(questions) > 1 and questions[0].certificate:
        raise Unusable("A certificate is about one level: --number N takes one of them.")
    code = SUCCESS
    with interruptible() as stop:
        for result in _ask_all(questions, options.jobs, stop):
            print(json.dumps(result.line) if options.json else _describe_result(result), flush=True)
            if result.line["answer"] != "solved":
                code = NOT_SOLVED
            if result.line.get("no_certificate") and result.line["limit"] is None:
                code = NO_CERTIFICATE
    return INTERRUPTED if stop.is_requested else code


def _read_questions(options: Namespace) -> Iterator[Question]:
    has_moves = getattr(options, "moves", None) is not None or getattr(options, "moves_file", None) is not None
    files = [options.level] if isinstance(options.level, str) else options.level
    budget = budget_of(options)
    for name in files:
        has_entries = False
        for entry in read_entries(name):
            if options.number not in (None, entry.number):
                continue
            has_entries = True
            lurd = None
            if options.verb in _IMPROVING and isinstance(entry, Entry):
                lurd = _given_moves(entry, options) if has_moves else _best_solution(entry, options.aim)
            yield Question(
                options.verb, name, entry.number, entry.line, entry.title, _level_text(entry), options.aim, lurd,
                budget, getattr(options, "certificate", None),
            )  # fmt: skip
            if has_moves:
                break  # one solution, one level
        if not has_entries:
            raise Unusable(
                f"There is no level{'' if options.number is None else f' {options.number}'} in {display_name(name)}."
            )


def _level_text(entry: Entry | Unread) -> str | Exception:
    return entry.error if isinstance(entry, Unread) else str(entry.level)


def _given_moves(entry: Entry, options: Namespace) -> str:
    judgement = judge([entry.level], read_moves(options), Reader.RUN_LENGTH)
    if judgement.replay is None or not judgement.replay.is_solved:
        raise Unusable("These moves do not solve the level: `replay` says where they fail.")
    return judgement.replay.lurd


def _best_solution(entry: Entry, aim: str) -> str | None:
    """Return the best of the solutions under the level, or None."""

    def key(attempt: Any) -> tuple[int, int]:
        return (attempt.pushes, attempt.moves) if aim == "pushes" else (attempt.moves, attempt.pushes)

    best = min(entry.solutions, key=key, default=None)
    return best.lurd if best else None


class _Stop:
    """Ctrl-C state: the first Ctrl-C prints the best result so far, the second terminates at once."""

    is_requested = False

    def __call__(self) -> bool:
        return self.is_requested

    def request(self, *_: object) -> None:
        if self.is_requested:
            raise KeyboardInterrupt
        self.is_requested = True


@contextmanager
def interruptible() -> Iterator[_Stop]:
    stop = _Stop()
    try:
        previous_handler = signal.signal(signal.SIGINT, stop.request)
    except ValueError:  # not in the main thread, which alone receives signals
        yield stop
        return
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, previous_handler)


def _ask_all(questions: list[Question], jobs: int, stop: _Stop) -> Iterator[Result]:
    meter = Meter("levels")
    if jobs > 1 and len(questions) > 1:
        results = asking.ask_in_processes(questions, jobs, stop)
    else:
        results = (
            asking.ask(question, report=_progress_printer(number, len(questions)), cancelled=stop)
            for number, question in enumerate(questions, 1)
            if not stop.is_requested
        )
    for number, result in enumerate(results, 1):
        meter.end()
        _clear_line()
        yield result
        meter.show(number, len(questions))
    meter.end()


def _progress_printer(number: int, total: int) -> Any:
    """Return a progress callback that writes to the terminal, or None without a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None

    def show(progress: Any) -> None:
        best = "" if progress.best is None else f", best {progress.best:,}"
        text = f"level {number} of {total}: {progress.part} {progress.nodes:,} states, bound {progress.bound:,}{best}"
        print(f"\r\x1b[K{text[:78]}", end="", file=sys.stderr, flush=True)

    return show


def _clear_line() -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _describe_result(result: Result) -> str:
    line = result.line
    prefix = f"{display_name(line['file'])}:{result.at}: {line['number']}. {line['title']}".rstrip(" .") + ": "
    spent = f"{line['nodes']:,} states, {line['cpu_seconds']:.2f} s"
    bounds = f"at least {number_of(line['lower_bound_pushes'], 'push', 'pushes')}"
    bounds += f" and {number_of(line['lower_bound_moves'], 'move')}"
    if "error" in line:
        return f"{prefix}{line['error']}"
    certificate = _describe_certificate(line)
    if line["answer"] == "unsolvable":
        return f"{prefix}proved unsolvable ({spent}){certificate}"
    if line["answer"] == "unknown":
        return f"{prefix}not known: the limit of {line['limit']} was reached; {bounds} ({spent}){certificate}"
    proved = {None: "", "pushes": ", no solution has fewer pushes", "moves": ", no solution has fewer moves"}
    counts = f"{number_of(line['moves'], 'move')}, {number_of(line['pushes'], 'push', 'pushes')}"
    bounds_text = f"; {bounds}" if line["optimal"] is None and line["limit"] else ""
    head = f"{prefix}solved, {counts}{proved[line['optimal']]}{bounds_text} ({spent})"
    return f"{head}\n{line['lurd']}{_describe_stretches(line)}{certificate}"


def _describe_certificate(line: dict[str, Any]) -> str:
    """Return a line about the certificate, or nothing if none was wanted."""
    if "certificate" not in line:
        return ""
    if line["certificate"]:
        return f"\nCertificate written: {line['certificate']}"
    return f"\nNo certificate: {line['no_certificate']}."


def _describe_stretches(line: dict[str, Any]) -> str:
    """Return a line for each stretch that `coach` found; pushes count from 1."""
    texts = [] if line.get("stretches") != [] else ["\nNothing better was found."]
    for stretch in line.get("stretches", ()):
        first, last = stretch["first_push"] + 1, stretch["last_push"]
        place = f"Walk before push {first:,}" if first > last else f"Pushes {first:,} to {last:,}"
        lost = f"{number_of(stretch['moves'], 'move')} and {number_of(stretch['pushes'], 'push', 'pushes')} lost"
        texts.append(f"\n{place}: {lost}; better: {stretch['lurd'] or 'no step'}")
    return "".join(texts)
