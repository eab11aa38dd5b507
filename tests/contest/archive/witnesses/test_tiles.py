"""The log as tiles, read by a client that knows only the specifications (rule 24.2)."""

import pytest

from contest.archive.witnesses import checkpoints
from contest.infra import clock
from contest.models import ChainLink
from tests import cast
from tests.contest.archive.test_writer import bind
from tests.contest.archive.witnesses import tlog_client
from tests.contest.archive.witnesses.test_checkpoints import fill

pytestmark = pytest.mark.django_db


@pytest.fixture
def fetch(client):
    def get(path: str) -> bytes:
        answer = client.get(f"/{path}")
        tlog_client.require(answer.status_code == 200, f"/{path} exists, not {answer.status_code}")
        kind = "text/plain; charset=utf-8" if path == "checkpoint" else "application/octet-stream"
        tlog_client.require(answer["Content-Type"] == kind, f"/{path} has the type {kind}")
        return answer.content

    return get


@pytest.mark.parametrize("count", [0, 253, 254, 600])
def test_a_client_of_the_specification_reads_the_whole_log(fetch, count):
    """C2SP tlog-tiles: checkpoint, tiles of every level and entries agree."""
    with clock.set_to(cast.DURING):
        fill(count)
        checkpoints.make(clock.now())
    size, leaves = tlog_client.audit(fetch, str(checkpoints.public_keys()[0]))
    assert size == len(leaves) == ChainLink.objects.count() == count + 2


def test_tiles_may_be_cached_for_good_and_an_entry_is_only_a_hash(client):
    """Rule 24.2: the log reveals no more than the chain's leaves."""
    with clock.set_to(cast.DURING):
        fill(0)
        checkpoints.make(clock.now())
    for level in ("0", "entries"):
        assert client.get(f"/tile/{level}/000.p/2")["Cache-Control"] == "public, max-age=31536000, immutable"
    leaves = ChainLink.objects.order_by("position").values_list("leaf", flat=True)
    assert client.get("/tile/entries/000.p/2").content == b"".join(b"\0 " + bytes.fromhex(leaf) for leaf in leaves)


def test_what_no_checkpoint_signs_yet_is_not_published(client):
    with clock.set_to(cast.DURING):
        fill(0)
        assert client.get("/tile/0/000.p/1").status_code == 404
        checkpoints.make(clock.now())
        cast.send("Bo", "rR")
        bind()
    assert client.get("/tile/0/000.p/2").status_code == 200
    assert client.get("/tile/0/000.p/3").status_code == 404


_UNKNOWN = """
    0/000 0/001.p/1 1/000.p/1 64/000.p/1 00/000.p/1 -1/000.p/1 a/000.p/1 0/0.p/1 0/x000/000.p/1 0/000.p/0 0/000.p/01
    0/000.p/256 0/000.p/999 0/000.p/ 0/000.p/1/ entries/000 entries/x000/000.p/1 Entries/000.p/1 0/٠٠٠.p/1
    0/x999/x999/x999/x999/x999/x999/999.p/1 99/x999/000
"""


@pytest.mark.parametrize("path", _UNKNOWN.split())
def test_other_spellings_and_missing_tiles_are_unknown(client, path):
    with clock.set_to(cast.DURING):
        fill(0)
        checkpoints.make(clock.now())
    assert client.get(f"/tile/{path}").status_code == 404
