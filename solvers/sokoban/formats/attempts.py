"""Replay and classify the moves under a level in a file (docs/reference/formats.md, *Level files*)."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from solvers.choices import Choice
from solvers.errors import PuzzleError, TooLong
from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.runs import TextLine
from solvers.sokoban.formats.text import fold_moves
from solvers.sokoban.level import Level
from solvers.sokoban.metrics import Metrics
from solvers.sokoban.moves import MAX_STEPS, Moves
from solvers.sokoban.reading.movelines import claimed_counts
from solvers.sokoban.replay import Replay, replay

MAX_TITLE = 200
MAX_ATTEMPTS = 200  # in one block
MAX_FAILURES = 20
_FREE_STEPS = 4_000_000
_STEPS_A_CHARACTER = 20
_CELLS_A_STEP = 8  # setting up this many cells takes as long as one replay step


class Kind(Choice):
    """Classification of moves under a level."""

    SOLUTION = "solution"
    SAVED_GAME = "saved_game"
    INVALID = "invalid"


@dataclass(frozen=True)
class Attempt:
    """Replayed moves under a level. *lurd* is the part played, up to the first solved state, in exact case.

    *claimed* are the counts stated in the heading. An invalid attempt has *step* (from 1) and *why*. Known *metrics*
    are written into the heading.
    """

    kind: Kind
    lurd: str = field(repr=False)
    moves: int
    pushes: int
    cut: int = 0
    title: str = ""
    notes: str = ""
    line: int = 0
    claimed: tuple[int, int] | None = None
    metrics: Metrics | None = None
    step: int | None = None
    why: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", Kind(self.kind))


@dataclass
class Budget:
    """Steps that may still be decoded, in proportion to the text read, so that a short file cannot cost much."""

    steps_left: int = _FREE_STEPS

    def parse(self, lines: list[TextLine]) -> Moves:
        """Parse moves within the budget. Raise PuzzleError."""
        text = fold_for_parsing("\n".join(line.text for line in lines))
        self.steps_left += len(text) * _STEPS_A_CHARACTER
        moves = Moves.parse(text, limit=max(0, min(MAX_STEPS, self.steps_left)))
        self.steps_left -= len(moves)
        return moves

    def replay(self, level: Level, steps: str) -> Replay:
        """Replay *steps*, already charged, and charge for the board's setup. Raise TooLong if it exceeds the budget."""
        self.steps_left -= len(level.cells) // _CELLS_A_STEP
        if self.steps_left < 0:
            raise TooLong(size=len(steps), limit=0)
        return replay(level, Moves(steps, steps))


@dataclass
class Block:
    """Lines of moves in *paragraphs* under a *title*."""

    title: str
    paragraphs: list[list[TextLine]]
    notes: list[str] = field(default_factory=list)

    @property
    def lines(self) -> list[TextLine]:
        return [line for paragraph in self.paragraphs for line in paragraph]

    @property
    def line(self) -> int:
        return self.paragraphs[0][0].number

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)


def attempts_of(level: Level, block: Block, budget: Budget, remarks: list[Remark]) -> list[Attempt]:
    """Return the games of *block*: one, or several separated only by blank lines. Append warnings to *remarks*."""
    if unjudgeable := level.unjudgeable:
        title = block.title[:MAX_TITLE]
        return [Attempt(Kind.INVALID, "", 0, 0, title=title, line=block.line, why=unjudgeable.code)]
    try:
        attempts = _find_attempts(level, block, budget)
    except TooLong:
        remarks.append(Remark(Notice.TOO_MANY_MOVES, block.line))
        return []
    except PuzzleError as error:
        remarks.append(Remark(Notice.UNREAD_MOVES, block.line, {"reason": str(error)}))
        return []
    for attempt in attempts:
        counted = attempt.moves, attempt.pushes
        if attempt.claimed and attempt.kind != Kind.INVALID and attempt.claimed != counted:
            values = {"claimed": "%d/%d" % attempt.claimed, "counted": "%d/%d" % counted}
            remarks.append(Remark(Notice.CLAIM_DIFFERS, attempt.line, values))
    return attempts


def _find_attempts(level: Level, block: Block, budget: Budget) -> list[Attempt]:
    """Return the solutions in *block*, or else the block as one game. Raise PuzzleError if it is unreadable.

    Paragraphs after the solved state may be the next solution.
    """
    games, parse_error = _parse_games(block, budget)
    attempts = list(_find_solutions(level, block.title, games, budget))
    if not attempts and len(block.lines) > 1:  # the first line may be a title that consists of move letters
        first, *rest = block.paragraphs
        part = Block(block.title or first[0].text.strip(), [first[1:], *rest] if first[1:] else rest)
        attempts += _find_solutions(level, part.title, _parse_games(part, budget)[0], budget)
    if parse_error and not attempts:
        raise parse_error
    if not attempts and any(steps for _, steps in games):
        outcome = budget.replay(level, "".join(steps for _, steps in games))
        kind = Kind.INVALID if outcome.why else Kind.SAVED_GAME
        attempts = [_attempt_from(kind, block.title, games[0][0], outcome, cut=0)]
    return attempts


def _parse_games(block: Block, budget: Budget) -> tuple[list[tuple[int, str]], PuzzleError | None]:
    """Return line and steps of each paragraph, or of the whole if one does not decode, or an error. Raise TooLong."""
    error: PuzzleError | None = None
    for paragraphs in (block.paragraphs, [block.lines]):
        try:
            return [(lines[0].number, budget.parse(lines).steps) for lines in paragraphs], None
        except TooLong:
            raise
        except PuzzleError as refusal:
            error = refusal
    return [], error


def _find_solutions(level: Level, title: str, games: list[tuple[int, str]], budget: Budget) -> Iterator[Attempt]:
    """Yield the solutions among *games*, skipping the rest. A solution may continue in the games that follow it."""
    steps = "".join(steps for _, steps in games)
    failures = first_step = 0  # *first_step*: offset of the steps of the first of *left*
    left = games[::-1]
    for _ in range(MAX_ATTEMPTS):
        if not left or failures > MAX_FAILURES:
            return
        outcome = budget.replay(level, steps[first_step:])
        line, first = left.pop()
        size = len(first)
        while outcome.is_solved and size < outcome.moves:
            size += len(left.pop()[1])
        first_step += size
        if outcome.is_solved:
            yield _attempt_from(Kind.SOLUTION, title, line, outcome, cut=size - outcome.moves)
        else:
            failures += 1


def _attempt_from(kind: Kind, title: str, line: int, outcome: Replay, *, cut: int) -> Attempt:
    counts = outcome.moves, outcome.pushes, cut
    claimed = claimed_counts(title)
    return Attempt(kind, outcome.lurd, *counts, title[:MAX_TITLE], "", line, claimed, None, outcome.step, outcome.why)


def fold_for_parsing(text: str) -> str:
    """Fold moves text and blank its commas and one `*`, the mark of a current position. Indices do not change."""
    return fold_moves(text).replace("*", " ", 1)
