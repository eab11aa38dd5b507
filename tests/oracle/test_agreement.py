import os
from datetime import timedelta

import pytest

from tests.oracle.comparing import Comparison
from tests.oracle.playing import Contest

pytestmark = pytest.mark.django_db
ROUNDS = int(os.environ.get("ORACLE_ROUNDS", "2"))
AT_A_TIME = 10


@pytest.mark.parametrize("first", range(0, ROUNDS, AT_A_TIME))
def test_the_site_and_the_rulebook_agree_over_random_rounds(first):
    """Rules 1.7, 2.10, 2.11, 3.2, 4.13, 5.6, 5.11 to 5.13, 6.2 to 6.9, 7.10, 8.1 to 8.6, 9.1 to 9.7, 10.1 to 10.5,
    11.6 to 11.9, 11.14, 12.1, 12.2, 13.3 to 13.6, 14.5, 15.1, 15.2, 16.4, 21.1, 21.2, 24.1, 24.2.
    """
    contest = Contest(seed=first)
    compared = Comparison(contest.oracle)
    number, last = first + 1, min(first + AT_A_TIME, ROUNDS)
    while number <= last:
        together = [contest.announce(number)]
        # The first two overlap always, so that the shortest history has overlapping rounds.
        if number < last and (number == first + 1 or contest.random.random() < 0.4):
            together.append(contest.announce_beside(number + 1, together[0]))
        contest.play(together)
        number += len(together)
        at = max(round_.closes_at for round_ in together) + timedelta(hours=25)
        with contest.clock(at):
            for round_ in together:
                finish(contest, compared, round_.number)
        revise(contest, compared, at)


def finish(contest, compared, number):
    """Compare the results at the close, publish them, and compare again, also with what the archive proves."""
    compared.round(number, contest.at)
    if not contest.oracle.rounds[number].is_cancelled:
        contest.finalise(number)
        compared.round(number, contest.at)
        compared.archive(number, contest.at)


def revise(contest, compared, since):
    published = [number for number, about in contest.oracle.rounds.items() if about.published]
    for day in range(1, contest.random.choice((1, 2, 4)) + 1) if published else ():
        with contest.clock(since + timedelta(days=day)):
            revised = contest.random.choice(published)
            for _ruling in range(contest.random.randrange(1, 4)):
                contest.rule(revised)
            compared.sums(contest.at)
            contest.revise(revised)
            compared.round(revised, contest.at)
            compared.archive(revised, contest.at)
            compared.sums(contest.at)
