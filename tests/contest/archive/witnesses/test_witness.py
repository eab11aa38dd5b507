"""The witness of one file, run as a process on a bare Python against a live site (rule 24.2)."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from contest.archive import collected
from contest.archive.witnesses import checkpoints, one_file, records
from contest.infra import clock
from contest.judging import receipt_chain
from contest.models import ChainLink, Checkpoint, TreeNode
from tests import cast
from tests.contest.archive.test_writer import bind
from tests.contest.archive.witnesses import tlog_client
from tests.contest.archive.witnesses.test_checkpoints import fill

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass
class Bare:
    """A folder with the program, and the site's address."""

    folder: Path
    url: str

    def run(self, *options: str, url: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", "-S", one_file.NAME, url or self.url, "--once", *options]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=120)

    def files(self, pattern: str) -> list[Path]:
        return sorted((self.folder / "witness").rglob(pattern))

    def key(self) -> str:
        return self.run().stdout.rpartition(" ")[2].strip()


@pytest.fixture
def site(live_server, client, tmp_path):
    (tmp_path / one_file.NAME).write_bytes(client.get("/witness.py").content)
    with clock.set_to(cast.DURING):
        fill(3)
        checkpoints.make(clock.now())
        yield Bare(tmp_path, live_server.url)


def grow(name: str, count: int = 1) -> None:
    for number in range(count):
        cast.send(f"{name}{number}", "rR")
    bind()
    checkpoints.make(clock.now())


def rewrite(position: int) -> None:
    """Let the site change one leaf, and sign the tree with it."""
    Checkpoint.objects.all().delete()
    TreeNode.objects.all().delete()
    ChainLink.objects.filter(position=position).update(leaf="ab" * 32)
    receipt_chain.grow_tree(list(ChainLink.objects.order_by("position")))
    checkpoints.make(clock.now())


def test_it_keeps_and_countersigns_the_checkpoint(site):
    done = site.run("--name", "witness.example/li")
    assert (done.returncode, "5 entries (5 new)" in done.stdout) == (0, True), done.stderr
    (kept,) = site.files("checkpoint-5-*.txt")
    key = site.key()
    assert key.startswith("witness.example/li+")
    for by in (key, str(checkpoints.public_keys()[0])):
        assert tlog_client.read_checkpoint(tlog_client.open_note(kept.read_text(), by))[1] == 5
    assert site.files("secret-key")[0].stat().st_mode & 0o777 == 0o600


def test_a_listed_witness_sends_its_signature_and_the_verifier_reads_what_it_kept(site, settings):
    key = site.key()
    settings.WITNESSES = [key]
    done = site.run()
    assert (done.returncode, "signed and sent" in done.stdout) == (0, True)
    tlog_client.open_note(checkpoints.newest().note, key)
    (line,) = records.report(clock.now())
    assert (line.condition, line.signed_size) == ("well", 5)
    grow("Bo")
    site.run()
    folder = site.files("last-checkpoint")[0].parent
    for by in (key, str(checkpoints.public_keys()[0])):
        pieces = collected.read_folder(folder, [by])
        assert [(piece.fault, piece.checkpoint.size) for piece in pieces] == [("", 5), ("", 6)]


def test_every_look_continues_the_one_before(site):
    """Restarts included: each run is a process of its own, and one was stopped while it wrote."""
    for count, name in ((0, ""), (1, "Bo"), (258, "Cy"), (300, "Di")):
        grow(name, count)
        done = site.run()
        assert (done.returncode, f"({count or 5} new), continued" in done.stdout) == (0, True), done
        site.files("last-checkpoint")[0].with_suffix(".new").write_text("half a li")
    assert len(site.files("checkpoint-*.txt")) == 4


@pytest.mark.parametrize("growth", [0, 3, 300])
def test_a_fork_stops_it_for_good_and_the_evidence_is_kept(site, growth):
    site.run()
    grow("Bo", growth)
    honest = checkpoints.newest().note
    rewrite(2)
    done = site.run()
    assert (done.returncode, done.stdout) == (3, "")
    assert f"FORK of {site.url}" in done.stderr
    (evidence,) = site.files("FORK-*.txt")
    assert evidence.read_text() == checkpoints.newest().note != honest
    assert len(site.files("checkpoint-*.txt")) == 1
    Checkpoint.objects.update(note=honest)
    assert site.run().returncode == 3


def test_an_older_checkpoint_and_one_of_another_key_are_not_signed(site, settings):
    grow("Bo")
    site.run()
    Checkpoint.objects.filter(size=6).delete()
    done = site.run()
    assert (done.returncode, "size 5, but 6 before" in done.stderr) == (1, True)
    Checkpoint.objects.all().delete()
    settings.CHECKPOINT_KEY = "07" * 32
    grow("Cy")
    done = site.run()
    assert (done.returncode, "is not signed by the key" in done.stderr) == (1, True)


def test_the_program_of_this_site_is_the_one_that_its_sources_build(site):
    built = subprocess.run([sys.executable, "-m", one_file.__name__], capture_output=True, check=True).stdout
    assert built == (site.folder / one_file.NAME).read_bytes()
    assert b"\nfrom contest" not in built
