"""Read an archive of a round (rule 24.1; docs/reference/archive.md).

Archives are untrusted, so everything is bounded before it is read and checked before it is used. No database is
needed: `python -m contest.verify` and the import use this module.
"""

import hashlib
import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from contest.archive.checks import (
    CANCELLATION,
    CERTIFICATE,
    CLOSING,
    LEAF,
    LINK,
    MANIFEST_MEMBERS,
    MAX_LINE_BYTES,
    MORE,
    NUMBER_IN_TRACK,
    OPENED_UNTIL,
    OPENING_MEMBERS,
    PLAYER,
    ROUND_MEMBERS,
    SEALED_ANSWER,
    SIGNED_LUCKY,
    SUBMISSION_MEMBERS,
    TRACK,
    TREE,
    BadArchive,
    Check,
    fields_of,
    parse,
    refuse,
)
from contest.archive.format import (
    CANCELLED,
    CERTIFICATES,
    CHAIN,
    CLOSINGS,
    ERASABLE,
    FORMATS,
    HASHED,
    LEVELS,
    MANIFEST,
    OPENING,
    PLAYERS,
    RESULTS,
    REVISIONS,
    ROUND,
    SEALED,
    SUBMISSIONS,
    Leaf,
    Link,
    Player,
    SealedAnswer,
    Submission,
)

MAX_ARCHIVE_BYTES = 2**31


@dataclass(frozen=True)
class Limits:
    """Limits for the contents of an archive, so that a small one costs little memory and time.

    *files* has the bytes by file name, *other* those of any other file; only submissions are read line by line.
    *values* is per JSON text, *rows* per file, *moves* for all submissions, plus *moves_a_byte* per byte of archive;
    *seconds* are of CPU, for the check of a certificate.
    """

    files: Mapping[str, int]
    other: int
    values: int
    rows: int
    moves: int
    moves_a_byte: int
    seconds: int


# A few bytes unpack to a thousand: this allows less than 1 GiB of memory, and a minute for each megabyte of archive.
_USUAL = {MANIFEST: 2**16, ROUND: 2**22, LEVELS: 2**20, SUBMISSIONS: 2**31, REVISIONS: 2**28}
USUAL = Limits(_USUAL, 2**26, 3_000_000, 300_000, 10_000_000, 100, 120)
# For an archive from a trusted source, and a machine with enough memory.
_LARGE = {MANIFEST: 2**16, LEVELS: 2**20, SUBMISSIONS: 2**31, RESULTS: 2**28, REVISIONS: 2**31}
LARGE = Limits(_LARGE, 2**26, 2**26, 10**7, 2**31, 0, 3_600)
_MAX_DIRECTORY_BYTES = 2**16
_END_RECORD_BYTES = 22  # bytes of the end record of a ZIP without a comment


