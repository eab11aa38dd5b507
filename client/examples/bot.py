"""A whole bot: take the open round, solve what can be solved, enter it, then improve until told to stop (Ctrl-C).

    LEITAI_URL=http://127.0.0.1:8000 LEITAI_TOKEN=leitai_... python client/examples/bot.py

The search is weighted A* over pushes: first greedy, to have something entered, then ever closer to the fewest pushes.
It stands on its own, so that you can put a better one in its place. Cost: every position it has seen stays in memory.
"""

import argparse
import heapq
import os
import sys
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from leitai import Client, LeitaiError, Level

STEPS = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}
WEIGHTS = (5.0, 3.0, 2.0, 1.5, 1.2, 1.0)

Cell = tuple[int, int]
Boxes = frozenset[Cell]


@dataclass(frozen=True)
class Board:
    """A level as sets of cells."""

    floor: frozenset[Cell]
    goals: frozenset[Cell]
    boxes: Boxes
    player: Cell

    @classmethod
    def parse(cls, text: str) -> "Board":
        marks = {(x, y): mark for y, row in enumerate(text.splitlines()) for x, mark in enumerate(row)}
        return cls(
            floor=frozenset(cell for cell, mark in marks.items() if mark != "#"),
            goals=frozenset(cell for cell, mark in marks.items() if mark in ".+*"),
            boxes=frozenset(cell for cell, mark in marks.items() if mark in "$*"),
            player=next(cell for cell, mark in marks.items() if mark in "@+"),
        )


def beside(cell: Cell, letter: str) -> Cell:
    right, down = STEPS[letter]
    return cell[0] + right, cell[1] + down


def behind(cell: Cell, letter: str) -> Cell:
    right, down = STEPS[letter]
    return cell[0] - right, cell[1] - down


def push_distances(board: Board) -> dict[Cell, int]:
    """Pushes a lone box needs from each cell to its nearest goal; a cell that is missing is dead."""
    distance = dict.fromkeys(board.goals, 0)
    queue = deque(board.goals)
    while queue:
        cell = queue.popleft()
        for letter in STEPS:
            before = behind(cell, letter)
            if before in board.floor and behind(before, letter) in board.floor and before not in distance:
                distance[before] = distance[cell] + 1
                queue.append(before)
    return distance


def walks(board: Board, boxes: Boxes, player: Cell) -> dict[Cell, str]:
    """The shortest walk to every cell the player reaches."""
    walk = {player: ""}
    queue = deque([player])
    while queue:
        cell = queue.popleft()
        for letter in STEPS:
            target = beside(cell, letter)
            if target in board.floor and target not in boxes and target not in walk:
                walk[target] = walk[cell] + letter
                queue.append(target)
    return walk


def solve(board: Board, weight: float, until: float, most_positions: int) -> str | None:
    """Moves that solve *board*, or None where time or positions ran out; None is not "unsolvable"."""
    distance = push_distances(board)
    if not board.boxes <= distance.keys():
        return None

    def bound(boxes: Boxes) -> int:
        return sum(distance[box] for box in boxes)

    start = (board.boxes, board.player)
    queue = [(weight * bound(board.boxes), 0, 0, start, "")]
    seen: dict[tuple[Boxes, Cell], int] = {}
    entered = 0
    while queue and len(seen) < most_positions and time.monotonic() < until:
        _estimate, _order, pushes, (boxes, player), moves = heapq.heappop(queue)
        if boxes <= board.goals:
            return moves
        walk = walks(board, boxes, player)
        position = (boxes, min(walk))
        if seen.get(position, pushes + 1) <= pushes:
            continue
        seen[position] = pushes
        for box in boxes:
            for letter in STEPS:
                stand, target = behind(box, letter), beside(box, letter)
                if stand in walk and target in distance and target not in boxes:
                    after = boxes - {box} | {target}
                    entered += 1
                    estimate = pushes + 1 + weight * bound(after)
                    line = moves + walk[stand] + letter.upper()
                    heapq.heappush(queue, (estimate, entered, pushes + 1, (after, box), line))
    return None


def improvements(level: Level, seconds: float, most_positions: int) -> Iterator[str]:
    """Better and better solutions by pushes, then by moves."""
    board, best = Board.parse(level.board), None
    for weight in WEIGHTS:
        moves = solve(board, weight, time.monotonic() + seconds, most_positions)
        if moves is None:
            print(f"  {level.slot}: nothing within the limits at weight {weight}", flush=True)
            continue
        counts = (sum(letter.isupper() for letter in moves), len(moves))
        if best is None or counts < best:
            best = counts
            yield moves


def enter(client: Client, level: Level, moves: str) -> None:
    receipt = client.submit(moves, round=level.round, slot=level.slot)
    print(f"  {level.slot}: {client.verdict(receipt.id).detail}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="An example bot.")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each search")
    parser.add_argument("--positions", type=int, default=300_000, help="kept in memory at most, for each search")
    parser.add_argument("--once", action="store_true", help="stop after one pass instead of waiting for the next round")
    options = parser.parse_args()
    with Client(os.environ.get("LEITAI_URL", "http://127.0.0.1:8000"), os.environ.get("LEITAI_TOKEN", "")) as client:
        play(client, options)
    return 0


def play(client: Client, options: argparse.Namespace) -> None:
    done: set[tuple[int, str]] = set()
    while True:
        round_ = client.round()
        for level in round_.levels if round_ else []:
            if (level.round, level.slot) not in done:
                print(f"Round {level.round}, {level.slot}", flush=True)
                for moves in improvements(level, options.seconds, options.positions):
                    enter(client, level, moves)
                done.add((level.round, level.slot))
        if options.once:
            return
        time.sleep(60)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except LeitaiError as error:
        sys.exit(f"bot: {error}")
