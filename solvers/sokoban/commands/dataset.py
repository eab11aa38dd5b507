"""`dataset`: make the levels of leitai-levels, and write each as a line of JSON."""

from argparse import Namespace
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from importlib.resources import files
from itertools import count, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from solvers import lifeline
from solvers.sokoban import dataset
from solvers.sokoban.commands import asking
from solvers.sokoban.commands.meter import Meter
from solvers.sokoban.commands.reading import SUCCESS, Unusable, Verbs
from solvers.sokoban.commands.solving import INTERRUPTED, interruptible, positive_int
from solvers.sokoban.dataset import DatasetLevel

_AHEAD = 8  # levels given to each worker before its first is written
_BEGINNING = b'{"id":"leitai-'
_Submit = Callable[..., "Future[DatasetLevel]"]


def add(verbs: "Verbs[Any]") -> None:
    """Add the command to the command line."""
    command = verbs.add_parser("dataset", help="make levels with proved optima for learning programs, as JSON lines")
    command.add_argument("-o", "--output", required=True, metavar="FOLDER", help="where to write, or to go on")
    command.add_argument("--count", type=positive_int, default=10_000, metavar="N", help="levels; default: 10,000")
    command.add_argument(
        "--seed", type=int, default=1, metavar="N", help="the same seed makes the same levels; default: 1"
    )
    command.add_argument("--jobs", type=positive_int, default=1, metavar="N", help="processes; default: 1")
    command.set_defaults(command=make_dataset)


def make_dataset(options: Namespace) -> int:
    """Write the levels that the folder lacks, and the datasheet. Ctrl-C keeps those that are written."""
    asking.require_solver()
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / dataset.FILE
    levels = _read_begun(file, options.seed)
    folder.joinpath(dataset.DATASHEET).write_bytes(files(dataset).joinpath(dataset.DATASHEET).read_bytes())
    meter = Meter(f"levels of {options.count}")
    with interruptible() as stop, file.open("a", encoding="ascii", newline="\n") as output:
        for level in _make_missing(options, levels, stop):
            print(level.as_json(), file=output, flush=True)
            levels.append(level)
            meter.show(len(levels))
    meter.end()
    print(_describe(levels, file))
    return INTERRUPTED if stop.is_requested else SUCCESS


def _read_begun(file: Path, seed: int) -> list[DatasetLevel]:
    """Return the levels that *file* has, and cut off a line that an interrupted run has not finished.

    Raise Unusable, and change nothing, if a line is not the level that *seed* makes there.
    """
    *lines, last = file.read_bytes().split(b"\n") if file.exists() else [b""]
    levels = []
    for number, line in enumerate(lines):
        try:
            level = DatasetLevel.from_json(line.decode("ascii"))
            is_ours = level.seed.startswith(f"{dataset.VERSION}/{seed}/{number}/")
        except (ValueError, TypeError, KeyError, AttributeError):
            is_ours = False
        if not is_ours:
            raise _refusal(file, number, seed)
        levels.append(level)
    if last:
        if not (last.startswith(_BEGINNING) or _BEGINNING.startswith(last)):
            raise _refusal(file, len(lines), seed)
        with file.open("r+b") as output:
            output.truncate(file.stat().st_size - len(last))
    return levels


def _refusal(file: Path, number: int, seed: int) -> Unusable:
    expected = f"level {number} of seed {seed}, version {dataset.VERSION}"
    return Unusable(f"{file}, line {number + 1}, is not {expected}, so nothing is written there: name another folder.")


def _make_missing(options: Namespace, begun: list[DatasetLevel], stop: Callable[[], bool]) -> Iterator[DatasetLevel]:
    """Yield the levels after those *begun*, in order. Make a duplicate of an earlier one again."""
    keys = {level.key for level in begun}
    numbers = range(len(begun), options.count)
    with _workers(options.jobs) as submit:
        from solvers.sokoban.dataset.making import make_level  # loads numba

        begun_levels = ((number, submit(make_level, options.seed, number)) for number in numbers)
        waiting = deque(islice(begun_levels, _AHEAD * options.jobs if options.jobs > 1 else 1))
        while waiting and not stop():
            number, future = waiting.popleft()
            level = future.result()
            attempts = count(1)
            while level.key in keys:
                level = submit(make_level, options.seed, number, next(attempts)).result()
            keys.add(level.key)
            yield level
            waiting.extend(islice(begun_levels, 1))


@contextmanager
def _workers(jobs: int) -> Iterator[_Submit]:
    """Yield the `submit` of that many processes, or for one job of this process."""
    asking.load_kernels("prove")
    asking.load_kernels("find")
    if jobs == 1:
        yield _call_here
        return
    context = get_context("spawn")
    line, line_end = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_start_worker, initargs=(line,))
    try:
        yield pool.submit
    finally:
        pool.shutdown(cancel_futures=True)
        line_end.close()


def _call_here(function: Callable[..., DatasetLevel], *arguments: int) -> "Future[DatasetLevel]":
    future: Future[DatasetLevel] = Future()
    future.set_result(function(*arguments))
    return future


def _start_worker(line: Connection) -> None:
    """Ignore Ctrl-C in this worker: the parent handles it."""
    import signal  # needed only in workers

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    lifeline.exit_with(line)


def _describe(levels: list[DatasetLevel], file: Path) -> str:
    def counts(values: Iterator[Any]) -> str:
        return ", ".join(f"{value} {number:,}" for value, number in sorted(Counter(values).items()))

    again = sum(int(level.seed.rpartition("/")[2]) for level in levels)
    return (
        f"{len(levels):,} levels in {file}. Grades: {counts(level.grade for level in levels)}."
        f" Splits: {counts(level.split for level in levels)}. Duplicates made again: {again:,}."
    )
