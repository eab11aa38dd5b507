"""Upgrades of an installed site, and the way back: a backup before each, and a record of versions beside the data."""

import json
import os
import pwd
import re
import sys
from dataclasses import asdict, dataclass, replace
from datetime import UTC
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

import solvers
from contest.infra import clock
from contest.ops import backups
from contest.ops.released import BetweenReleases, Migration, in_releases, recorded_migrations

VERSION = solvers.__version__  # the same as the server's
PYTHON = sys.executable
_RECORD = "installed.json"


class CannotChange(Exception):
    """An upgrade or rollback is refused; the message is for the operator."""


@dataclass(frozen=True)
class Record:
    """The version that the data belong to; and during and after an upgrade where it came from, and the backup."""

    version: str
    upgraded_from: str = ""
    backup: str = ""
    is_finished: bool = True
    # The backup of the data that a rollback replaces.
    replaced: str = ""


def program(folder: str = "") -> str:
    """Return the beginning of a command of this installation, as another user of the machine writes it."""
    path = Path(PYTHON).with_name("leitai-server")
    command = str(path) if path.exists() else f"{PYTHON} -m contest"
    return as_owner(f"{command} --folder {folder or settings.LEITAI_FOLDER or '.'}")


def install_command(package: str) -> str:
    """Return the command that installs a package beside this one."""
    return as_owner(f"{PYTHON} -m pip install '{package}'")


def as_owner(command: str) -> str:
    """Return *command* for the user of the site, who need not be the one at the terminal."""
    return command if os.geteuid() == 0 else f"sudo -u {pwd.getpwuid(os.geteuid()).pw_name} {command}"


def read_record() -> Record | None:
    """Return the record of this site; None if it was installed by hand."""
    try:
        return Record(**json.loads((settings.DATA_DIR / _RECORD).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None


def write_record(record: Record) -> None:
    """Replace the record."""
    partial = settings.DATA_DIR / f"{_RECORD}.new"
    partial.write_text(json.dumps(asdict(record)), encoding="utf-8")
    partial.replace(settings.DATA_DIR / _RECORD)


def note_installed() -> None:
    """Record that the data are of this version, without a way back."""
    write_record(Record(VERSION))


def unapplied_migrations() -> list[Migration]:
    """Return the migrations that this version would apply."""
    executor = MigrationExecutor(connection)
    return [
        (migration.app_label, migration.name)
        for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())
    ]


def upgrade() -> Record | None:
    """Back up, migrate and collect static files; return the new record, None if the tables are those of this version.

    Raise CannotChange on a downgrade, and BadBackup. After an interruption the backup made first counts.
    """
    record = read_record()
    version = record.version if record else _version_of_tables()
    _refuse_downgrade(version)
    if not unapplied_migrations() and version == VERSION:
        record = None if record else Record(VERSION)
    elif record is None or record.is_finished:
        backup = _new_backup(f"before-{VERSION}")
        record = Record(version, upgraded_from=version, backup=str(backup), is_finished=False)
        write_record(record)
    call_command("migrate", verbosity=0, interactive=False, skip_checks=False)
    collect_static_files()
    if record is None:
        return None
    record = replace(record, version=VERSION, is_finished=True)
    write_record(record)
    return record if record.backup else None


def collect_static_files() -> None:
    """Copy the static files of this version to where the web server serves them, if it does not serve the originals."""
    if settings.STATIC_ROOT:
        call_command("collectstatic", verbosity=0, interactive=False)


def _refuse_downgrade(version: str) -> None:
    known = MigrationLoader(None).graph.nodes
    newer = [key for key in _recorded() if key[0] == "contest" and key not in known]
    if not newer and _as_numbers(version) <= _as_numbers(VERSION):
        return
    tables = f"version {version}" if not newer else f"a newer version ({newer[-1][1]} is not known here)"
    raise CannotChange(
        f"The data are of {tables}; this is {VERSION}, and nothing was changed. Install the newer version again. "
        "To go back to this one, run `leitai-server rollback` with the newer version first."
    )


def _recorded() -> list[Migration]:
    try:
        return in_releases(recorded_migrations())
    except BetweenReleases as error:
        raise CannotChange(str(error)) from None


def _version_of_tables() -> str:
    """Return the last release that created the tables of a site without a record."""
    names = (re.fullmatch(r"\d+_v(\d+)_(\d+)_(\d+)", name) for app, name in _recorded() if app == "contest")
    return max((".".join(name.groups()) for name in names if name), key=_as_numbers, default=VERSION)


def _as_numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:3])


def _new_backup(name: str) -> Path:
    folder = backup_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    backup = folder / f"{name}-{clock.now().astimezone(UTC):%Y-%m-%dT%H%M%SZ}.zip"
    backups.write(backup)
    return backup


def backup_folder() -> Path:
    """Return the folder of backups."""
    return Path(settings.BACKUP_FOLDER or settings.DATA_DIR / "backups")


def way_back() -> Record:
    """Return the record of the last upgrade. Raise CannotChange if it cannot be undone."""
    record = read_record()
    if record is None or not record.backup:
        raise CannotChange("No upgrade is on record here, so there is no backup to go back to.")
    if not Path(record.backup).is_file():
        raise CannotChange(f"The backup of the last upgrade is not there any more: {record.backup}.")
    return record


def rollback(record: Record) -> Record:
    """Restore the backup of an upgrade into tables as they were then; return the record with the data replaced.

    The present data are saved first. After an interruption the command may be repeated.
    """
    if not record.replaced:
        record = replace(record, replaced=str(_new_backup("before-rollback")))
        write_record(record)
    backups.read(Path(record.backup), as_saved=True)
    write_record(Record(record.upgraded_from))
    return record
