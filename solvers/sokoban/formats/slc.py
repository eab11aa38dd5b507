"""Read and write .slc collections, the XML format of Sokoban for Windows.

Files that declare entities or refer to other files are rejected; nothing external is ever loaded.
"""

import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any, NoReturn
from xml.parsers import expat

from solvers.errors import BadMarkup, PuzzleError
from solvers.sokoban.formats.collection import Collection, TextGap
from solvers.sokoban.formats.files.encodings import is_charset
from solvers.sokoban.formats.files.items import Item
from solvers.sokoban.formats.rows import Board, level_of, read_size, remarks_of_size
from solvers.sokoban.formats.runs import Unreadable
from solvers.sokoban.formats.xsb import rows_with_blanks
from solvers.sokoban.level import MAX_SIDE

SLC_START = re.compile(r"[\ufeff \t\r\n]*<(?:\?xml|!DOCTYPE|SokobanLevels|.*<SokobanLevels)", re.DOTALL)
_MAX_TEXT = 20_000
_DECLARATION = re.compile(r"\ufeff?\s*<\?xml[^>]*?(?:encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"'][^>]*)?\?>")
_AMPERSAND = re.compile(r"&(?!#[0-9]+;|#x[0-9A-Fa-f]+;|\w+;)")  # bare, in a title such as "Up & down"
_CHUNK = 65_536
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # characters that XML cannot represent
_FILE_KEYS = {"Title": "collection", "Description": "comment", "Email": "email", "Url": "url"}


def gaps_of_slc(chunks: Iterable[str]) -> Iterator[TextGap]:
    """Yield the boards of a decoded .slc file; titles and authors are below their boards.

    Unreadable levels are yielded too; reading stops at malformed XML. Memory O(text).
    """
    parser = expat.ParserCreate("utf-8")
    target = _Target(parser)
    try:
        text = _prepare("".join(chunks))
        for at in range(0, len(text), _CHUNK):
            parser.Parse(text[at : at + _CHUNK].encode(errors="replace"))
            yield from target.gaps
            target.gaps.clear()
        parser.Parse(b"", True)  # noqa: FBT003 - expat accepts this argument only by position
    except expat.ExpatError as error:
        target.refuse(BadMarkup(reason="it is not well formed"), error.lineno, error.offset + 1)
    except BadMarkup as error:
        target.refuse(error, target.line, 1)
    yield from target.gaps
    yield TextGap(target.items, None, [])


def write(collection: Collection) -> str:
    """Encode *collection* as .slc text: boards, titles and authors. The format cannot hold solutions."""
    entries = collection.entries
    widest = max((entry.level.width for entry in entries), default=0)
    highest = max((entry.level.height for entry in entries), default=0)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        "<SokobanLevels>",
        f"  <Title>{_escape(collection.name)}</Title>",
        f"  <Description>{_escape(collection.notes)}</Description>",
        f'  <LevelCollection Copyright="{_escape(collection.author)}" MaxWidth="{widest}" MaxHeight="{highest}">',
    ]
    for entry in entries:
        author = f' Copyright="{_escape(entry.author)}"' if entry.author != collection.author else ""
        size = f'Width="{entry.level.width}" Height="{entry.level.height}"'
        lines += [f'    <Level Id="{_escape(entry.title)}" {size}{author}>']
        lines += [f"      <L>{row}</L>" for row in rows_with_blanks(entry.level)]
        lines += ["    </Level>"]
    return "\n".join([*lines, "  </LevelCollection>", "</SokobanLevels>", ""])


def _escape(text: str) -> str:
    return escape(_CONTROL.sub(" ", text))


def _prepare(text: str) -> str:
    """Return *text* without the declaration, which no longer applies, and with bare ampersands escaped."""
    if declaration := _DECLARATION.match(text):
        if not is_charset(declaration[1] or "utf-8"):  # then the text was decoded by a guess
            raise BadMarkup(reason="its encoding is not known")
        text = "\n" * declaration[0].count("\n") + text[declaration.end() :]
    return _AMPERSAND.sub("&amp;", text)


def _refuse_entities(*_declared: Any) -> NoReturn:
    raise BadMarkup(reason="entities of its own and references to other files are refused")


class _Target:
    """Receives parser events and builds one level at a time."""

    def __init__(self, parser: expat.XMLParserType) -> None:
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.CharacterDataHandler = self.data
        parser.EndElementHandler = self.end
        parser.EntityDeclHandler = parser.UnparsedEntityDeclHandler = _refuse_entities
        parser.ExternalEntityRefHandler = parser.SkippedEntityHandler = _refuse_entities
        self._parser = parser
        self.items: list[Item] = []  # since the last board
        self.gaps: list[TextGap] = []
        self._text = ""  # of the current element
        self._rows: list[tuple[int, str]] | None = None  # of the current level, with their lines
        self._level: dict[str, str] = {}
        self._first_line = 0
        self._author: str | None = None  # of the current collection

    @property
    def line(self) -> int:
        return self._parser.CurrentLineNumber

    def refuse(self, error: BadMarkup, line: int, column: int) -> None:
        self._add_board(Unreadable(line, error.at(line=line, column=column)))

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._text = ""
        if tag == "LevelCollection":
            is_first, self._author = self._author is None, attributes.get("Copyright", "").strip()
            if is_first:
                self._add_key("author", self._author)
        elif tag == "Level":
            self._rows, self._level, self._first_line = [], attributes, self.line

    def data(self, text: str) -> None:
        self._text = (self._text + text)[:_MAX_TEXT]

    def end(self, tag: str) -> None:
        text, self._text = self._text, ""
        if tag == "L" and self._rows is not None:
            if len(self._rows) <= MAX_SIDE:  # one more than allowed, so that the error is detected
                self._rows.append((self.line, text.rstrip()))
        elif tag == "Level" and self._rows is not None:
            self._add_board(self._read_board(self._rows))
            self._add_key("title", self._level.get("Id", ""))
            self._add_key("author", self._level.get("Copyright", "").strip() or self._author or "")
            self._rows = None
        elif self._rows is None and tag in _FILE_KEYS:
            self._add_key(_FILE_KEYS[tag], text)

    def _add_key(self, key: str, text: str) -> None:
        words = text.strip() if key == "comment" else " ".join(text.split())
        if words:
            self.items.append(Item(self.line if self._rows is None else self._first_line, words, "key", key))

    def _add_board(self, board: Board | Unreadable) -> None:
        self.gaps.append(TextGap(self.items, board, []))
        self.items = []

    def _read_board(self, rows: list[tuple[int, str]]) -> Board | Unreadable:
        first, numbers, texts = self._first_line, tuple(number for number, _ in rows), [text for _, text in rows]
        size = read_size(self._level.get("Width", "")), read_size(self._level.get("Height", ""))
        try:
            return Board(first, level_of(texts), remarks_of_size(texts, *size, first), numbers)
        except PuzzleError as error:
            return Unreadable(first, error.at(line=first, column=1), numbers)
