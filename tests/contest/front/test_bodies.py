import asyncio
from contextlib import closing

import pytest

from contest.front import bodies
from contest.front.bodies import Bodies, ClientGone, TooMuch, TooSlow


def sender_of(*parts):
    """Return a receive function that sends these parts, and then nothing."""
    coming = [{"type": "http.request", "body": part, "more_body": True} for part in parts]

    async def receive():
        if not coming:
            await asyncio.sleep(60)
        return coming.pop(0)

    return receive


def whole(text):
    async def receive():
        return {"type": "http.request", "body": text, "more_body": False}

    return receive


async def gone():
    return {"type": "http.disconnect"}


@pytest.fixture
def small(monkeypatch):
    sizes = {"SMALL": 10, "MOST_HELD": 200, "MOST_HELD_PER_REGION": 100, "MOST_HELD_PER_SENDER": 50}
    for name, value in {"GRACE_SECONDS": 0.05, **sizes}.items():
        monkeypatch.setattr(bodies, name, value)


def taken(kept, receive, sender="192.0.2.1", most=1_000):
    return asyncio.run(kept.receive_whole(receive, None, most, sender))


def test_the_limit_of_held_bytes_applies_to_each_address(small):
    kept = Bodies()
    assert taken(kept, whole(b"x" * 50)) == b"x" * 50
    with pytest.raises(TooMuch):
        taken(kept, whole(b"x" * 11))
    assert taken(kept, whole(b"x" * 10))
    assert taken(kept, whole(b"x" * 40), "192.0.2.2")


def test_a_region_leaves_room_for_the_bodies_of_others(small):
    kept = Bodies()
    for number in (1, 2):
        taken(kept, whole(b"x" * 50), f"192.0.2.{number}")
    with pytest.raises(TooMuch):
        taken(kept, whole(b"x" * 11), "192.0.3.3")
    assert taken(kept, whole(b"x" * 50), "198.51.100.1")


@pytest.mark.parametrize(
    ("receive", "why"), [(sender_of(b"x" * 45), TooSlow), (gone, ClientGone), (whole(b"x" * 60), TooMuch)]
)
def test_a_body_that_comes_to_nothing_holds_nothing(small, receive, why):
    kept = Bodies()
    with pytest.raises(why):
        taken(kept, receive)
    assert taken(kept, whole(b"x" * 50))


class Hours(asyncio.SelectorEventLoop):
    """An event loop with a clock that the test advances."""

    now = 0.0

    def time(self):
        return self.now


@pytest.mark.parametrize(("rate", "is_whole"), [(bodies.LEAST_BYTES_PER_SECOND, True), (2_000, False)])
def test_each_byte_that_comes_moves_the_end_of_a_body(rate, is_whole):
    loop, parts = Hours(), [b"x" * rate] * 60

    async def receive():
        loop.now += 1
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return {"type": "http.request", "body": parts.pop(), "more_body": bool(parts)}

    with closing(loop):
        coming = Bodies().receive_whole(receive, None, 1_000_000, "192.0.2.1")
        if is_whole:
            assert len(loop.run_until_complete(coming)) == 60 * rate
        else:
            with pytest.raises(TooSlow):
                loop.run_until_complete(coming)
