#!/usr/bin/env python3
"""Check a certificate of a Sokoban level: python3 check_certificate.py FILE LEVEL

FILE claims that a level has no solution, or that no solution has fewer pushes (or moves) than the one in it. LEVEL is a
file with the board, alone or among others, in plain XSB rows. Needs only Python 3.11 and shares no code with a solver.
It searches nothing: it computes each bound again and visits each listed state once. Prints PROVED, or REFUSED (exit
code 1). Format, and why this is a proof: docs/reference/certificates.md of the project Leitai.
"""

import hashlib
import heapq
import lzma
import re
import sys
from collections.abc import Iterator
from pathlib import Path

MOST_BYTES, MOST_TEXT, MOST_STATES, MOST_CELLS, MOST_PRICES = 16 << 20, 64 << 20, 1_000_000, 1_000, 16
NEVER = 10**9  # exceeds every finite bound: "unsolvable" means that no solution costs less
NOWHERE = 10**12  # cost of pushing a box to a goal that it cannot reach
NUMBER = r"(-?[1-9][0-9]{0,5}|0)"
FORM = [r"Sokoban certificate 1", r"(unsolvable|pushes|moves)(?: ([1-9][0-9]{0,5}))?", r"Level: ([-#.$*@+|]+)"]
FORM += [r"Solution: ([lurdLURD]*)", r"Heights: (.+)", r"Prices: (0|[1-9][0-9]?)"]


def require(condition: object, reason: str) -> None:
    if not condition:
        raise SystemExit(f"REFUSED: {reason}")


def bits(cells: int) -> Iterator[int]:
    while cells:
        yield (cells & -cells).bit_length() - 1
        cells &= cells - 1


def shift(cells: int, step: int) -> int:
    return cells << step if step > 0 else cells >> -step


