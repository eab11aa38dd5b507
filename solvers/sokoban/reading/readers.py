"""Find the moves in submitted text and judge them: strictly, leniently, or as the old site (docs/reference/formats.md).

Every index refers to the original text, in characters from 0, whatever a reader folds or drops: folding keeps
characters in place.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, islice

from solvers.choices import Choice
from solvers.errors import PuzzleError, TooLong, TooManyParts
from solvers.sokoban.level import Level
from solvers.sokoban.moves import LETTERS
from solvers.sokoban.problems import Problem
from solvers.sokoban.reading.pasted import Candidate, Change, Finder, find_boards, read_moves, spans_of
from solvers.sokoban.reading.plays import Plays
from solvers.sokoban.replay import Replay, Verdict

__all__ = [
    "Candidate",
    "Change",
    "Judgement",
    "Outcome",
    "Reader",
    "Reading",
    "SolvingCandidate",
    "candidates",
    "judge",
]

MAX_MOVES = 1_000_000  # steps of a submission, decoded and before any cut
MAX_CANDIDATES = 200
MAX_PARTS = 40_000  # digits, brackets and line ends of a text
_SPARE_STEPS = 250_000  # beyond the limit: steps played for one text, on all levels together
_PARTS = "0123456789()\r\n"


class Reader(Choice):
    """Tolerance of a reader. docs/reference/formats.md, *Moves*, lists which entry point uses which."""

    STRICT = "strict"  # the eight letters and white space
    RUN_LENGTH = "rle"  # also counts and brackets
    LENIENT = "lenient"  # also heads, notes, boards, quotes, arrows and commas around and between moves
    LEGACY = "legacy"  # also, if nothing solves, all move letters in the text


@dataclass(frozen=True)
class Reading:
    """Result of reading a text, before any level is tried.

    *blocks* are the candidates in order. If there are none, *error* is the reason, or None for an empty text.
    *boards* are levels drawn in the text.
    """

    blocks: tuple[Candidate, ...]
    error: PuzzleError | None = None
    boards: tuple[Level, ...] = ()
    changes: tuple[Change, ...] = ()


class Outcome(StrEnum):
    """Result of judging a text."""

    SOLVED = "solved"
    NOT_SOLVED = "not_solved"
    ILLEGAL = "illegal"
    MALFORMED = "malformed"
    EMPTY = "empty"
    TOO_LONG = "too_long"
    BAD_LEVEL = "bad_level"


@dataclass(frozen=True)
class SolvingCandidate:
    """A candidate that solves level number *level*."""

    start: int
    level: int
    replay: Replay


@dataclass(frozen=True)
class Judgement:
    """Result of judging a text on one or several levels.

    *level* is the number of the solved level, or of the level on which the text got furthest; *replay* is its replay.
    *index* (from 0, in the original text), *step* (from 1) and *why* locate the first mistake. *solved* lists every
    candidate that solves a level; the outcome is the best of them by moves. *error* holds the message. *board* is
    (level number, symmetry) of a board drawn in the text; *other_board* is True if it matches no level.
    """

    outcome: Outcome
    level: int | None = None
    replay: Replay | None = None
    index: int | None = None
    step: int | None = None
    why: str | None = None
    error: PuzzleError | None = None
    problem: Problem | None = None
    solved: tuple[SolvingCandidate, ...] = ()
    changes: tuple[Change, ...] = ()
    board: tuple[int, int] | None = None
    other_board: bool = False

    @property
    def moves(self) -> int:
        """Steps played up to the first solved state or the first mistake; 0 if nothing was replayed."""
        return self.replay.moves if self.replay else 0

    @property
    def pushes(self) -> int:
        return self.replay.pushes if self.replay else 0

    @property
    def cut(self) -> int:
        return self.replay.cut if self.replay else 0

    @property
    def case_corrected(self) -> bool:
        return bool(self.replay and self.replay.case_corrected)


def plays_for(limit: int) -> Plays:
    """Return the replay budget for one text of at most *limit* steps."""
    return Plays(limit + _SPARE_STEPS)


def judge(
    levels: Level | Sequence[Level],
    text: str,
    reader: Reader | str = Reader.RUN_LENGTH,
    *,
    limit: int = MAX_MOVES,
    plays: Plays | None = None,
) -> Judgement:
    """Read *text* and play it on *levels* in order; the first level solved by a candidate counts (rule 6.8).

    >>> judge(Level.parse("#####|#@$.#|#####"), "Solution 1/1: →", Reader.LENIENT).outcome
    <Outcome.SOLVED: 'solved'>

    Never raise because of the text. *limit* bounds the decoded steps before any cut. *plays* bounds the steps played on
    all levels together: its remainder decides whether another level or candidate is tried. Time O(text + limit).
    """
    reader, levels = Reader(reader), [levels] if isinstance(levels, Level) else levels
    problems = [level.unjudgeable for level in levels]
    if problems and all(problems):
        problem = problems[0]
        return Judgement(Outcome.BAD_LEVEL, why=problem.code if problem else None, problem=problem)
    if has_too_many_parts(text):
        return _unreadable(TooManyParts(limit=MAX_PARTS))
    judge_run = _Judging(levels, text, reader, limit, plays or plays_for(limit))
    if reader in (Reader.STRICT, Reader.RUN_LENGTH):
        return judge_run.judge_whole_text()
    return judge_run.judge_found_moves()


def candidates(text: str, reader: Reader | str = Reader.LENIENT, *, limit: int = MAX_MOVES) -> Reading:
    """Find the moves in *text*, before any level is tried.

    >>> reading = candidates("Solution/Moves 3/1\\nrrU\\n\\nthanks!")
    >>> [(block.start, block.moves.steps) for block in reading.blocks]
    [(19, 'rrU')]

    Never raise because of the text: an unreadable candidate has an `error`. Time O(text + 4 x limit).
    """
    reader = Reader(reader)
    if has_too_many_parts(text):
        return Reading((), TooManyParts(limit=MAX_PARTS))
    if reader in (Reader.STRICT, Reader.RUN_LENGTH):
        block = read_moves(text, 0, limit, run_length=reader == Reader.RUN_LENGTH)
        return Reading((block,), block.error)
    finder = Finder(text, limit)
    blocks = finder.read_all(MAX_CANDIDATES)
    if without_counts := finder.without_counts():
        blocks += without_counts.read_all(MAX_CANDIDATES - len(blocks))
    return Reading(blocks, finder.explain_missing(blocks), find_boards(text), finder.changes(spans_of(finder.blocks)))


def has_too_many_parts(text: str) -> bool:
    """Return whether *text* has too many parts to be searched; it is then too long whatever it contains."""
    return len(text) > MAX_PARTS and sum(map(text.count, _PARTS)) > MAX_PARTS


_Attempt = tuple[Candidate, int, Replay]


class _Judging:
    """Judge one text on its levels."""

    def __init__(self, levels: Sequence[Level], text: str, reader: Reader, limit: int, plays: Plays) -> None:
        self.levels = levels
        self.text = text
        self.reader = reader
        self.limit = limit
        self.plays = plays
        self.has_played = False
        self.numbers: Sequence[int] = [number for number, level in enumerate(levels) if not level.unjudgeable]

    def judge_whole_text(self) -> Judgement:
        """Judge for the strict readers: the whole text is one candidate."""
        candidate = read_moves(self.text, 0, self.limit, run_length=self.reader == Reader.RUN_LENGTH)
        return _unreadable(candidate.error) if candidate.error else self._judge_played(self._play_furthest([candidate]))

    def judge_found_moves(self) -> Judgement:
        """Judge leniently, or as legacy. If nothing solves, read again without counts and wrap marks."""
        board, other_board = self._find_named_level()
        if board is not None:
            self.numbers = [board[0]]
        finder = Finder(self.text, self.limit)
        judgement = self._judge_tries(self._play_blocks(finder), finder)
        if judgement.outcome != Outcome.SOLVED and (without_counts := finder.without_counts()):
            solving = [attempt for attempt in self._play_blocks(without_counts) if attempt[2].is_solved]
            judgement = self._judge_tries(solving, without_counts) if solving else judgement
        return replace(judgement, board=board, other_board=other_board)

    def _judge_tries(self, attempts: list[_Attempt], finder: Finder) -> Judgement:
        solved = [attempt for attempt in attempts if attempt[2].is_solved]
        if not solved:
            is_legacy = self.reader == Reader.LEGACY
            return self._judge_filtered(attempts, finder) if is_legacy else self._judge_unsolved(attempts, finder)
        best = solved[0] if self.reader == Reader.LEGACY else min(solved, key=_moves_and_pushes)
        solving = tuple(SolvingCandidate(candidate.start, number, outcome) for candidate, number, outcome in solved)
        return replace(self._judge_played(best, finder), solved=solving)

    def _find_named_level(self) -> tuple[tuple[int, int] | None, bool]:
        """Return (level number, symmetry) of a board in the text, or None; and whether only other boards exist."""
        boards = find_boards(self.text)
        for board in boards:
            for number in self.numbers:
                level = self.levels[number]
                if {board.width, board.height} != {level.width, level.height}:
                    continue
                for symmetry in range(8):
                    if level.transform(symmetry) == board:
                        return (number, symmetry), False
        return None, bool(boards)

    def _play_blocks(self, finder: Finder) -> list[_Attempt]:
        """Play the blocks, and the parts of failing blocks. The legacy reader stops at the first solution."""
        attempts: list[_Attempt] = []
        self._read_errors: list[PuzzleError] = []
        read_count = 0
        for block in finder.blocks:
            if block.refusal:
                continue
            spans = chain([(block.start, block.end)], block.parts())
            for part_number, (start, end) in enumerate(islice(spans, MAX_CANDIDATES - read_count)):
                read_count += 1
                is_solved = self._play_candidate(finder.read(start, end), attempts, is_whole=part_number == 0)
                if is_solved and (part_number == 0 or self.reader == Reader.LEGACY):
                    break
            if self.reader == Reader.LEGACY and attempts and attempts[-1][2].is_solved:
                break
            if read_count >= MAX_CANDIDATES or finder.steps_left <= 0:
                break
        return attempts

    def _play_candidate(self, candidate: Candidate, attempts: list[_Attempt], *, is_whole: bool) -> bool:
        """Play one candidate and return whether it solves a level. Read errors are recorded only for whole blocks."""
        if candidate.error is not None:
            self._read_errors += [candidate.error] if is_whole else []
            return False
        best = self._play_furthest([candidate])
        # Parts are a second guess: only their solutions count, a failure is reported for the whole block.
        if best and best[2].verdict != Verdict.EMPTY and (is_whole or best[2].is_solved):
            attempts.append(best)
        return bool(best and best[2].is_solved)

    def _play_furthest(self, candidates_read: Sequence[Candidate]) -> _Attempt | None:
        """Return the first solved level, else the level on which the steps got furthest (rule 6.11)."""
        best: _Attempt | None = None
        for candidate in candidates_read:
            for number in self.numbers:
                if candidate.moves is None:
                    continue
                play = self.plays.replay if self.has_played else self.plays.replay_uncached
                outcome = play(self.levels[number], candidate.moves)
                self.has_played = True
                if outcome is None:
                    continue
                if outcome.is_solved:
                    return candidate, number, outcome
                if best is None or outcome.moves > best[2].moves:
                    best = candidate, number, outcome
        return best

    def _judge_unsolved(self, attempts: list[_Attempt], finder: Finder) -> Judgement:
        """Return the failure to report: too long, refused, the block that got furthest, unreadable, or empty."""
        too_long = next((error for error in self._read_errors if isinstance(error, TooLong)), None)
        if error := too_long or finder.refusal:
            return _unreadable(error)
        if attempts:
            return self._judge_played(max(attempts, key=lambda attempt: attempt[2].moves), finder)
        if self._read_errors:
            return _unreadable(self._read_errors[0])
        error = finder.explain_missing([])
        if finder.blocks or error is None:  # blocks that decode to no steps
            return Judgement(Outcome.EMPTY)
        return _unreadable(error)

    def _judge_filtered(self, attempts: list[_Attempt], finder: Finder) -> Judgement:
        """Try the legacy reader's last resort: all move letters in the raw text, ignoring everything between them."""
        lenient_judgement = self._judge_unsolved(attempts, finder)
        if lenient_judgement.outcome == Outcome.TOO_LONG:
            return lenient_judgement
        letters_only = "".join(re.findall(f"[{LETTERS}]+", self.text))
        candidate = read_moves(letters_only, 0, self.limit)
        if candidate.error:
            return _unreadable(candidate.error.at())
        if not letters_only:
            return Judgement(Outcome.EMPTY)
        best = self._play_furthest([candidate])
        if attempts and not (best and best[2].is_solved):
            return lenient_judgement
        judgement = self._judge_played(best)
        if judgement.index is not None:
            letters = (match.start() for match in re.finditer(f"[{LETTERS}]", self.text))
            judgement = replace(judgement, index=next(islice(letters, judgement.index, None)))
        return replace(judgement, changes=(*judgement.changes, Change.FILTERED))

    def _judge_played(self, attempt: _Attempt | None, finder: Finder | None = None) -> Judgement:
        if attempt is None:
            return Judgement(Outcome.EMPTY)
        candidate, number, outcome = attempt
        if outcome.verdict == Verdict.EMPTY:
            return Judgement(Outcome.EMPTY)
        changes = finder.changes([(candidate.start, candidate.start + len(candidate.text))]) if finder else ()
        changes += (Change.CASE,) if outcome.is_solved and outcome.case_corrected else ()
        changes += (Change.TAIL,) if outcome.cut else ()
        return Judgement(
            Outcome(outcome.verdict.value),
            number,
            outcome,
            index=None if outcome.index is None else outcome.index + candidate.start,
            step=outcome.step,
            why=outcome.why,
            changes=changes,
        )


def _unreadable(error: PuzzleError) -> Judgement:
    outcome = Outcome.TOO_LONG if isinstance(error, TooLong) else Outcome.MALFORMED
    return Judgement(outcome, index=error.index, why=error.code, error=error)


def _moves_and_pushes(attempt: _Attempt) -> tuple[int, int]:
    return attempt[2].moves, attempt[2].pushes
