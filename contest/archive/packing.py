"""Write the ZIP of an archive in reproducible bytes, and check that a ZIP was packed this way (rule 24.1)."""

import hashlib
import io
import struct
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from contest.archive import format as archived
from contest.archive.checks import refuse
from contest.archive.reader import Archive
from contest.rules import canonical

Chunks = Callable[[], Iterable[bytes]]
_DATE = (1980, 1, 1, 0, 0, 0)
_DIRECTORY_ENTRY_BYTES, _END_RECORD_BYTES = 46, 22  # bytes of a directory entry without its name, and of the end record
_PIECE = 65_536


@dataclass(frozen=True)
class Contents:
    """An archive before it is written: its files by name, and an ETag that changes with any of its contents."""

    round: int
    engine: int
    format: int
    files: Mapping[str, Chunks]
    etag: str


def write(contents: Contents) -> Iterator[bytes]:
    """Yield the ZIP in chunks: the files in a fixed order with a fixed time, then the manifest with their hashes.

    Memory O(one chunk and the files without moves).
    """
    hashes: dict[str, str] = {}

    def files() -> Iterator[tuple[str, Iterable[bytes]]]:
        *names, manifest_name = _file_order(contents.format)
        for name in names:
            yield name, _hash_chunks(name, contents.files[name](), hashes)
        yield manifest_name, [manifest(contents, hashes)]

    yield from pack(files())


def pack(files: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    """Yield the ZIP of *files*, given as names and chunks, in their order."""
    sink = _Sink()
    with zipfile.ZipFile(sink, "w") as packed:
        for name, chunks in files:
            with packed.open(_entry(name), "w") as file:
                for chunk in chunks:
                    file.write(chunk)
                    yield sink.take()
    yield sink.take()


def _hash_chunks(name: str, chunks: Iterable[bytes], hashes: dict[str, str]) -> Iterator[bytes]:
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(chunk)
        yield chunk
    hashes[name] = digest.hexdigest()


def manifest(contents: Contents, hashes: Mapping[str, str]) -> bytes:
    content = {
        "format": contents.format,
        "engine": contents.engine,
        "round": contents.round,
        "files": {name: hashes[name] for name in archived.HASHED[contents.format]},
    }
    return canonical.json_page(content).encode()


def seal(contents: Contents) -> str:
    """Return the SHA-256 of the manifest that the archive would have, without packing it."""
    hashes = {}
    for name in archived.HASHED[contents.format]:
        digest = hashlib.sha256()
        for chunk in contents.files[name]():
            digest.update(chunk)
        hashes[name] = digest.hexdigest()
    return hashlib.sha256(manifest(contents, hashes)).hexdigest()


def check(archive: Archive) -> None:
    """Raise BadArchive unless the ZIP is packed as the site does it, without bytes before, between or behind files."""
    entries, order, at = archive.entries(), _file_order(archive.format), 0
    if [entry.filename for entry in entries] != order:
        refuse("the file", "its files stand in another order than an archive's")
    with archive.path.open("rb") as file:
        for entry in entries:
            at = _check_entry(file, entry, at)
        directory_size = archive.path.stat().st_size - _END_RECORD_BYTES - at
        file.seek(-_END_RECORD_BYTES, io.SEEK_END)
        end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, len(order), len(order), directory_size, at, 0)
        if file.read() != end or directory_size != sum(_DIRECTORY_ENTRY_BYTES + len(name) for name in order):
            refuse("the file", "holds bytes before, between or behind its files")


def _check_entry(file: BinaryIO, entry: zipfile.ZipInfo, at: int) -> int:
    """Check that the file is at offset *at* and packed as the site does it; return the offset of the next one."""
    attributes = (
        entry.date_time,
        entry.compress_type,
        entry.external_attr,
        entry.flag_bits,
        entry.extra,
        entry.comment,
    )
    versions = (entry.create_system, entry.create_version, entry.extract_version, entry.internal_attr, entry.volume)
    if attributes != (_DATE, zipfile.ZIP_DEFLATED, 0o644 << 16, 8, b"", b"") or versions != (3, 20, 20, 0, 0):
        refuse(entry.filename, "has another time, owner or packing than a file of an archive")
    file.seek(at)
    header = entry.FileHeader(zip64=False)
    is_here = entry.header_offset == at and file.read(len(header)) == header
    if not is_here or not _is_whole_stream(file, entry.compress_size):
        refuse("the file", "holds bytes before, between or behind its files")
    sizes = struct.pack("<4s3L", b"PK\7\10", entry.CRC, entry.compress_size, entry.file_size)
    file.seek(at + len(header) + entry.compress_size)
    if file.read(len(sizes)) != sizes:
        refuse("the file", "holds bytes before, between or behind its files")
    return file.tell()


def _is_whole_stream(file: BinaryIO, size: int) -> bool:
    """Return whether the next *size* bytes are exactly one deflate stream. Memory O(1)."""
    # Imported here, as some Pythons are built without it; they cannot unpack an archive either.
    import zlib

    unpacker = zlib.decompressobj(-15)
    try:
        while size and not unpacker.eof:
            rest = file.read(min(size, _PIECE))
            size -= len(rest)
            while rest and not unpacker.eof:
                unpacker.decompress(rest, _PIECE)
                rest = unpacker.unconsumed_tail
    except zlib.error:
        return False
    return unpacker.eof and not unpacker.unused_data and not size


def _file_order(format_: int) -> list[str]:
    return [*archived.HASHED[format_], *archived.ERASABLE, archived.MANIFEST]


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, date_time=_DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # the same bytes on every system
    entry.external_attr = 0o644 << 16
    return entry


class _Sink(io.RawIOBase):
    """Buffer for a ZIP that is read while it is written; it cannot seek, so `zipfile` only appends."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)
