r"""Readings of a text: the characters taken for moves, in a fixed order (docs/reference/formats.md, *Moves*).

A reading is a mask: a text of the same length as the original. Characters that the reading leaves out are blanks, or
SEPARATOR where the moves before and after them are different candidates. So every index refers to the original text,
and no reading has a step that is not in the text.

    text    1. rRR  2. lll (3/2)\      other words separate candidates, punctuation and numbers are left out
    words      rRR     lll
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice

from solvers.errors import PuzzleError, ReverseMode, SeveralPushers
from solvers.sokoban.formats.text import LINE_END, fold_moves, quotes
from solvers.sokoban.moves import LETTERS
from solvers.sokoban.reading.movelines import HEAD, MOVES_LINE, OTHER_GAME

SEPARATOR = "\0"
# With more words or tags, or more characters, only the lines, the whole and the letters of a text are tried.
MAX_WORDS, MAX_CHARACTERS = 20_000, 200_000
LINES, WHOLE, WORDS, DIRECTIONS, STRICT = "lines", "whole", "words", "directions", "strict"
LETTERS_ONLY, ARROWS_TOO = "letters", "letters and arrows"
COUNTLESS_LINES = "lines without counts"  # of the readers before 0.7 only
READINGS = (LINES, WHOLE, WORDS, "joined", "single lines", "single words", DIRECTIONS, LETTERS_ONLY, ARROWS_TOO)
IN_FULL = (WHOLE, STRICT, LETTERS_ONLY, ARROWS_TOO)  # not parted, and outside the budget of steps
BY_LINES = (LINES, COUNTLESS_LINES)  # the candidates are blocks of whole lines of moves
_BY_WORDS = (WORDS, "joined", "single lines", "single words", DIRECTIONS, ARROWS_TOO)
_TEXTS = 2  # cached masks: the same text is requested several times in a row


@dataclass(frozen=True)
class Mask:
    """One reading of a text. *keeps_counts* is True if it is tried although the counts of a line make it too long."""

    name: str
    text: str
    keeps_counts: bool = False

    @property
    def refusal(self) -> PuzzleError | None:
        """The error of the first line that belongs to another kind of game."""
        other = OTHER_GAME.search(self.text) if self.name in BY_LINES else None
        return other and (SeveralPushers if other[0][-1] in "{}" else ReverseMode)(index=other.start())

    def runs(self) -> Iterator[tuple[int, int]]:
        """Yield the spans of the candidates: from a move or count to the next separator. Other games are skipped."""
        if self.name in (WHOLE, STRICT):
            yield 0, len(self.text)
        else:
            spans = (run.span() for run in _RUN.finditer(self.text))
            yield from (span for span in spans if self.name not in BY_LINES or not OTHER_GAME.search(self.text, *span))

    def parts_of(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield a span without its first line, which may be a title; then each of its paragraphs."""
        run = "" if self.name in IN_FULL else self.text[start:end]
        for second_line in islice(re.finditer(_FILLED_LINE, run), 1, 2):
            yield start + second_line.start(), end
        paragraphs = [(start + part.start(), start + part.end()) for part in _PARAGRAPH.finditer(run)]
        yield from paragraphs if len(paragraphs) > 1 else []


_RUN = re.compile(rf"[{LETTERS}0-9()*\[\]{{}}][^\0]*")
_FILLED_LINE = r"(?<![^\r\n])[^\r\n]*[^ \t\r\n][^\r\n]*"
_PARAGRAPH = re.compile(rf"{_FILLED_LINE}(?:(?:{LINE_END.pattern}){_FILLED_LINE})*")


def readings(text: str, names: Iterable[str] = READINGS) -> Iterator[Mask]:
    """Yield the different readings of *text* in the order in which they are tried.

    >>> [(mask.name, mask.text.replace(SEPARATOR, "|")) for mask in readings("by 3r: rR.")][:3]
    [('lines', '||||||||||'), ('whole', 'by 3r: rR.'), ('words', '|| 3r  rR ')]

    Time O(text).
    """
    seen: set[tuple[bool, str]] = set()
    for name in names:
        if len(text) > MAX_CHARACTERS and name in _BY_WORDS:
            continue
        for number, mask in enumerate(_MASKS[name](text)):
            # Letters are not tried if counts are too long; then the same steps as words still are.
            key = name.startswith(LETTERS_ONLY), mask
            if key not in seen:
                seen.add(key)
                yield Mask(name, mask, keeps_counts=number == 0 and name in (WHOLE, STRICT, WORDS, COUNTLESS_LINES))


def shorten_directions(text: str) -> str:
    """Return *text* with blanks for all but the first letters of left, right, up and down, and for links to counts.

    >>> shorten_directions("Left x3, up r(2)")
    'L     3, u  r 2)'
    """
    return _DIRECTION.sub(lambda part: (part[1] or part[2] or "")[:1].ljust(len(part[0])), text)


folded_text = lru_cache(_TEXTS)(fold_moves)

# Lines of moves

