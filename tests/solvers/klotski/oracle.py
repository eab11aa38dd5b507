"""The slow, obvious method: boards as sets of named pieces, moved cell by cell, searched with a dictionary.

Shares only the text of a layout with the library.
"""

from collections import deque

WIDTH, HEIGHT = 4, 5


def board(layout, names=True):
    """Return a frozenset of (name or kind, cells)."""
    pieces, taken = [], set()
    for cell, letter in enumerate(layout.cells):
        if letter == "." or cell in taken:
            continue
        wide, high = letter in "CH", letter in "CV"
        cells = frozenset(cell + x + WIDTH * y for x in range(1 + wide) for y in range(1 + high))
        taken |= cells
        pieces.append((layout.names[len(pieces)] if names else letter, cells))
    return frozenset(pieces)


def after_moves(board):
    """Yield all boards one move away: one piece moved along any path of free cells."""
    full = set().union(*(cells for _, cells in board))
    for name, cells in board:
        others = full - cells
        seen, queue = {cells}, deque([cells])
        while queue:
            for there in _steps(queue.popleft(), others):
                if there not in seen:
                    seen.add(there)
                    queue.append(there)
                    yield board - {(name, cells)} | {(name, there)}


def _steps(cells, others):
    for rows, columns in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        there = {(cell // WIDTH + rows, cell % WIDTH + columns) for cell in cells}
        if all(0 <= row < HEIGHT and 0 <= column < WIDTH for row, column in there):
            moved = frozenset(row * WIDTH + column for row, column in there)
            if not moved & others:
                yield moved


def distances(start, most=10**9):
    found, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        if found[here] < most:
            for there in after_moves(here):
                if there not in found:
                    found[there] = found[here] + 1
                    queue.append(there)
    return found
