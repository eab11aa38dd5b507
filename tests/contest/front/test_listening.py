import asyncio
import socket
from contextlib import closing

import pytest

from contest.front import listening
from contest.front.answers import Answer
from contest.front.turns import Full
from tests.contest.front import plain
from tests.contest.front.conftest import running
from tests.contest.patience import wait_until

STREAM = {"Accept": "text/event-stream"}
LONGEST = 60  # seconds; every event of these tests happens within one


@pytest.fixture(autouse=True)
def _looks_often(monkeypatch):
    monkeypatch.setattr(listening, "_POLL_SECONDS", 0.01)


def listen(connect, server, query):
    head = (
        f"GET {listening.EVENTS}?{query} HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n"
    )
    return connect(server, head.encode())


def read_response(connected: socket.socket) -> bytes:
    with closing(connected):
        return b"".join(iter(lambda: connected.recv(65_536), b""))


def test_many_listeners_take_no_thread_and_all_receive_the_event(server, connect):
    all_ = [listen(connect, server, "after=0") for _ in range(20)]
    assert server.get("/")[0] == 200
    server.get("/happen", method="POST")
    assert [read_response(one).rpartition(b"\r\n\r\n")[2] for one in all_] == [b"1\n"] * len(all_)
    assert server.get(f"{listening.EVENTS}?after=0", headers=STREAM)[2] == b"1\n"


def test_listeners_are_sent_home_when_the_server_ends(connect):
    with running() as server:
        one = listen(connect, server, "after=0&seconds=600")
        wait_until(lambda: plain.feed["asked"])
    assert read_response(one).partition(b"\r\n")[0] == b"HTTP/1.1 200 OK"


def run(play):
    """Run the coroutine *play* and return its result; fail after LONGEST seconds instead of hanging."""
    return asyncio.run(asyncio.wait_for(play, LONGEST))


class Feed:
    """An application in which a test triggers the events."""

    def __init__(self):
        self.newest = 0
        self.asked = []

    async def ask(self, environ):
        self.asked.append(environ["QUERY_STRING"])
        after = int(environ["QUERY_STRING"].removeprefix("after=").removesuffix("&limit=1&wait=1"))
        answer = Answer(200, [], answer_of(range(after + 1, self.newest + 1)))
        nothing = "0" if self.newest > after else "600"
        answer.headers = [
            (listening.SECONDS.encode(), nothing.encode()),
            (listening.NEWEST.encode(), b"%d" % self.newest),
        ]
        return answer


def answer_of(numbers):
    made = Answer()
    made.take([b"%d\n" % number for number in numbers])
    return made.body


def a_request(query):
    return {"REQUEST_METHOD": "GET", "PATH_INFO": listening.EVENTS, "QUERY_STRING": query, "HTTP_COOKIE": "a=b"}


async def never():
    await asyncio.Event().wait()


@pytest.fixture
def feed(monkeypatch):
    monkeypatch.setattr(listening, "_POLL_SECONDS", 0)
    return Feed()


class Crowd:
    """Clients of one list of listeners, which wait if they are let in."""

    def __init__(self, feed):
        self.ask, self.listeners, self.waiting = feed.ask, listening.Listeners(feed.ask), []

    async def wait(self, after, sender):
        request = a_request(f"after={after}") | {"HTTP_ACCEPT": "text/event-stream"}
        if is_let_in := self.listeners.can_wait(request, sender):
            self.waiting.append(asyncio.ensure_future(self.listeners.answer(request, never, self.ask, sender)))
        await asyncio.sleep(0)
        return is_let_in


def test_one_sender_has_so_many_questions_and_the_others_are_not_kept_waiting_by_more(feed):
    crowd, most = Crowd(feed), listening.MOST_REQUESTS_PER_SENDER

    async def play():
        assert [await crowd.wait(number, "many") for number in range(most + 5)] == [True] * most + [False] * 5
        assert await crowd.wait(0, "many"), "what is asked already costs nothing"
        assert await crowd.wait(most, "other")
        for one in crowd.waiting:
            one.cancel()

    run(play())


def test_one_network_has_so_many_questions_and_the_others_hear_of_an_event_before_its_second(feed):
    crowd, most = Crowd(feed), listening.MOST_REQUESTS_PER_NETWORK

    async def play():
        let_in = [await crowd.wait(after, f"192.0.2.{after}") for after in range(most + 3)]
        assert let_in == [True] * most + [False] * 3
        assert await crowd.wait(900, "198.51.100.7")
        while not all(question.waiting for question in crowd.listeners._requests.values()):
            await asyncio.sleep(0)
        feed.newest = 1_000
        await asyncio.gather(*crowd.waiting)

    run(play())
    repeated = [query for query in feed.asked if "wait" not in query][most + 1 :]
    assert repeated.index("after=900") <= 1


async def _full(_environ):
    raise Full


async def _throttled(_environ):
    return Answer(429, [], answer_of([]))


async def _stalled(_environ):
    await never()


@pytest.mark.parametrize("ask", [_full, _throttled, _stalled])
def test_the_limits_of_the_first_sender_hold_for_no_other(feed, ask, monkeypatch):
    monkeypatch.setattr(listening, "_PATIENCE_SECONDS", 0.01)
    feed.newest = 1
    listeners = listening.Listeners(feed.ask)

    async def play():
        first = asyncio.ensure_future(listeners.answer(a_request("after=0"), never, ask, "first"))
        others = [listeners.answer(a_request("after=0"), never, feed.ask, sender) for sender in ("second", "third")]
        answers = await asyncio.gather(*others)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        return [answer.body.read() for answer in answers]

    assert run(play()) == [b"1\n", b"1\n"]
    assert feed.asked == ["after=0"]


def test_no_sender_is_seen_by_what_is_asked_for_all():
    asked = []

    async def ask(environ):
        asked.append(environ)
        return Answer()

    run(listening.Listeners(ask).answer(a_request("after=0"), never, ask))
    assert "HTTP_COOKIE" not in asked[0]
    assert asked[0][listening.WAITS_HERE]


def test_a_shared_answer_counts_as_unread_as_long_as_any_other():
    shared = listening.SharedAnswer.from_answer(Answer(200, [], answer_of(range(1_000))))
    assert shared.to_answer().size == len(shared.body) == 3_890
