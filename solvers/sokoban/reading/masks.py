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
from solvers.sokoban.reading.counts import without_counts
from solvers.sokoban.reading.movelines import LineKind, inline_moves_start, is_head, kind_of

SEPARATOR = "\0"
MAX_WORDS = 20_000  # words, or tags, of a text; with more, only the lines, the whole and the letters are tried
LINES, WHOLE, WORDS, SINGLE_WORDS, DIRECTIONS = "lines", "whole", "words", "single words", "directions"
LETTERS_ONLY, ARROWS_TOO = "letters", "letters and arrows"
READINGS = (LINES, WHOLE, WORDS, "joined", "single lines", SINGLE_WORDS, DIRECTIONS, LETTERS_ONLY, ARROWS_TOO)
IN_FULL = (WHOLE, LETTERS_ONLY, ARROWS_TOO)  # not parted, and outside the budget of steps
COUNTLESS_LINES = "lines without counts"  # of the readers before 0.7 only
_TEXTS = 2  # cached masks: the same text is requested several times in a row


@dataclass(frozen=True)
class Mask:
    """One reading of a text. *refusal* is the error of its first line that belongs to another kind of game.

    *has_counts* is False if numbers before steps were left out or moved.
    """

    name: str
    text: str
    has_counts: bool = True
    refusal: PuzzleError | None = None

    @property
    def has_lines(self) -> bool:
        """True if the candidates are blocks of whole lines of moves."""
        return self.name in (LINES, COUNTLESS_LINES)

    @property
    def has_all_counts(self) -> bool:
        """True if a text may be read so whose counts make a line too long; and for the old readers."""
        return self.name in (WHOLE, COUNTLESS_LINES) or (self.name == WORDS and self.has_counts)

    def runs(self) -> Iterator[tuple[int, int]]:
        """Yield the spans of the candidates: from a move or count to the next separator. Other games are skipped."""
        if self.name == WHOLE:
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
        yield replace(lines_mask(without_counts(_folded(text))), name=COUNTLESS_LINES)
    elif name == WHOLE:
        yield Mask(WHOLE, text)
    elif name in IN_FULL:
        letters = text if name == LETTERS_ONLY else _folded(text)
        yield Mask(name, _to_ascii(letters).translate(_ONLY_LETTERS))
    elif name != DIRECTIONS:
        # Without its counts a single word such as `d2(R)RR` would fall into three.
        versions = _word_versions(text)[: 1 if name == SINGLE_WORDS else None]
        for number, version in enumerate(versions):
            yield Mask(name, version.translate(_GRAINS[name]), has_counts=number == 0)
    elif _DIRECTION.search(text) and (directions := words_mask(text, with_directions=True)):
        yield Mask(DIRECTIONS, directions.translate(_NO_COUNTS).translate(_GRAINS["joined"]))


_folded = lru_cache(_TEXTS)(fold_moves)

# Lines of moves


@lru_cache(_TEXTS)
def lines_mask(text: str) -> Mask:
    r"""Keep the lines of moves, and moves after a head. Other lines separate; blank lines do not.

    >>> lines_mask("Answer: r\nhello\n>R").text.replace(SEPARATOR, "|")
    '||||||| r||||||| R'
    """
    folded = _folded(text)
    pieces: list[str] = []
    at, refusal, block_is_quoted = 0, None, None
    for line in _LINE.finditer(folded):
        is_blank = not line[0].strip()
        start, quoted, kind = (0, 0, None) if is_blank else _classify_line(line[0])
        if kind not in (None, LineKind.MOVES) and refusal is None:
            mark = _OTHER_GAMES.search(folded, line.start() + start)
            refusal = (ReverseMode if kind == LineKind.REVERSE else SeveralPushers)(index=mark and mark.start())
        joins = is_blank or (kind is not None and start == 0 and bool(quoted) == block_is_quoted)
        pieces.append(folded[at : line.start()] if joins else SEPARATOR * (line.start() - at))
        if kind is None:
            pieces.append((" " if is_blank else SEPARATOR) * len(line[0]))
        else:
            pieces += [SEPARATOR * start, " " * (quoted - start), line[0][max(start, quoted) :]]
        if not is_blank:
            block_is_quoted = None if kind is None else bool(quoted)
        at = line.end()
    return Mask(LINES, "".join(pieces) + folded[at:], refusal=refusal)


def _classify_line(line: str) -> tuple[int, int, LineKind | None]:
    """Return where moves begin in *line* (after a head), the length of its quote marks, and the kind of moves."""
    quoted = quotes(line)
    if kind := kind_of(line[quoted:]):
        return 0, quoted, kind
    if (
        is_head(line[quoted:])
        and (moves_start := inline_moves_start(line)) is not None
        and (kind := kind_of(line[moves_start:]))
    ):
        return moves_start, quoted, kind
    return 0, quoted, None


# Words

