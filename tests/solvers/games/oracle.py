"""The slow, obvious method: whole positions, every move, no sums of values. The rules are reimplemented naively.

A position is the JSON value of "position" with tuples for lists; a sum is a tuple of (task, position).
"""

from functools import cache

LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]


def replaced(parts, at, *become):
    return (*parts[:at], *become, *parts[at + 1 :])


def subtraction(heaps, numbers):
    for at, heap in enumerate(heaps):
        for number in numbers:
            if number <= heap:
                yield replaced(heaps, at, heap - number)


def wythoff(heaps):
    yield from subtraction(heaps, range(1, max(heaps) + 1))
    for taken in range(1, min(heaps) + 1):
        yield (heaps[0] - taken, heaps[1] - taken)


def chomp(rows):
    squares = {(row, column) for row, length in enumerate(rows) for column in range(length)}
    for row, column in squares - {(0, 0)}:
        left = {(r, c) for r, c in squares if r < row or c < column}
        lengths = [sum(r == at for r, _c in left) for at in range(len(rows))]
        yield tuple(length for length in lengths if length)


def notakto(boards):
    for at, board in enumerate(boards):
        if not any(all(board[int(square)] == "X" for square in line) for line in LINES):
            for square in range(9):
                if board[square] == "-":
                    yield replaced(boards, at, board[:square] + "X" + board[square + 1 :])


def octal(rows, code):
    for at, row in enumerate(rows):
        for taken, digit in enumerate(code.partition(".")[2], 1):
            for left in range(row - taken + 1):
                parts = [part for part in sorted((left, row - taken - left)) if part]
                if int(digit) >> len(parts) & 1:
                    yield replaced(rows, at, *parts)


RULES = {
    "nim": lambda task, position: subtraction(position, range(1, max(position, default=0) + 1)),
    "chomp": lambda task, position: chomp(position),
    "notakto": lambda task, position: notakto(position),
    "kayles": lambda task, position: octal(position, "0.77"),
    "dawsons_chess": lambda task, position: octal(position, "0.137"),
    "wythoff": lambda task, position: wythoff(position),
    "subtraction": lambda task, position: subtraction(position, task["set"]),
    "octal": lambda task, position: octal(position, task["code"]),
}


class Oracle:
    def __init__(self, task):
        self._tasks = task.get("sum", [task])
        self._is_sum = "sum" in task
        self._misere = task.get("misere", False)
        self._wins, self._grundy = cache(self._search_wins), cache(self._search_grundy)

    def answer(self):
        first = tuple(_tuples(task["position"]) for task in self._tasks)
        moves = {after for after in self._moves(first) if not self._wins(after)}
        return {
            "grundy": None if self._misere else self._grundy(first),
            "wins": self._wins(first),
            "moves": {after if self._is_sum else after[0] for after in moves},
        }

    def _moves(self, positions):
        for at, (task, position) in enumerate(zip(self._tasks, positions, strict=True)):
            for after in RULES[task["game"]](task, position):
                yield replaced(positions, at, after)

    def _search_wins(self, positions):
        moves = list(self._moves(positions))
        return any(not self._wins(after) for after in moves) if moves else self._misere

    def _search_grundy(self, positions):
        values = {self._grundy(after) for after in self._moves(positions)}
        return min(set(range(len(values) + 1)) - values)


def _tuples(value):
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def as_set(moves, *, is_sum):
    return {tuple(_tuples(part["position"]) for part in move) if is_sum else _tuples(move) for move in moves}
