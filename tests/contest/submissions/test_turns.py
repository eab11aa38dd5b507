from datetime import timedelta

import pytest

from contest.infra import clock
from contest.judging import claims
from contest.models import Door, Submission
from contest.submissions import Entry, Refused, accept, at_once
from contest.visibility import Viewer
from tests import cast
from tests.contest.infra.test_rate_limits import ADDRESS

pytestmark = pytest.mark.django_db

LONG = "lr" * 300_000  # legal moves in the corridor for any length
USUAL = 3_000


@pytest.fixture
def long_quota(settings):
    settings.QUOTA_PER_SECONDS = {60: 1_000}


def send(nickname, moves="rR", address="", **fields):
    return accept(Entry(nickname, moves, **fields), door=Door.API, address=address)


def refusal_of(act):
    for more in range(100):
        try:
            act(more)
        except Refused as refusal:
            return refusal
    pytest.fail("nobody was asked to wait")


def order():
    names = []
    while claimed := claims.claim(claims.BATCH):
        names += [row.player.nickname for row in claimed]
    return names


def test_a_short_text_overtakes_a_long_text_received_just_before(during_round):
    bound = timedelta(seconds=45)
    long = send("long", LONG).submission
    assert long.turn_at - long.received_at < bound
    with clock.set_to(cast.DURING + bound):
        send("late")
    with clock.set_to(cast.DURING + timedelta(milliseconds=100)):
        send("short")
    assert order() == ["short", "long", "late"]


def test_players_take_turns_and_so_do_addresses_with_any_nicknames(limits, during_round, settings):
    """Rule 5.2."""
    claim = send("eager", "r" * USUAL).claim
    for more in range(1, 6):
        send("eager", "r" * (USUAL + more), claim=claim)
    send("modest", "r" * USUAL)
    assert order().index("modest") < 3
    settings.ADDRESS_PER_MINUTE = 100
    for number in range(20):
        send(f"crowd {number}", "r" * 100_000, ADDRESS)
    send("single", "r" * 100_000, "198.51.100.7")
    assert order().index("single") < 3


def test_a_player_with_proof_has_to_wait_after_sending_too_much(during_round, long_quota):
    claim = send("player", LONG).claim
    refusal = refusal_of(lambda more: send("player", LONG + "l" * more, claim=claim))
    assert (refusal.code, refusal.status) == ("quota", 429)
    assert 1 <= refusal.retry_after <= 10
    with clock.set_to(cast.DURING + timedelta(seconds=refusal.retry_after)):
        send("player", "rR", claim=claim)


def test_an_address_that_sent_too_much_ahead_has_to_wait_even_with_proof(limits, during_round, settings):
    settings.ADDRESS_PER_MINUTE, settings.MOST_AHEAD_SECONDS = 1_000, 3.0
    claims = {name: send(name, "lr" * 250, ADDRESS).claim for name in map(str, range(20))}  # of a usual length
    refusal = refusal_of(lambda more: send(str(more), LONG, ADDRESS, claim=claims[str(more)]))
    assert (refusal.code, refusal.status) == ("quota", 429)
    assert Submission.objects.filter(cost__gt=50_000).count() < 10
    send("neighbour", LONG, "198.51.100.7")


def test_a_trial_counts_against_its_address_by_what_it_costs(limits, during_round, settings):
    settings.MOST_AHEAD_SECONDS = 3.0

    def tried(more):
        at_once.judge(at_once.Trial(LONG + "l" * more), viewer=Viewer(), at=cast.DURING, address=ADDRESS)

    assert refusal_of(tried).status == 429


def test_the_bytes_of_a_player_in_a_round_are_bounded(during_round, long_quota, settings):
    """Rule 5.9."""
    settings.QUOTA_BYTES_PER_ROUND = 100_000
    claim = send("player", "l" * 60_000).claim
    assert "100,000 bytes" in cast.refused(send, "player", "l" * 50_000, claim=claim).reason
    send("player", "l" * 1_000, claim=claim)
    send("rival", "l" * 50_000)
