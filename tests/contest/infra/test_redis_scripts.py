"""Redis scripts in one message: each thread gets its own answer, through restarts and errors."""

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


def test_each_thread_gets_the_answer_to_its_own_command(say):
    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(lambda number: say(keys=["key"], args=[number]), range(400)))
    assert answers == [[b"key", str(number).encode()] for number in range(400)]


def test_the_script_is_sent_again_to_a_restarted_server(say, server):
    say(keys=["key"], args=["a"])
    server.script_flush()
    assert say(keys=["key"], args=["b"]) == [b"key", b"b"]
    for client in server.client_list(_type="normal"):
        if client["id"] != str(server.client_id()):
            server.client_kill_filter(_id=client["id"])
    assert say(keys=["key"], args=["c"]) == [b"key", b"c"], "over a connection that is opened again"
