"""Find the moves in submitted text and judge them: strictly, leniently, or as the old site (docs/reference/formats.md).

Every index refers to the original text, in characters from 0, whatever a reader folds or drops: folding keeps
characters in place.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, islice, product

from solvers.choices import Choice
from solvers.errors import PuzzleError, TooLong, TooManyParts
from solvers.sokoban.level import Level
from solvers.sokoban.moves import LETTERS
from solvers.sokoban.problems import Problem
from solvers.sokoban.reading import masks
from solvers.sokoban.reading.pasted import Candidate, CandidateReader, LeftOut, find_boards, first_error, list_left_out
from solvers.sokoban.reading.plays import Plays
from solvers.sokoban.replay import Replay

__all__ = ["Candidate", "Judgement", "Outcome", "PlayedCandidate", "Reader", "candidates", "find_solution", "judge"]

MAX_MOVES = 1_000_000  # steps of a submission, decoded and before any cut
MAX_CANDIDATES = 200  # of one reading
MAX_PARTS = 40_000  # digits, brackets and line ends of a text
_SPARE_STEPS = 250_000  # beyond the limit: steps played for one text, on each level
_PARTS = "0123456789()\r\n"
_LISTED = (*masks.BY_LINES, masks.WHOLE, masks.STRICT, masks.WORDS)  # their candidates
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
    Reader.STRICT: (masks.STRICT,),
    Reader.RUN_LENGTH: (masks.WHOLE,),
    Reader.LENIENT: masks.READINGS,
    Reader.LENIENT_0_6: (masks.LINES, masks.COUNTLESS_LINES),
    Reader.LEGACY: (masks.LINES, masks.LETTERS_ONLY, masks.COUNTLESS_LINES),
}


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
class PlayedCandidate:
    """A candidate and its replay on level number *level*: the one it solves, or the one on which it got furthest."""

    candidate: Candidate
    level: int
    replay: Replay


@dataclass(frozen=True)
class Judgement:
    """Result of judging a text on one or several levels.

    *level* is the number of the solved level, or of the level on which the text got furthest; *replay* is its replay.
    *index* (from 0, in the original text), *step* (from 1) and *why* locate the first mistake. *solved* lists every
    candidate of the reading that solves a level; the outcome is the best of them by moves. *error* holds the message.
    *reading* is the name of the reading that was played, and *left_out* the first parts of the text outside it.
    *untried* lists the levels on which a part of an unsolved text was not played, because the steps were used up.
    """

    outcome: Outcome
    level: int | None = None
    replay: Replay | None = None
    index: int | None = None
    step: int | None = None
    why: str | None = None
    error: PuzzleError | None = None
    problem: Problem | None = None
    solved: tuple[PlayedCandidate, ...] = ()
    reading: str = ""
    left_out: tuple[LeftOut, ...] = ()
    untried: tuple[int, ...] = ()

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
    each level: its remainder decides whether another candidate is tried there. Time O(text + levels x limit).
    """
    reader, levels = Reader(reader), [levels] if isinstance(levels, Level) else levels
    problems = [level.unjudgeable for level in levels]
    if all(problems) and (problem := next(iter(problems), None)):
        return Judgement(Outcome.BAD_LEVEL, why=problem.code, problem=problem)
    if has_too_many_parts(text):
        return _unreadable(TooManyParts(limit=MAX_PARTS))
    return _Judging(levels, text, reader, limit, plays or plays_for(limit)).judge()


def find_solution(level: Level, text: str, *, limit: int = MAX_MOVES) -> str:
    """Return the moves in *text* that solve *level*, as the lenient reader finds them, up to the solution, or "".

    >>> find_solution(Level.parse("#####|#@$.#|#####"), "1 move: “r”")
    'R'
    """
    judged = judge(level, text, Reader.LENIENT, limit=limit)
    return judged.replay.lurd if judged.outcome == Outcome.SOLVED and judged.replay else ""


def candidates(text: str, reader: Reader | str = Reader.LENIENT, *, limit: int = MAX_MOVES) -> tuple[Candidate, ...]:
    """Find the moves in *text*, before any level is tried: first as lines, then what the first other readings find.

    >>> [(block.start, block.moves.steps) for block in candidates("Solution/Moves 3/1\\nrrU\\n\\nthanks!")]
    [(19, 'rrU')]

    Never raise because of the text: an unreadable candidate has an `error`. Time O(text + 4 x limit).
    """
    if has_too_many_parts(text):
        return ()
    names = [name for name in READINGS_OF[Reader(reader)] if name in _LISTED]
    candidate_reader, known, found = CandidateReader(limit), {""}, []
    for mask in masks.readings(text, names):
        for span in islice(mask.runs(), MAX_CANDIDATES):
            candidate = candidate_reader.read(mask, *span)
            if mask.name in masks.BY_LINES or mask.name == names[0] or candidate.moves.steps not in known:
                found.append(candidate)
            known.add(candidate.moves.steps)
    return tuple(found)


def has_too_many_parts(text: str) -> bool:
    """Return whether *text* has too many parts to be searched; it is then too long whatever it contains."""
    return len(text) > MAX_PARTS and sum(map(text.count, _PARTS)) > MAX_PARTS


def _moves_and_pushes(played: PlayedCandidate) -> tuple[int, int]:
    return played.replay.moves, played.replay.pushes


