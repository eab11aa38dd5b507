from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import pytest
import redis

from contest.infra import circuit_breaker, rate_limits
from contest.infra.rate_limits import Load
from contest.models import Door, Player, Submission
from contest.submissions import Entry, accept
from tests import cast

ADDRESS = "203.0.113.9"


def passed(attempts, passing):
    def attempt(_number):
        try:
            passing()
        except rate_limits.Busy:
            return 0
        return 1

    with ThreadPoolExecutor(20) as threads:
        return sum(threads.map(attempt, range(attempts)))


def test_concurrent_requests_pass_exactly_up_to_the_limit(limits):
    assert passed(200, lambda: rate_limits.pass_address(ADDRESS)) == 3
    assert passed(200, lambda: rate_limits.pass_token("t0")) == 120


def test_each_address_or_ipv6_block_has_its_own_limit_and_only_its_hash_is_stored(limits):
    assert passed(9, lambda: rate_limits.pass_address(ADDRESS)) == 3
    assert passed(9, lambda: rate_limits.pass_address("203.0.113.10")) == 3
    addresses = iter(f"2001:db8:0:7::{number:x}" for number in range(9))
    assert passed(9, lambda: rate_limits.pass_address(next(addresses))) == 3
    keys = rate_limits._redis().keys()
    assert len(keys) == 3
    assert ADDRESS not in str(keys)


def set_clock_on(seconds):
    """Advance time for Redis, which has its own clock, by moving its stored times back."""
    server = rate_limits._redis()
    for key in server.keys("gate:*"):
        if server.type(key) == b"list":
            earlier = [float(at) - seconds for at in server.lrange(key, 0, -1)]
            server.delete(key)
            server.rpush(key, *earlier)
        else:
            for name in {b"next", b"told", b"at"} & set(server.hkeys(key)):
                server.hincrbyfloat(key, name, -seconds)


def test_a_throttled_address_learns_its_wait_and_passes_afterwards(limits):
    for _ in range(3):
        rate_limits.pass_address(ADDRESS)
    set_clock_on(20)
    with pytest.raises(rate_limits.Busy) as busy:
        rate_limits.pass_address(ADDRESS)
    assert busy.value.wait in range(1, 41)
    set_clock_on(40)
    rate_limits.pass_address(ADDRESS)


def test_passes_from_before_the_clock_was_set_back_do_not_count(limits):
    assert passed(9, lambda: rate_limits.pass_address(ADDRESS)) == 3
    *turns, last = rate_limits.take_turns([Load(ADDRESS, 40.0)] * 4, most=100.0)
    assert [isinstance(turn, float) and round(turn) for turn in turns] == [0, 40, 80]
    assert isinstance(last, rate_limits.Busy)
    set_clock_on(-3 * 3_600)
    (left,) = rate_limits.remaining_allowances([rate_limits.gate_of_address(ADDRESS)])
    assert left.left == 3
    assert passed(9, lambda: rate_limits.pass_address(ADDRESS)) == 3
    assert rate_limits.take_turns([Load(ADDRESS, 40.0)], most=100.0) == [0.0]


def test_a_token_may_have_a_limit_of_its_own_which_no_batch_may_exceed(limits):
    rate_limits.pass_token("t2", 5, most=5)
    with pytest.raises(rate_limits.Busy) as too_many:
        rate_limits.pass_token("t3", 6, most=5)
    assert too_many.value.wait is None


def test_a_hanging_redis_delays_a_single_request_and_refuses_none(limits, settings, monkeypatch):
    run_all = Mock(side_effect=redis.TimeoutError)
    monkeypatch.setattr(circuit_breaker, "_REST_SECONDS", 600.0)
    monkeypatch.setattr(rate_limits.Script, "run_all", run_all)
    assert passed(1, lambda: rate_limits.pass_address(ADDRESS)) == 1
    assert passed(20, lambda: rate_limits.pass_address(ADDRESS)) == 20
    assert run_all.call_count == 1


def send(nickname, moves="rR", **fields):
    return accept(Entry(nickname=nickname, moves=moves, **fields), door=Door.API, address=ADDRESS)


def test_new_nicknames_and_wrong_claims_count_against_the_address(limits, during_round):
    send("player")
    for wrong in ("x", "y"):
        assert cast.refused(send, "player", claim=wrong).code == "name_taken"
    refusal = cast.refused(send, "rival")
    assert (refusal.code, refusal.status) == ("quota", 429)
    assert refusal.retry_after in range(1, 61)
    assert not Player.objects.filter(nickname="rival").exists()


def test_proved_nicknames_and_repeated_texts_do_not_count_against_the_address(limits, during_round):
    """Rule 5.9."""
    claim = send("player").claim
    for extra in range(2, 8):
        send("player", "r" * extra, claim=claim)
        send("player", claim=claim)
    assert Submission.objects.count() == 7
    send("rival")
    send("stranger")
