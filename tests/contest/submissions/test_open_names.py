"""Quotas of unclaimed names count by network: strangers cannot use up the owner's (rules 4.12, 5.9)."""

from datetime import timedelta

import pytest

from contest.celery import tasks
from contest.infra import clock
from contest.models import Door, Player, Submission
from contest.submissions import Entry, Receipt, Sent, accept_batch
from tests import cast

pytestmark = pytest.mark.django_db
STRANGER, OWNER = "192.0.2.7", "198.51.100.7"


def sent(moves: list[str], address: str) -> list[Receipt | Exception]:
    entries = [Sent(Entry("Old", text), address=address) for text in moves]
    return accept_batch(entries, door=Door.LEGACY)


def are_accepted(answers: list[Receipt | Exception]) -> list[bool]:
    return [isinstance(answer, Receipt) for answer in answers]


def junk(count: int, start: int = 0) -> list[str]:
    return ["r" * number for number in range(start + 1, start + count + 1)]


@pytest.mark.parametrize("size", [1, 10], ids=["alone", "batch"])
def test_a_strangers_texts_do_not_lock_the_owner_out(during_round, size):
    """The attack: ten junk texts a minute under a name without an address, which anybody may use."""
    for start in range(0, 10, size):
        assert all(are_accepted(sent(junk(size, start), STRANGER)))
    assert are_accepted(sent(junk(1, 10), STRANGER)) == [False]
    assert are_accepted(sent(["rR", "rlrR"], OWNER)) == [True, True]
    assert Player.objects.get().is_open


def test_quotas_of_a_round_and_turns_count_by_network_too(during_round, settings):
    settings.QUOTA_PER_ROUND, settings.QUOTA_BYTES_PER_ROUND, settings.MOST_AHEAD_SECONDS = 3, 20_000, 1e-6
    assert are_accepted(sent(junk(3), STRANGER)) == [True, False, False]  # its turn is ahead
    settings.MOST_AHEAD_SECONDS = 100
    assert are_accepted(sent(junk(3), STRANGER)) == [True, True, True]
    assert are_accepted(sent(junk(1, 3), STRANGER)) == [False]
    assert are_accepted(sent(["r" * 17_000], OWNER)) == [True]
    assert are_accepted(sent(["r" * 17_001], OWNER)) == [False]


def test_the_gate_counts_senders_under_an_unclaimed_name(during_round, monkeypatch):
    """They prove nothing, like senders under new names."""
    passed: list[str] = []
    monkeypatch.setattr("contest.submissions.limits.pass_gate", passed.append)
    sent(junk(2), STRANGER)
    sent(junk(1, 2), OWNER)
    assert passed == [STRANGER, STRANGER, OWNER]


def test_networks_are_hashed_only_under_unclaimed_names_and_deleted_after_thirty_days(during_round):
    sent(junk(1), STRANGER)
    cast.send("New", "rR")
    hashed, none = Submission.objects.order_by("number").values_list("open_network", flat=True)
    assert (len(hashed), STRANGER in hashed, none) == (32, False, "")
    for days, left in ((29, hashed), (30, "")):
        with clock.set_to(cast.DURING + timedelta(days=days)):
            tasks.advance()
        assert Submission.objects.earliest("number").open_network == left
