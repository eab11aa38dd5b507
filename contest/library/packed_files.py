"""Uploaded collection: one file of levels, or a ZIP of several, unpacked within limits."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from tempfile import NamedTemporaryFile

from django.utils.translation import gettext as _

from solvers.errors import PuzzleError
from solvers.sokoban.formats import Entry, Header, Stated, Unread, read_file
from solvers.sokoban.formats.text import decode

MOST_FILES = 200  # level files in a ZIP
_KINDS = (".sok", ".xsb", ".slc", ".txt")
_LARGEST_DIRECTORY = 2**18  # size of a ZIP's central directory, which `zipfile` reads at once
_END = 22  # size of the end-of-directory record without a comment
_LONGEST_COMMENT = 2**16
_ZIP64 = b"PK\6\7"
_IN_UTF8 = 0x800


class BadZip(ValueError):
    """The ZIP is refused, with a message that says why."""


@dataclass(frozen=True)
class PackedFile:
    """A level file and its name without folders."""

    name: str
    data: bytes


def is_zip(data: bytes) -> bool:
    """Return whether *data* starts like a ZIP file, including an empty one."""
    return data.startswith((b"PK\3\4", b"PK\5\6"))


def unpack(data: bytes, most: int, most_files: int = MOST_FILES) -> list[PackedFile]:
    """Return the level files in a ZIP in order; ignore other files and nested ZIPs.

    They may have *most* bytes in all and be at most *most_files*. Raise BadZip. Time and memory O(most).
    """
    _check_directory(data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            chosen = [entry for entry in packed.infolist() if _has_levels(entry)]
            if not chosen:
                raise BadZip(_("This ZIP has no file of levels (.sok, .xsb, .slc, .txt)."))
            if len(chosen) > most_files:
                message = _("This ZIP has %(count)s files of levels; the limit is %(most)s at once.")
                raise BadZip(message % {"count": len(chosen), "most": most_files})
            return list(_read(packed, chosen, most))
    except BadZip:
        raise
    # Exceptions of zipfile and its decompressors for broken or encrypted files and unknown methods.
    except (zipfile.BadZipFile, RuntimeError, OSError, EOFError, struct.error, zlib.error, ValueError, IndexError):
        raise BadZip(_("This ZIP cannot be unpacked.")) from None


def _check_directory(data: bytes) -> None:
    """Refuse a ZIP with far too many files before its directory is read."""
    at = data.rfind(b"PK\5\6", max(0, len(data) - _END - _LONGEST_COMMENT))
    if at < 0 or len(data) < at + _END:
        raise BadZip(_("This ZIP cannot be unpacked."))
    if int.from_bytes(data[at + 12 : at + 16], "little") > _LARGEST_DIRECTORY or data[at - 20 : at - 16] == _ZIP64:
        raise BadZip(_("This ZIP contains too many files."))


def _has_levels(entry: zipfile.ZipInfo) -> bool:
    path = PurePosixPath(entry.filename)
    is_shadow = path.name.startswith(".") or "__MACOSX" in path.parts
    return not entry.is_dir() and not is_shadow and path.suffix.lower() in _KINDS


def _read(packed: zipfile.ZipFile, chosen: list[zipfile.ZipInfo], most: int) -> Iterator[PackedFile]:
    left = most
    for entry in chosen:
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise BadZip(_("This ZIP cannot be unpacked."))
        with packed.open(entry) as file:
            data = file.read(left + 1)  # the size in the ZIP cannot be trusted
        if len(data) > left:
            message = _("The levels in this ZIP have more than %(most)s bytes. Upload them in parts.")
            raise BadZip(message % {"most": f"{most:,}"})
        left -= len(data)
        yield PackedFile(_name(entry), data)


def _name(entry: zipfile.ZipInfo) -> str:
    """Return the file's original name: many Chinese ZIPs have it in GBK without declaring it."""
    name = PurePosixPath(entry.filename).name
    if not entry.flag_bits & _IN_UTF8:
        with suppress(UnicodeError, PuzzleError):
            name = decode(name.encode("cp437"))
    return "".join(letter for letter in name if letter.isprintable())


def name_of(zip_name: str, files: list[PackedFile]) -> str:
    """Return the name of a collection from a ZIP: the ZIP's name and its files."""
    names = ", ".join(file.name for file in files)
    return f"{zip_name}: {names}" if zip_name else names


def count_lines(data: bytes, most: int) -> int:
    """Return the number of lines to read."""
    return sum(map(_count_lines, files_of(data, most)))


def levels(data: bytes, most: int, header: Header, stated: Stated | None = None) -> Iterator[Entry | Unread]:
    """Yield the levels of all files with continuous line numbers, and an Unread for each unreadable file of a ZIP.

    Raise PuzzleError if a single file is not text. Memory O(most and one level).
    """
    before = 0
    for file in files_of(data, most):
        try:
            for entry in _levels_of(file.data, header, stated):
                line = before + entry.line
                if isinstance(entry, Unread) and file.name:
                    yield replace(entry, line=line, title=f"{file.name}: {entry.title}")
                else:
                    yield replace(entry, line=line)
        except PuzzleError as error:
            if not file.name:
                raise
            yield Unread(1, before + 1, error, file.name)
        before += _count_lines(file)


def _count_lines(file: PackedFile) -> int:
    return file.data.count(b"\n") or file.data.count(b"\r") or 1


def files_of(data: bytes, most: int) -> list[PackedFile]:
    """Return the uploaded files; a refused ZIP is returned as a single file, which is not text."""
    if is_zip(data):
        with suppress(BadZip):
            return unpack(data, most)
    return [PackedFile("", data)]


def _levels_of(data: bytes, header: Header, stated: Stated | None) -> Iterator[Entry | Unread]:
    with NamedTemporaryFile(suffix=".levels") as file:
        file.write(data)
        file.flush()
        yield from read_file(Path(file.name), header, stated)