_MARK_UP = re.compile(r"<(?=[/A-Za-z])[^<>]*>|&#?[A-Za-z0-9]{1,31};")  # tags and entities of HTML
_WORD = re.compile(r"[A-Za-z0-9]+(?:'[A-Za-z0-9]+){0,3}(?=[\"'*`\])]{0,3}[ \t]{0,2}(:)?)")  # and the colon behind a key
_FOREIGN_LETTER = re.compile(r"[^\W\x00-\x7f]")
_LONGEST_KEY = 5  # letters: a name before a colon that consists of move letters, as "Ruud:" or "lurd:"
_NOTATIONS = ("lurd", "udlr")
_DIRECTION = re.compile("left|right|up|down", re.IGNORECASE)
_PLAIN = re.compile(rf"[{LETTERS}\s]*")
_COUNT = re.compile(r"[0-9()]")
_NUMBER = re.compile(rf"[0-9]+(?![0-9({LETTERS}])")
_EMPTY_GROUP = re.compile(r"\( *\)")
_LOOSE_NUMBER = re.compile(rf"(?<![0-9{LETTERS}])[0-9]+")
_LAST_COUNT = re.compile(rf"[{LETTERS}] ?[0-9]+(?![0-9({LETTERS}])")
_COUNT_BEHIND = re.compile(rf"([{LETTERS}])([ ]?)([0-9]+)")


def _only(kept: str) -> dict[int, str]:
    """Return a table that makes blanks of the characters of ASCII text that are not *kept*."""
    return {code: chr(code) if chr(code) in kept else " " for code in range(128)}


_ONLY_LETTERS = _only(f"{LETTERS}\r\n")
_NO_COUNTS = _only(f"{LETTERS}\r\n{SEPARATOR}")
_ONLY_MOVES = _only(f"{LETTERS}0123456789()\r\n{SEPARATOR}")
# Candidates are separated by other words; by nothing; also by line ends; also by blanks.
_GRAINS = {
    WORDS: {},
    "joined": str.maketrans(SEPARATOR, " "),
    "single lines": str.maketrans("\r\n", 2 * SEPARATOR),
    SINGLE_WORDS: str.maketrans("\r\n ", 3 * SEPARATOR),
}


@lru_cache(2 * _TEXTS)
def words_mask(text: str, *, with_directions: bool = False) -> str | None:
    """Keep the words of steps, counts and brackets; other words separate, all other characters are blanks.

    >>> words_mask('Dull: "rR" (2/1).').replace(SEPARATOR, "|")
    '||||   rR  (2 1) '

    *with_directions* keeps the first letters of `left`, `right`, `up` and `down`. None if too many words are left out.
    """
    folded = _folded(text).replace(SEPARATOR, " ")
    if _PLAIN.fullmatch(folded):
        return _to_ascii(folded).translate(_ONLY_MOVES)
    if not folded.isascii():
        folded = _to_ascii(_FOREIGN_LETTER.sub("x", folded.replace("’", "'").replace("：", ":")))
    for pattern in (_MARK_UP, _WORD):
        if next(islice(pattern.finditer(folded), MAX_WORDS, None), None):
            return None

    def leave_out(word: re.Match[str]) -> str:
        letters = word[0].strip("0123456789")
        is_key = word[1] and len(letters) == len(word[0]) <= _LONGEST_KEY
        if not letters.strip(LETTERS + "0123456789") and not is_key and letters.lower() not in _NOTATIONS:
            return word[0]
        kept = letters[:1] if with_directions and _DIRECTION.fullmatch(letters) else ""
        return kept + SEPARATOR * (len(word[0]) - len(kept))

    return _WORD.sub(leave_out, _MARK_UP.sub(_blanks, folded)).translate(_ONLY_MOVES)


@lru_cache(_TEXTS)
def _word_versions(text: str) -> list[str]:
    """Return the words with counts before a step, with counts behind it, and without counts."""
    words = words_mask(text)
    if words is None:
        return []
    versions = [words.translate(_NO_COUNTS)]
    if _COUNT.search(words):
        versions.insert(0, _with_counts_before(words))
    if _LAST_COUNT.search(words):
        versions.insert(1, _with_counts_behind(words))
    return versions


def _with_counts_before(words: str) -> str:
    """Keep numbers and brackets that stand directly before a step or a bracket; other numbers become blanks."""
    return _EMPTY_GROUP.sub(_blanks, _NUMBER.sub(_blanks, words))


def _with_counts_behind(words: str) -> str:
    """Move each number that follows a step before it: `r3 u` becomes `3r u`. Other numbers become blanks."""
    numbered = _LOOSE_NUMBER.sub(_blanks, words.replace("(", " ").replace(")", " "))
    return _COUNT_BEHIND.sub(r"\3\1\2", numbered)


def _blanks(part: re.Match[str]) -> str:
    return " " * len(part[0])


def _to_ascii(text: str) -> str:
    """Return *text* with a question mark for each character beyond ASCII; none of them is a move."""
    return text if text.isascii() else text.encode("ascii", "replace").decode("ascii")
