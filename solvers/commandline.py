"""Shared code of all puzzles' command lines: exit codes, errors, JSON lines, bounded input, whole files."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from solvers import __version__
from solvers.errors import BadLine, NoField, PuzzleError, TooLong

# 1: judged and not solved, not valid or not possible; with --jsonl: a line could not be answered.
SUCCESS, NOT_SOLVED, UNREADABLE = 0, 1, 2
INTERRUPTED, BROKEN_PIPE = 130, 141
MAX_INPUT = 1 << 26  # bytes of standard input, of a file of moves, or of one JSON line
_CHUNK_ITEMS = 1_000  # number of items of a long array written at once


def make_parser(program: str, description: str, examples: Sequence[str], codes: str) -> argparse.ArgumentParser:
    """Return a parser with --version and a help that has a description, examples and exit codes."""
    lines = "\n".join(f"  {example}" for example in examples)
    ends = f"{INTERRUPTED} interrupted, {BROKEN_PIPE} nobody reads the output any more"
    parser = argparse.ArgumentParser(
        prog=program,
        description=description,
        epilog=f"examples:\n{lines}\n\nexit codes: {codes}, {ends}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"leitai-solvers {__version__}")
    return parser


def run_command(command: Callable[[], int]) -> int:
    """Run *command* and return its exit code, or the exit code of an interruption or a failed output."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a title may have letters that the terminal cannot encode
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            return command()
        finally:
            print(end="", flush=True)  # flush here, not at interpreter exit, because it may fail
    except BrokenPipeError:
        return _discard_output(BROKEN_PIPE)
    except KeyboardInterrupt:
        return _discard_output(INTERRUPTED)
    except OSError as error:  # of a file if it names one, else from writing the output: a full disk
        failure = f"{error.filename} cannot be used" if error.filename else "The output cannot be written"
        print(f"{failure}: {error.strerror or error}.", file=sys.stderr)
        return _discard_output(UNREADABLE)


def _discard_output(code: int) -> int:
    """Redirect stdout to the null device so that the interpreter can close it without an error message."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return code


def error_as_json(error: PuzzleError) -> dict[str, Any]:
    """Return an error as JSON data: its code, message and position."""
    return {
        "error": error.code,
        "message": str(error),
        "index": error.index,
        "line": error.line,
        "column": error.column,
    }


def answer_lines(answer: Callable[[dict[str, Any]], dict[str, Any]], empty_answer: dict[str, Any]) -> int:
    """Answer each JSON object on standard input with one on standard output, flushed at once; return the exit code.

    A line that *answer* rejects with a PuzzleError, or that is not an object, is answered by *empty_answer* plus the
    error.
    """
    code = SUCCESS
    for task in read_objects(bounded_lines(sys.stdin.buffer) if sys.stdin else ()):
        try:
            if isinstance(task, PuzzleError):
                raise task
            result = answer(task)
        except PuzzleError as error:
            result, code = {**empty_answer, "error": error.code, "message": str(error)}, NOT_SOLVED
        write_object(result)
    return code


def bounded_lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of *file*. Raise TooLong for one beyond MAX_INPUT, which may be endless."""
    while line := file.readline(MAX_INPUT + 1):
        if len(line) > MAX_INPUT:
            raise TooLong(size=len(line), limit=MAX_INPUT)
        yield line


def write_file(name: str, content: bytes) -> None:
    """Write a whole file or, if that fails or is interrupted, none: a former file is then left as it was.

    A device, pipe or link, or a file in a folder that takes no other, is written in place. Raise OSError or ValueError.
    """
    path = Path(name)
    if path.is_symlink() or (path.exists() and not path.is_file()) or not os.access(path.parent, os.W_OK):
        path.write_bytes(content)
        return
    part = path.with_name(f".{path.name[:100]}.{os.getpid()}")
    try:
        part.write_bytes(content)
        if path.exists():
            part.chmod(path.stat().st_mode)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def read_objects(lines: Iterable[bytes]) -> Iterator[dict[str, Any] | BadLine]:
    """Yield the JSON object of each line that is not blank, or a BadLine error if it is not an object."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        yield value if isinstance(value, dict) else BadLine(line_number=number)


def write_object(answer: dict[str, Any]) -> None:
    """Write a JSON object in ASCII on one line. An iterator among its values is written as an array, in chunks."""
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
    while part := list(islice(items, _CHUNK_ITEMS)):
        print(separator + json.dumps(part)[1:-1], end="")
        separator = ", "
    print("[]" if separator == "[" else "]", end="")


def read_field(task: dict[str, Any], name: str) -> Any:
    """Return the value of a required field of *task*. Raise NoField."""
    if name not in task:
        raise NoField(name=name)
    return task[name]