# Possessive, and only from the start of a gap: blank lines at the end would take quadratic time.
_GAP_AND_LINE = re.compile(r"(?<![\r\n])([\r\n]*+)([^\r\n]+)")
_LINE = re.compile(rf"(?P<quotes>>(?: ?>){{0,2}})?(?P<head>{HEAD}(?>.*[:：]))?(?P<moves>{MOVES_LINE})")


@lru_cache(_TEXTS)
def lines_mask(folded: str) -> str:
    r"""Keep the lines of moves, and moves after a head. Other lines separate; blank lines do not.

    >>> lines_mask("Answer: r\nhello\n>R").replace(SEPARATOR, "|")
    '||||||| r||||||| R'
    """
    block_is_quoted: bool | None = None

    def mask_line(match: re.Match[str]) -> str:
        nonlocal block_is_quoted
        gap, line = match.groups()
        if not line.strip():
            return gap + " " * len(line)
        found = _LINE.fullmatch(line)
        previous, block_is_quoted = block_is_quoted, bool(found["quotes"]) if found else None
        if not found:
            return SEPARATOR * len(match[0])
        if found["head"] or block_is_quoted != previous:
            gap = SEPARATOR * len(gap)
        return gap + (SEPARATOR if found["head"] else " ") * found.start("moves") + found["moves"]

    return _GAP_AND_LINE.sub(mask_line, folded)


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
    ('Moves: 3 Pushes: 1:r2R    ', 'rr \\nR')
    """
    unwrapped = _WRAP_MARK.sub(" ", folded)
    return re.sub(r"[^\r\n]+", _line_without_counts, unwrapped) if re.search("[0-9]", unwrapped) else unwrapped


def _line_without_counts(line: re.Match[str]) -> str:
    """Keep the longest stretch of moves in a line that has a number beside it; not in a line of another game."""
    quoted = quotes(line[0])
    text = line[0][quoted:]
    moves = max(_STRETCH.finditer(text), key=lambda part: len(part[1]), default=None)
    before, after = (text[: moves.start(1)], text[moves.end() :]) if moves else ("", "")
    if not moves or not re.search("[0-9]", before + after) or OTHER_GAME.search(text):
        return line[0]
    label = f"{before[:-1]}:" if re.match(HEAD, before) else " " * len(before)
    return f"{line[0][:quoted]}{label}{moves[1]}{' ' * len(after)}"


# Words

# Tags and entities of HTML, colours of terminals, and line ends and tabs as escapes of JSON. `\\r` alone may be a
# wrapped line and a step. `<RRR>` is no tag; a tag with moves in an attribute stays, and its words part them.
_MARK_UP = re.compile(
    r"<(?=[/A-Za-z])(?![lurdLURD]{3,}>|[^<>]*?[\"'][lurdLURD0-9()]{4,}[\"'])[^<>]*>"
    r"|\x1b?\[[0-9;]{1,9}m|&#?[A-Za-z0-9]{1,31};|(?:\\r)?\\n|\\t"
)
_WORD = re.compile(r"[A-Za-z0-9]+(?:'[A-Za-z0-9]+){0,3}(?=[\"'*`\])]{0,3}[ \t]{0,2}(:)?)")  # and the colon behind a key
# With another letter, a name of the alphabet, or a name of up to five letters before a colon: `Ruud:`.
_OTHER_WORD = re.compile(r".*[^lurdLURD0-9:].*|[0-9]*(?i:lurd|udlr)[0-9]*:?|(?![0-9])[^:]{0,4}[^0-9:]:")
_FOREIGN_LETTER = re.compile(r"[^\W\x00-\x7f]")
_DIGITS = "0123456789"
_ODD_SIGNS = str.maketrans("⬅⬆➡⬇’：", "lurd':")  # emoji are arrows only here: before, they may be bullets
_TRIANGLES = str.maketrans("◀▲▶▼◄►⮕⇐⇑⇒⇓", "lurdlrrlurd")  # arrows only where a text has no other steps
_ARROWS = str.maketrans("←↑→↓", "lurd")
_LINK = r"(?:[\"'`][ \t]{0,3}|[\"'`]?[ \t]{0,2}[:x×*(]{1,2}[ \t]?)(?=[0-9])"
# A direction, and what links it or a step to its count: `left x3`, `3*r`, `"r", 3`, `向右3步`.
_DIRECTION = re.compile(
    rf"(?:(?<![A-Za-z])|(?<=[0-9]x))(left|right|up|down)(?![A-Za-z])(?:{_LINK})?|(?<![A-Za-z])([lurd]){_LINK}"
    r"|(?<=[0-9])[ \t]?[x×*][ \t]?(?=(?:left|right|up|down|[lurd])(?![A-Za-z]))"
    r"|(?<=[0-9])[步格次]|[向往朝](?=[lurd])",
    re.IGNORECASE,
)
# Numbers begin and end where their digits do: tried from each digit, a number before a step would take quadratic time.
_LOOSE_COUNT = re.compile(rf"\([0-9 ]*\)|(?<![0-9])[0-9]++(?![({LETTERS}])")
_LOOSE_NUMBER = re.compile(rf"(?<![0-9{LETTERS}])(?<![{LETTERS}] )[0-9]+")
_LAST_COUNT = re.compile(rf"[{LETTERS}] ?[0-9]+(?![0-9({LETTERS}])")
_COUNT_BEHIND = re.compile(rf"([{LETTERS}])( {{0,12}})([0-9]+)|[0-9]+")  # a word of direction leaves blanks
_UNLINKED_COUNT = re.compile(rf"(?<![0-9])[0-9]++(?! {{0,3}}[{LETTERS}])")


@lru_cache(2 * _TEXTS)
def words_mask(folded: str) -> str:
    """Keep the words of steps, counts and brackets; other words separate, all other characters are blanks.

    >>> words_mask('Dull: "rR" (2/1).').replace(SEPARATOR, "|")
    '||||   rR  (2 1) '

    Only blanks if there are too many words.
    """
    text = folded.replace(SEPARATOR, " ")
    if not text.isascii():
        text = _FOREIGN_LETTER.sub("x", text.translate(_ODD_SIGNS))
    if any(next(islice(pattern.finditer(text), MAX_WORDS, None), None) for pattern in (_MARK_UP, _WORD)):
        return " " * len(text)

    def leave_out(word: re.Match[str]) -> str:
        return SEPARATOR * len(word[0]) if _OTHER_WORD.fullmatch(word[0] + (word[1] or "")) else word[0]

    return _keep(_WORD.sub(leave_out, _MARK_UP.sub(_blanks, text)), SEPARATOR + _DIGITS + "()")


@lru_cache(_TEXTS)
def _word_masks(text: str) -> list[str]:
    """Return the words with numbers directly before a step as counts, with those directly behind it, and with none."""
    words = words_mask(folded_text(text))
    if not re.search("[0-9()]", words):
        return [words]
    masks = [_LOOSE_COUNT.sub(_blanks, words), _keep(words, SEPARATOR)]
    if re.search(rf"[{LETTERS}] ?[0-9]", words):  # `r3 u` becomes `3r u`
        numbered = _LOOSE_NUMBER.sub(_blanks, _keep(words, SEPARATOR + _DIGITS))
        masks.insert(1 if _LAST_COUNT.search(words) else 2, _COUNT_BEHIND.sub(_count_before, numbered))
    return masks


def _direction_masks(text: str) -> Iterator[str]:
    directions = shorten_directions(folded_text(text))
    if directions != folded_text(text):
        words = _keep(words_mask(directions), SEPARATOR + _DIGITS)
        for counted in (words, words.replace(SEPARATOR, " ")):
            yield _keep(counted, SEPARATOR)
            yield _UNLINKED_COUNT.sub(_blanks, counted)
            yield _COUNT_BEHIND.sub(_count_before, counted)


def _arrow_masks(text: str) -> Iterator[str]:
    if not text.isascii():
        yield _keep(re.sub(f"[{LETTERS}]", " ", text).translate(_ARROWS | _ODD_SIGNS | _TRIANGLES), "")
    yield _keep(folded_text(text).translate(_ODD_SIGNS | _TRIANGLES), "")


_MASKS: Mapping[str, Callable[[str], Iterable[str]]] = {
    STRICT: lambda text: [text],
    WHOLE: lambda text: [text],
    LINES: lambda text: [lines_mask(folded_text(text))],
    COUNTLESS_LINES: lambda text: [lines_mask(without_counts(folded_text(text)))],
    # Candidates are separated by other words; by nothing; also by line ends; also by blanks.
    WORDS: _word_masks,
    "joined": lambda text: [mask.replace(SEPARATOR, " ") for mask in _word_masks(text)],
    "single lines": lambda text: [mask.translate(dict.fromkeys(b"\r\n", SEPARATOR)) for mask in _word_masks(text)],
    # Without its counts a single word such as `d2(R)RR` would fall into three.
    "single words": lambda text: [_word_masks(text)[0].translate(dict.fromkeys(b"\r\n ", SEPARATOR))],
    DIRECTIONS: _direction_masks,
    LETTERS_ONLY: lambda text: [_keep(text, "")],
    ARROWS_TOO: _arrow_masks,
}


def _count_before(part: re.Match[str]) -> str:
    """Return a step with its count before it; blanks for a number that is behind no step."""
    return part[3] + part[2] + part[1] if part[1] else _blanks(part)


def _blanks(part: re.Match[str]) -> str:
    return " " * len(part[0])


def _keep(text: str, kept: str) -> str:
    """Return *text* with blanks in place of all characters but steps, line ends and the ASCII characters *kept*."""
    return text.encode("ascii", "replace").translate(_table_of(kept)).decode()


@cache
def _table_of(kept: str) -> bytes:
    return bytes(code if chr(code) in LETTERS + "\r\n" + kept else ord(" ") for code in range(256))