class Archive:
    """An archive opened for reading: names, sizes and packing are checked. Raise BadArchive, or OSError from the file.

    Memory O(largest file except the submissions).
    """

    def __init__(self, path: Path, *, is_large: bool = False) -> None:
        self.path = path
        self.limits = LARGE if is_large else USUAL
        with path.open("rb") as file:
            _check_directory(file)
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise BadArchive(path.name, f"no readable ZIP file ({error})") from None
        self._check_entries()
        self.manifest = self._manifest()
        self.format: int = self.manifest["format"]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._zip.close()

    def _check_entries(self) -> None:
        names = [entry.filename for entry in self._zip.infolist()]
        known = {MANIFEST, *HASHED[max(FORMATS)], *ERASABLE}
        for entry in self._zip.infolist():
            max_bytes = self.limits.files.get(entry.filename, self.limits.other)
            if entry.filename not in known:
                refuse(self.path.name, f"holds {entry.filename!a}, which no archive has")
            if names.count(entry.filename) > 1:
                refuse(self.path.name, f"holds {entry.filename} more than once")
            if entry.flag_bits & 1 or entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                refuse(entry.filename, "is encrypted or packed in an unknown way")
            if entry.file_size > max_bytes:
                more = f"; {MORE}" if max_bytes < LARGE.files.get(entry.filename, LARGE.other) else ""
                refuse(entry.filename, f"has {entry.file_size:,} bytes; at most {max_bytes:,} are read{more}")
        if MANIFEST not in names:
            refuse(self.path.name, f"holds no {MANIFEST}")

    def _manifest(self) -> dict[str, Any]:
        """Return the manifest, after checking that the ZIP holds exactly the files of its format."""
        value = self.json(MANIFEST)
        format_ = value.get("format") if isinstance(value, dict) else None
        if type(format_) is not int or format_ not in FORMATS:
            known = f"{', '.join(map(str, FORMATS[:-1]))} and {FORMATS[-1]}"
            refuse(MANIFEST, f"this is format {format_!a}; this program knows formats {known}")
        manifest = fields_of(value, MANIFEST, MANIFEST_MEMBERS[format_])
        expected, names = {MANIFEST, *HASHED[format_], *ERASABLE}, self._zip.namelist()
        for name in sorted(expected.difference(names)):
            refuse(self.path.name, f"holds no {name}")
        for name in sorted(set(names) - expected):
            refuse(self.path.name, f"holds {name}, which no archive of format {format_} has")
        return manifest

    def names(self) -> list[str]:
        return self._zip.namelist()

    def entries(self) -> list[zipfile.ZipInfo]:
        return self._zip.infolist()

    def chunks(self, name: str) -> Iterator[bytes]:
        """Yield the bytes of a file in chunks; never more than its entry states."""
        try:
            with self._zip.open(name) as file:
                while chunk := file.read(65_536):
                    yield chunk
        except (zipfile.BadZipFile, EOFError, NotImplementedError, ValueError, OSError) as error:
            raise BadArchive(name, f"cannot be unpacked ({error})") from None
        except Exception as error:  # zlib.error; the module zlib may be missing
            raise BadArchive(name, f"cannot be unpacked ({error})") from None

    def read(self, name: str) -> bytes:
        return b"".join(self.chunks(name))

    def sha256(self, name: str) -> str:
        digest = hashlib.sha256()
        for chunk in self.chunks(name):
            digest.update(chunk)
        return digest.hexdigest()

    def json(self, name: str) -> Any:
        return parse(self.read(name), name, max_values=self.limits.values)

    def submissions(self) -> Iterator[Submission]:
        """Yield the submissions by ascending number."""
        last, moves = 0, 0
        for where, value in self._lines(SUBMISSIONS):
            row = Submission(**fields_of(value, where, SUBMISSION_MEMBERS[self.format]))
            if row.number <= last:
                refuse(where, "numbers do not ascend")
            last, moves = row.number, moves + len(row.lurd or "")
            self.check_cost(moves, where)
            yield row

    def check_cost(self, moves: int, where: str) -> None:
        """Refuse an archive with more moves to replay than its size allows."""
        max_moves = self.limits.moves + self.limits.moves_a_byte * self.path.stat().st_size
        if moves > max_moves:
            refuse(where, f"of an archive so small at most {max_moves:,} moves are replayed; {MORE}")

    def sealed_answers(self) -> Iterator[SealedAnswer]:
        """Yield the sealed answers by ascending number; none if the round took none."""
        last = 0
        for where, value in self._lines(SEALED) if self.format > 2 else ():
            row = SealedAnswer(**fields_of(value, where, SEALED_ANSWER))
            if row.number <= last:
                refuse(where, "numbers do not ascend")
            last = row.number
            yield row

    def closings(self) -> Iterator[dict[str, Any]]:
        """Yield what the closing links bind, in order; nothing before format 4."""
        for where, value in self._lines(CLOSINGS) if self.format > 3 else ():
            yield fields_of(value, where, CLOSING)

    def certificates(self) -> Iterator[dict[str, Any]]:
        """Yield the certificates of levels, each with its slot and kind; nothing before format 4."""
        for where, value in self._lines(CERTIFICATES) if self.format > 3 else ():
            yield fields_of(value, where, CERTIFICATE)

    def players(self) -> dict[int, Player]:
        players_by_number: dict[int, Player] = {}
        for where, value in self._lines(PLAYERS):
            player = Player(**fields_of(value, where, PLAYER))
            if player.number in players_by_number:
                refuse(where, f"player {player.number} appears twice")
            players_by_number[player.number] = player
        return players_by_number

    def links(self) -> Iterator[Link | Leaf]:
        for where, value in self._lines(CHAIN):
            if self.format > 3 or (self.format > 1 and isinstance(value, dict) and "leaf" in value):
                yield Leaf(**fields_of(value, where, LEAF))
            else:
                yield Link(**fields_of(value, where, LINK))

    def revisions(self) -> Iterator[Any]:
        """Yield the documents of all revisions, in order."""
        for _where, value in self._lines(REVISIONS, max_line_bytes=self.limits.files.get(RESULTS, self.limits.other)):
            yield value

    def _lines(self, name: str, max_line_bytes: int = 0) -> Iterator[tuple[str, Any]]:
        rest, number = b"", 0
        for chunk in self.chunks(name):
            *whole, rest = (rest + chunk).split(b"\n")
            for text in whole:
                number += 1
                if number > self.limits.rows:
                    refuse(name, f"has more than {self.limits.rows:,} lines; {MORE}")
                max_values = self.limits.values if max_line_bytes else MAX_LINE_BYTES
                yield f"{name}, line {number}", parse(text, f"{name}, line {number}", max_values=max_values)
            if len(rest) > (max_line_bytes or _longest_line(self.format)):
                refuse(
                    f"{name}, line {number + 1}",
                    f"has more than {max_line_bytes or _longest_line(self.format):,} bytes",
                )
        if rest:
            refuse(f"{name}, line {number + 1}", "does not end with a line end")


