"""How often a page of the desk may ask the database: eight times at most, but for those that have a reason."""

import re

import pytest
from django.contrib.auth.models import Group, User

from contest.management.demo import demo
from tests.browser import whole_site
from tests.budgets import MOST_QUERIES, asked

pytestmark = pytest.mark.django_db
# Four are asked for everybody of the staff: the session, who it is, what they may, and the banner.
MORE = {
    # Rounds, what wants a revision, questions and reports, series and their turns, the judge and what waits.
    "$": 11,
    # The levels go through the gate again, one by one; the calendar is asked who is in the way, and what vetting knows.
    r"(rounds|drafts)/\d+/$": 12,
    # The same board elsewhere, among rounds, collections and the library, and what the solver says.
    r"proposals/\d+/$": 10,
    # What the solver says of the levels without a solution, and the known boards.
    r"levels/intake/\d+/$": 10,
    # PostgreSQL is asked to let nobody else change the calendar meanwhile.
    r"(rounds|drafts)/\d+/edit/$": 9,
    # The round is announced and opened for the time of the answer, so round and levels are asked for twice.
    r"(rounds|drafts)/\d+/preview/": 12,
    # Each line asks the part that it tells of, and PostgreSQL what time it is.
    "health/$": 10,
    # Their other names, what they sent, reports, the record.
    r"people/\d+/$": 9,
    # Its queues, its turns, and what the desk says of all series.
    r"series/\d+/$": 9,
    # The same board elsewhere, in rounds, collections and library, the queue it stands in, and what the solver says.
    r"library/\d+/$": 12,
}


def most_of(path: str) -> int:
    return next((most for pattern, most in MORE.items() if re.match(f"desk/{pattern}", path)), MOST_QUERIES)


def test_no_page_of_the_desk_asks_more_than_its_budget(cache_of_its_own):
    site = whole_site.load()
    organiser = User.objects.get(username=demo.ORGANISER)
    # A role like everybody's: whoever may do everything is not asked about.
    User.objects.filter(pk=organiser.pk).update(is_superuser=False)
    organiser.groups.add(Group.objects.get(name="organiser"))
    counted = {}
    for page in whole_site.pages(site, desk=True):
        counted[page.path] = asked(site.client(page.role), page.address("en"))
    assert len(counted) > 30
    over = {path: statements for path, statements in counted.items() if len(statements) > most_of(path)}
    assert not {path: len(statements) for path, statements in over.items()}, over
