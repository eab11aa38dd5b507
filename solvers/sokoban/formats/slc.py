"""Read and write .slc collections, the XML format of Sokoban for Windows.

Files that declare entities or refer to other files are rejected; nothing external is ever loaded.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn
from xml.parsers import expat

from solvers.errors import BadMarkup, NoBoard, PuzzleError
from solvers.sokoban.formats.collection import MAX_TITLE, Collection, Entry, Header, Unread
from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.rows import level_of
from solvers.sokoban.formats.xsb import rows_with_blanks
from solvers.sokoban.level import MAX_SIDE

_MAX_TEXT = 20_000
_DECLARATION = re.compile(r"\s*<\?xml[^>]*?(?:encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"'][^>]*)?\?>")
_AMPERSAND = re.compile(r"&(?!#[0-9]+;|#x[0-9A-Fa-f]+;|\w+;)")  # bare, in a title such as "Up & down"
_LONGEST_REFERENCE = 40
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # characters that XML cannot represent
_FILE_KEYS = {"Title": "name", "Description": "notes", "Email": "email", "Url": "url"}


def is_slc(start: str) -> bool:
    """Return whether a text that begins with *start* is an .slc collection.

    >>> is_slc('<?xml version="1.0"?><SokobanLevels>')
    True
    """
    text = start.lstrip("\ufeff \t\r\n")
    return text.startswith(("<?xml", "<!DOCTYPE", "<SokobanLevels")) or (text[:1] == "<" and "<SokobanLevels" in text)


def read_slc(chunks: Iterable[str], header: Header | None = None) -> Iterator[Entry | Unread]:
    """Yield the levels of an .slc file, decoded and read in chunks; fill *header* with its metadata.

    Unreadable levels are yielded as Unread; reading stops at malformed XML. Memory O(one level).
    """
    parser = expat.ParserCreate("utf-8")
    target = _Target(header if header is not None else Header(), parser)
    try:
        for chunk in _prepare(chunks):
            parser.Parse(chunk.encode(errors="replace"))
            yield from target.drain()
        parser.Parse(b"", True)  # noqa: FBT003 - expat accepts this argument only by position
    except expat.ExpatError as error:
        yield from target.drain()
        yield _unread_entry(target, "it is not well formed", error.lineno, error.offset + 1)
    except _Entities:
        yield from target.drain()
        yield _unread_entry(target, "entities of its own and references to other files are refused", target.line, 1)
    except LookupError:
        yield _unread_entry(target, "its encoding is not known", 1, 1)
    yield from target.drain()


def write(collection: Collection) -> str:
    """Encode *collection* as .slc text: boards, titles and authors. The format cannot hold solutions.

    Levels, titles and authors survive a round trip. Time O(text).
    """
    entries = collection.entries
    widest = max((entry.level.width for entry in entries), default=0)
    highest = max((entry.level.height for entry in entries), default=0)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        "<SokobanLevels>",
        f"  <Title>{_escape(collection.name)}</Title>",
        f"  <Description>{_escape(collection.notes)}</Description>",
        f'  <LevelCollection Copyright={_quote(collection.author)} MaxWidth="{widest}" MaxHeight="{highest}">',
    ]
    for entry in entries:
        author = f" Copyright={_quote(entry.author)}" if entry.author != collection.author else ""
        size = f'Width="{entry.level.width}" Height="{entry.level.height}"'
        lines += [f"    <Level Id={_quote(entry.title)} {size}{author}>"]
        lines += [f"      <L>{row}</L>" for row in rows_with_blanks(entry.level)]
        lines += ["    </Level>"]
    return "\n".join([*lines, "  </LevelCollection>", "</SokobanLevels>", ""])


def _escape(text: str) -> str:
    from xml.sax.saxutils import escape  # imports urllib, which readers do not need

    return escape(_CONTROL.sub(" ", text))


def _quote(text: str) -> str:
    from xml.sax.saxutils import quoteattr  # as above

    return quoteattr(_CONTROL.sub(" ", text))


def _unread_entry(target: "_Target", reason: str, line: int, column: int) -> Unread:
    return Unread(target.number + 1, line, BadMarkup(line=line, column=column, reason=reason))


def _prepare(chunks: Iterable[str]) -> Iterator[str]:
    """Yield *chunks* without the declaration, which no longer applies, and with bare ampersands escaped.

    Raise LookupError if the declaration names an unknown encoding: then the text was decoded by a guess.
    """
    held, is_first = "", True
    for chunk in chunks:
        held += chunk
        if is_first:
            held = held.lstrip("\ufeff")
            if declaration := _DECLARATION.match(held):
                "".encode(declaration[1] or "utf-8")
                held = "\n" * declaration[0].count("\n") + held[declaration.end() :]
            is_first = False
        cut = held.rfind("&", max(0, len(held) - _LONGEST_REFERENCE))  # its rest may be in the next chunk
        ready, held = (held, "") if cut == -1 else (held[:cut], held[cut:])
        yield _AMPERSAND.sub("&amp;", ready)
    yield _AMPERSAND.sub("&amp;", held)


class _Entities(Exception):
    """The file declares entities or refers to another file."""


def _refuse_entities(*_declared: Any) -> NoReturn:
    raise _Entities


class _Target:
    """Receives parser events and builds one level at a time."""

    def __init__(self, header: Header, parser: expat.XMLParserType) -> None:
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.CharacterDataHandler = self.data
        parser.EndElementHandler = self.end
        parser.EntityDeclHandler = parser.UnparsedEntityDeclHandler = _refuse_entities
        parser.ExternalEntityRefHandler = parser.SkippedEntityHandler = _refuse_entities
        self._parser = parser
        self.header = header
        self.number = 0
        self._entries: list[Entry | Unread] = []
        self._path: list[str] = []
        self._depth = 0
        self._text: list[str] = []
        self._size = 0
        self._rows: list[str] | None = None  # rows of the current level
        self._level: dict[str, str] = {}
        self._first_line = 0

    @property
    def line(self) -> int:
        return self._parser.CurrentLineNumber

    def drain(self) -> Iterator[Entry | Unread]:
        entries, self._entries = self._entries, []
        yield from entries

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._text, self._size = [], 0
        if tag == "LevelCollection":
            self.header.author = attributes.get("Copyright", "").strip()[:MAX_TITLE]
        elif tag == "Level":
            self._rows, self._level, self._first_line = [], attributes, self.line

    def data(self, text: str) -> None:
        self._size += len(text)
        if self._size <= _MAX_TEXT:
            self._text.append(text)

    def end(self, tag: str) -> None:
        text = "".join(self._text)
        self._text, self._size = [], 0
        if tag == "L" and self._rows is not None:
            if len(self._rows) <= MAX_SIDE:  # one more than allowed, so that the error is detected
                self._rows.append(text.rstrip())
        elif tag == "Level" and self._rows is not None:
            self._entries.append(self._read_level())
            self._rows = None
        elif self._rows is None and (key := _FILE_KEYS.get(tag)) and text.strip():
            self._read_file_key(key, text.strip())

    def _read_file_key(self, key: str, text: str) -> None:
        if key == "name":
            self.header.name = self.header.name or text[:MAX_TITLE]
        elif key == "notes":
            self.header.notes = self.header.notes or text
        else:
            self.header.keys.setdefault(key, text[:MAX_TITLE])

    def _read_level(self) -> Entry | Unread:
        self.number += 1
        rows = self._rows or []
        title = " ".join(self._level.get("Id", "").split())[:MAX_TITLE]
        try:
            if not rows:
                raise NoBoard
            level = level_of(rows)
        except PuzzleError as error:
            return Unread(self.number, self._first_line, error.at(line=self._first_line, column=1), title)
        author = " ".join((self._level.get("Copyright", "").strip() or self.header.author).split())[:MAX_TITLE]
        stated_size = self._level.get("Width", ""), self._level.get("Height", "")
        counted_size = str(max(map(len, rows))), str(len(rows))
        remarks: tuple[Remark, ...] = ()
        if any(stated and stated != counted for stated, counted in zip(stated_size, counted_size, strict=True)):
            values = {"given": "x".join(stated_size)[:40], "found": "x".join(counted_size)}
            remarks = (Remark(Notice.SIZE_DIFFERS, self._first_line, values),)
        return Entry(self.number, self._first_line, level, title, author, remarks=remarks)
