"""Read an archive of a round (rule 24.1; docs/archive.md).

Archives come from anywhere, so everything is bounded before it is read and checked before it is believed. It needs no
database: `python -m contest.verify` and the import read with it.
"""

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NoReturn, Self

from contest.archive.format import (
    ACCEPTED,
    AWAITING,
    CANCELLED,
    CHAIN,
    ERASABLE,
    FINAL,
    FORMAT,
    HASHED,
    LEVELS,
    MANIFEST,
    PLAYERS,
    PROVISIONAL,
    RESULTS,
    ROUND,
    SPECTATOR,
    SUBMISSIONS,
    Link,
    Player,
    Submission,
    instant,
)
from contest.rules import canonical

LARGEST_ARCHIVE = 2**31
LONGEST_LINE = 2_100_000


@dataclass(frozen=True)
class Limits:
    """What an archive may unpack to, so that a small one costs little memory and time.

    Bytes of a file by its name, and of any *other*: the submissions are read line by line, the others whole. *values*
    of one JSON text, *rows* of one file, and *moves* of all submissions, besides *moves_a_byte* of the archive itself.
    """

    files: Mapping[str, int]
    other: int
    values: int
    rows: int
    moves: int
    moves_a_byte: int


# A few letters packed make a thousand: less than 1 GiB of memory, and a minute for each megabyte of archive.
USUAL = Limits(
    {MANIFEST: 2**16, ROUND: 2**22, LEVELS: 2**20, SUBMISSIONS: 2**31}, 2**26, 3_000_000, 300_000, 10_000_000, 100
)
# For who trusts where it comes from, and has the memory.
LARGE = Limits({MANIFEST: 2**16, LEVELS: 2**20, SUBMISSIONS: 2**31, RESULTS: 2**28}, 2**26, 2**26, 10**7, 2**31, 0)
_MORE = "more is read with --large, if you trust where it comes from"
_LARGEST_DIRECTORY = 2**16
_END = 22  # bytes of the end record of a ZIP without a comment
_LARGEST_NUMBER = 2**63 - 1
_LARGEST_COUNT = 2_000_000
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class BadArchive(ValueError):
    """This is no archive of a round: *where* and why."""

    def __init__(self, where: str, why: str) -> None:
        self.where = where
        self.why = why
        super().__init__(f"{where}: {why}")


