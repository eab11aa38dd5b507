"""Read and write level files in all common formats. `read_collection` reads any of them.

docs/reference/formats.md describes the formats. For XSB, .sok and MF8 text, `boards` finds the boards by lines (`runs`)
and letters (`rows`), and `collection` reads the text around them (`gaps`, `attempts`); `xsb`, `sok` and `mf8` write.
`slc` reads and writes XML, `compact` and `sokoplayer` links, `letslogic` digits. `text` decodes bytes. `remarks`
defines warnings.
"""

from collections.abc import Iterator
from pathlib import Path

from solvers.sokoban.formats.attempts import Attempt, Kind
from solvers.sokoban.formats.collection import Collection, Entry, Header, Unread, read_levels
from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.slc import is_slc, read_slc
from solvers.sokoban.formats.text import decode, read_lines, split_lines

__all__ = [
    "Attempt",
    "Collection",
    "Entry",
    "Header",
    "Kind",
    "Notice",
    "Remark",
    "Unread",
    "read_collection",
    "read_file",
    "read_levels",
]

_START = 4_096
_CHUNK = 65_536


def read_collection(data: bytes | str, *, name: str = "", encoding: str = "") -> Collection:
    """Read a whole level file in any format. *name* names the collection if the file does not.

    >>> [entry.title for entry in read_collection("One\\n\\n#####\\n#@$.#\\n#####\\n").entries]
    ['One']

    Bytes are decoded by `text.decode`, or with *encoding*. Unreadable boards are in `unread` with their line and
    column. Raise NotText for bytes that are not text, and nothing else. Time O(data + steps of solutions).
    """
    header = Header()
    entries = list(_read(data, header, encoding))
    return Collection(
        header.name or name,
        header.author,
        header.notes,
        header.keys,
        tuple(entry for entry in entries if isinstance(entry, Entry)),
        tuple(entry for entry in entries if isinstance(entry, Unread)),
        tuple(header.remarks),
    )


def _read(data: bytes | str, header: Header, encoding: str) -> Iterator[Entry | Unread]:
    if is_slc(data[:_START]):
        # A str is already decoded, so the encoding in its XML declaration no longer applies.
        yield from read_slc(
            [data] if isinstance(data, bytes) else [_without_declaration(data).encode(errors="replace")], header
        )
    else:
        text = decode(data, encoding=encoding) if isinstance(data, bytes) else data
        yield from read_levels(split_lines([text]), header)


def _without_declaration(text: str) -> str:
    text = text.lstrip("\ufeff \t\r\n")
    return text.partition("?>")[2] if text.startswith("<?xml") else text


def read_file(path: Path, header: Header | None = None) -> Iterator[Entry | Unread]:
    """Yield the levels of the file at *path*, of any format and size. Memory O(one level and its text).

    Raise NotText, TooLong for a line beyond 4 MiB, or OSError from the file.
    """
    with path.open("rb") as file:
        if not is_slc(file.read(_START)):
            yield from read_levels(read_lines(path), header)
            return
        file.seek(0)
        yield from read_slc(iter(lambda: file.read(_CHUNK), b""), header)
