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

from solvers.errors import TooLong
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
    "read_collection",
    "read_file",
    "read_levels",
]

_CHUNK = 65_536
_MAX_PIPE = 1 << 26  # bytes


def read_collection(data: bytes | str | Path, *, name: str = "", stated: Stated | None = None) -> Collection:
    """Read a whole level file in any format: its Path, bytes or text. *name* is the name if the file has none.

    A string is the text itself, never a path: `read_collection("two.xsb")` has no level, `Path("two.xsb")` is the file.

    >>> collection = read_collection("One\\n\\n#####\\n#@$.#\\n#####\\n")
    >>> len(collection), collection[0].title, collection[0].level
    (1, 'One', Level.parse('#####|#@$.#|#####'))

    Unreadable boards are in `unread`. Raise NotText for bytes that are not text, OSError from the file.
    Time O(data + steps of solutions).
    """
    if isinstance(data, Path):
        name, data = name or data.stem, data.read_bytes()
    if not isinstance(data, bytes | str):
        raise TypeError(f"data must be a Path, or the bytes or text of a file, not {data!r}")
    file, stated = Collection(), stated or Stated()
    gaps, stated = find_gaps([text_of(data, file, stated)], file, stated)
    found = list(read_gaps(gaps, file, stated))
    file.name = file.name or name
    file.entries = tuple(entry for entry in found if isinstance(entry, Entry))
    file.unread = tuple(entry for entry in found if isinstance(entry, Unread))
    return file


def read_file(path: Path, header: Header | None = None, stated: Stated | None = None) -> Iterator[Entry | Unread]:
    """Yield the levels of the file at *path*, of any format and size. Memory O(text of the levels weighed together).

    A file is read twice: to detect the encoding, and for its text. A pipe or device, which may be endless, is read once
    up to 64 MiB. Raise NotText, TooLong for more or for a line beyond 4 MiB, or OSError from the file.
    """
    header, stated = header or Header(), stated or Stated()
    if path.exists() and not path.is_file():
        with path.open("rb") as file:
            data = file.read(_MAX_PIPE + 1)
        if len(data) > _MAX_PIPE:
            raise TooLong(size=len(data), limit=_MAX_PIPE)
        gaps, stated = find_gaps([text_of(data, header, stated)], header, stated)
        yield from read_gaps(gaps, header, stated)
        return
    with path.open("rb") as file:
        encoding = _choose_encoding(iter(lambda: file.read(_CHUNK), b""), header, stated)
    with path.open(encoding=encoding, errors="replace", newline="") as text:
        gaps, stated = find_gaps(iter(lambda: text.read(_CHUNK), ""), header, stated)
        yield from read_gaps(gaps, header, stated)


def text_of(data: bytes | str, header: Header, stated: Stated) -> str:
    """Return the text of a file. Remark a guessed encoding in *header*. Raise NotText."""
    return data if isinstance(data, str) else data.decode(_choose_encoding([data], header, stated), errors="replace")


def _choose_encoding(chunks: Iterable[bytes], header: Header, stated: Stated) -> str:
    encoding = None if stated.encoding else encoding_of(chunks)
    if encoding and encoding.is_guess:
        header.remarks += (Remark(Notice.ENCODING_GUESSED, values={"encoding": encoding.name}),)
    return encoding.name if encoding else stated.encoding


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
