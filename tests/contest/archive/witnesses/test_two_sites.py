"""Two live sites, each in processes of its own, witness each other (rule 24.2)."""

import os
import secrets
import shutil
import signal
import sqlite3
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from contest.archive.witnesses import one_file
from contest.rules import signed_notes
from tests import migrated
from tests.contest.archive.witnesses import tlog_client
from tests.contest.conftest import free_address
from tests.contest.patience import wait_until
from tooling.processes import Child, stop_children
from tooling.site import Address, web_command

pytestmark = pytest.mark.exhaustive

# The periodic task of a worker, some hours later; a new entry of a player comes first.
_TURN = """
import sys, django
django.setup()
from datetime import timedelta
from contest.celery import tasks
from contest.infra import clock
from contest.judging import receipt_chain
from contest.models import Round
from tests import cast
player, hours = sys.argv[1], int(sys.argv[2])
with clock.set_to(cast.DURING + timedelta(hours=hours)):
    if player:
        Round.objects.exists() or cast.a_round(closes_at=cast.DURING + timedelta(days=9))
        cast.send(player, "rR")
        receipt_chain.append_all()
    tasks.advance()
"""


@dataclass
class LiveSite:
    """A site with its own database, key and web server."""

    name: str
    folder: Path
    address: Address = field(default_factory=free_address)
    seed: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    web: Child = field(init=False)
    hours: int = 0

    @property
    def database(self) -> Path:
        return self.folder / "db.sqlite3"

    def keys(self) -> list[str]:
        return [str(key) for key in signed_notes.keys_of(self.name, self.seed)]

    def env(self, other: "LiveSite") -> dict[str, str]:
        return os.environ | {
            "DJANGO_SETTINGS_MODULE": "tests.settings", "DATA_DIR": str(self.folder), "REDIS_URL": "redis://127.0.0.1:1",
            "DATABASE_URL": f"sqlite:///{self.database}", "SITE_URL": f"http://{self.address}",
            "CHECKPOINT_ORIGIN": self.name, "CHECKPOINT_KEY": self.seed.hex(), "WEBHOOKS_MAY_STAY_INSIDE": "1",
            "WITNESSED_LOGS": other.keys()[0], "WITNESSES": f"{other.keys()[1]}@http://{other.address}/add-checkpoint",
        }  # fmt: skip

    def start(self) -> None:
        self.web.start()
        wait_until(lambda: self.web.exit_code() is not None or self.is_up())
        assert self.web.exit_code() is None, self.web.log.read_text()

    def is_up(self) -> bool:
        try:
            return httpx.get(f"http://{self.address}/checkpoint/keys").text.split() == self.keys()
        except httpx.TransportError:
            return False

    def kill(self) -> None:
        self.web.process.send_signal(signal.SIGKILL)
        self.web.end(10)

    def turn(self, player: str = "") -> str:
        """Let a worker work; return what it logged."""
        self.hours += 2
        command = [sys.executable, "-c", _TURN, player, str(self.hours)]
        return subprocess.run(command, env=self.web.env, capture_output=True, text=True, check=True).stderr

    def fetch(self, path: str) -> bytes:
        return httpx.get(f"http://{self.address}/{path}").raise_for_status().content

    def is_signed_by(self, key: str) -> bool:
        try:
            tlog_client.open_note(self.fetch("checkpoint").decode(), key)
        except tlog_client.Violation:
            return False
        return True


@pytest.fixture
def sites(tmp_path, request):
    """Two running sites, each a witness of the other."""
    both = [LiveSite(f"{name}.example/leitai", tmp_path / name) for name in ("a", "b")]
    tables = request.config.cache.mkdir("migrated")
    for site, other in (both, reversed(both)):
        site.folder.mkdir(mode=0o700)
        command = [sys.executable, *web_command(site.address)]
        site.web = Child("web", command, site.env(other), site.folder / "web.log")
        with migrated.begin(tables, f"file:{site.database}") as keep:
            if not migrated.kept_in(tables).exists():
                subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], env=site.web.env, check=True)
            keep()
    for site in both:
        site.start()
    yield both
    stop_children([site.web for site in both])


def test_two_sites_witness_each_other_through_a_restart_of_either(sites):
    a, b = sites
    a.turn("Ada")
    b.turn("Bo")
    for site, other in ((a, b), (b, a)):
        assert site.is_signed_by(other.keys()[1])
        other.kill()
        site.turn("Cy")
        assert not site.is_signed_by(other.keys()[1])
        other.start()
        site.turn()
        assert site.is_signed_by(other.keys()[1])
        assert f"<td>{other.name}</td>" in site.fetch("en/status/").decode()
    assert [tlog_client.audit(site.fetch, site.keys()[0])[0] for site in sites] == [3, 3]


def test_a_witness_of_one_file_continues_through_a_restart(sites, tmp_path):
    site = sites[0]
    (tmp_path / one_file.NAME).write_bytes(site.fetch("witness.py"))
    command = [sys.executable, "-I", "-S", one_file.NAME, f"http://{site.address}", "--once"]
    codes = []
    for player in ("Ada", "Bo"):
        site.turn(player)
        codes.append(subprocess.run(command, cwd=tmp_path, check=False).returncode)
        site.kill()
        codes.append(subprocess.run(command, cwd=tmp_path, check=False).returncode)
        site.start()
    assert codes == [0, 1, 0, 1]


def test_a_site_with_an_older_backup_is_refused_by_the_other(sites):
    """Rule 24.2: its new history is another one."""
    a, b = sites
    a.turn("Ada")
    backup = a.folder / "backup.sqlite3"
    with sqlite3.connect(a.database) as database, sqlite3.connect(backup) as copy:
        database.backup(copy)
    a.turn("Bo")
    a.kill()
    for file in a.folder.glob("db.sqlite3*"):
        file.unlink()
    shutil.copy(backup, a.database)
    a.start()
    messages = a.turn("Cy")
    assert "it saw another history of this log" in messages
    assert not a.is_signed_by(b.keys()[1])
    assert "refused: another history was seen" in a.fetch("en/status/").decode()
    assert "fork: the log signed two different histories" in b.fetch("en/status/").decode()
