"""Game: one level in play, with legal steps and pushes, undo, and certain deadlocks; the manner is `chess.Board`'s."""

from copy import copy
from typing import NamedTuple

from solvers.choices import require
from solvers.errors import BadLevel, IllegalPush, IllegalStep
from solvers.sokoban.arena import CRATE, FREE
from solvers.sokoban.checks.deadlocks import Kind, deadlock
from solvers.sokoban.level import BOX, PLAYER, Level
from solvers.sokoban.moves import LETTERS, Moves, show_steps
from solvers.sokoban.paths import Fewest, push_paths, reach, walk
from solvers.sokoban.position import Position
from solvers.sokoban.replay import failure_reason

_SIDES = {"L": "left", "U": "up", "R": "right", "D": "down"}


class Push(NamedTuple):
    """Push of the box on cell *box* by one cell, in the direction L, U, R or D."""

    box: int
    direction: str


class Game:
    """A level in play. Cells are numbered row by row from the top left, as in `Level` and `Position`.

    >>> game = Game("######|#@$-.#|######")
    >>> game.legal_steps, game.legal_pushes
    (['R'], [Push(box=8, direction='R')])
    >>> game.step("r")
    >>> game.push(Push(9, "R"))
    >>> game.is_solved(), game.lurd
    (True, 'RR')
    >>> game.undo()
    'R'

    The rules and the score are those of `replay`: the game ends at the first solved state after a push, and then has no
    legal step. *level* is a Level or the text of one. Raise PuzzleError if the text is no board, BadLevel if the level
    cannot be judged. Two games are equal if level, player's cell and boxes are, and both are over or none; their hash
    changes with each step.
    """

    def __init__(self, level: Level | str) -> None:
        self.level = Level.of(level)
        if self.level.unjudgeable:
            raise BadLevel(problem=self.level.unjudgeable)
        arena = self._arena = self.level.arena
        self._squares = bytearray(arena.squares)
        self._man, self._home = arena.start, arena.home
        self._boxes = [arena.square(box) for box in self.level.boxes]
        self._lurd: list[str] = []
        self._turns: list[int] = []  # length of each turn in steps, for `undo`
        self.pushes = 0

    @classmethod
    def from_lurd(cls, level: Level | str, lurd: str | Moves) -> "Game":
        """Return the game after *lurd*, each step one turn; what follows the solution is cut, as in `replay`.

        >>> Game.from_lurd("######|#@$-.#|######", "2R l").moves
        2

        Raise IllegalStep at the first impossible step, with the index of its character; PuzzleError if *lurd* cannot be
        read. Letter case is not needed.
        """
        game, moves = cls(level), Moves.of(lurd, "lurd")
        for at, letter in enumerate(moves.steps):
            if game.is_solved():
                break
            try:
                game.step(letter)
            except IllegalStep as error:
                raise error.at(index=moves.index_of(at)) from None
        return game

    # The position

    @property
    def player(self) -> int:
        """The player's cell."""
        return self._arena.cell(self._man)

    @property
    def boxes(self) -> tuple[int, ...]:
        """The cell of each box. Boxes keep their index, as in `Position`."""
        return tuple(map(self._arena.cell, self._boxes))

    @property
    def position(self) -> Position:
        """The position as `paths`, `svg` and `Playback` use it."""
        return Position(self.moves, self.player, self.boxes)

    @property
    def moves(self) -> int:
        """Number of steps so far, pushes included."""
        return len(self._lurd)

    @property
    def lurd(self) -> str:
        """The steps so far: capitals are the pushes."""
        return "".join(self._lurd)

    def is_solved(self) -> bool:
        """Return whether all boxes are on goals and the player has pushed at least once."""
        return self.pushes > 0 and self._home == len(self._boxes)

    def is_dead(self) -> Kind | None:
        """Return the name of a test that proves the position unsolvable, or None, which proves nothing.

        >>> game = Game("######|#----#|#-$.-#|#-@--#|######")
        >>> game.step("u")
        >>> game.is_dead()
        <Kind.DEAD_SQUARE: 'dead_square'>

        The tests are those of `checks.deadlocks.deadlock`: a box on a dead square, boxes frozen off their goals, boxes
        with too few goals. Each is certain; most dead positions pass. Time O(boxes), and O(cells) once per level.
        """
        found = deadlock(self.level, self.boxes)
        return found.kind if found else None

    # Steps and pushes

    @property
    def legal_steps(self) -> list[str]:
        """Letters of the steps that are possible now: lower case walks, a capital pushes. Empty once solved."""
        letters = [] if self.is_solved() else [self._letter(side) for side in "lurd"]
        return [letter for letter in letters if letter]

    @property
    def legal_pushes(self) -> list[Push]:
        """Pushes that are possible now, with the walks before them. Empty once solved. Time O(cells)."""
        if self.is_solved():
            return []
        arena, squares = self._arena, self._squares
        reached = {arena.square(cell) for cell in reach(self.level, self.position)}
        return [
            Push(arena.cell(box), side)
            for box in self._boxes
            for side in _SIDES
            if box - arena.deltas[side] in reached and squares[box + arena.deltas[side]] == FREE
        ]

    def step(self, letter: str) -> None:
        """Step in the direction of *letter*: l, u, r or d in either case. Raise IllegalStep, and change nothing."""
        _check_letter("letter", letter)
        if self.is_solved():
            raise IllegalStep(step=self.moves + 1, letter=letter, reason="comes after the solution", why=None)
        played = self._letter(letter)
        if not played:
            delta = self._arena.deltas[letter]
            why = failure_reason(self._squares, self._man + delta, self._man + 2 * delta)
            raise IllegalStep(step=self.moves + 1, letter=letter, reason=why.phrase, why=why)
        self._play(played)

    def push(self, push: Push | tuple[int, str]) -> None:
        """Walk to the box of *push* by a shortest path, and push it. Raise IllegalPush, and change nothing."""
        require(tuple, push=push)
        box, side = push
        _check_letter("direction", side)
        square, delta = self._box_square(box), self._arena.deltas[side]
        if self.is_solved():
            reason = "the level is solved"
        elif not square:
            reason = "there is no box"
        elif self._squares[square + delta] != FREE:
            reason = f"that {failure_reason(self._squares, square, square + delta).phrase}"
        elif (path := self._walk(square - delta)) is None:
            reason = "the player cannot walk to its other side"
        else:
            self._play(path + side.upper())
            return
        raise IllegalPush(moves=self.moves, box=box, to=_SIDES[side.upper()], reason=reason)

    def push_to(self, box: int, square: int, *, fewest: Fewest | str = Fewest.PUSHES) -> None:
        """Push the box on cell *box* to cell *square* while all others stay, by the path of `push_paths`.

        The push that solves the level ends the game, also on the way. Raise IllegalPush, and change nothing.
        """
        fewest = Fewest(fewest)
        reason = "the level is solved" if self.is_solved() else "" if self._box_square(box) else "there is no box"
        paths = None if reason else push_paths(self.level, self.position, box, fewest=fewest)
        if paths is None or square not in paths.targets:
            reason = reason or "no path leads there"
            raise IllegalPush(moves=self.moves, box=box, to=f"to cell {square}", reason=reason)
        self._play(paths.to(square))

    def undo(self) -> str:
        """Take back the last turn, and return its steps: one step, or one push or push path with its walks.

        Raise IndexError if there is none.
        """
        if not self._turns:
            raise IndexError("there is no turn to take back")
        start = len(self._lurd) - self._turns.pop()
        undone, self._lurd[start:] = "".join(self._lurd[start:]), []
        for letter in reversed(undone):
            delta = self._arena.deltas[letter]
            if letter.isupper():
                self._move_box(self._man + delta, self._man)
                self.pushes -= 1
            self._man -= delta
        return undone

    def _letter(self, side: str) -> str:
        """Return the letter of a step to *side*, a capital if it pushes; "" if it is impossible."""
        delta = self._arena.deltas[side]
        content = self._squares[self._man + delta]
        if content == FREE:
            return side.lower()
        return side.upper() if content == CRATE and self._squares[self._man + 2 * delta] == FREE else ""

    def _play(self, letters: str) -> None:
        """Play possible steps as one turn, up to the solution; capitals are the pushes."""
        before = len(self._lurd)
        for letter in letters:
            delta = self._arena.deltas[letter]
            self._man += delta
            self._lurd.append(letter)
            if letter.isupper():
                self._move_box(self._man, self._man + delta)
                self.pushes += 1
                if self.is_solved():
                    break
        self._turns.append(len(self._lurd) - before)

    def _move_box(self, start: int, stop: int) -> None:
        self._boxes[self._boxes.index(start)] = stop
        self._squares[start], self._squares[stop] = FREE, CRATE
        self._home += self._arena.goals[stop] - self._arena.goals[start]

    def _box_square(self, box: int) -> int:
        """Return the arena square of the box on cell *box*, or 0 if there is none."""
        return self._boxes[self.boxes.index(box)] if box in self.boxes else 0

    def _walk(self, square: int) -> str | None:
        is_free = self._squares[square] == FREE
        return walk(self.level, self.position, self._arena.cell(square)) if is_free else None

    # Copies, comparison, pictures

    def copy(self) -> "Game":
        """Return a game of its own in the same position, with the same steps to take back."""
        twin = copy(self)
        twin._squares, twin._boxes = self._squares.copy(), self._boxes.copy()
        twin._lurd, twin._turns = self._lurd.copy(), self._turns.copy()
        return twin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        position, others = (self.level, self._man, self._squares), (other.level, other._man, other._squares)
        return position == others and self.is_solved() == other.is_solved()

    def __hash__(self) -> int:
        return hash((self.level, self._man, bytes(self._squares)))

    def to_level(self) -> Level:
        """Return the level that begins at this position."""
        cells = bytearray(cell & ~(BOX | PLAYER) for cell in self.level.cells)
        for box in self.boxes:
            cells[box] |= BOX
        cells[self.player] |= PLAYER
        return Level(self.level.width, self.level.height, bytes(cells))

    def __str__(self) -> str:
        """Return the position as XSB rows."""
        return str(self.to_level())

    def __repr__(self) -> str:
        counts = f"moves={self.moves} pushes={self.pushes} lurd={show_steps(self.lurd)!r}"
        return f"<Game {self.to_level().published_text} {counts}>"

    def svg(self) -> str:
        """Return the position as a standalone SVG picture."""
        from solvers.sokoban.drawing.draw import svg  # not needed by programs that only play
        from solvers.sokoban.drawing.sprites import LIGHT

        return svg(self.level, position=self.position, theme=LIGHT)

    def _repr_svg_(self) -> str:
        """Return the picture for notebooks."""
        return self.svg()


def _check_letter(name: str, value: str) -> None:
    if value not in [*LETTERS]:
        raise ValueError(f"{name} must be one of {', '.join(LETTERS)}, not {value!r}")
