"""The next turn goes to the sender with the least CPU time: first by region, then by network and by address in it."""

import pytest

from contest.front.doors import Kind
from contest.front.shares import Shares
from contest.front.turns import Turn

FLOOD = "192.0.2.1"


def turns(sender, count=1):
    return [Turn(int, int, Kind.PAGE, sender) for _ in range(count)]


def served(shares, waiting, seconds, count):
    """Return the senders of the first *count* turns, if the turns of each sender take *seconds* by sender."""
    senders = []
    for _ in range(count):
        turn = shares.first(waiting)
        waiting.remove(turn)
        shares.serve(turn)
        shares.settle(turn, seconds[turn.sender])
        senders.append(turn.sender)
    return senders


@pytest.mark.parametrize("other", ["198.51.100.7", "192.0.2.9", "2001:db8::/64", ""])
def test_behind_130_of_one_sender_another_has_the_next_turn(other):
    shares, flood = Shares(), turns(FLOOD, 130)
    shares.serve(flood.pop())
    (last,) = turns(other)
    assert shares.first([*flood, last]) is last


def test_a_sender_of_expensive_requests_has_fewer_turns():
    waiting = turns(FLOOD, 40) + turns("198.51.100.7", 40)
    senders = served(Shares(), waiting, {FLOOD: 0.4, "198.51.100.7": 0.1}, 25)
    assert senders.count(FLOOD) == 5


@pytest.mark.parametrize("address", ["192.0.2.{}", "192.0.{}.1", "2001:db8:7:{:x}::/64", "2001:db8:{:x}::/64"])
def test_addresses_and_networks_of_one_region_have_one_share_together(address):
    crowd = [address.format(number) for number in range(30)]
    waiting = [turn for sender in crowd for turn in turns(sender)] + turns("198.51.100.7", 30)
    senders = served(Shares(), waiting, dict.fromkeys([*crowd, "198.51.100.7"], 0.1), 20)
    assert senders.count("198.51.100.7") == 10


def test_a_stream_of_new_senders_does_not_starve_an_earlier_sender():
    shares, reader = Shares(), "192.0.2.9"
    served(shares, turns(reader), {reader: 0.1}, 1)
    waiting, seconds = turns(reader), {reader: 0.1}
    for number in range(60):
        newcomer = f"{number}.0.0.1"
        waiting += turns(newcomer)
        if number >= 20:
            served(shares, waiting, seconds | {one.sender: 0.1 for one in waiting}, 1)
    assert not any(one.sender == reader for one in waiting)
