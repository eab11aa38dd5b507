"""What the command lines of all puzzles share: their exit codes, how they end, and JSON objects a line."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from solvers import __version__
from solvers.errors import BadLine, NoField, PuzzleError

# 1: judged and not solved, not valid or not possible; with --jsonl: a line could not be answered.
FINE, NOT_SOLVED, UNREADABLE = 0, 1, 2
INTERRUPTED, NOBODY_READS = 130, 141
_ITEMS = 1_000  # so many items of a long array are written at once


def explaining_parser(puzzle: str, what: str, examples: Sequence[str], codes: str) -> argparse.ArgumentParser:
    """A parser that explains itself: what the command does, examples, its exit codes; and says its version."""
    lines = "\n".join(f"  {example}" for example in examples)
    ends = f"{INTERRUPTED} interrupted, {NOBODY_READS} nobody reads the output any more"
    parser = argparse.ArgumentParser(
        prog=puzzle,
        description=what,
        epilog=f"examples:\n{lines}\n\nexit codes: {codes}, {ends}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"leitai-solvers {__version__}")
    return parser


def run(act: Callable[[], int]) -> int:
    """Carry out *act* and return its exit code, or the one for an output that takes nothing more."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a title may have letters that the terminal has not
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            return act()
        finally:
            print(end="", flush=True)  # here, and not when the interpreter ends, because it may fail
    except BrokenPipeError:
        return _silence(NOBODY_READS)
    except KeyboardInterrupt:
        return _silence(INTERRUPTED)
    except OSError as error:  # of the output: a full disk
        print(f"The output cannot be written: {error.strerror}.", file=sys.stderr)
        return _silence(UNREADABLE)


def _silence(code: int) -> int:
    """Let the interpreter close an output that takes nothing more without another word."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return code


def refusal(error: PuzzleError) -> dict[str, Any]:
    """What a program is told of an error: its code, words, and the place."""
    return {
        "error": error.code,
        "message": str(error),
        "index": error.index,
        "line": error.line,
        "column": error.column,
    }


def answer_lines(answer: Callable[[dict[str, Any]], dict[str, Any]], nothing: dict[str, Any]) -> int:
    """Answer each object on standard input by one on standard output, at once, and return the exit code.

    A line that *answer* refuses with a PuzzleError, or that is no object, gets *nothing* with the error beside it.
    """
    code = FINE
    for task in read_objects(sys.stdin.buffer if sys.stdin else ()):
        try:
            if isinstance(task, PuzzleError):
                raise task
            said = answer(task)
        except PuzzleError as error:
            said, code = {**nothing, "error": error.code, "message": str(error)}, NOT_SOLVED
        write_object(said)
    return code


def read_objects(lines: Iterable[bytes]) -> Iterator[dict[str, Any] | BadLine]:
    """Read a JSON object of each line that is not blank; of any other line, say so."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        yield found if isinstance(found, dict) else BadLine(line_number=number)


def write_object(answer: dict[str, Any]) -> None:
    """Write a JSON object in ASCII on a line of its own. An iterator among its values becomes an array, bit by bit."""
    separator = "{"
    for key, value in answer.items():
        print(f"{separator}{json.dumps(key)}: ", end="")
        separator = ", "
        if isinstance(value, Iterator):
            _write_array(value)
        else:
            print(json.dumps(value), end="")
    print("}", flush=True)


def _write_array(items: Iterator[Any]) -> None:
    separator = "["
    while part := list(islice(items, _ITEMS)):
        print(separator + json.dumps(part)[1:-1], end="")
        separator = ", "
    print("[]" if separator == "[" else "]", end="")


def field(task: dict[str, Any], name: str) -> Any:
    """The value of a field that a task must have. Raise NoField."""
    if name not in task:
        raise NoField(name=name)
    return task[name]
