"""A backup that is asked for on the desk: made in the operator's folder, told of in figures, served by no page."""

import stat
import zipfile

import pytest
from django.contrib.auth.models import User

from contest.celery import tasks
from contest.models import AuditEntry, Heartbeat, Part
from contest.ops import asked_backups
from contest.templatetags.record import ACT_WORDS
from tests.desk.conftest import member, signed_in

pytestmark = pytest.mark.django_db(transaction=True)
HEALTH, NOW = "/en/desk/health/", "/en/desk/health/backup/"


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.BACKUP_FOLDER = str(tmp_path)
    return tmp_path


def test_it_is_made_once_told_of_and_served_by_no_address(folder):
    organiser = signed_in(member("organiser"))
    assert organiser.post(NOW).url == organiser.post(NOW).url == HEALTH
    assert [entry.act for entry in AuditEntry.objects.all()] == ["ask for a backup"]
    assert "ask for a backup" in ACT_WORDS
    tasks.back_up()
    tasks.back_up()
    (made,) = folder.iterdir()
    assert zipfile.is_zipfile(made)
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    facts = Heartbeat.objects.get(part=Part.BACKUP).facts
    assert (facts["bytes"], facts["kept"]) == (made.stat().st_size, 1)
    shown = organiser.get(HEALTH).content.decode()
    assert "1 file in its folder" in shown
    assert made.name not in shown
    chief = signed_in(User.objects.create_superuser("chief", password="x"))
    near = ("", "en/desk/health/", "backups/", "static/", "api/v1/dumps/2026-11-21/")
    up = "..%2f" * 9
    for address in near:
        for path in (made.name, up + str(made).lstrip("/").replace("/", "%2f"), up + str(made).lstrip("/")):
            answer = chief.get(f"/{address}{path}")
            body = answer.getvalue() if answer.streaming else answer.content
            assert answer.status_code in (302, 301, 404), address
            assert not body.startswith(b"PK")
    assert asked_backups.is_asked() is False


def test_without_a_folder_nobody_asks(settings):
    settings.BACKUP_FOLDER = ""
    organiser = signed_in(member("organiser"))
    assert "Back up now" not in organiser.get(HEALTH).content.decode()
    assert organiser.post(NOW).status_code == 404


def test_who_changes_nothing_asks_for_none():
    for role in ("observer", "operator", "judge"):
        client = signed_in(member(role))
        assert "Back up now" not in client.get(HEALTH).content.decode()
        assert client.post(NOW).status_code == 404
    assert not asked_backups.is_asked()


def test_a_folder_that_cannot_be_written_leaves_it_asked_for(settings, folder):
    asked_backups.ask(member("organiser"))
    settings.BACKUP_FOLDER = str(folder / "nowhere")
    with pytest.raises(asked_backups.backups.BadBackup):
        asked_backups.make()
    settings.BACKUP_FOLDER = str(folder)
    assert asked_backups.make() is not None