def _check_directory(file: BinaryIO) -> None:
    """Refuse a file that is too large before `zipfile` reads its whole directory."""
    size = file.seek(0, io.SEEK_END)
    if size > MAX_ARCHIVE_BYTES:
        refuse("the file", f"has {size:,} bytes; at most {MAX_ARCHIVE_BYTES:,} are read")
    file.seek(max(0, size - _END_RECORD_BYTES))
    end = file.read()
    if len(end) < _END_RECORD_BYTES or not end.startswith(b"PK\5\6"):
        refuse("the file", "is no ZIP file, or not whole")
    if int.from_bytes(end[12:16], "little") > _MAX_DIRECTORY_BYTES:
        refuse("the file", "holds far more files than an archive has")


def _longest_line(format_: int) -> int:
    """Return the longest line in bytes; from format 2 on, a submission may also have its text as sent."""
    return MAX_LINE_BYTES * (4 if format_ > 1 else 1)


def opening_of(archive: Archive) -> dict[str, Any] | None:
    """Return the facts bound at the opening; None if the round opened before these were bound."""
    value = archive.json(OPENING)
    if value is None and archive.format > 3:
        refuse(OPENING, "binds nothing")
    return None if value is None else fields_of(value, OPENING, {**OPENING_MEMBERS, **_track_in(value)})


def round_of(archive: Archive) -> dict[str, Any]:
    """Return `round.json`; it has `cancelled` only if the round was (rule 7.10), and `track` only outside the main one.

    Raise BadArchive.
    """
    value = archive.json(ROUND)
    is_cancelled = isinstance(value, dict) and "cancelled" in value
    members = ROUND_MEMBERS | (CANCELLATION if is_cancelled else {}) | (TREE if archive.format > 1 else {})
    members |= _track_in(value) | (OPENED_UNTIL if archive.format == 3 or _takes_sealed(value) else {})
    members |= SIGNED_LUCKY if archive.format > 3 else {}
    if "track" in members and "number_in_track" in value:
        members |= NUMBER_IN_TRACK
    document = fields_of(value, ROUND, members)
    if is_cancelled != (document["results"] == CANCELLED):
        refuse(ROUND, "does not say when and why the round was cancelled, or that it has no results")
    return document


def _takes_sealed(about: Any) -> bool:
    """Return whether a round takes sealed answers; of format 2 none does."""
    settings = about.get("settings") if isinstance(about, dict) else None
    return isinstance(settings, dict) and bool(settings.get("sealed_answers"))


def _track_in(value: Any) -> dict[str, Check]:
    """Return the check of `track`, which exists only outside the main track (rule 2.11)."""
    return TRACK if isinstance(value, dict) and "track" in value else {}
