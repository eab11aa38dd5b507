import stat

import pytest

from contest.celery import tasks
from contest.models import AuditEntry, Heartbeat, Part
from contest.ops import asked_backups
from tests.desk.conftest import member, signed_in

pytestmark = pytest.mark.django_db(transaction=True)
HEALTH, NOW = "/en/desk/health/", "/en/desk/health/backup/"


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.BACKUP_FOLDER = str(tmp_path)
    return tmp_path


def test_a_requested_backup_is_made_once_listed_and_served_by_no_url(folder):
    organiser = signed_in(member("organiser"))
    assert organiser.post(NOW).url == organiser.post(NOW).url == HEALTH
    assert [entry.act for entry in AuditEntry.objects.all()] == ["ask for a backup"]
    tasks.back_up()
    tasks.back_up()
    (made,) = folder.iterdir()
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    facts = Heartbeat.objects.get(part=Part.BACKUP).facts
    assert (facts["bytes"], facts["kept"], asked_backups.is_asked()) == (made.stat().st_size, 1, False)
    shown = organiser.get(HEALTH).content.decode()
    assert "1 file in its folder" in shown
    assert made.name not in shown
    for address in ("", "en/desk/health/", "backups/", "static/", "api/v1/dumps/2026-11-21/"):
        for path in (made.name, "..%2f" * 9 + str(made).lstrip("/").replace("/", "%2f"), f"..{made}"):
            answer = organiser.get(f"/{address}{path}")
            assert answer.status_code in (302, 301, 404), address


def test_a_backup_request_needs_a_folder_and_the_right_role(settings, folder):
    for role, folder_ in (("observer", folder), ("operator", folder), ("judge", folder), ("organiser", "")):
        settings.BACKUP_FOLDER = str(folder_)
        client = signed_in(member(role))
        assert "<button>Back up now" not in client.get(HEALTH).content.decode()
        assert client.post(NOW).status_code == 404
    assert not asked_backups.is_asked()


def test_an_unwritable_folder_leaves_the_request_pending(settings, folder):
    asked_backups.ask(member("organiser"))
    settings.BACKUP_FOLDER = str(folder / "nowhere")
    with pytest.raises(asked_backups.backups.BadBackup):
        asked_backups.make()
    settings.BACKUP_FOLDER = str(folder)
    assert asked_backups.make() is not None
