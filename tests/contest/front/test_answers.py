"""Limits on responses for clients that do not read them, and the pace of refusals."""

import pytest

from contest.front.answers import MOST_UNREAD, MOST_UNREAD_PER_SENDER, Refusals, Unread

HALF = MOST_UNREAD_PER_SENDER // 2


def test_all_together_have_so_much_unread():
    unread = Unread()
    senders = [f"sender {number}" for number in range(MOST_UNREAD // HALF + 1)]
    assert [unread.charge(one, HALF) for one in senders] == [True] * (len(senders) - 1) + [False]


def test_refusals_follow_each_other_at_an_even_pace_and_none_waits_long():
    refusals = Refusals()
    waits = [refusals.reserve(0.0) for _ in range(1_000)]
    assert waits[:3] == pytest.approx([0.0, 0.01, 0.02])
    assert max(waits) <= 5.0
    assert refusals.reserve(10.0) == pytest.approx(0.0)
