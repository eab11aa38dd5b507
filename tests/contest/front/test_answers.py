"""Limits on responses for clients that do not read them."""

from contest.front.answers import MOST_UNREAD, MOST_UNREAD_PER_SENDER, Unread

HALF = MOST_UNREAD_PER_SENDER // 2


def test_a_response_larger_than_the_total_limit_is_admitted_alone():
    unread = Unread()
    assert unread.charge("a", 3 * MOST_UNREAD)
    assert not unread.charge("a", HALF)
    unread.release("a", 3 * MOST_UNREAD)
    assert unread.charge("a", HALF)


def test_a_small_one_is_always_given():
    unread = Unread()
    assert unread.charge("a", MOST_UNREAD_PER_SENDER)
    assert unread.charge("a", 10_000)


def test_all_together_have_so_much_unread():
    unread = Unread()
    senders = [f"sender {number}" for number in range(MOST_UNREAD // HALF + 1)]
    assert [unread.charge(one, HALF) for one in senders] == [True] * (len(senders) - 1) + [False]
