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


def test_a_long_turn_is_not_held_against_its_network_for_long():
    shares, crowd = Shares(), [f"{number}.0.0.1" for number in range(3)]
    served(shares, turns(FLOOD), {FLOOD: 100.0}, 1)
    waiting = turns(FLOOD) + [turn for sender in crowd for turn in turns(sender, 30)]
    assert FLOOD in served(shares, waiting, dict.fromkeys([*crowd, FLOOD], 0.1), 75)


def test_nobody_saves_up_time():
    shares, seconds = Shares(), {FLOOD: 0.1, "198.51.100.7": 0.1}
    served(shares, turns(FLOOD, 50), seconds, 50)
    assert served(shares, turns(FLOOD, 9) + turns("198.51.100.7", 9), seconds, 10).count(FLOOD) >= 4


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


def test_a_batch_takes_one_of_each_network_before_the_second_of_any():
    flood, other = turns(FLOOD, 3), turns("198.51.100.7", 2)
    assert Shares().in_order([*flood, *other]) == [flood[0], other[0], flood[1], other[1], flood[2]]


def test_accounts_that_say_nothing_any_more_are_forgotten():
    shares = Shares()
    waiting = [turn for number in range(10_000) for turn in turns(f"{number >> 8}.0.{number % 256}.1")]
    for turn in waiting:
        shares.serve(turn)
        shares.settle(turn, 0.0)
    assert len(shares._networks._used) <= 4_096


def test_among_equal_senders_the_door_that_was_used_least_is_next():
    flood = [Turn(int, int, Kind.PAGE, f"{number}.0.0.1", "/en/compare/#/#/") for number in range(9)]
    other, shares = Turn(int, int, Kind.PAGE, "198.51.100.7", "/en/hall/"), Shares()
    served(shares, flood, {turn.sender: 0.05 for turn in flood}, 1)
    assert shares.first([*flood, other]) is other
