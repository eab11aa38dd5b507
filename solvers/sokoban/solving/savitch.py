"""Decide tiny levels in polynomial space by Savitch's search, for teaching. Run it for a table of space and time.

A level of n squares has at most 3^n states (each square is empty, has a box, or has the player), so a shortest solution
has fewer than 3^n steps. Whether b is reachable from a in 2^i steps is decided by halving: is there a state c that is
reachable from a in 2^(i-1) steps, and b from c? All states are tried for c in lexicographic order, and only the
stack of open questions is stored: n log2 3 of them at most, of O(n) bits each, so O(n^2) bits in all,
whereas breadth-first search stores every state found. The price is time: (2 S)^(n log2 3) for S states.

W. J. Savitch: Relationships between nondeterministic and deterministic tape complexities, 1970. Sokoban needs
polynomial space, and is as hard as any such problem: J. Culberson, Sokoban is PSPACE-complete, 1997.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb, log10

from solvers.sokoban.level import Level

_BOX, _FREE, _PLAYER = "$-@"  # in lexicographic order
_BITS_A_SQUARE = 2


@dataclass(frozen=True)
class Decision:
    """Result of `decide`: the answer, and its cost as *questions* asked and the most *bits* stored at once.

    *is_solvable* is None if the allowed questions were not enough.
    """

    is_solvable: bool | None
    questions: int
    bits: int


class _OutOfQuestions(Exception):
    """The allowed number of questions has been asked."""


def decide(level: Level, *, halvings: int | None = None, questions: int = 10_000_000) -> Decision:
    """Decide by recursive halving whether *level* can be solved; give up after *questions* questions.

    >>> decide(Level.parse("#####|#.@$#|#####"))
    Decision(is_solvable=False, questions=24882, bits=100)

    *halvings* is how often the number of steps is halved: by default until 3^n steps have become one.
    A level that is solved at the start counts as solvable. Valid only for one player, and boxes and goals within
    the player's reach. Space O(n^2) bits, time O((2 S)^halvings) for n squares and S states.
    """
    search = _Search(level, questions)
    if halvings is None:
        halvings = full_halvings(level)
    try:
        is_solvable: bool | None = any(search.leads(search.start, state, halvings) for state in search.solved_states())
    except _OutOfQuestions:
        is_solvable = None
    return Decision(is_solvable, search.questions, search.most_bits)


def full_halvings(level: Level) -> int:
    """Return how often 3^n steps are halved until one is left."""
    states: int = 3 ** len(level.reach)
    return (states - 1).bit_length()


def least_halvings(level: Level) -> int:
    """Return how often the number of states is halved until one is left: no shortest solution has more steps."""
    return (count_states(level) - 1).bit_length()


def count_states(level: Level) -> int:
    """Return the number of ways to place the boxes and the player on the squares."""
    squares, boxes = len(level.reach), len(level.boxes)
    return comb(squares, boxes) * (squares - boxes)


class _Search:
    """The game's rules on strings: one character per square of the level; enumerates all states in order."""

    def __init__(self, level: Level, questions: int) -> None:
        self._cells = sorted(level.reach)
        number = {cell: at for at, cell in enumerate(self._cells)}
        self._neighbours = [
            {number[neighbour] for neighbour in level.neighbours(cell) if neighbour in number} for cell in self._cells
        ]
        deltas = (-1, 1, -level.width, level.width)
        self._ahead = [
            [(number.get(cell + delta), number.get(cell + 2 * delta)) for delta in deltas] for cell in self._cells
        ]
        letters = [_FREE] * len(self._cells)
        for box in level.boxes:
            letters[number[box]] = _BOX
        letters[number[level.player]] = _PLAYER
        self.start = "".join(letters)
        self._goals = {number[goal] for goal in level.goals}
        self._questions_left = questions
        self._questions = questions
        self._frames = 0
        self.most_bits = 0

    @property
    def questions(self) -> int:
        return self._questions - self._questions_left

    def states(self) -> Iterator[str]:
        """Yield all states in lexicographic order; each is built from the one before, and none is stored."""
        state: list[str] | None = sorted(self.start)
        while state is not None:
            yield "".join(state)
            state = _next_state(state)

    def solved_states(self) -> Iterator[str]:
        return (state for state in self.states() if all(state[goal] == _BOX for goal in self._goals))

    def leads(self, first: str, last: str, halvings: int) -> bool:
        """Return whether at most 2^halvings steps lead from *first* to *last*."""
        if self._questions_left == 0:
            raise _OutOfQuestions
        self._questions_left -= 1
        if first == last or last in self.successors(first):
            return True
        if halvings == 0:
            return False
        self._frames += 1
        self.most_bits = max(self.most_bits, self._frames * self._bits_a_frame(halvings))
        is_reachable = any(
            self.leads(first, middle, halvings - 1) and self.leads(middle, last, halvings - 1)
            for middle in self.states()
        )
        self._frames -= 1
        return is_reachable

    def _bits_a_frame(self, halvings: int) -> int:
        """Return the bits of a question: its two states, the middle state, the current half, and the halvings left."""
        return 3 * _BITS_A_SQUARE * len(self._cells) + 1 + halvings.bit_length()

    def successors(self, state: str) -> Iterator[str]:
        """Yield the states one step away."""
        at = state.index(_PLAYER)
        for target, beyond in self._ahead[at]:
            if target is None or target not in self._neighbours[at]:
                continue
            if state[target] == _FREE:
                yield _replace_letters(state, {at: _FREE, target: _PLAYER})
            elif beyond is not None and beyond in self._neighbours[target] and state[beyond] == _FREE:
                yield _replace_letters(state, {at: _FREE, target: _PLAYER, beyond: _BOX})


