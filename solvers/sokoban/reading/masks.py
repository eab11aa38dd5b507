r"""Readings of a text: the characters taken for moves, in a fixed order (docs/reference/formats.md, *Moves*).

A reading is a mask: a text of the same length as the original. Characters that the reading leaves out are blanks, or
SEPARATOR where the moves before and after them are different candidates. So every index refers to the original text,
and no reading has a step that is not in the text.

    text    1. rRR  2. lll (3/2)\      other words separate candidates, punctuation and numbers are left out
    words      rRR     lll
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from solvers.errors import PuzzleError, ReverseMode, SeveralPushers
from solvers.sokoban.formats.text import LINE_END, fold_moves, quotes
from solvers.sokoban.moves import LETTERS
from solvers.sokoban.reading.movelines import LineKind, head_of, inline_moves_start, kind_of

SEPARATOR = "\0"
MAX_WORDS = 20_000  # words, or tags, of a text; with more, only the lines, the whole and the letters are tried
LINES, WHOLE, WORDS, SINGLE_WORDS, DIRECTIONS = "lines", "whole", "words", "single words", "directions"
LETTERS_ONLY, ARROWS_TOO, STRICT = "letters", "letters and arrows", "strict"
READINGS = (LINES, WHOLE, WORDS, "joined", "single lines", SINGLE_WORDS, DIRECTIONS, LETTERS_ONLY, ARROWS_TOO)
IN_FULL = (WHOLE, STRICT, LETTERS_ONLY, ARROWS_TOO)  # not parted, and outside the budget of steps
COUNTLESS_LINES = "lines without counts"  # of the readers before 0.7 only
_TEXTS = 2  # cached masks: the same text is requested several times in a row


@dataclass(frozen=True)
class Mask:
    """One reading of a text. *refusal* is the error of its first line that belongs to another kind of game.

    *keeps_counts* is True if it is tried although the counts of a line make it too long.
    """

    name: str
    text: str
    keeps_counts: bool = False
    refusal: PuzzleError | None = None

    @property
    def has_lines(self) -> bool:
        """True if the candidates are blocks of whole lines of moves."""
        return self.name in (LINES, COUNTLESS_LINES)

    def runs(self) -> Iterator[tuple[int, int]]:
        """Yield the spans of the candidates: from a move or count to the next separator. Other games are skipped."""
        if self.name in (WHOLE, STRICT):
            yield 0, len(self.text)
        else:
            spans = (run.span() for run in _RUN.finditer(self.text))
            yield from (span for span in spans if not self.has_lines or not _OTHER_GAMES.search(self.text, *span))

    def parts_of(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield a span without its first line, which may be a title; then each of its paragraphs."""
        if self.name in IN_FULL:
            return
        lines = [line.span() for line in _LINE.finditer(self.text, start, end) if line[0].strip()]
        if len(lines) > 1:
            yield lines[1][0], end
        # Two line ends between two lines make a blank line.
        gaps = [at for at in range(1, len(lines)) if not LINE_END.fullmatch(self.text, lines[at - 1][1], lines[at][0])]
        if gaps:
            for first, following in zip([0, *gaps], [*gaps, len(lines)], strict=True):
                yield lines[first][0], lines[following - 1][1]


_RUN = re.compile(rf"[{LETTERS}0-9()*\[\]{{}}][^\0]*")
_OTHER_GAMES = re.compile(r"[\[\]{}]")
_LINE = re.compile(r"[^\r\n]+")
_GAP_AND_LINE = re.compile(r"([\r\n]*)([^\r\n]+)")


def readings(text: str, names: Iterable[str] = READINGS) -> Iterator[Mask]:
    """Yield the different readings of *text* in the order in which they are tried.

    >>> [(mask.name, mask.text.replace(SEPARATOR, "|")) for mask in readings("by 3r: rR.")][:3]
    [('lines', '||||||||||'), ('whole', 'by 3r: rR.'), ('words', '|| 3r  rR ')]

    Time O(text).
    """
    seen: set[tuple[bool, str]] = set()
    for name in names:
        for mask in _masks(name, text):
            # Letters are not tried if counts are too long; then the same steps as words still are.
            key = name.startswith(LETTERS_ONLY), mask.text
            if key not in seen:
                seen.add(key)
                yield mask


def _masks(name: str, text: str) -> Iterator[Mask]:
    if name == LINES:
        yield lines_mask(text)
    elif name == COUNTLESS_LINES:
        yield replace(lines_mask(without_counts(_folded(text))), name=name, keeps_counts=True)
    elif name in (WHOLE, STRICT):
        yield Mask(name, text, keeps_counts=True)
    elif name in IN_FULL:
        letters = text if name == LETTERS_ONLY else _folded(text).translate(_ODD_SIGNS | _TRIANGLES)
        yield Mask(name, _to_ascii(letters).translate(_ONLY_LETTERS))
    elif name != DIRECTIONS:
        # Without its counts a single word such as `d2(R)RR` would fall into three.
        versions = _word_versions(text)[: 1 if name == SINGLE_WORDS else None]
        for number, version in enumerate(versions):
            yield Mask(name, version.translate(_GRAINS[name]), keeps_counts=name == WORDS and number == 0)
    elif (directions := shorten_directions(_folded(text))) != _folded(text) and (words := words_mask(directions)):
        counted = words.translate(_GRAINS["joined"]).translate(_NO_BRACKETS)
        for version in (counted.translate(_NO_COUNTS), counted, _COUNT_OF_DIRECTION.sub(r"\3\2\1", counted)):
            yield Mask(DIRECTIONS, version)