class Board:
    """The part in the player's reach. Cells are places in the level's line; a set of cells has a bit for each."""

    def __init__(self, line: str) -> None:
        rows, kinds = line.split("|"), ("$*", ".*+", "@+", "-.$*@+")
        require(len(line) <= MOST_CELLS and len(set(map(len, rows))) == 1, "the board is too large or not a rectangle")
        boxes, goals, man, floor = (sum(1 << at for at, cell in enumerate(line) if cell in kind) for kind in kinds)
        require(man.bit_count() == 1 and 0 < boxes.bit_count() == goals.bit_count(), "no judge can replay the level")
        self.size, self.width, self.man = len(line), len(rows[0]) + 1, man.bit_length() - 1
        self.steps, self.floor = (1, -1, self.width, -self.width), self.flood(man, floor)
        self.is_hopeless = boxes & ~self.floor != goals & ~self.floor
        self.boxes, self.goals = boxes & self.floor, goals & self.floor
        self.zones: dict[int, dict[int, int]] = {box: {} for box in bits(self.floor)}  # by a lone box and the player
        for box, zones in self.zones.items():
            for man in bits(self.floor & ~(1 << box)):
                if man not in zones:
                    zone = self.flood(1 << man, self.floor & ~(1 << box))
                    zones.update(dict.fromkeys(bits(zone), zone))

    def beside(self, cells: int) -> int:
        return cells << 1 | cells >> 1 | cells << self.width | cells >> self.width

    def flood(self, cells: int, free: int) -> int:
        grown = 0
        while cells != grown:
            grown, cells = cells, (cells | self.beside(cells)) & free
        return cells

    def lone_costs(self, heights: dict[int, int]) -> Iterator[dict[tuple[int, int], int]]:
        """Yield for each goal the cost to push a lone box there by its cell and the player's zone: 1 plus the rise."""
        before: dict[tuple[int, int], list[tuple[int, tuple[int, int]]]] = {}
        for box, zones in self.zones.items():
            for step in self.steps:
                if ((shift(1 << box, step) | shift(1 << box, -step)) & self.floor).bit_count() == 2:
                    after, cost = (box + step, self.zones[box + step][box]), 1 + heights[box] - heights[box - step]
                    before.setdefault(after, []).append((cost, (box, zones[box - step])))
        for goal in bits(self.goals):
            costs: dict[tuple[int, int], int] = {}
            queue = [(0, (goal, zone)) for zone in set(self.zones[goal].values())]
            while queue:
                cost, place = heapq.heappop(queue)
                if place not in costs:
                    costs[place] = cost
                    for more, other in before.get(place, ()):
                        heapq.heappush(queue, (cost + more, other))
            yield costs

    def replay(self, lurd: str) -> dict[str, int]:
        """Return the moves and pushes of a solution, with capitals for pushes, that ends when all boxes are home."""
        boxes, man, pushes = self.boxes, 1 << self.man, 0
        for letter in lurd:
            require(pushes == 0 or boxes != self.goals, "the solution goes on after its end")
            step = self.steps["rldu".index(letter.lower())]
            man = shift(man, step) & self.floor
            ahead, is_push = shift(man, step) & self.floor & ~boxes, bool(man & boxes)
            require(man and is_push == letter.isupper() and (ahead or not is_push), "the solution makes a wrong step")
            if is_push:
                boxes, pushes = boxes ^ man ^ ahead, pushes + 1
        require(pushes and boxes == self.goals, "the solution does not solve the level")
        return {"moves": len(lurd), "pushes": pushes}

    def claim(self, aim: str, least: int, heights: dict[int, int], prices: list[list[int]]) -> None:
        """Compute the tables that decide which states are lost: no solution below the claim goes through them."""
        self.aim, self.least = aim, least
        costs = list(self.lone_costs(heights))
        goals_of = dict.fromkeys(self.zones, 0)  # by cell: the goals that a lone box can reach from it
        for number, table in enumerate(costs):
            for box, _ in table:
                goals_of[box] |= 1 << number
        families = sorted({0, *goals_of.values()})  # a crowd: the cells from which boxes reach no goals but a few
        self.crowds = [(sum(1 << b for b, goals in goals_of.items() if goals | few == few), few) for few in families]
        self.dead = self.crowds[0][0]
        self.needs = []  # for each price list: its sum, and the need of a box by its cell and the player's
        for wares in prices:
            needs: dict[int, dict[int, int]] = {}
            for box, zones in self.zones.items():
                rows = {zone: [table.get((box, zone), NOWHERE) for table in costs] for zone in zones.values()}
                need = {zone: min(map(int.__sub__, row, wares)) for zone, row in rows.items()}
                needs[box] = {man: need[zone] for man, zone in zones.items()}
            self.needs.append((sum(wares), needs))
        top = max((heights[man] for man in bits(self.beside(self.goals) & self.floor)), default=0)
        self.falls = {cell: height - top for cell, height in heights.items()}

    def is_lost(self, boxes: int, man: int, cost: int) -> bool:
        """Return whether a box is frozen off goal, too many boxes need the same goals, or the bound is too high."""
        frozen, before, dead, width = boxes, 0, self.dead, self.width
        while frozen != before:  # take those that can move along an axis, unless both its ends are dead
            before, clear = frozen, self.floor & ~frozen
            across = clear << 1 & clear >> 1 & ~(dead << 1 & dead >> 1)
            along = clear << width & clear >> width & ~(dead << width & dead >> width)
            frozen &= ~(across | along)
        if frozen & ~self.goals or any((boxes & c).bit_count() > few.bit_count() for c, few in self.crowds):
            return True
        total, squares = cost + self.falls[man], list(bits(boxes))
        return any(total + prices + sum(need[box][man] for box in squares) >= self.least for prices, need in self.needs)

    def number(self, boxes: int, man: int) -> int:
        """Return the state's number. Unless moves count, the player is named by the first cell of the zone."""
        zone = 1 << man if self.aim == "moves" else self.flood(1 << man, self.floor & ~boxes)
        return boxes * self.size + (zone & -zone).bit_length() - 1

    def pushes(self, boxes: int, man: int) -> Iterator[tuple[int, int, int]]:
        """Yield the boxes and the player after each possible push, and its cost."""
        free, seen, cost = self.floor & ~boxes, 0, 1
        zone = 1 << man if self.aim == "moves" else self.flood(1 << man, free)
        while zone:  # all cells at once, or if moves count those at each distance in turn
            for step in self.steps:
                for box in bits(boxes & shift(zone, step) & shift(free, -step)):
                    yield boxes ^ 1 << box ^ 1 << box + step, box, cost
            seen, cost = seen | zone, cost + 1
            zone = self.beside(zone) & free & ~seen

    def check(self, costs: dict[int, int]) -> None:
        """Refuse unless the states, costs by number, are exactly those that a search with these tables visits."""
        start = self.number(self.boxes, self.man)
        is_decided = self.is_hopeless or self.is_lost(self.boxes, self.man, 0)
        require(not costs if is_decided else costs.get(start) == 0, "the start is missing or needless")
        unreached = set(costs) - {start}
        for state, cost in costs.items():
            boxes, man = divmod(state, self.size)
            require(boxes & ~self.floor == 0 and boxes.bit_count() == self.boxes.bit_count(), "a state has wrong boxes")
            require((self.floor & ~boxes) >> man & 1 and self.number(boxes, man) == state, "a state has a wrong player")
            require(state == start or boxes != self.goals, "a solved state is listed")
            require(not self.is_lost(boxes, man, cost), "a state is listed that is lost")
            for after, place, more in self.pushes(boxes, man):
                total, known = cost + more, costs.get(child := self.number(after, place))
                if after == self.goals:
                    require(total >= self.least, f"a push from a state of cost {cost} solves the level below the claim")
                elif known is None:
                    require(self.is_lost(after, place, total), f"a push from a state of cost {cost} leaves the list")
                elif known >= total:
                    require(known == total, "a state is listed at more than its cost")
                    unreached.discard(child)
        require(not unreached, "a state is listed that no push reaches at its cost")


