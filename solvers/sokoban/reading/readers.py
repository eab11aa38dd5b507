"""Find the moves in what people send, and judge them: strictly, leniently, or as the old door (docs/formats.md).

Every index is one of the text as it was sent, in characters from 0, however much a reader folds and drops: what is
folded keeps its place.
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
from solvers.sokoban.reading.pasted import Candidate, Change, Finder, boards_in, covered_by, read_moves
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

MAX_MOVES = 1_000_000  # of a submission, decoded and before any cut
MAX_CANDIDATES = 200
MAX_PARTS = 40_000  # digits, brackets and line ends of a text
_SPARE_STEPS = 250_000  # beyond the limit: what is played for one text, on all levels together
_PARTS = "0123456789()\r\n"


class Reader(Choice):
    """How much a reader forgives (docs/formats.md, *Moves*, says which door uses which)."""

    STRICT = "strict"  # the eight letters and white space
    RUN_LENGTH = "rle"  # and counts and brackets
    LENIENT = "lenient"  # and heads, notes, boards, quotes, arrows, commas around and between
    LEGACY = "legacy"  # and, if nothing solves, whatever letters are left


@dataclass(frozen=True)
class Reading:
    """What a reader makes of a text before any level is asked.

    *blocks* are the candidates in order; *error* says why there is none, and None with no block means an empty text.
    *boards* are levels drawn in the text.
    """

    blocks: tuple[Candidate, ...]
    error: PuzzleError | None = None
    boards: tuple[Level, ...] = ()
    changes: tuple[Change, ...] = ()


class Outcome(StrEnum):
    """What the judge says of a text."""

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
    """What came of a text on one or several levels.

    *level* numbers the level the outcome is about: the one solved, or the one on which the text got furthest; *replay*
    is its replay. *index* (from 0, in the text as sent), *step* (from 1) and *why* point at the first mistake. *solved*
    lists every candidate that solves something; the outcome is the best of them by moves. *error* has words.
    *board* says which level, after which symmetry, a board in the text is; *other_board* that it is none of them.
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
        """Steps carried out, up to the first solved state or the first mistake; 0 where nothing was replayed."""
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
    """What may be played for one text of *limit* steps at most, in all that is asked about it."""
    return Plays(limit + _SPARE_STEPS)


def judge(
    levels: Level | Sequence[Level],
    text: str,
    reader: Reader | str = Reader.RUN_LENGTH,
    *,
    limit: int = MAX_MOVES,
    plays: Plays | None = None,
) -> Judgement:
    """Read *text* and play it on *levels* in order; the first level that a candidate solves takes it (rule 6.8).

    >>> judge(Level.parse("#####|#@$.#|#####"), "Solution 1/1: →", Reader.LENIENT).outcome
    <Outcome.SOLVED: 'solved'>

    Never raise for a text. *limit* bounds the decoded steps before any cut, *plays* those that are played on all levels
    together: what is left of them decides whether another level or candidate is tried. Time O(text + limit).
    """
    reader, levels = Reader(reader), [levels] if isinstance(levels, Level) else levels
    problems = [level.unjudgeable for level in levels]
    if problems and all(problems):
        problem = problems[0]
        return Judgement(Outcome.BAD_LEVEL, why=problem.code if problem else None, problem=problem)
    if has_too_many_parts(text):
        return _unread(TooManyParts(limit=MAX_PARTS))
    judging = _Judging(levels, text, reader, limit, plays or plays_for(limit))
    if reader in (Reader.STRICT, Reader.RUN_LENGTH):
        return judging.whole_text()
    return judging.found_moves()


def candidates(text: str, reader: Reader | str = Reader.LENIENT, *, limit: int = MAX_MOVES) -> Reading:
    """Say where in *text* the moves are, before any level is asked.

    >>> reading = candidates("Solution/Moves 3/1\\nrrU\\n\\nthanks!")
    >>> [(block.start, block.moves.steps) for block in reading.blocks]
    [(19, 'rrU')]

    Never raise for a text: what cannot be read stands in the `error` of its candidate. Time O(text + 4 x limit).
    """
    reader = Reader(reader)
    if has_too_many_parts(text):
        return Reading((), TooManyParts(limit=MAX_PARTS))
    if reader in (Reader.STRICT, Reader.RUN_LENGTH):
        block = read_moves(text, 0, limit, run_length=reader == Reader.RUN_LENGTH)
        return Reading((block,), block.error)
    finder = Finder(text, limit)
    blocks = finder.read_all(MAX_CANDIDATES)
    if bare := finder.without_counts():
        blocks += bare.read_all(MAX_CANDIDATES - len(blocks))
    return Reading(blocks, finder.error_without(blocks), boards_in(text), finder.changes(covered_by(finder.blocks)))


def has_too_many_parts(text: str) -> bool:
    """Whether nobody looks through *text*: it is too long whatever stands in it."""
    return len(text) > MAX_PARTS and sum(map(text.count, _PARTS)) > MAX_PARTS


_Try = tuple[Candidate, int, Replay]