def shorten_directions(text: str) -> str:
    """Return *text* with only the first letters of the words left, right, up and down; blanks fill their places.

    >>> shorten_directions("Left x3, up")
    'L     3, u '
    """
    return _DIRECTION.sub(lambda word: word[0][0].ljust(len(word[0])), text)


_folded = lru_cache(_TEXTS)(fold_moves)

# Lines of moves


@lru_cache(_TEXTS)
def lines_mask(text: str) -> Mask:
    r"""Keep the lines of moves, and moves after a head. Other lines separate; blank lines do not.

    >>> lines_mask("Answer: r\nhello\n>R").text.replace(SEPARATOR, "|")
    '||||||| r||||||| R'
    """
    refusal: PuzzleError | None = None
    block_is_quoted: bool | None = None

    def mask_line(match: re.Match[str]) -> str:
        nonlocal refusal, block_is_quoted
        gap, line = match.groups()
        if not line.strip():
            return gap + " " * len(line)
        start, quoted, kind = _classify_line(line)
        previous, block_is_quoted = block_is_quoted, None if kind is None else bool(quoted)
        if kind is None:
            return SEPARATOR * len(match[0])
        if kind != LineKind.MOVES and refusal is None:
            index = match.start(2) + next(at for at in range(start, len(line)) if line[at] in "[]{}")
            refusal = ReverseMode(index=index) if kind == LineKind.REVERSE else SeveralPushers(index=index)
        gap = gap if start == 0 and block_is_quoted == previous else SEPARATOR * len(gap)
        return gap + SEPARATOR * start + " " * (quoted - start) + line[max(start, quoted) :]

    mask = _GAP_AND_LINE.sub(mask_line, _folded(text))
    return Mask(LINES, mask, refusal=refusal)


def _classify_line(line: str) -> tuple[int, int, LineKind | None]:
    """Return where moves begin in *line* (after a head), the length of its quote marks, and the kind of moves."""
    quoted = quotes(line)
    kind = kind_of(line[quoted:])
    start = inline_moves_start(line) if kind is None and head_of(line[quoted:]) else None
    behind = None if start is None else kind_of(line[start:])
    return (0, quoted, kind) if start is None or behind is None else (start, quoted, behind)


# Lines without counts, as 0.6.0 read them

_WRAP_MARK = re.compile(r"[\\+-](?=[ \t]*(?:[\r\n]|\Z))")
_SEPARATORS = " \t:：=;；|"
_STEPS = "[0-9()*]*[lurdLURD][lurdLURD0-9()*]*"
# From one word of moves to another, with only counts and brackets between them. Linear: no part matches in two ways.
_STRETCH = re.compile(rf"(?:^|[{_SEPARATORS}])({_STEPS}(?:[ \t]+(?:[0-9()*]+[ \t]+)*{_STEPS})*)(?![^{_SEPARATORS}])")


def without_counts(folded: str) -> str:
    """Return folded moves text with claimed counts and the marks of wrapped lines as blanks. Indices do not change.

    A head before counts announces the moves after them.

    >>> without_counts("Moves: 3 Pushes: 1 r2R 3/1"), without_counts("rr-\\nR")
    ('Moves             :r2R    ', 'rr \\nR')
    """
    unwrapped = _WRAP_MARK.sub(" ", folded)
    return re.sub(r"[^\r\n]+", _line_without_counts, unwrapped) if re.search("[0-9]", unwrapped) else unwrapped


def _line_without_counts(line: re.Match[str]) -> str:
    """Keep the longest stretch of moves in a line that has a number beside it; not in a line of another game."""
    quoted = quotes(line[0])
    text = line[0][quoted:]
    moves = max(_STRETCH.finditer(text), key=lambda part: len(part[1]), default=None)
    if moves is None or re.search(r"[\[\]{}]", text):
        return line[0]
    before, after = text[: moves.start(1)], text[moves.end() :]
    if not re.search("[0-9]", before + after):
        return line[0]
    head = head_of(before)
    label = f"{head:<{len(before) - 1}}:" if head else " " * len(before)
    return f"{line[0][:quoted]}{label}{moves[1]}{' ' * len(after)}"


# Words

