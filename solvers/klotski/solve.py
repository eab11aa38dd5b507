"""Shortest solutions for every question about a layout, or the proof that there is none."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from solvers.klotski import atlas
from solvers.klotski.goals import Goal, Question, question
from solvers.klotski.layout import Kind, Layout
from solvers.klotski.moves import Move, layout_after
from solvers.klotski.numbering import firsts, numbered_moves
from solvers.klotski.replay import replay


@dataclass(frozen=True)
class Solution:
    """A shortest solution. `str()` gives its moves as text, `len()` their number."""

    start: Layout
    moves: tuple[Move, ...]

    def __len__(self) -> int:
        return len(self.moves)

    def __bool__(self) -> bool:
        return True  # a solution without moves is a solution

    def __str__(self) -> str:
        return " ".join(map(str, self.moves))

    def layouts(self) -> Iterator[Layout]:
        """Yield the start and the layout after each move."""
        layout = self.start
        yield layout
        for move in self.moves:
            layout = layout_after(layout, move)
            yield layout


def solve(layout: Layout, goal: Goal | Layout | str = Goal.EXIT, *, is_strict: bool = False) -> Solution | None:
    """Find a shortest solution from *layout* to a goal, or to another layout; None proves that there is none.

    >>> layout = Layout.parse("VCCVVCCVVHHVVooVo..o")
    >>> len(solve(layout)), str(solve(layout))[:11]
    (81, 'B4d D5l D3d')

    If *is_strict*, pieces of a kind are distinguished: each must reach its own place (see `goals.question` for the
    errors). For the exit, solutions are looked up in some milliseconds. Other goals search all reachable layouts in
    about 20 ms; strict ones search all arrangements, up to 23 million, in less than a second and 100 MB. The first such
    search loads numba, and compiles it in a fresh checkout. Every solution has been replayed.
    """
    asked = question(layout, goal, is_strict=is_strict)
    if asked.target is None:
        moves = atlas.solution(layout)
    elif asked.start.horizontals != asked.target.horizontals:
        moves = None
    else:
        moves = _by_names(asked, asked.target) if is_strict else _by_kinds(asked.start, asked.target)
    if moves is None:
        return None
    if not replay(asked, moves).is_solved:
        raise AssertionError(f"A search for {goal} from {layout.cells} found moves that do not lead there.")
    return Solution(asked.start, tuple(moves))


def _by_kinds(start: Layout, target: Layout) -> list[Move] | None:
    from solvers.klotski.searching.graph import graph  # numba takes most of a second, and look-ups do not need it

    whole = graph(start.horizontals)
    distances = whole.distances(whole.place(target))
    first = firsts()[start.horizontals]
    left = int(distances[whole.place(start)])
    return None if left < 0 else _descend(start, left, lambda after: int(distances[whole.places[after - first]]))


def _descend(layout: Layout, left: int, distance: Callable[[int], int]) -> list[Move]:
    """Return the moves along decreasing distances, which are indexed by layout number."""
    way = []
    for nearer in range(left - 1, -1, -1):
        way.append(next(move for move, after in numbered_moves(layout) if distance(after) == nearer))
        layout = layout_after(layout, way[-1])
    return way


def _by_names(asked: Question, target: Layout) -> list[Move] | None:
    from solvers.klotski.searching.cover import Cover, State  # numba, as above
    from solvers.klotski.searching.graph import graph
    from solvers.klotski.searching.tracing import trace

    whole = graph(target.horizontals)
    start, stop = whole.place(asked.start), whole.place(target)
    part = int(whole.parts[start])
    if whole.parts[stop] != part:
        return None
    first, last = map(int, whole.part_bounds[part : part + 2])
    states = trace(Cover(whole, first, last), start - first, State(stop - first, _arrangement(asked.start, target)))
    if states is None:
        return None
    numbers = [int(whole.members[state.layout + first]) + firsts()[target.horizontals] for state in states]
    layout, way = asked.start, []
    for wanted in numbers[1:]:
        way.append(next(move for move, after in numbered_moves(layout) if after == wanted))
        layout = layout_after(layout, way[-1])
    return way


def _arrangement(start: Layout, target: Layout) -> int:
    """Return the number of *target*'s arrangement of names if *start* has arrangement 0."""
    from solvers.klotski.searching.arrangements import arrangements, orders  # imports NumPy

    def order(kind: Kind) -> int:
        names = [piece.name for piece in start.pieces if piece.kind == kind]
        places = tuple(names.index(piece.name) for piece in target.pieces if piece.kind == kind)
        return orders(len(names)).index(places)

    tables = arrangements(start.horizontals)
    word = order(Kind.HORIZONTAL) * tables.verticals + order(Kind.VERTICAL)
    return word * len(tables.by_soldier) + order(Kind.SOLDIER)
