"""Scripts asked by one message: through restarts and errors, and from many threads, each gets its own answer."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from contest.infra.redis.scripts import Script

SAY = "return {KEYS[1], ARGV[1]}"


@pytest.fixture
def server(own_redis):
    return redis.Redis.from_url(own_redis[1])


@pytest.fixture
def say(own_redis):
    return Script(own_redis[1], SAY)


def test_each_of_many_threads_gets_the_answer_to_its_own_question(say):
    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(lambda number: say(keys=["key"], args=[number]), range(400)))
    assert answers == [[b"key", str(number).encode()] for number in range(400)]


def test_a_server_that_has_forgotten_the_script_is_told_it_again(say, server):
    say(keys=["key"], args=["a"])
    server.script_flush()
    assert say(keys=["key"], args=["b"]) == [b"key", b"b"]


def test_connections_that_ended_are_opened_anew(say, server):
    with ThreadPoolExecutor(10) as threads:
        list(threads.map(lambda number: say(keys=["key"], args=[number]), range(100)))
    for _time in range(2):
        for client in server.client_list(_type="normal"):
            if client["id"] != str(server.client_id()):
                server.client_kill_filter(_id=client["id"])
        assert say(keys=["key"], args=["again"]) == [b"key", b"again"]


def test_after_an_error_the_next_answer_is_the_next_question_s(say, own_redis):
    wrong = Script(own_redis[1], "return redis.call('LPOP', KEYS[1], 'x')")
    for number in range(3):
        with pytest.raises(redis.ResponseError):
            wrong(keys=["key"], args=[])
        assert say(keys=["key"], args=[number]) == [b"key", str(number).encode()]


def test_who_cannot_be_reached_is_an_error_of_the_client(tmp_path):
    nobody = Script(f"unix://{tmp_path}/nobody.sock", SAY)
    for _time in range(120):  # more often than a pool of the client would open connections
        with pytest.raises((redis.RedisError, OSError)):
            nobody(keys=["key"], args=[1])


def test_a_child_asks_over_a_connection_of_its_own(say):
    say(keys=["key"], args=["parent"])
    child = os.fork()
    if not child:
        try:
            is_right = say(keys=["key"], args=["child"]) == [b"key", b"child"] and _idle(say) == 1
        except BaseException:
            os._exit(2)
        os._exit(0 if is_right else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert say(keys=["key"], args=["parent"]) == [b"key", b"parent"]


def _idle(script):
    return len(script._connections._idle)
