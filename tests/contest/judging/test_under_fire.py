"""One address sends the longest texts under many nicknames that it can prove; somebody else sends a short one."""

import time
from collections import Counter

import pytest

from contest.judging import judge
from contest.models import Door
from contest.submissions import Entry, Refused, accept
from tests import cast
from tests.contest.infra.test_rate_limits import ADDRESS, limits  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db

ATTACKERS = 112
LONGEST = "lr" * 499_990 + " " * 1_000_000


def attack(claims):
    """What the attackers' texts were answered with."""
    answers = Counter()
    for number, claim in enumerate(claims):
        entry = Entry(f"attacker {number}", LONGEST + "l" * (number % 9), claim=claim)
        try:
            accept(entry, door=Door.API, address=ADDRESS)
            answers[202] += 1
        except Refused as refusal:
            answers[refusal.status] += 1
    return answers


def seconds_until(number):
    """The processor time that the judge needs until submission *number* has its verdict."""
    started = time.thread_time()
    while claimed := judge.claim(judge.BATCH):
        judge.judge_claimed(claimed)
        if number in {row.pk for row in claimed}:
            return time.thread_time() - started
    return pytest.fail("it was never judged")


def test_under_the_longest_texts_of_one_address_a_short_text_is_judged_within_a_second(limits, during_round):  # noqa: F811
    """Rules 5.2, 5.9."""
    claims = [cast.send(f"attacker {number}", "rR").claim for number in range(ATTACKERS)]
    judge.judge_until_empty()
    answers = attack(claims)
    assert 5 <= answers[202] <= 40
    assert answers[202] + answers[429] == ATTACKERS
    honest = accept(Entry("honest", "rR"), door=Door.API, address="198.51.100.7")
    assert seconds_until(honest.submission.pk) < 1
