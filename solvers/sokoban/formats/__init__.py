"""Read and write levels in the formats in circulation: `read_collection` takes any file.

docs/formats.md describes them all. Of texts `boards` finds the boards of XSB, .sok and MF8, by lines (`runs`) and
letters (`rows`), and `collection` reads what stands around them (`gaps`, `attempts`); `xsb`, `sok` and `mf8` write.
`slc` reads and writes XML, `compact` and `sokoplayer` links, `letslogic` digits. `text` decodes, `remarks` says what is
odd.
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
    """Read a whole file of levels in any format; *name* is the collection's if the file does not say one.

    >>> [entry.title for entry in read_collection("One\\n\\n#####\\n#@$.#\\n#####\\n").entries]
    ['One']

    Bytes are decoded as `text.decode` says, or by *encoding*. What cannot be read stands in `unread` with its line
    and column. Raise NotText for bytes that are no text; never anything else. Time O(data + steps of solutions).
    """
    header = Header()
    found = list(_read(data, header, encoding))
    return Collection(
        header.name or name,
        header.author,
        header.notes,
        header.keys,
        tuple(entry for entry in found if isinstance(entry, Entry)),
        tuple(entry for entry in found if isinstance(entry, Unread)),
        tuple(header.remarks),
    )


def _read(data: bytes | str, header: Header, encoding: str) -> Iterator[Entry | Unread]:
    if is_slc(data[:_START]):
        # Text has been decoded already: what its declaration says of an encoding is no longer true.
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
    """Yield the levels of the file at *path*, in any format and of any size. Memory O(one level and its text).

    Raise NotText, TooLong for a line beyond 4 MiB, or OSError from the file.
    """
    with path.open("rb") as file:
        if not is_slc(file.read(_START)):
            yield from read_levels(read_lines(path), header)
            return
        file.seek(0)
        yield from read_slc(iter(lambda: file.read(_CHUNK), b""), header)
