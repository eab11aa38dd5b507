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
    errors). For the exit, solutions are looked up in a few milliseconds. Other goals search all reachable layouts in
    about 20 ms; strict ones search all arrangements, up to 23 million, in under a second with 100 MB. The first such
    search loads numba and, in a fresh checkout, compiles its kernels. Every solution is replayed.
    """
    task = question(layout, goal, is_strict=is_strict)
    if task.target is None:
        moves = atlas.solution(layout)
    elif task.start.horizontals != task.target.horizontals:
        moves = None
    else:
        moves = _solve_by_names(task, task.target) if is_strict else _solve_by_kinds(task.start, task.target)
    if moves is None:
        return None
    if not replay(task, moves).is_solved:
        raise AssertionError(f"A search for {goal} from {layout.cells} found moves that do not lead there.")
    return Solution(task.start, tuple(moves))


def _solve_by_kinds(start: Layout, target: Layout) -> list[Move] | None:
    from solvers.klotski.searching.graph import graph  # numba takes most of a second, and look-ups do not need it

    class_graph = graph(start.horizontals)
    distances = class_graph.distances(class_graph.place(target))
    first = firsts()[start.horizontals]
    moves_left = int(distances[class_graph.place(start)])
    if moves_left < 0:
        return None
    return _descend(start, moves_left, lambda number: int(distances[class_graph.places[number - first]]))


def _descend(layout: Layout, moves_left: int, distance: Callable[[int], int]) -> list[Move]:
    """Return the moves along decreasing distances, which are indexed by layout number."""
    moves = []
    for remaining in range(moves_left - 1, -1, -1):
        moves.append(next(move for move, neighbour in numbered_moves(layout) if distance(neighbour) == remaining))
        layout = layout_after(layout, moves[-1])
    return moves


def _solve_by_names(task: Question, target: Layout) -> list[Move] | None:
    from solvers.klotski.searching.cover import Cover, State  # numba, as above
    from solvers.klotski.searching.graph import graph
    from solvers.klotski.searching.tracing import trace

    class_graph = graph(target.horizontals)
    start, stop = class_graph.place(task.start), class_graph.place(target)
    part = int(class_graph.parts[start])
    if class_graph.parts[stop] != part:
        return None
    first, last = map(int, class_graph.part_bounds[part : part + 2])
    states = trace(
        Cover(class_graph, first, last), start - first, State(stop - first, _arrangement_index(task.start, target))
    )
    if states is None:
        return None
    numbers = [int(class_graph.members[state.layout + first]) + firsts()[target.horizontals] for state in states]
    layout, moves = task.start, []
    for next_number in numbers[1:]:
        moves.append(next(move for move, neighbour in numbered_moves(layout) if neighbour == next_number))
        layout = layout_after(layout, moves[-1])
    return moves


def _arrangement_index(start: Layout, target: Layout) -> int:
    """Return the number of *target*'s arrangement of names if *start* has arrangement 0."""
    from solvers.klotski.searching.arrangements import arrangements, orders  # imports NumPy

    def order(kind: Kind) -> int:
        names = [piece.name for piece in start.pieces if piece.kind == kind]
        places = tuple(names.index(piece.name) for piece in target.pieces if piece.kind == kind)
        return orders(len(names)).index(places)

    tables = arrangements(start.horizontals)
    word = order(Kind.HORIZONTAL) * tables.verticals + order(Kind.VERTICAL)
    return word * len(tables.by_soldier) + order(Kind.SOLDIER)