def _replace_letters(state: str, changes: dict[int, str]) -> str:
    return "".join(changes.get(at, letter) for at, letter in enumerate(state))


def _next_state(state: list[str]) -> list[str] | None:
    """Return the next permutation of the same letters (Narayana's method), or None after the last."""
    rise = next((at for at in range(len(state) - 2, -1, -1) if state[at] < state[at + 1]), None)
    if rise is None:
        return None
    other = next(at for at in range(len(state) - 1, rise, -1) if state[at] > state[rise])
    state = state.copy()
    state[rise], state[other] = state[other], state[rise]
    return state[: rise + 1] + state[:rise:-1]


def breadth_first_bits(level: Level) -> int:
    """Return the bits that breadth-first search stores: every state found, encoded like Savitch's search does."""
    search = _Search(level, 0)
    seen = {search.start}
    queue = [search.start]
    for state in queue:
        for successor in search.successors(state):
            if successor not in seen:
                seen.add(successor)
                queue.append(successor)
    return len(seen) * _BITS_A_SQUARE * len(level.reach)


def bound_bits(level: Level) -> int:
    """Return the O(n^2) bound with its constants: per halving, a question of three states and two small numbers."""
    halvings = full_halvings(level)
    return halvings * (3 * _BITS_A_SQUARE * len(level.reach) + 1 + halvings.bit_length())


def worst_questions(level: Level, halvings: int) -> float:
    """Return the decimal logarithm of the worst-case questions: (2 S)^halvings for each solved state."""
    solved = len(level.reach) - len(level.boxes)
    return log10(solved) + halvings * log10(2 * count_states(level))


EXAMPLES = (
    ("corridor of 3", "#####|#@$.#|#####"),
    ("corridor of 3, not solvable", "#####|#.@$#|#####"),
    ("corridor of 4", "######|#@$-.#|######"),
    ("corridor of 4, not solvable", "######|#.@$-#|######"),
    ("corner of 5", "####-|#--##|#@$.#|#####"),
    ("room of 6", "#####|#-@-#|#.$-#|#####"),
    ("corridor of 5, two boxes", "#######|#@$*.-#|#######"),
    ("room of 9, two boxes", "#####|#@--#|#-$.#|#-*-#|#####"),
    ("ladder of four boxes", "-#####-|-#-+-##|##$.--#|#--*$-#|#---*-#|##--###|-####--"),
)


def main() -> None:
    """Print the space of Savitch's search, of its bound and of breadth-first search, and the time it would need.

    The runs halve as many steps as there are states; the last columns are for 3^n steps, as published.
    """
    from time import process_time  # only the table needs a clock

    print(f"{'level':<29}{'n':>3}{'states':>8}{'answer':>9}{'questions':>11}{'seconds':>9}", end="")
    print(f"{'bits':>7}{'bound':>7}{'BFS bits':>10}   questions at worst, 3^n steps")
    for name, text in EXAMPLES:
        level = Level.parse(text)
        began = process_time()
        decision = decide(level, halvings=least_halvings(level), questions=1_000_000)
        seconds = process_time() - began
        answer = {True: "yes", False: "no", None: "gave up"}[decision.is_solvable]
        worst = worst_questions(level, full_halvings(level))
        years = worst - log10(decision.questions / max(seconds, 1e-3)) - log10(3600 * 24 * 365.25)
        print(f"{name:<29}{len(level.reach):>3}{count_states(level):>8}{answer:>9}{decision.questions:>11}", end="")
        print(f"{seconds:>9.2f}{decision.bits:>7}{bound_bits(level):>7}{breadth_first_bits(level):>10}", end="")
        print(f"   10^{worst:.0f}" + (f": 10^{years:.0f} years" if years > 0 else ""))


if __name__ == "__main__":
    main()
