"""The slow, obvious method: a breadth-first search over the board."""

from collections import deque
from itertools import pairwise

LEAPS = [(1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)]


def distances(rows, columns, start, leaps=LEAPS):
    found = {start: 0}
    waiting = deque([start])
    while waiting:
        row, column = square = waiting.popleft()
        for down, across in leaps:
            after = row + down, column + across
            if 0 <= after[0] < rows and 0 <= after[1] < columns and after not in found:
                found[after] = found[square] + 1
                waiting.append(after)
    return found


def squares(rows, columns):
    return [(row, column) for row in range(rows) for column in range(columns)]


def assert_walk(walk, board, start, target, leaps=LEAPS):
    assert (walk[0], walk[-1]) == (start, target)
    assert all(0 <= row < board.rows and 0 <= column < board.columns for row, column in walk)
    assert all((after[0] - row, after[1] - column) in leaps for (row, column), after in pairwise(walk))