def unpack(packed: bytes) -> str:
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=256 << 20)
    try:
        text = unpacker.decompress(packed, MOST_TEXT).decode("ascii")
    except (lzma.LZMAError, UnicodeDecodeError):
        raise SystemExit("REFUSED: the file is no certificate, or damaged") from None
    require(unpacker.eof and not unpacker.unused_data, "the file is truncated, too large, or goes on after its end")
    return text


def numbers(text: str, count: int) -> list[int]:
    require(re.fullmatch(rf"{NUMBER}( {NUMBER}){{{count - 1}}}", text), "a line of numbers is malformed")
    return [int(word) for word in text.split(" ")]


def read_states(lines: list[str]) -> dict[int, int]:
    """Read how many states there are, then for each cost, ascending, their numbers, each less the one before."""
    costs: dict[int, int] = {}
    last, total = -1, re.fullmatch(r"States: (0|[1-9][0-9]{0,6})", lines[0])
    is_right = total and sum(line.count(" ") for line in lines[1:]) == int(total[1]) <= MOST_STATES
    require(is_right, "the number of states is wrong or too large")
    for line in lines[1:]:
        match = re.fullmatch(r"(0|[1-9][0-9]{0,5})((?: [1-9a-f][0-9a-f]{0,259})+)", line)
        cost, state = int(match[1]) if match else -1, 0
        require(cost > last, "a line of states is malformed, or not in order")
        for word in line.split(" ")[1:]:
            state, last = state + int(word, 16), cost
            require(costs.setdefault(state, cost) == cost, "a state is listed twice")
    return costs


def read_boards(text: str) -> list[str]:
    """Return every board of a level file as a line, its margins cropped and its rows padded."""
    boards, rows = [], list[str]()
    for line in [*text.replace("|", "\n").splitlines(), ""]:
        if "#" in line and re.fullmatch(r"[-_ #.$*@+bBpP]+", line):
            rows.append(line.translate(str.maketrans("_ bBpP", "--$*@+")).rstrip("-"))
        elif rows:
            left, width = min(len(row) - len(row.lstrip("-")) for row in rows), max(map(len, rows))
            boards.append("|".join(row.ljust(width, "-")[left:] for row in rows))
            rows = []
    return boards


def check(path: str, level_path: str) -> str:
    """Return what the certificate proves. Exit if that is nothing, or about another level."""
    files = Path(path), Path(level_path)
    require(all(file.is_file() and file.stat().st_size <= MOST_BYTES for file in files), "a file is none, or too large")
    lines = unpack(files[0].read_bytes()).split("\n")
    parts = [match for form, line in zip(FORM, lines, strict=False) if (match := re.fullmatch(form, line))]
    require(len(parts) == len(FORM) < len(lines) and lines.pop() == "", "the file is no certificate of version 1")
    digest = lines.pop()
    require(digest == hashlib.sha256("\n".join(lines).encode()).hexdigest(), "the file was changed after it was made")
    (aim, count), line, solution, heights_text, price_count = parts[1].groups(), *(part[1] for part in parts[2:])
    require((aim == "unsolvable") == (count is None) == (solution == ""), "the claim is malformed")
    boards = read_boards(files[1].read_text(encoding="utf-8", errors="replace"))
    require(line in boards, "it is about another level")
    board = Board(line)
    require(aim == "unsolvable" or board.replay(solution)[aim] == int(count), f"its solution has not so many {aim}")
    heights = dict(zip(bits(board.floor), numbers(heights_text, board.floor.bit_count()), strict=True))
    pairs = [(one, one + step) for one in heights for step in (1, board.width) if one + step in heights]
    steepest = 1 if aim == "moves" else 0
    require(all(abs(heights[one] - heights[other]) <= steepest for one, other in pairs), "the heights are too steep")
    first = len(FORM) + int(price_count)
    require(int(price_count) <= MOST_PRICES and first < len(lines), "there are too many or too few price lists")
    prices = [numbers(words, board.goals.bit_count()) for words in lines[len(FORM) : first]]
    board.claim(aim, NEVER if aim == "unsolvable" else int(count), heights, prices)
    board.check(read_states(lines[first:]))
    proved = f"no solution has fewer than {count} {aim}, and the solution in the file has {count}"
    return f"PROVED: {proved if count else 'the level has no solution'} (level {boards.index(line) + 1} of the file)"


if __name__ == "__main__":
    print(check(*sys.argv[1:]) if len(sys.argv) == 3 else __doc__)