class Archive:
    """An archive opened for reading: names, sizes and packing are checked. Raise BadArchive, or OSError from the file.

    Memory O(largest file but the submissions).
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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._zip.close()

    def _check_entries(self) -> None:
        names = [entry.filename for entry in self._zip.infolist()]
        known = {MANIFEST, *HASHED, *ERASABLE}
        for entry in self._zip.infolist():
            largest = self.limits.files.get(entry.filename, self.limits.other)
            if entry.filename not in known:
                _refuse(self.path.name, f"holds {entry.filename!a}, which no archive has")
            if names.count(entry.filename) > 1:
                _refuse(self.path.name, f"holds {entry.filename} more than once")
            if entry.flag_bits & 1 or entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                _refuse(entry.filename, "is encrypted or packed in an unknown way")
            if entry.file_size > largest:
                more = f"; {_MORE}" if largest < LARGE.files.get(entry.filename, LARGE.other) else ""
                _refuse(entry.filename, f"has {entry.file_size:,} bytes; at most {largest:,} are read{more}")
        for name in sorted(known.difference(names)):
            _refuse(self.path.name, f"holds no {name}")

    def chunks(self, name: str) -> Iterator[bytes]:
        """The bytes of a file, piece by piece; never more than its entry says."""
        try:
            with self._zip.open(name) as file:
                while chunk := file.read(65_536):
                    yield chunk
        except (zipfile.BadZipFile, EOFError, NotImplementedError, ValueError, OSError) as error:
            raise BadArchive(name, f"cannot be unpacked ({error})") from None
        except Exception as error:  # zlib's own class of error, whose module may be missing
            raise BadArchive(name, f"cannot be unpacked ({error})") from None

    def read(self, name: str) -> bytes:
        return b"".join(self.chunks(name))

    def sha256(self, name: str) -> str:
        digest = hashlib.sha256()
        for chunk in self.chunks(name):
            digest.update(chunk)
        return digest.hexdigest()

    def json(self, name: str) -> Any:
        return parse(self.read(name), name, most=self.limits.values)

    def submissions(self) -> Iterator[Submission]:
        """The submissions, one at a time, by ascending number."""
        last, moves = 0, 0
        most = self.limits.moves + self.limits.moves_a_byte * self.path.stat().st_size
        for where, value in self._lines(SUBMISSIONS):
            row = Submission(**fields_of(value, where, _SUBMISSION))
            if row.number <= last:
                _refuse(where, "numbers do not ascend")
            last, moves = row.number, moves + len(row.lurd or "")
            if moves > most:
                _refuse(where, f"of an archive so small at most {most:,} moves are replayed; {_MORE}")
            yield row

    def players(self) -> dict[int, Player]:
        found: dict[int, Player] = {}
        for where, value in self._lines(PLAYERS):
            player = Player(**fields_of(value, where, _PLAYER))
            if player.number in found:
                _refuse(where, f"player {player.number} stands here twice")
            found[player.number] = player
        return found

    def links(self) -> Iterator[Link]:
        for where, value in self._lines(CHAIN):
            yield Link(**fields_of(value, where, _LINK))

    def _lines(self, name: str) -> Iterator[tuple[str, Any]]:
        rest, number = b"", 0
        for chunk in self.chunks(name):
            *whole, rest = (rest + chunk).split(b"\n")
            for text in whole:
                number += 1
                if number > self.limits.rows:
                    _refuse(name, f"has more than {self.limits.rows:,} lines; {_MORE}")
                yield f"{name}, line {number}", parse(text, f"{name}, line {number}")
            if len(rest) > LONGEST_LINE:
                _refuse(f"{name}, line {number + 1}", f"has more than {LONGEST_LINE:,} bytes")
        if rest:
            _refuse(f"{name}, line {number + 1}", "does not end with a line end")


def _check_directory(file: BinaryIO) -> None:
    """Refuse what is too large before `zipfile` reads the directory, which it does whole."""
    size = file.seek(0, io.SEEK_END)
    if size > LARGEST_ARCHIVE:
        _refuse("the file", f"has {size:,} bytes; at most {LARGEST_ARCHIVE:,} are read")
    file.seek(max(0, size - _END))
    end = file.read()
    if len(end) < _END or not end.startswith(b"PK\5\6"):
        _refuse("the file", "is no ZIP file, or not whole")
    if int.from_bytes(end[12:16], "little") > _LARGEST_DIRECTORY:
        _refuse("the file", "holds far more files than an archive has")


def parse(data: bytes, where: str, *, most: int = LONGEST_LINE) -> Any:
    """Read JSON: no name twice, no NaN, no numbers of thousands of digits, not nested deeply. Raise BadArchive.

    At most *most* values: an empty list is three bytes, and seventy in memory.
    """
    if data.count(b",") + data.count(b"[") + data.count(b"{") > most:
        _refuse(where, f"holds more than {most:,} values; {_MORE}")
    try:
        value = json.loads(data.decode(), object_pairs_hook=_unique, parse_constant=_no_constant)
        if _SURROGATE.search(data):
            json.dumps(value, ensure_ascii=False).encode()  # half a letter is no text
        return value
    except RecursionError:
        _refuse(where, "is nested too deeply")
    except ValueError as error:
        _refuse(where, f"is no JSON in UTF-8 ({error})")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


Check = Callable[[Any], bool]


def fields_of(value: Any, where: str, checks: Mapping[str, Check]) -> dict[str, Any]:
    """The members of an object: exactly those of *checks*, each as it must be. Raise BadArchive."""
    if not isinstance(value, dict):
        _refuse(where, "is no JSON object")
    if missing := sorted(checks.keys() - value.keys()):
        _refuse(where, f"lacks {missing[0]}")
    if foreign := sorted(value.keys() - checks.keys()):
        _refuse(where, f"has {foreign[0]!a}, which does not belong there")
    for name, fits in checks.items():
        if not fits(value[name]):
            _refuse(where, f"{name} cannot be {canonical.json_line(value[name])[:80]}")
    return value


def is_number(value: Any) -> bool:
    return type(value) is int and 0 < value <= _LARGEST_NUMBER  # true is an int to Python


def is_count(value: Any) -> bool:
    return type(value) is int and 0 < value <= _LARGEST_COUNT


def is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def is_sha256(value: Any) -> bool:
    return isinstance(value, str) and bool(_SHA256.fullmatch(value))


def is_time(value: Any) -> bool:
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        return False
    try:
        instant(value)
    except ValueError:
        return False
    return True


def is_text(longest: int) -> Check:
    return lambda value: isinstance(value, str) and len(value) <= longest


def is_one_of(*choices: str) -> Check:
    return lambda value: isinstance(value, str) and value in choices


def or_none(fits: Check) -> Check:
    return lambda value: value is None or fits(value)


def is_list(fits: Check, most: int = 100_000) -> Check:
    return lambda value: isinstance(value, list) and len(value) <= most and all(map(fits, value))


def is_object(**checks: Check) -> Check:
    """An object with exactly these members."""
    return lambda value: (
        isinstance(value, dict)
        and value.keys() == checks.keys()
        and all(fits(value[name]) for name, fits in checks.items())
    )


def is_object_with(**checks: Check) -> Check:
    """An object with these members and perhaps others."""
    return lambda value: (
        isinstance(value, dict) and all(name in value and fits(value[name]) for name, fits in checks.items())
    )


def is_any_object(value: Any) -> bool:
    return isinstance(value, dict)


def is_lurd(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _LARGEST_COUNT and not value.strip("lurdLURD")


_reason = is_text(500)
_league = is_one_of("human", "bot")
_slot = is_one_of("main", "extra", "extra2", "extra3")
_SUBMISSION: Mapping[str, Check] = {
    "number": is_number,
    "player": is_number,
    "league": _league,
    "slot": _slot,
    "received_at": is_time,
    "verdict": is_one_of(ACCEPTED, SPECTATOR),
    "moves": is_count,
    "pushes": is_count,
    "sha256": is_sha256,
    "lurd": or_none(is_lurd),
    "void": or_none(is_object(at=is_time, reason_zh=_reason, reason_en=_reason)),
    "is_hors_concours": is_flag,
    "is_imported": is_flag,
}
_PLAYER: Mapping[str, Check] = {
    "number": is_number,
    "name": is_text(128),
    "country": is_text(8),
    "league": _league,
}
_LINK: Mapping[str, Check] = {"number": is_number, "received_at": is_time, "sha256": is_sha256, "link": is_sha256}
_MANIFEST: Mapping[str, Check] = {
    "format": is_number,
    "engine": is_number,
    "round": is_number,
    "files": is_object(**dict.fromkeys(HASHED, is_sha256)),
}
_LEVEL = is_object(
    slot=_slot, title=is_text(200), author=is_text(200), sha256=is_sha256,
    void=or_none(is_object(at=is_time, reason_zh=_reason, reason_en=_reason)),
)  # fmt: skip
_NOTE = is_object(
    kind=is_text(20), text_zh=is_text(1_000), text_en=is_text(1_000), values=is_any_object, written_at=is_time
)
_REVISION = is_object(revision=is_number, made_at=is_time, reason_zh=_reason, reason_en=_reason, sha256=is_sha256)
_DISQUALIFIED = is_object(player=is_number, ruled_at=is_time, reason_zh=_reason, reason_en=_reason)
_CANCELLED: dict[str, Check] = {"cancelled": is_object(at=is_time, reason_zh=_reason, reason_en=_reason)}
_ROUND: dict[str, Check] = {
    "number": is_number,
    "title_zh": is_text(200),
    "title_en": is_text(200),
    "announced_at": or_none(is_time),
    "opens_at": is_time,
    "closes_at": is_time,
    "make_up_opens_at": or_none(is_time),
    "make_up_closes_at": or_none(is_time),
    "finalised_at": or_none(is_time),
    "settings": is_any_object,
    "commitment": or_none(is_sha256),
    "lucky": or_none(
        is_object(number=lambda value: type(value) is int and 0 <= value < 2**53, salt=is_text(32), is_typed=is_flag)
    ),
    "levels": is_list(_LEVEL, 4),
    "disqualified": is_list(_DISQUALIFIED),
    "notes": is_list(_NOTE, 10_000),
    "revisions": is_list(_REVISION, 10_000),
    "results": is_one_of(PROVISIONAL, FINAL, AWAITING, CANCELLED),
    "chain_start": is_sha256,
}


def manifest_of(archive: Archive) -> dict[str, Any]:
    """What the archive says it is. Raise BadArchive, also for a format this program does not know."""
    value = archive.json(MANIFEST)
    if isinstance(value, dict) and value.get("format") != FORMAT:
        _refuse(MANIFEST, f"this is format {value.get('format')!a}; this program knows format {FORMAT}")
    return fields_of(value, MANIFEST, _MANIFEST)


def round_of(archive: Archive) -> dict[str, Any]:
    """What the archive says of the round; `cancelled` stands only where it was (rule 7.10). Raise BadArchive."""
    value = archive.json(ROUND)
    is_cancelled = isinstance(value, dict) and "cancelled" in value
    found = fields_of(value, ROUND, _ROUND | _CANCELLED if is_cancelled else _ROUND)
    if is_cancelled != (found["results"] == CANCELLED):
        _refuse(ROUND, "does not say when and why the round was cancelled, or that it has no results")
    return found


def _refuse(where: str, why: str) -> NoReturn:
    raise BadArchive(where, why)
