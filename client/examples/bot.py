"""A complete bot: solve the open round's levels, enter the solutions, and improve them until it is stopped (Ctrl-C).

    LEITAI_URL=http://127.0.0.1:8000 LEITAI_TOKEN=leitai_... python client/examples/bot.py

It solves with this project's puzzle library, so run it from a checkout with numba installed (requirements/base.txt).
Replace it with a better solver if you have one. Each solution has been replayed and is within the round's move limit
before it is entered, and is better by moves or by pushes than all before. The client waits as long as the site asks.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from leitai import Client, LeitaiError, Level

sys.path.insert(0, str(Path(__file__).parents[2]))  # the puzzle library of the checkout

from solvers.sokoban import Aim, Budget, Solved, Unsolvable, optimize, solve

MEGABYTES = 1024
MOST_MOVES = 1_000_000
LONGEST_SEARCH = 3_600.0  # CPU seconds


@dataclass
class Work:
    """A level, the best solutions sent for it, and whether it is done: nothing can be improved."""

    level: Level
    seconds: float
    most_moves: int = MOST_MOVES
    best: dict[Aim, Solved] = field(default_factory=dict)
    is_done: bool = False

    def find_improvements(self) -> Iterator[Solved]:
        """Search for *seconds* of CPU time by each count; yield each solution that is better than all before."""
        budget = Budget(cpu_seconds=self.seconds, megabytes=MEGABYTES)
        if not self.best:
            answer = solve(self.level.board, Aim.ANY, budget)
            if isinstance(answer, Unsolvable):
                print(f"  {self.level.slot}: proved unsolvable", flush=True)
                self.is_done = True
            if not isinstance(answer, Solved):
                return
            yield from self._store_if_better(answer)
        for aim in (Aim.PUSHES, Aim.MOVES):
            if aim in self.best and self.best[aim].proven is not aim:
                yield from self._store_if_better(optimize(self.level.board, self.best[aim].lurd, aim, budget), aim)
        self.is_done = all(aim in self.best and self.best[aim].proven is aim for aim in (Aim.PUSHES, Aim.MOVES))

    def _store_if_better(self, solution: Solved, searched: Aim | None = None) -> Iterator[Solved]:
        """Store *solution* if it is better, or equal and perhaps proved; yield it if it is better by either count."""
        if solution.moves > self.most_moves:
            print(f"  {self.level.slot}: {solution.moves} moves are more than the round takes", flush=True)
            return
        is_better = False
        for aim in (Aim.PUSHES, Aim.MOVES):
            best = self.best.get(aim)
            if best is None or _order(solution, aim) < _order(best, aim):
                self.best[aim] = solution
                is_better = True
            elif aim is searched and _order(solution, aim) == _order(best, aim):
                self.best[aim] = solution  # the same counts, but perhaps with a proof
        if is_better:
            yield solution


def _order(solution: Solved, aim: Aim) -> tuple[int, int]:
    return (solution.pushes, solution.moves) if aim is Aim.PUSHES else (solution.moves, solution.pushes)


def enter(client: Client, level: Level, solution: Solved) -> None:
    """Send a solution and print the verdict; the client obeys the site's limits and sends nothing twice."""
    receipt = client.submit(solution.lurd, round=level.round, slot=level.slot)
    print(f"  {level.slot}: {solution.moves}/{solution.pushes}: {client.verdict(receipt.id).detail}", flush=True)


def play(client: Client, options: argparse.Namespace) -> None:
    """Work on the open round level by level, with twice the time in each pass, until every best is proved."""
    works: dict[tuple[int, str], Work] = {}
    while True:
        round_ = client.round()
        most_moves = (round_.extra.get("settings") or {}).get("max_moves", MOST_MOVES) if round_ else MOST_MOVES
        is_unfinished = False
        for level in round_.levels if round_ else []:
            work = works.setdefault((level.round, level.slot), Work(level, options.seconds, most_moves))
            if work.is_done:
                continue
            print(f"Round {level.round}, {level.slot}, {work.seconds:.0f} CPU seconds", flush=True)
            for solution in work.find_improvements():
                enter(client, level, solution)
            is_unfinished = is_unfinished or not work.is_done
            work.seconds = min(work.seconds * 2, LONGEST_SEARCH)
        if options.once:
            return
        if not is_unfinished:
            time.sleep(60)


def main() -> int:
    parser = argparse.ArgumentParser(description="An example bot.")
    parser.add_argument("--seconds", type=float, default=20.0, help="CPU seconds of each search in the first pass")
    parser.add_argument("--once", action="store_true", help="stop after one pass instead of going on with more time")
    options = parser.parse_args()
    with Client(os.environ.get("LEITAI_URL", "http://127.0.0.1:8000"), os.environ.get("LEITAI_TOKEN", "")) as client:
        play(client, options)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except LeitaiError as error:
        sys.exit(f"bot: {error}")
