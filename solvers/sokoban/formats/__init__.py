"""Read and write level files in all common formats. `read_collection` reads any of them.

docs/reference/formats.md describes the formats. For XSB, .sok and MF8 text, `boards` finds the boards by lines (`runs`)
and letters (`rows`), and `collection` reads the text around them (`attempts`); `xsb`, `sok` and `mf8` write. `files`
has the rest of the text reader: encodings, names around boards, marks around rows, JSON. `slc` reads and writes XML,
`compact` and `sokoplayer` links, `letslogic` digits. `remarks` defines warnings. `single` reads a text that has one
level, for the fields of forms.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

from solvers.sokoban.formats.attempts import Attempt, Kind
from solvers.sokoban.formats.collection import (
    Collection,
    Entry,
    Header,
    Stated,
    TextGap,
    Unread,
    gaps_of,
    read_gaps,
    read_levels,
)
from solvers.sokoban.formats.files.encodings import encoding_of
from solvers.sokoban.formats.files.objects import JSON_START, lines_of_json
from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.runs import number_lines
from solvers.sokoban.formats.slc import SLC_START, gaps_of_slc
from solvers.sokoban.formats.text import split_lines

__all__ = [
    "Attempt",
    "Collection",
    "Entry",
    "Header",
    "Kind",
    "Notice",
    "Remark",
    "Stated",
    "Unread",
    "detect_encoding",
    "find_gaps",
    "read_collection",
    "read_file",
    "read_levels",
]

_CHUNK = 65_536


def read_collection(data: bytes | str, *, name: str = "", stated: Stated | None = None) -> Collection:
    """Read a whole level file in any format. *name* names the collection if the file does not.

    >>> [entry.title for entry in read_collection("One\\n\\n#####\\n#@$.#\\n#####\\n").entries]
    ['One']

    Bytes are decoded by `encoding_of` unless an encoding is *stated*. Unreadable boards are in `unread` with their line
    and column. Raise NotText for bytes that are not text, and nothing else. Time O(data + steps of solutions).
    """
    header, stated = Header(), stated or Stated()
    if isinstance(data, bytes):
        data = data.decode(stated.encoding or detect_encoding([data], header), errors="replace")
    found = list(_read([data], header, stated))
    return Collection(
        **vars(header) | {"name": header.name or name, "remarks": tuple(header.remarks)},
        entries=tuple(entry for entry in found if isinstance(entry, Entry)),
        unread=tuple(entry for entry in found if isinstance(entry, Unread)),
    )


def read_file(path: Path, header: Header | None = None, stated: Stated | None = None) -> Iterator[Entry | Unread]:
    """Yield the levels of the file at *path*, of any format and size. Memory O(text of the levels weighed together).

    The file is read twice: to detect the encoding, and for its text. Raise NotText, TooLong for a line beyond 4 MiB, or
    OSError from the file.
    """
    header, stated = header or Header(), stated or Stated()
    encoding = stated.encoding
    if not encoding:
        with path.open("rb") as file:
            encoding = detect_encoding(iter(lambda: file.read(_CHUNK), b""), header)
    with path.open(encoding=encoding, errors="replace", newline="") as text:
        yield from _read(iter(lambda: text.read(_CHUNK), ""), header, stated)


def detect_encoding(chunks: Iterable[bytes], header: Header) -> str:
    """Return the name of a file's encoding. Remark a guess in *header*. Raise NotText."""
    encoding = encoding_of(chunks)
    if encoding.is_guess:
        header.remarks.append(Remark(Notice.ENCODING_GUESSED, values={"encoding": encoding.name}))
    return encoding.name


def _read(chunks: Iterable[str], header: Header, stated: Stated) -> Iterator[Entry | Unread]:
    gaps, stated = find_gaps(chunks, header, stated)
    yield from read_gaps(gaps, header, stated)


def find_gaps(chunks: Iterable[str], header: Header, stated: Stated) -> tuple[Iterator[TextGap], Stated]:
    """Return the boards of a text in any format, with the text before each. In XML and JSON names are below."""
    chunks, below = iter(chunks), replace(stated, names_above=False)
    first = next(chunks, "")
    if SLC_START.match(first):
        return gaps_of_slc(chain([first], chunks)), below
    if JSON_START.match(first):
        first += "".join(chunks)
        if lines := lines_of_json(first):
            return gaps_of(lines, header, stated), below
    return gaps_of(number_lines(split_lines(chain([first], chunks))), header, stated), stated