# Tags and entities of HTML, and line ends and tabs as escapes of JSON. `\\r` alone may be a wrapped line and a step.
# `<RRR>` is no tag.
_MARK_UP = re.compile(r"<(?=[/A-Za-z])(?![lurdLURD]{3,}>)[^<>]*>|&#?[A-Za-z0-9]{1,31};|(?:\\r)?\\n|\\t")
_WORD = re.compile(r"[A-Za-z0-9]+(?:'[A-Za-z0-9]+){0,3}(?=[\"'*`\])]{0,3}[ \t]{0,2}(:)?)")  # and the colon behind a key
_FOREIGN_LETTER = re.compile(r"[^\W\x00-\x7f]")
_ODD_SIGNS = str.maketrans("⬅⬆➡⬇’：", "lurd':")  # emoji are arrows only here: before, they may be bullets
_TRIANGLES = str.maketrans("◀▲▶▼◄►⮕⇐⇑⇒⇓", "lurdlrrlurd")  # arrows only where a text has no other steps
_LONGEST_KEY = 5  # letters: a name before a colon that consists of move letters, as "Ruud:" or "lurd:"
_DIRECTION = re.compile(
    r"(?<![A-Za-z])(?:left|right|up|down)(?![A-Za-z])(?:[ \t]{0,2}[:x×*(]{1,2}[ \t]?(?=[0-9]))?", re.IGNORECASE
)
_COUNT = re.compile(r"[0-9()]")
_NUMBER = re.compile(rf"[0-9]+(?![0-9({LETTERS}])")
_EMPTY_GROUP = re.compile(r"\( *\)")
_LOOSE_NUMBER = re.compile(rf"(?<![0-9{LETTERS}])(?<![{LETTERS}] )[0-9]+")
_LAST_COUNT = re.compile(rf"[{LETTERS}] ?[0-9]+(?![0-9({LETTERS}])")
_COUNT_BEHIND = re.compile(rf"([{LETTERS}])( ?)([0-9]+)")
_COUNT_OF_DIRECTION = re.compile(rf"([{LETTERS}])( {{0,12}})([0-9]+)")


def _only(kept: str) -> dict[int, str]:
    """Return a table that makes blanks of the characters of ASCII text that are not *kept*."""
    return {code: chr(code) if chr(code) in kept else " " for code in range(128)}


_ONLY_LETTERS = _only(f"{LETTERS}\r\n")
_NO_COUNTS = _only(f"{LETTERS}\r\n{SEPARATOR}")
_NO_BRACKETS = _only(f"{LETTERS}0123456789\r\n")
_ONLY_MOVES = _only(f"{LETTERS}0123456789()\r\n{SEPARATOR}")
# Candidates are separated by other words; by nothing; also by line ends; also by blanks.
_GRAINS = {
    WORDS: {},
    "joined": str.maketrans(SEPARATOR, " "),
    "single lines": str.maketrans("\r\n", 2 * SEPARATOR),
    SINGLE_WORDS: str.maketrans("\r\n ", 3 * SEPARATOR),
}


@lru_cache(2 * _TEXTS)
def words_mask(text: str) -> str:
    """Keep the words of steps, counts and brackets; other words separate, all other characters are blanks.

    >>> words_mask('Dull: "rR" (2/1).').replace(SEPARATOR, "|")
    '||||   rR  (2 1) '

    Empty if there are too many words.
    """
    folded = _folded(text).replace(SEPARATOR, " ")
    if not folded.isascii():
        folded = folded.translate(_ODD_SIGNS)
        folded = _to_ascii(_FOREIGN_LETTER.sub("x", folded))
    for pattern in (_MARK_UP, _WORD):
        if next(islice(pattern.finditer(folded), MAX_WORDS, None), None):
            return ""

    def leave_out(word: re.Match[str]) -> str:
        letters = word[0].strip("0123456789")
        is_key = word[1] and len(letters) == len(word[0]) <= _LONGEST_KEY
        is_other = letters.strip(LETTERS + "0123456789") or is_key or letters.lower() in ("lurd", "udlr")
        return SEPARATOR * len(word[0]) if is_other else word[0]

    return _WORD.sub(leave_out, _MARK_UP.sub(_blanks, folded)).translate(_ONLY_MOVES)


@lru_cache(_TEXTS)
def _word_versions(text: str) -> list[str]:
    """Return the words with numbers directly before a step as counts, with those directly behind it, and with none."""
    words = words_mask(text)
    if not words:
        return []
    versions = [words.translate(_NO_COUNTS)]
    if _COUNT.search(words):
        versions.insert(0, _EMPTY_GROUP.sub(_blanks, _NUMBER.sub(_blanks, words)))
    if _COUNT_BEHIND.search(words):  # `r3 u` becomes `3r u`
        numbered = _LOOSE_NUMBER.sub(_blanks, words.replace("(", " ").replace(")", " "))
        place = 1 if _LAST_COUNT.search(words) else len(versions)
        versions.insert(place, _COUNT_BEHIND.sub(r"\3\2\1", numbered))
    return versions


def _blanks(part: re.Match[str]) -> str:
    return " " * len(part[0])


def _to_ascii(text: str) -> str:
    """Return *text* with a question mark for each character beyond ASCII; none of them is a move."""
    return text if text.isascii() else text.encode("ascii", "replace").decode("ascii")
