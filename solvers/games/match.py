"""Match: one sum of impartial games in play between two players, like `solvers.sokoban.Game`."""

from collections.abc import Iterator

from solvers.choices import require
from solvers.games.errors import IllegalMove
from solvers.games.play import Move, terms_after
from solvers.games.protocol import Sum, Term


class Match:
    """A sum in play. Players 0 and 1 take turns; who cannot move has lost, or with *misere* won.

    >>> from solvers.games import NIM, Player
    >>> match = Match([Term(NIM, 1), Term(NIM, 2)])
    >>> list(match.legal_moves)
    [Move(term=0, parts=(0,)), Move(term=1, parts=(0,)), Move(term=1, parts=(1,))]
    >>> match.play(next(Player().winning_moves(match.terms)))
    >>> print(match, match.turn, match.is_over())
    nim 1 + nim 1 1 False
    >>> match.undo()
    Move(term=1, parts=(1,))

    Two matches are equal if terms, turn and *misere* are; their hash changes with each move.
    """

    def __init__(self, terms: Sum, *, misere: bool = False) -> None:
        self.misere = misere
        self._sums = [tuple(Term(*term) for term in terms)]
        self._moves: list[Move] = []

    @property
    def terms(self) -> tuple[Term, ...]:
        """The present sum."""
        return self._sums[-1]

    @property
    def moves(self) -> int:
        """Number of moves so far."""
        return len(self._moves)

    @property
    def turn(self) -> int:
        """The player to move, 0 or 1."""
        return self.moves % 2

    @property
    def legal_moves(self) -> Iterator[Move]:
        """Moves that are possible now. An iterator, because a heap may have more than fit into memory."""
        for index, (game, position) in enumerate(self.terms):
            yield from (Move(index, parts) for parts in game.moves(position))

    def is_over(self) -> bool:
        """Return whether no move is possible."""
        return next(self.legal_moves, None) is None

    @property
    def winner(self) -> int | None:
        """The winning player, 0 or 1, or None before the end."""
        return (self.turn if self.misere else 1 - self.turn) if self.is_over() else None

    def play(self, move: Move) -> None:
        """Carry out a move. Raise IllegalMove, and change nothing. Time O(moves of the term), for Nim O(1)."""
        require(Move, move=move)
        game, position = dict(enumerate(self.terms)).get(move.term, (None, None))
        if game is None or not game.allows(position, move.parts):
            raise IllegalMove(step=self.moves + 1, move=move)
        self._sums.append(tuple(terms_after(self.terms, move)))
        self._moves.append(move)

    def undo(self) -> Move:
        """Take back the last move and return it. Raise IndexError if there is none."""
        move = self._moves.pop()
        self._sums.pop()
        return move

    def copy(self) -> "Match":
        """Return a match of its own in the same position, with the same moves to take back."""
        twin = Match((), misere=self.misere)
        twin._sums, twin._moves = self._sums.copy(), self._moves.copy()
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[object, ...]:
        return self.terms, self.turn, self.misere

    def __str__(self) -> str:
        return " + ".join(f"{game.name} {position}" for game, position in self.terms)

    def __repr__(self) -> str:
        return f"<Match {self} moves={self.moves} turn={self.turn}>"
