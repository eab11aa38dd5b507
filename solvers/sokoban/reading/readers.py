"""Find the moves in submitted text and judge them: strictly, leniently, or as the old site (docs/reference/formats.md).

Every index refers to the original text, in characters from 0, whatever a reader folds or drops: folding keeps
characters in place.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from solvers.choices import Choice
from solvers.errors import PuzzleError, TooLong, TooManyParts
from solvers.sokoban.level import Level
from solvers.sokoban.moves import LETTERS
from solvers.sokoban.reading.judgements import Judgement, Outcome, SolvingCandidate
from solvers.sokoban.reading.masks import (
    COUNTLESS_LINES,
    LETTERS_ONLY,
    LINES,
    READINGS,
    WHOLE,
    WORDS,
    Mask,
    lines_mask,
    readings,
)
from solvers.sokoban.reading.pasted import (
    Candidate,
    CandidateReader,
    explain_missing,
    find_boards,
    list_left_out,
    read_moves,
)
from solvers.sokoban.reading.plays import Plays
from solvers.sokoban.replay import Replay, Verdict

__all__ = [
    "Candidate",
    "Judgement",
    "Outcome",
    "Reader",
    "Reading",
    "SolvingCandidate",
    "candidates",
    "judge",
]

MAX_MOVES = 1_000_000  # steps of a submission, decoded and before any cut
MAX_CANDIDATES = 200  # of one reading
MAX_PARTS = 40_000  # digits, brackets and line ends of a text
_SPARE_STEPS = 250_000  # beyond the limit: steps played for one text on each level
_PARTS = "0123456789()\r\n"
_LISTED = 5  # readings whose candidates are listed: the whole, lines, and the three by words
_LEAST_REPORTED = 4  # steps: shorter runs between other words are words too, as "u" or "du"


class Reader(Choice):
    """Tolerance of a reader. docs/reference/formats.md, *Moves*, lists which entry point uses which."""

    STRICT = "strict"  # the eight letters and white space
    RUN_LENGTH = "rle"  # also counts and brackets
    LENIENT = "lenient"  # every reading of `masks.READINGS`, in order, until one solves
    # The readers before 0.7, for the submissions that were judged by them.
    LENIENT_0_6 = "lenient-0.6"  # only lines, then lines without counts
    LEGACY = "legacy"  # lines, all letters, lines without counts; of several solutions the first


READINGS_OF = {
    Reader.LENIENT: READINGS,
    Reader.LENIENT_0_6: (LINES, COUNTLESS_LINES),
    Reader.LEGACY: (LINES, LETTERS_ONLY, COUNTLESS_LINES),
}


@dataclass(frozen=True)
class Reading:
    """Result of reading a text, before any level is tried.

    *blocks* are the candidates in order. If there are none, *error* is the reason, or None for an empty text.
    *boards* are levels drawn in the text.
    """

    blocks: tuple[Candidate, ...]
    error: PuzzleError | None = None
    boards: tuple[Level, ...] = ()


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
    each level: its remainder decides whether another candidate is tried there. Time O(text + levels x limit).
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
    blocks = tuple(_find_candidates(text, reader, limit))
    error = None if blocks else lines_mask(text).refusal or explain_missing(text, limit)
    return Reading(blocks, error, find_boards(text))


def _find_candidates(text: str, kind: Reader, limit: int) -> Iterator[Candidate]:
    """Yield the blocks of lines; then what the first other readings find besides, if it can be read."""
    reader, known = CandidateReader(limit), {""}
    for mask in islice(readings(text, READINGS_OF[kind]), _LISTED):
        for start, end in islice(mask.runs(), MAX_CANDIDATES):
            candidate = reader.read(mask, start, end)
            steps = candidate.moves.steps if candidate.moves else ""
            if mask.has_lines or (mask.name in (WHOLE, WORDS) and steps not in known):
                yield candidate
            known.add(steps)


def has_too_many_parts(text: str) -> bool:
    """Return whether *text* has too many parts to be searched; it is then too long whatever it contains."""
    return len(text) > MAX_PARTS and sum(map(text.count, _PARTS)) > MAX_PARTS


@dataclass(frozen=True)
class _Attempt:
    """A replayed candidate of one reading, with the level on which it got furthest."""

    mask: Mask
    candidate: Candidate
    level: int
    replay: Replay


def _moves_and_pushes(attempt: _Attempt) -> tuple[int, int]:
    return attempt.replay.moves, attempt.replay.pushes


class _Judging:
    """Judge one text on its levels."""

    def __init__(self, levels: Sequence[Level], text: str, reader: Reader, limit: int, plays: Plays) -> None:
        self.levels = levels
        self.text = text
        self.reader = reader
        self.plays = plays
        self.limit = limit
        self.candidates = CandidateReader(limit)
        self.untried: set[int] = set()
        self.numbers: Sequence[int] = [number for number, level in enumerate(levels) if not level.unjudgeable]
        self.failed: list[_Attempt] = []
        self.unreadable: list[Candidate] = []

    def judge_whole_text(self) -> Judgement:
        """Judge for the strict readers: the whole text is one candidate."""
        candidate = read_moves(self.text, 0, self.limit, run_length=self.reader == Reader.RUN_LENGTH)
        if candidate.error:
            return _unreadable(candidate.error)
        attempt = self._play_furthest(Mask(WHOLE, self.text), candidate)
        return self._judge_played(attempt) if attempt else Judgement(Outcome.EMPTY)

    def judge_found_moves(self) -> Judgement:
        """Judge by the first reading that solves a level; if there is none, by the lines of moves."""
        board, other_board = self._find_named_level()
        if board is not None:
            self.numbers = [board[0]]
        return replace(self._judge_readings(), board=board, other_board=other_board)

    def _judge_readings(self) -> Judgement:
        for mask in readings(self.text, READINGS_OF[self.reader]):
            if self._too_long and not mask.has_all_counts:
                continue
            if solved := self._play_mask(mask):
                # The legacy reader stopped at the first.
                best = min(solved, key=_moves_and_pushes)
                all_solved = (SolvingCandidate(one.candidate.start, one.level, one.replay) for one in solved)
                return replace(self._judge_played(best), solved=tuple(all_solved))
        return replace(self._judge_unsolved(), untried=tuple(sorted(self.untried)))

    @property
    def _too_long(self) -> Candidate | None:
        """The first lines whose counts make them longer than the limit: these counts are never left out."""
        return next((candidate for candidate in self.unreadable if isinstance(candidate.error, TooLong)), None)

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

    def _play_mask(self, mask: Mask) -> list[_Attempt]:
        """Return the solutions among the candidates of *mask*, and the parts of those that fail; record failures."""
        solved: list[_Attempt] = []
        left = MAX_CANDIDATES
        for run in mask.runs():
            solving: list[_Attempt] = []
            # Parts are a second guess: only their solutions count, a failure is reported for the whole run.
            for number, (start, end) in enumerate(chain([run], mask.parts_of(*run))):
                if left <= 0 or self.candidates.limit_of(mask) <= 0:
                    return solved + solving
                left -= 1
                attempt = self._play_candidate(mask, self.candidates.read(mask, start, end), is_whole=number == 0)
                solving += [attempt] if attempt else []
                if attempt and (self.reader == Reader.LEGACY or (number == 0 and mask.has_lines)):
                    break
            if solving and not mask.has_lines:  # a word before the moves may be taken for steps, as "Du"
                solving = [min(solving, key=_moves_and_pushes)]
            solved += solving
            if solved and self.reader == Reader.LEGACY:
                break
        return solved

    def _play_candidate(self, mask: Mask, candidate: Candidate, *, is_whole: bool) -> _Attempt | None:
        """Play one candidate and return its attempt if it solves a level."""
        if candidate.error is not None:
            if is_whole and (mask.name == LINES or (mask.name, self.reader) == (LETTERS_ONLY, Reader.LEGACY)):
                self.unreadable.append(candidate)
            return None
        attempt = self._play_furthest(mask, candidate)
        if attempt and attempt.replay.is_solved:
            return attempt
        if attempt and is_whole and attempt.replay.verdict != Verdict.EMPTY:
            self.failed.append(attempt)
        return None

    def _play_furthest(self, mask: Mask, candidate: Candidate) -> _Attempt | None:
        """Return the first solved level, else the level on which the steps got furthest (rule 6.11)."""
        best: _Attempt | None = None
        for number in self.numbers:
            if candidate.moves is None:
                break
            outcome = self.plays.replay(self.levels[number], candidate.moves)
            if outcome is None:
                self.untried.add(number)
                continue
            if outcome.is_solved:
                return _Attempt(mask, candidate, number, outcome)
            if best is None or outcome.moves > best.replay.moves:
                best = _Attempt(mask, candidate, number, outcome)
        return best

    def _judge_unsolved(self) -> Judgement:
        """Return the failure to report: too long, another game, the candidate that got furthest, unreadable, empty."""
        lines = lines_mask(self.text)
        blocks = [attempt for attempt in self.failed if attempt.mask.name == LINES]
        has_letters = any(letter in self.text for letter in LETTERS)
        if self.reader == Reader.LEGACY and not self._too_long and not (blocks and has_letters):
            letters = [attempt for attempt in self.failed if attempt.mask.name == LETTERS_ONLY]
            return self._judge_played(letters[0]) if letters else self._judge_unread(None)
        if self._too_long or lines.refusal:
            return self._judge_unread(lines.refusal, self._too_long)
        if not blocks and self.unreadable:
            return self._judge_unread(None, self.unreadable[0])
        runs = [attempt for attempt in self.failed if attempt.mask.name == WORDS]
        words = [run for run in runs if len(run.candidate.moves or ()) >= _LEAST_REPORTED]
        if attempts := blocks or words:
            return self._judge_played(max(attempts, key=lambda attempt: attempt.replay.moves))
        error = explain_missing(self.text, self.limit)
        return self._judge_unread(None if next(lines.runs(), None) else error)

    def _judge_unread(self, error: PuzzleError | None, candidate: Candidate | None = None) -> Judgement:
        """Return the error of *candidate*, else *error*, else that the text is empty; and what was not read."""
        error = candidate.error if candidate else error
        left_out = list_left_out(self.text, candidate or Candidate("", 0), LINES)
        reading = LINES if candidate else ""
        return replace(_unreadable(error) if error else Judgement(Outcome.EMPTY), reading=reading, left_out=left_out)

    def _judge_played(self, attempt: _Attempt) -> Judgement:
        candidate, outcome = attempt.candidate, attempt.replay
        if outcome.verdict == Verdict.EMPTY:
            return Judgement(Outcome.EMPTY)
        index = None
        if outcome.step is not None and candidate.moves is not None:
            # A cached replay may come from another place of the text, with other blanks between its steps.
            index = candidate.start + candidate.moves.index_of(outcome.step - 1)
        return Judgement(
            Outcome(outcome.verdict.value),
            attempt.level,
            outcome,
            index=index,
            step=outcome.step,
            why=outcome.why,
            reading=attempt.mask.name,
            left_out=list_left_out(self.text, candidate, attempt.mask.name),
        )


def _unreadable(error: PuzzleError) -> Judgement:
    outcome = Outcome.TOO_LONG if isinstance(error, TooLong) else Outcome.MALFORMED
    return Judgement(outcome, index=error.index, why=error.code, error=error)
