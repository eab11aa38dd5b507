from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from contest.infra import circuit_breaker
from contest.infra.circuit_breaker import Breaker
from contest.infra.redis.scripts import Script


@pytest.mark.parametrize(("seconds", "is_open"), [(0.0, True), (4.9, True), (5.0, False), (60.0, False)])
def test_a_failed_service_is_not_called_for_five_seconds(monkeypatch, seconds, is_open):
    breaker = Breaker()
    assert not breaker.is_open
    monkeypatch.setattr(circuit_breaker.time, "monotonic", lambda: 1_000_000.0)
    breaker.trip()
    monkeypatch.setattr(circuit_breaker.time, "monotonic", lambda: 1_000_000.0 + seconds)
    assert breaker.is_open is is_open


SAY = "return {KEYS[1], ARGV[1]}"


@pytest.fixture
def say(own_redis):
    return Script(own_redis[1], SAY)


def test_each_thread_gets_the_answer_to_its_own_command(say):
    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(lambda number: say(keys=["key"], args=[number]), range(400)))
    assert answers == [[b"key", str(number).encode()] for number in range(400)]


def test_the_script_is_sent_again_to_a_restarted_server(say, own_redis):
    server = redis.Redis.from_url(own_redis[1])
    say(keys=["key"], args=["a"])
    server.script_flush()
    assert say(keys=["key"], args=["b"]) == [b"key", b"b"]
    for client in server.client_list(_type="normal"):
        if client["id"] != str(server.client_id()):
            server.client_kill_filter(_id=client["id"])
    assert say(keys=["key"], args=["c"]) == [b"key", b"c"], "over a connection that is opened again"
