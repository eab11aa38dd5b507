from datetime import timedelta

import pytest
from django.core import checks
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from contest.infra import clock
from contest.installing import faults
from contest.models import Heartbeat, Part
from contest.ops import checks as checks_of_site

pytestmark = [pytest.mark.django_db]


def found(*, with_address=False):
    return {fault.text: fault.mend for fault in faults.find_faults(with_address=with_address)}


def beat(part, **age):
    at = clock.now_at_database() - timedelta(**age)
    Heartbeat.objects.update_or_create(part=part, defaults={"beat_at": at})


@pytest.fixture
def works(settings, tmp_path, limits, monkeypatch):
    settings.LEITAI_FOLDER, settings.DATA_DIR = str(tmp_path), tmp_path / "data"
    settings.DATA_DIR.mkdir(mode=0o700)
    settings.BROKER_URL = settings.LIMITS_URL
    queues = {"judge@host": [{"name": "judge"}], "solve@host": [{"name": "solve"}]}
    monkeypatch.setattr(faults, "active_queues", lambda: queues)
    monkeypatch.setattr(faults, "_settings", list)
    for part in (Part.WEB, Part.JUDGE, Part.BACKUP):
        beat(part, seconds=1)
    return queues


def test_without_a_fault_there_is_only_the_remark_that_no_mail_is_sent(works, settings, capsys):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    call_command("doctor")
    assert capsys.readouterr().out.splitlines()[-1] == "Nothing is wrong."


def test_a_fault_makes_the_exit_code_1(works, capsys):
    beat(Part.BACKUP, hours=30)
    with pytest.raises(SystemExit, match="1"):
        call_command("doctor")
    assert "The last backup is 30 hours old.\n    " in capsys.readouterr().out


def test_a_missing_migration_is_named_with_the_upgrade(works):
    ((app, last),) = MigrationLoader(None).graph.leaf_nodes("contest")
    MigrationRecorder(connection).record_unapplied(app, last)
    (mend,) = [mend for text, mend in found().items() if f"the first {last}" in text]
    assert mend.endswith("upgrade")


def test_each_fault_is_named_with_the_command_that_mends_it(works, settings, tmp_path):
    del works["solve@host"]
    assert "restart leitai-solve" in found()["No worker of the queue solve answers."]
    beat(Part.WEB, minutes=2)
    beat(Part.JUDGE, minutes=2)
    assert {"No web server has written to the database for a minute."} < set(found())
    assert "restart leitai-beat" in found()["The judge has not judged its test lately."]
    file = tmp_path / "leitai.env"
    file.touch(0o644)
    assert found()[f"Other users of this machine can read {file} (mode 644)."] == f"chmod go= {file}"
    settings.BROKER_URL = "redis://127.0.0.1:1"
    assert "restart leitai-redis" in found()["Redis does not answer, or takes no more data."]


def test_an_unknown_mail_server_and_address_are_named(works, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.SITE_URL = "127.0.0.1", 1, "http://127.0.0.1:1"
    texts = " ".join(found(with_address=True))
    assert "The mail server cannot be used" in texts
    assert "http://127.0.0.1:1 does not answer" in texts
    assert "does not answer" not in " ".join(found())


def test_the_checks_of_settings_are_among_the_faults(settings, monkeypatch):
    """A site in a closed network may have neither https nor mail; it is told once about mail."""
    wrong = [
        checks.Warning("Contradiction.", hint="Choose.", id="contest.W001"),
        checks.Warning("Plain.", id="security.W004"),
        checks.Warning("No mail.", id=checks_of_site.NO_MAIL),
    ]
    monkeypatch.setattr(faults.checks, "run_checks", lambda **_options: wrong)
    settings.HTTPS, settings.EMAIL_BACKEND = False, "django.core.mail.backends.console.EmailBackend"
    assert [(fault.text, fault.mend) for fault in faults._settings()] == [("Contradiction. (contest.W001)", "Choose.")]
    assert [fault.is_remark for fault in faults._mail()] == [True]
