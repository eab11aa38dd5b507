"""Redis scripts in one message: each thread gets its own answer, through restarts and errors."""

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

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


def test_connections_are_reused_except_in_a_forked_process(say, server):
    say(keys=["key"], args=["a"])
    opened = server.info("stats")["total_connections_received"]
    say(keys=["key"], args=["b"])
    assert server.info("stats")["total_connections_received"] == opened
    if not (child := os.fork()):
        with suppress(BaseException):
            say(keys=["key"], args=["c"])
        os._exit(0)
    os.waitpid(child, 0)
    assert server.info("stats")["total_connections_received"] == opened + 1


def test_the_script_is_sent_again_to_a_restarted_server(say, server):
    say(keys=["key"], args=["a"])
    server.script_flush()
    assert say(keys=["key"], args=["b"]) == [b"key", b"b"]
    for client in server.client_list(_type="normal"):
        if client["id"] != str(server.client_id()):
            server.client_kill_filter(_id=client["id"])
    assert say(keys=["key"], args=["c"]) == [b"key", b"c"], "over a connection that is opened again"


def test_after_an_error_the_next_command_gets_its_own_answer(say, own_redis):
    wrong = Script(own_redis[1], "return redis.call('LPOP', KEYS[1], 'x')")
    for number in range(3):
        with pytest.raises(redis.ResponseError):
            wrong(keys=["key"], args=[])
        assert say(keys=["key"], args=[number]) == [b"key", str(number).encode()]


def test_an_unreachable_server_raises_an_error_of_the_client(tmp_path):
    nobody = Script(f"unix://{tmp_path}/nobody.sock", SAY)
    for _time in range(2):
        with pytest.raises((redis.RedisError, OSError)):
            nobody(keys=["key"], args=[1])
