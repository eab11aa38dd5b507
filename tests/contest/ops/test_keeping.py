"""Scheduled backups: one a day, also after a missed day; only the newest are retained."""

from datetime import UTC, datetime, time, timedelta
from unittest.mock import Mock

import pytest

from contest.infra import clock
from contest.models import Heartbeat, Part
from contest.ops import backups, keeping

pytestmark = pytest.mark.django_db
AT = time(19, 30)
NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    """Shrink the backups: their contents are tested in test_backups."""
    monkeypatch.setattr(backups, "write", lambda path: path.write_bytes(b"a backup"))


def made(folder, at, most=14):
    with clock.set_to(at):
        file = keeping.make_due(folder, daily_at=AT, max_backups=most)
    return file.name if file else None


def test_a_daily_backup_is_made(tmp_path):
    assert made(tmp_path, NOON) == "leitai-2026-11-23T120000Z.zip"
    assert made(tmp_path, NOON + timedelta(hours=7)) is None
    assert made(tmp_path, NOON + timedelta(hours=8)) == "leitai-2026-11-23T200000Z.zip"
    assert made(tmp_path, NOON + timedelta(hours=31)) is None
    assert made(tmp_path, NOON + timedelta(days=4)), "days that were missed are not made up for"


def test_a_backup_requested_on_the_desk_is_made_at_once(tmp_path, monkeypatch):
    """Also if only this command sees the folder, as in Docker."""
    assert made(tmp_path, NOON)
    Heartbeat.objects.create(part=Part.ASKED, beat_at=NOON + timedelta(hours=1))

    def write(path):
        path.write_bytes(b"a backup")
        Heartbeat.objects.create(part=Part.BACKUP, beat_at=clock.now())

    monkeypatch.setattr(backups, "write", write)
    assert made(tmp_path, NOON + timedelta(hours=2)) == "leitai-2026-11-23T140000Z.zip"
    assert made(tmp_path, NOON + timedelta(hours=3)) is None


def test_the_newest_backups_stay_and_other_files_are_not_touched(tmp_path):
    for name in ("mine.zip", "leitai-2020-13-45T000000Z.zip"):
        (tmp_path / name).write_text("mine")
    for day in range(5):
        made(tmp_path, NOON + timedelta(days=day), most=3)
    assert [file.name for file in keeping.files_in(tmp_path)] == [
        f"leitai-2026-11-{day}T120000Z.zip" for day in (27, 26, 25)
    ]
    assert len(list(tmp_path.iterdir())) == 5


def test_files_left_by_a_killed_run_are_no_backups_and_are_deleted(tmp_path):
    name = "leitai-2026-11-23T110000Z.zip"
    (tmp_path / name).touch()
    (tmp_path / f"{name}.partial").write_bytes(b"half")
    assert made(tmp_path, NOON)
    assert [file.name for file in tmp_path.iterdir()] == ["leitai-2026-11-23T120000Z.zip"]


def test_a_failed_backup_deletes_no_older_backup(tmp_path, monkeypatch):
    made(tmp_path, NOON)
    monkeypatch.setattr(backups, "write", Mock(side_effect=backups.BadBackup("No room.")))
    with pytest.raises(backups.BadBackup):
        made(tmp_path, NOON + timedelta(days=1), most=1)
    assert len(keeping.files_in(tmp_path)) == 1