class _Judging:
    """One text on its levels."""

    def __init__(self, levels: Sequence[Level], text: str, reader: Reader, limit: int, plays: Plays) -> None:
        self.levels = levels
        self.text = text
        self.reader = reader
        self.limit = limit
        self.plays = plays
        self.has_played = False
        self.numbers: Sequence[int] = [number for number, level in enumerate(levels) if not level.unjudgeable]

    def whole_text(self) -> Judgement:
        """The strict readers: the text is one candidate."""
        candidate = read_moves(self.text, 0, self.limit, run_length=self.reader == Reader.RUN_LENGTH)
        return _unread(candidate.error) if candidate.error else self._judge_played(self.furthest([candidate]))

    def found_moves(self) -> Judgement:
        """The lenient and the legacy reader; what solves nothing is read again without counts and marks of lines."""
        board, other_board = self._named_level()
        if board is not None:
            self.numbers = [board[0]]
        finder = Finder(self.text, self.limit)
        judgement = self._judge_tries(self._tries(finder), finder)
        if judgement.outcome != Outcome.SOLVED and (bare := finder.without_counts()):
            again = [one for one in self._tries(bare) if one[2].is_solved]
            judgement = self._judge_tries(again, bare) if again else judgement
        return replace(judgement, board=board, other_board=other_board)

    def _judge_tries(self, tries: list[_Try], finder: Finder) -> Judgement:
        solved = [one for one in tries if one[2].is_solved]
        if not solved:
            is_legacy = self.reader == Reader.LEGACY
            return self._judge_filtered(tries, finder) if is_legacy else self._judge_unsolved(tries, finder)
        best = solved[0] if self.reader == Reader.LEGACY else min(solved, key=_by_moves)
        listed = tuple(SolvingCandidate(candidate.start, number, outcome) for candidate, number, outcome in solved)
        return replace(self._judge_played(best, finder), solved=listed)

    def _named_level(self) -> tuple[tuple[int, int] | None, bool]:
        """Which level, after which symmetry, a board in the text is; and whether there is a board that is none."""
        boards = boards_in(self.text)
        for board in boards:
            for number in self.numbers:
                level = self.levels[number]
                if {board.width, board.height} != {level.width, level.height}:
                    continue
                for symmetry in range(8):
                    if level.transform(symmetry) == board:
                        return (number, symmetry), False
        return None, bool(boards)

    def _tries(self, finder: Finder) -> list[_Try]:
        """Play the blocks, and the parts of those that solve nothing; the legacy reader stops at the first hit."""
        tries: list[_Try] = []
        self.unread: list[PuzzleError] = []
        read = 0
        for block in finder.blocks:
            if block.refused:
                continue
            spans = chain([(block.start, block.end)], block.parts())
            for at, (start, end) in enumerate(islice(spans, MAX_CANDIDATES - read)):
                read += 1
                hit = self._try(finder.read(start, end), tries, is_whole=at == 0)
                if hit and (at == 0 or self.reader == Reader.LEGACY):
                    break
            if self.reader == Reader.LEGACY and tries and tries[-1][2].is_solved:
                break
            if read >= MAX_CANDIDATES or finder.left <= 0:
                break
        return tries

    def _try(self, candidate: Candidate, tries: list[_Try], *, is_whole: bool) -> bool:
        """Play one candidate; whether it solves a level. What cannot be read counts only for a whole block."""
        if candidate.error is not None:
            self.unread += [candidate.error] if is_whole else []
            return False
        best = self.furthest([candidate])
        # Parts are a second guess: of them only a solution matters, the failure is that of the whole block.
        if best and best[2].verdict != Verdict.EMPTY and (is_whole or best[2].is_solved):
            tries.append(best)
        return bool(best and best[2].is_solved)

    def furthest(self, read: Sequence[Candidate]) -> _Try | None:
        """The first level solved, else the one on which the steps got furthest (rule 6.11)."""
        best: _Try | None = None
        for candidate in read:
            for number in self.numbers:
                if candidate.moves is None:
                    continue
                play = self.plays.replay if self.has_played else self.plays.replay_anew
                outcome = play(self.levels[number], candidate.moves)
                self.has_played = True
                if outcome is None:
                    continue
                if outcome.is_solved:
                    return candidate, number, outcome
                if best is None or outcome.moves > best[2].moves:
                    best = candidate, number, outcome
        return best

    def _judge_unsolved(self, tries: list[_Try], finder: Finder) -> Judgement:
        """Nothing solves: too long, refused, the block that got furthest, unreadable, or nothing there."""
        too_long = next((error for error in self.unread if isinstance(error, TooLong)), None)
        if error := too_long or finder.refusal:
            return _unread(error)
        if tries:
            return self._judge_played(max(tries, key=lambda one: one[2].moves), finder)
        if self.unread:
            return _unread(self.unread[0])
        error = finder.error_without([])
        if finder.blocks or error is None:  # blocks that decode to nothing
            return Judgement(Outcome.EMPTY)
        return _unread(error)

    def _judge_filtered(self, tries: list[_Try], finder: Finder) -> Judgement:
        """The legacy reader's last attempt: every letter of moves in the raw text, whatever stands between."""
        lenient = self._judge_unsolved(tries, finder)
        if lenient.outcome == Outcome.TOO_LONG:
            return lenient
        kept = "".join(re.findall(f"[{LETTERS}]+", self.text))
        candidate = read_moves(kept, 0, self.limit)
        if candidate.error:
            return _unread(candidate.error.at())
        if not kept:
            return Judgement(Outcome.EMPTY)
        best = self.furthest([candidate])
        if tries and not (best and best[2].is_solved):
            return lenient
        judgement = self._judge_played(best)
        if judgement.index is not None:
            letters = (found.start() for found in re.finditer(f"[{LETTERS}]", self.text))
            judgement = replace(judgement, index=next(islice(letters, judgement.index, None)))
        return replace(judgement, changes=(*judgement.changes, Change.FILTERED))

    def _judge_played(self, one: _Try | None, finder: Finder | None = None) -> Judgement:
        if one is None:
            return Judgement(Outcome.EMPTY)
        candidate, number, outcome = one
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


def _unread(error: PuzzleError) -> Judgement:
    outcome = Outcome.TOO_LONG if isinstance(error, TooLong) else Outcome.MALFORMED
    return Judgement(outcome, index=error.index, why=error.code, error=error)


def _by_moves(one: _Try) -> tuple[int, int]:
    return one[2].moves, one[2].pushes
