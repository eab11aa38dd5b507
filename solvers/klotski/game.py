"""Game: one layout in play, with legal moves and undo, like `solvers.sokoban.Game`."""

from solvers.choices import require
from solvers.klotski.errors import IllegalMove
from solvers.klotski.goals import Goal, question
from solvers.klotski.layout import Layout
from solvers.klotski.moves import Move, is_legal, layout_after, legal_moves, piece_at
from solvers.klotski.replay import Why


class Game:
    """A layout in play towards a goal, by the rules of `replay`: the game ends when the goal is reached.

    >>> game = Game("VHHV VooV VCCV VCCV o..o")
    >>> [str(move) for move in game.legal_moves]
    ['B3d', 'A5r', 'A5rr', 'D5l', 'D5ll']
    >>> game.play("C3d")
    >>> game.is_solved(), game.moves, game.legal_moves
    (True, 1, [])
    >>> str(game.undo())
    'C3d'

    *layout* is a Layout or its text; *goal* and *is_strict* are those of `question`, with the same errors. Two games
    are equal if layout and goal are; their hash changes with each move.
    """

    def __init__(self, layout: Layout | str, goal: Goal | Layout | str = Goal.EXIT, *, is_strict: bool = False) -> None:
        start = Layout.parse(layout) if isinstance(layout, str) else layout
        self.question = question(start, goal, is_strict=is_strict)
        self._layouts = [self.question.start]
        self._moves: list[Move] = []

    @property
    def layout(self) -> Layout:
        """The present layout."""
        return self._layouts[-1]

    @property
    def moves(self) -> int:
        """Number of moves so far."""
        return len(self._moves)

    @property
    def text(self) -> str:
        """The moves so far, as `replay` reads them."""
        return " ".join(map(str, self._moves))

    def is_solved(self) -> bool:
        """Return whether the goal is reached."""
        return self.question.is_answered_by(self.layout)

    @property
    def legal_moves(self) -> list[Move]:
        """Moves that are possible now, each by a shortest path. Empty once solved."""
        return [] if self.is_solved() else list(legal_moves(self.layout))

    def play(self, move: Move | str) -> None:
        """Carry out a move, given by its text or itself. Raise IllegalMove or UnreadableMove, and change nothing."""
        move = Move.parse(move) if isinstance(move, str) else move
        require(Move, move=move)
        reason = "the goal is reached" if self.is_solved() else ""
        if not reason and not is_legal(self.layout, move):
            reason = (Why.BLOCKED if piece_at(self.layout, move.start) else Why.NO_PIECE).phrase
        if reason:
            raise IllegalMove(step=self.moves + 1, move=move, reason=reason)
        self._layouts.append(layout_after(self.layout, move))
        self._moves.append(move)

    def undo(self) -> Move:
        """Take back the last move and return it. Raise IndexError if there is none."""
        move = self._moves.pop()
        self._layouts.pop()
        return move

    def copy(self) -> "Game":
        """Return a game of its own in the same position, with the same moves to take back."""
        twin = Game(self.question.start)
        twin.question, twin._layouts, twin._moves = self.question, self._layouts.copy(), self._moves.copy()
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[object, ...]:
        return self.layout, self.question.target, self.question.is_strict

    def __str__(self) -> str:
        return str(self.layout)

    def __repr__(self) -> str:
        return f"<Game {'/'.join(str(self).split())} moves={self.moves} text={self.text[:60]!r}>"

    def svg(self) -> str:
        """Return the layout as a standalone SVG picture."""
        from solvers.klotski.draw import LIGHT, svg  # not needed by programs that only play

        return svg(self.layout, theme=LIGHT)

    def _repr_svg_(self) -> str:
        """Return the picture for notebooks."""
        return self.svg()