class _Judging:
    """Judge one text on its levels."""

    def __init__(self, levels: Sequence[Level], text: str, reader: Reader, limit: int, plays: Plays) -> None:
        self.levels = levels
        self.text = text
        self.is_legacy = reader == Reader.LEGACY
        self.plays = plays
        self.limit = limit
        self.names = READINGS_OF[reader]
        self.reported = self.names[:2] if self.is_legacy else self.names[:1]
        self.candidates = CandidateReader(limit)
        self.numbers = self._choose_levels()
        self.untried: set[int] = set()
        self.failed: defaultdict[str, list[PlayedCandidate]] = defaultdict(list)  # by reading
        self.unreadable: list[Candidate] = []

    def judge(self) -> Judgement:
        """Judge by the first reading that solves a level; if there is none, by the first reading."""
        for mask in masks.readings(self.text, self.names):
            if solved := self._play_mask(mask) if mask.keeps_counts or not self._too_long else []:
                best = solved[0] if self.is_legacy else min(solved, key=_moves_and_pushes)
                return replace(self._judge_read(best.candidate, best), solved=tuple(solved))
        return replace(self._judge_unsolved(), untried=tuple(sorted(self.untried)))

    @property
    def _too_long(self) -> list[Candidate]:
        """The lines whose counts make them longer than the limit: these counts are never left out."""
        return [candidate for candidate in self.unreadable if isinstance(candidate.error, TooLong)]

    def _choose_levels(self) -> list[int]:
        """Return the numbers of the levels; only one if the text shows its board, in any orientation."""
        numbers = [number for number, level in enumerate(self.levels) if not level.unjudgeable]
        for board, number in product(find_boards(self.text), numbers):
            level = self.levels[number]
            has_size = {level.width, level.height} == {board.width, board.height}
            if has_size and any(level.transform(symmetry) == board for symmetry in range(8)):
                return [number]
        return numbers

    def _play_mask(self, mask: masks.Mask) -> list[PlayedCandidate]:
        """Return the solutions among the candidates of *mask*, and the parts of those that fail; record failures."""
        solved: list[PlayedCandidate] = []
        left = MAX_CANDIDATES
        for run in islice(mask.runs(), MAX_CANDIDATES):
            solving: list[PlayedCandidate] = []
            for span in chain([run], mask.parts_of(*run)):
                if left <= 0 or (self.candidates.steps_left <= 0 and mask.name not in masks.IN_FULL):
                    break
                left -= 1
                # Parts are a second guess: only their solutions count, a failure is reported for the whole run.
                played = self._play(self.candidates.read(mask, *span), is_whole=span == run)
                solving += [played] if played else []
                if played and span == run and mask.name in masks.BY_LINES:
                    break
            # A word before the moves may be taken for steps, as "Du".
            solved += solving if mask.name in masks.BY_LINES else sorted(solving, key=_moves_and_pushes)[:1]
        return solved

    def _play(self, candidate: Candidate, *, is_whole: bool) -> PlayedCandidate | None:
        """Play a candidate on the levels until it solves one; record the failure of a whole run (rule 6.11)."""
        best: PlayedCandidate | None = None
        for number in self.numbers if candidate.moves else ():
            outcome = self.plays.replay(self.levels[number], candidate.moves)
            if outcome is None:
                self.untried.add(number)
            elif outcome.is_solved:
                return PlayedCandidate(candidate, number, outcome)
            elif best is None or outcome.moves > best.replay.moves:
                best = PlayedCandidate(candidate, number, outcome)
        if is_whole and candidate.error and candidate.reading in self.reported:
            self.unreadable.append(candidate)
        if is_whole and best:
            self.failed[candidate.reading].append(best)
        return None

    def _judge_unsolved(self) -> Judgement:
        """Return the failure to report: too long, another game, the candidate that got furthest, unreadable, empty."""
        first = next(masks.readings(self.text, self.names))
        blocks, words = self.failed[first.name], self.failed[masks.WORDS]
        attempts = blocks or [played for played in words if len(played.candidate.moves) >= _LEAST_REPORTED]
        refused = [Candidate("", 0, error=refusal)] if (refusal := first.refusal) else []
        unread = self._too_long or refused or ([] if blocks else self.unreadable)
        if self.is_legacy and not self._too_long and not (blocks and any(letter in self.text for letter in LETTERS)):
            unread, attempts = [], self.failed[masks.LETTERS_ONLY]
        if attempts and not unread:
            best = max(attempts, key=lambda played: played.replay.moves)
            return self._judge_read(best.candidate, best)
        is_empty = self.is_legacy or next(first.runs(), None)
        nothing = Candidate("", 0, error=None if is_empty else first_error(self.text, self.limit))
        return self._judge_read(unread[0] if unread else nothing)

    def _judge_read(self, candidate: Candidate, played: PlayedCandidate | None = None) -> Judgement:
        """Return the result of *candidate*, its error, or that it is empty; and what it leaves out of the text."""
        judgement = _unreadable(candidate.error) if candidate.error else Judgement(Outcome.EMPTY)
        if played:
            outcome, step = played.replay, played.replay.step
            # A cached replay may come from another place of the text, with other blanks between its steps.
            index = None if step is None else candidate.start + candidate.moves.index_of(step - 1)
            verdict = Outcome(outcome.verdict.value)
            judgement = Judgement(verdict, played.level, outcome, index, step, outcome.why)
        return replace(judgement, reading=candidate.reading, left_out=list_left_out(self.text, candidate))


def _unreadable(error: PuzzleError) -> Judgement:
    outcome = Outcome.TOO_LONG if isinstance(error, TooLong) else Outcome.MALFORMED
    return Judgement(outcome, index=error.index, why=error.code, error=error)
