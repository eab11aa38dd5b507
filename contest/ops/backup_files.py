"""The file of a backup: its manifest, the names of its members, and whether it is whole."""

import hashlib
import json
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tqdm import tqdm

from contest.ops.released import BetweenReleases, Migration, in_releases

FORMAT = 1
MANIFEST = "manifest.json"
_PIECE = 1 << 20
# Exceptions of zipfile for bytes that are no ZIP file, or one with an encrypted or otherwise packed member.
UNREADABLE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, NotImplementedError, RuntimeError,
)  # fmt: skip


class BadBackup(Exception):
    """A backup cannot be made or used; the message is for the person who runs the command."""


@dataclass(frozen=True)
class Table:
    """A table in a backup."""

    name: str
    columns: list[str]
    rows: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """Contents of a backup, and the database it was made from."""

    taken_at: str
    engine: str
    migrations: list[Migration]
    tables: list[Table]

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables)


def check(archive: zipfile.ZipFile) -> Manifest:
    """Return the manifest after verifying the checksum of every table's rows."""
    try:
        manifest_data = json.loads(archive.read(MANIFEST))
        if manifest_data.pop("format") != FORMAT:
            raise BadBackup("This backup has a format that this version does not know.")
        tables = [Table(**table) for table in manifest_data.pop("tables")]
        migrations = known_migrations((app, name) for app, name in manifest_data.pop("migrations"))
        manifest = Manifest(tables=tables, migrations=migrations, **manifest_data)
        sizes = [archive.getinfo(member_name(table.name)).file_size for table in tables]
        if not all(_is_sound(table) for table in tables):
            raise ValueError("a table's entry")
    except (AttributeError, KeyError, ValueError, TypeError, RecursionError):
        raise BadBackup("This is no backup of the site: its manifest is missing or cannot be read.") from None
    with tqdm(total=sum(sizes), unit="B", unit_scale=True, desc="Checking", disable=None) as progress:
        for table in tables:
            if _digest(archive, table, progress) != table.sha256:
                raise BadBackup(f"The backup is damaged: the rows of {table.name} are not those that were saved.")
    return manifest


def _is_sound(table: Table) -> bool:
    return isinstance(table.columns, list) and isinstance(table.rows, int)


def _digest(archive: zipfile.ZipFile, table: Table, progress: Any) -> str:
    digest = hashlib.sha256()
    with archive.open(member_name(table.name)) as member:
        while piece := member.read(_PIECE):
            digest.update(piece)
            progress.update(len(piece))
    return digest.hexdigest()


def known_migrations(migrations: Iterable[Migration]) -> list[Migration]:
    try:
        return in_releases(migrations)
    except BetweenReleases as error:
        raise BadBackup(str(error)) from None


def member_name(table: str) -> str:
    return f"tables/{table}.jsonl"
