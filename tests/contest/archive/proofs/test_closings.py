"""A link binds the closing of a round: what enters behind it is told (rule 24.2)."""

import json
from datetime import timedelta

import pytest

from contest import judging, visibility
from contest.archive import verify
from contest.archive.proofs import closings as proofs
from contest.celery import tasks
from contest.infra import clock
from contest.judging import receipt_chain
from contest.models import ChainLink, Submission
from contest.ops import outages
from contest.rules import merkle
from contest.rules.phases import SETTLED
from contest.visibility import Viewer
from tests import cast
from tests.contest.archive.conftest import faults, pack
from tests.contest.archive.forger import RELINKED
from tests.contest.archive.test_writer import LATER, bind, packed, play, unpacked

pytestmark = pytest.mark.django_db


def closings() -> list[dict]:
    links = ChainLink.objects.exclude(closing_of=None).order_by("position")
    return [json.loads(link.document) for link in links]


@pytest.fixture
def late_entry(tmp_path):
    """The archive of a round with a better solution, stored 30 hours after the close with a time of the first hour."""
    play()
    with clock.set_to(LATER):
        receipt_chain.append_all()
    with clock.set_to(cast.OPENS + timedelta(hours=1)):
        cast.send("Late", "rR")
    with clock.set_to(cast.CLOSES + timedelta(hours=30)):
        judging.judge_until_empty()
        bind()
        return pack(tmp_path, unpacked(packed()))


def test_an_entry_behind_the_closing_entered_late(late_entry):
    """Rules 3.3, 24.2: whatever time it names."""
    number = Submission.objects.get(player__nickname="Late").number
    found = [str(difference) for difference in verify.verify(late_entry).differences]
    assert f"chain.jsonl: submission {number} entered late: it stands behind the closing of {instant()}" in found


def instant(at=cast.CLOSES) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@pytest.mark.parametrize("look", [tasks.keep_watch, packed])
def test_the_first_look_after_the_close_binds_the_closing(look):
    """Rule 24.2: a worker's turn, or somebody's look at the archive."""
    play()
    with clock.set_to(LATER):
        for _ in range(2):
            look()
    (closing,) = closings()
    leaves = ChainLink.objects.filter(closing_of=None).order_by("position").values_list("leaf", "link")
    root = merkle.root([merkle.leaf_hash(bytes.fromhex(leaf)) for leaf, _ in leaves])
    assert (closing["closes_at"], closing["at"]) == (instant(), instant(LATER))
    assert (closing["size"], closing["root"], closing["link"]) == (len(leaves), root.hex(), list(leaves)[-1][1])


def test_a_closing_waits_until_nothing_received_in_time_can_be_under_way():
    """Rules 3.4, 24.2."""
    play()
    for at, expected in ((SETTLED - timedelta(seconds=1), 0), (SETTLED, 1)):
        with clock.set_to(cast.CLOSES + at):
            receipt_chain.append_all()
            assert (len(closings()), visibility.archived_rounds(Viewer(), clock.now()).exists()) == (expected, expected)


def test_a_closing_waits_for_entries_that_are_not_in_the_chain(monkeypatch):
    """Rule 24.2: on PostgreSQL one may wait for a gap."""
    play()
    with clock.set_to(cast.DURING):
        cast.send("Zoe", "rR")
    with clock.set_to(LATER):
        assert receipt_chain.append_closings() == 0
        bind()
        assert receipt_chain.append_closings() == 1


def test_an_outage_over_the_close_is_recorded_before_the_closing_is_bound(tmp_path):
    """Rules 3.10, 11.14: it delays the draw, and so the beacon's round that the closing binds; `verify` says so."""
    play()
    with clock.set_to(cast.CLOSES - timedelta(minutes=10)):
        outages.beat()
    with clock.set_to(cast.CLOSES + timedelta(hours=1)):
        tasks.keep_watch()
    assert [closing["draws_at"] for closing in closings()] == [instant(cast.CLOSES + timedelta(hours=24))]
    with clock.set_to(cast.CLOSES + timedelta(hours=25)):
        report = verify.verify(pack(tmp_path, unpacked(packed())))
    assert (report.differences, report.remarks) == ([], [proofs.DELAYED])


def cut(forgery) -> None:
    forgery.links.pop()
    forgery.closings.clear()


FORGED = {
    "cut off": (cut, "does not bind each close of the round once"),
    "link left out": (lambda f: f.links.pop(), "its leaf is not in the chain"),
    "twice": (lambda f: f.closings.append(f.closings[0]), "does not bind each close"),
    "bound before the close": (lambda f: f.closings[0].update(at=instant(cast.DURING)), "before the close"),
    "drawn later": (lambda f: f.closings[0].update(draws_at=instant(LATER + timedelta(days=9))), "at none of"),
    "another round": (lambda f: f.closings[0].update(round=7), "is of round 7"),
    "a sealed answer more": (lambda f: f.closings[0].update(sealed=1), "binds 1 sealed answers"),
    "a beacon's round": (lambda f: f.closings[0].update(beacon=5), "another round of the beacon"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_closing_is_detected(name, archive_files, tmp_path):
    """Rule 24.2: even with rebuilt leaves and links."""
    change, why = FORGED[name]
    assert why in faults(tmp_path, archive_files, change, RELINKED)
