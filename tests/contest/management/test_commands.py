import signal
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from contest.infra import clock
from tests import cast, chain

pytestmark = pytest.mark.django_db


def run_command(*arguments) -> str:
    output = StringIO()
    call_command(*map(str, arguments), stdout=output, stderr=StringIO())
    return output.getvalue()


def test_sweep_judges_waiting_submissions_and_archive_writes_a_finished_round(tmp_path, monkeypatch):
    handlers = {}
    monkeypatch.setattr(signal, "signal", handlers.__setitem__)
    with clock.set_to(cast.DURING):
        cast.a_round()
        cast.send("Ann", "rR")
    file = tmp_path / "round-1.zip"
    with clock.set_to(cast.AFTER):
        with pytest.raises(CommandError, match="waits for its verdict"):
            run_command("archive", 1, file)
        assert "Judged: 1" in run_command("sweep")
        assert set(handlers) == {signal.SIGTERM, signal.SIGINT}
        chain.append_all()
        output = run_command("archive", 1, file)
    assert f"{file}: {file.stat().st_size:,} bytes" in output
