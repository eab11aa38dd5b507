"""Find the moves in what people send, and judge them: strictly, leniently, or as the old door does (formats.md 10).

Every index is one of the text as it was sent, in characters from 0, however much a reader folds and drops: what is
folded keeps its place.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain, islice

from solvers.errors import ForeignCharacter, PuzzleError, ReverseMode, SeveralPushers, TooLong
from solvers.sokoban.formats.attempts import readable
from solvers.sokoban.formats.boards import Board, segments
from solvers.sokoban.formats.text import LINE_END, fold_moves, quotes
from solvers.sokoban.level import Level, Problem
from solvers.sokoban.movelines import LineKind, inline_at, is_head, kind_of
from solvers.sokoban.moves import LETTERS, Moves
from solvers.sokoban.replay import Replay, Verdict, replay

MAX_MOVES = 1_000_000  # of a submission, decoded and before any cut
MAX_CANDIDATES = 200
_BUDGET = 4  # times the limit: the steps that all candidates of one text may decode to
_MAX_BOARDS = 20


class Reader(StrEnum):
    """How much a reader forgives (F10.6 says which door uses which)."""

    STRICT = "strict"  # the eight letters and white space
    RUN_LENGTH = "rle"  # and counts and brackets
    LENIENT = "lenient"  # and heads, notes, boards, quotes, arrows, commas around and between
    LEGACY = "legacy"  # and, if nothing solves, whatever letters are left


class Change(StrEnum):
    """What the lenient reader changed or left out, for the answer to say so."""

    FULL_WIDTH = "full_width"
    ARROWS = "arrows"
    BLANKS = "blanks"
    COMMAS = "commas"
    QUOTES = "quotes"
    POSITION_MARK = "position_mark"
    OTHER_TEXT = "other_text"
    FILTERED = "filtered"
    CASE = "case"
    TAIL = "tail"


@dataclass(frozen=True)
class Candidate:
    """A part of a text that may be the moves: *text* begins at *start* of the whole and has its characters in place.

    Either *moves* or, where it cannot be read, *error*, whose index is one of the whole text.
    """

    text: str = field(repr=False)
    start: int
    moves: Moves | None = field(default=None, repr=False)
    error: PuzzleError | None = None


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
class Solved:
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
    solved: tuple[Solved, ...] = ()
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


def judge(
    levels: Level | Sequence[Level], text: str, reader: Reader = Reader.RUN_LENGTH, *, limit: int = MAX_MOVES
) -> Judgement:
    """Read *text* and play it on *levels* in order; the first level that a candidate solves takes it (rule 6.8).

    >>> judge(Level.parse("#####|#@$.#|#####"), "Solution 1/1: →", Reader.LENIENT).outcome
    <Outcome.SOLVED: 'solved'>

    Never raise. *limit* bounds the decoded steps before any cut. Time O(text + limit x levels).
    """
    levels = [levels] if isinstance(levels, Level) else levels
    problems = [level.unjudgeable for level in levels]
    if problems and all(problems):
        problem = problems[0]
        return Judgement(Outcome.BAD_LEVEL, why=problem.code if problem else None, problem=problem)
    judging = _Judging(levels, text, reader, limit)
    if reader in (Reader.STRICT, Reader.RUN_LENGTH):
        return judging.whole_text()
    return judging.found_moves()


def candidates(text: str, reader: Reader = Reader.LENIENT, *, limit: int = MAX_MOVES) -> Reading:
    """Say where in *text* the moves are, before any level is asked.

    >>> reading = candidates("Solution/Moves 3/1\\nrrU\\n\\nthanks!")
    >>> [(block.start, block.moves.steps) for block in reading.blocks]
    [(19, 'rrU')]

    Never raise: what cannot be read stands in the `error` of its candidate. Time O(text + 4 x limit).
    """
    if reader in (Reader.STRICT, Reader.RUN_LENGTH):
        block = _read(text, 0, limit, run_length=reader is Reader.RUN_LENGTH)
        return Reading((block,), block.error)
    finder = _Finder(text, limit)
    found = [block for block in finder.blocks if not block.refused]
    blocks = tuple(finder.read(block.start, block.end) for block in found[:MAX_CANDIDATES])
    return Reading(blocks, finder.error_without(blocks), _boards_in(text), finder.changes(_covered(finder.blocks)))


# Where the moves are


@dataclass
class _Block:
    """Lines of moves without other text between them: where each begins and ends, and where paragraphs begin."""

    lines: list[tuple[int, int]]
    paragraphs: list[int]
    quoted: bool
    refused: PuzzleError | None = None

    @property
    def start(self) -> int:
        return self.lines[0][0]

    @property
    def end(self) -> int:
        return self.lines[-1][1]

    def parts(self) -> Iterator[tuple[int, int]]:
        """The block without its first line, which may be a title; then each of its paragraphs (F10.4, step 5)."""
        if len(self.lines) > 1:
            yield self.lines[1][0], self.end
        if len(self.paragraphs) > 1:
            for first, following in zip(self.paragraphs, [*self.paragraphs[1:], len(self.lines)], strict=True):
                yield self.lines[first][0], self.lines[following - 1][1]


_LINE = re.compile(r"[^\r\n]+")
_NOTHING = re.compile(r"[\s0-9()]*")
_QUOTE_MARKS = re.compile(r"^>(?: ?>){0,2}", re.MULTILINE)


class _Finder:
    """The blocks of moves in a text, and candidates made of them within a budget of steps."""

    def __init__(self, text: str, limit: int) -> None:
        self.text = text
        self.limit = limit
        self.left = _BUDGET * limit
        self.folded = fold_moves(text)
        self.blocks = list(_blocks(self.folded))

    def read(self, start: int, end: int) -> Candidate:
        """Read the moves from *start* to *end* of the text."""
        part = self.folded[start:end]
        if ">" in part:
            part = _QUOTE_MARKS.sub(lambda marks: " " * len(marks[0]), LINE_END.sub(_line_feeds, part))
        candidate = _read(readable(part), start, min(self.limit, self.left))
        self.left -= len(candidate.moves) if candidate.moves else 0
        return candidate

    def error_without(self, blocks: Sequence[Candidate]) -> PuzzleError | None:
        """Why there is no candidate: a refused block, or the first foreign character; None for nothing but blanks."""
        if blocks:
            return None
        if refused := self.refusal:
            return refused
        if _NOTHING.fullmatch(self.folded):
            return None
        return _read(self.folded, 0, self.limit).error or _first_letterless(self.text)

    @property
    def refusal(self) -> PuzzleError | None:
        return next((block.refused for block in self.blocks if block.refused), None)

    def changes(self, covered: Sequence[tuple[int, int]]) -> tuple[Change, ...]:
        """What was changed inside the parts *covered*, and whether anything stands outside them."""
        return tuple(dict.fromkeys(_changes(self.text, covered)))


def _line_feeds(end: re.Match[str]) -> str:
    return "\n" * len(end[0])


def _blocks(folded: str) -> Iterator[_Block]:
    """Yield the blocks of moves of a folded text (F10.4, steps 3 and 4). Time O(text)."""
    block: _Block | None = None
    last_end = 0
    is_new = True
    for line in _LINE.finditer(folded):
        if not line[0].strip():
            is_new = True
            last_end = line.end()
            continue
        # Two line ends between two lines are a blank line.
        is_new = is_new or not LINE_END.fullmatch(folded, last_end, line.start())
        last_end = line.end()
        begins, quoted, kind = _moves_in(line[0])
        if block and (kind is None or begins or quoted != block.quoted):
            yield block
            block = None
        if kind is not None:
            span = (line.start() + begins, line.end())
            if block is None:
                block = _Block([span], [0], quoted)
            else:
                if is_new:
                    block.paragraphs.append(len(block.lines))
                block.lines.append(span)
            if kind is not LineKind.MOVES and block.refused is None:
                at = next(index for index in range(*span) if folded[index] in "[]{}")
                block.refused = ReverseMode(index=at) if kind is LineKind.REVERSE else SeveralPushers(index=at)
        is_new = False
    if block:
        yield block


def _moves_in(line: str) -> tuple[int, bool, LineKind | None]:
    """Where moves begin in *line* (behind a head), whether the line is quoted, and what moves they are."""
    quoted = quotes(line)
    if kind := kind_of(line[quoted:]):
        return 0, bool(quoted), kind
    if is_head(line[quoted:]) and (behind := inline_at(line)) is not None and (kind := kind_of(line[behind:])):
        return behind, bool(quoted), kind
    return 0, bool(quoted), None


def _read(text: str, start: int, limit: int, *, run_length: bool = True) -> Candidate:
    try:
        return Candidate(text, start, Moves.parse(text, run_length=run_length, limit=limit))
    except PuzzleError as error:
        return Candidate(text, start, error=error.at(index=None if error.index is None else error.index + start))


def _first_letterless(text: str) -> PuzzleError:
    """The first character that is neither a letter of moves nor blank, for a text that has no moves line."""
    index = next((at for at, character in enumerate(text) if character not in LETTERS and not character.isspace()), 0)
    return ForeignCharacter(index=index, character=text[index : index + 1])


_CHANGED = {
    Change.FULL_WIDTH: re.compile("[\uff01-\uff5e]"),
    Change.ARROWS: re.compile("[←↑→↓左上右下]"),
    Change.BLANKS: re.compile("[\u00a0\u00ad\u1680\u2000-\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]"),
    Change.COMMAS: re.compile("[,\uff0c]"),
    Change.QUOTES: re.compile(r"^>", re.MULTILINE),
    Change.POSITION_MARK: re.compile(r"\*"),
}


def _changes(text: str, covered: Sequence[tuple[int, int]]) -> Iterator[Change]:
    for change, characters in _CHANGED.items():
        if any(characters.search(text, start, end) for start, end in covered):
            yield change
    at = 0
    for start, end in [*covered, (len(text), len(text))]:
        if not text[at:start].isspace() and at < start:
            yield Change.OTHER_TEXT
            return
        at = end


def _covered(blocks: Sequence[_Block]) -> list[tuple[int, int]]:
    return [(block.start, block.end) for block in blocks]


def _boards_in(text: str) -> tuple[Level, ...]:
    """Boards drawn in *text*, at most a few."""
    if not any(wall in text for wall in "#H＃Ｈ"):
        return ()
    found = (part.level for part in segments(LINE_END.split(text)) if isinstance(part, Board))
    return tuple(islice(found, _MAX_BOARDS))


# Judging


_Try = tuple[Candidate, int, Replay]


class _Judging:
    """One text on its levels."""

    def __init__(self, levels: Sequence[Level], text: str, reader: Reader, limit: int) -> None:
        self.levels = levels
        self.text = text
        self.reader = reader
        self.limit = limit
        self.numbers: Sequence[int] = [number for number, level in enumerate(levels) if not level.unjudgeable]

    def whole_text(self) -> Judgement:
        """The strict readers: the text is one candidate."""
        candidate = _read(self.text, 0, self.limit, run_length=self.reader is Reader.RUN_LENGTH)
        return self._unread(candidate.error) if candidate.error else self._played(self.furthest([candidate]))

    def found_moves(self) -> Judgement:
        """The lenient and the legacy reader."""
        board, other_board = self._named_level()
        if board is not None:
            self.numbers = [board[0]]
        finder = _Finder(self.text, self.limit)
        tries = self._tries(finder)
        solved = [one for one in tries if one[2].is_solved]
        if solved:
            best = solved[0] if self.reader is Reader.LEGACY else min(solved, key=_by_moves)
            judgement = self._played(best, finder)
        elif self.reader is Reader.LEGACY:
            judgement = self._filtered(tries, finder)
        else:
            judgement = self._unsolved(tries, finder)
        return replace(
            judgement,
            solved=tuple(Solved(candidate.start, number, outcome) for candidate, number, outcome in solved),
            board=board,
            other_board=other_board,
        )

    def _named_level(self) -> tuple[tuple[int, int] | None, bool]:
        """Which level, after which symmetry, a board in the text is; and whether there is a board that is none."""
        boards = _boards_in(self.text)
        for board in boards:
            for number in self.numbers:
                level = self.levels[number]
                if {board.width, board.height} != {level.width, level.height}:
                    continue
                for symmetry in range(8):
                    if level.transformed(symmetry) == board:
                        return (number, symmetry), False
        return None, bool(boards)

    def _tries(self, finder: _Finder) -> list[_Try]:
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
                if hit and (at == 0 or self.reader is Reader.LEGACY):
                    break
            if self.reader is Reader.LEGACY and tries and tries[-1][2].is_solved:
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
        if best and best[2].verdict is not Verdict.EMPTY and (is_whole or best[2].is_solved):
            tries.append(best)
        return bool(best and best[2].is_solved)

    def furthest(self, read: Sequence[Candidate]) -> _Try | None:
        """The first level solved, else the one on which the steps got furthest (rule 6.11)."""
        best: _Try | None = None
        for candidate in read:
            for number in self.numbers:
                if candidate.moves is None:
                    continue
                outcome = replay(self.levels[number], candidate.moves)
                if outcome.is_solved:
                    return candidate, number, outcome
                if best is None or outcome.moves > best[2].moves:
                    best = candidate, number, outcome
        return best

    def _unsolved(self, tries: list[_Try], finder: _Finder) -> Judgement:
        """Nothing solves: too long, refused, the block that got furthest, unreadable, or nothing there."""
        too_long = next((error for error in self.unread if isinstance(error, TooLong)), None)
        if error := too_long or finder.refusal:
            return self._unread(error)
        if tries:
            return self._played(max(tries, key=lambda one: one[2].moves), finder)
        if self.unread:
            return self._unread(self.unread[0])
        error = finder.error_without([])
        if finder.blocks or error is None:  # blocks that decode to nothing
            return Judgement(Outcome.EMPTY)
        return self._unread(error)

    def _filtered(self, tries: list[_Try], finder: _Finder) -> Judgement:
        """The legacy reader's last attempt: every letter of moves in the raw text, whatever stands between."""
        lenient = self._unsolved(tries, finder)
        if lenient.outcome is Outcome.TOO_LONG:
            return lenient
        kept = "".join(re.findall(f"[{LETTERS}]+", self.text))
        candidate = _read(kept, 0, self.limit)
        if candidate.error:
            return self._unread(candidate.error.at())
        if not kept:
            return Judgement(Outcome.EMPTY)
        best = self.furthest([candidate])
        if tries and not (best and best[2].is_solved):
            return lenient
        judgement = self._played(best)
        if judgement.index is not None:
            letters = (found.start() for found in re.finditer(f"[{LETTERS}]", self.text))
            judgement = replace(judgement, index=next(islice(letters, judgement.index, None)))
        return replace(judgement, changes=(*judgement.changes, Change.FILTERED))

    def _played(self, one: _Try | None, finder: _Finder | None = None) -> Judgement:
        if one is None:
            return Judgement(Outcome.EMPTY)
        candidate, number, outcome = one
        if outcome.verdict is Verdict.EMPTY:
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

    def _unread(self, error: PuzzleError) -> Judgement:
        outcome = Outcome.TOO_LONG if isinstance(error, TooLong) else Outcome.MALFORMED
        return Judgement(outcome, index=error.index, why=error.code, error=error)


def _by_moves(one: _Try) -> tuple[int, int]:
    return one[2].moves, one[2].pushes
