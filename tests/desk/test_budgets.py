"""Query budgets of desk pages: eight at most, with exceptions that have a reason."""

import re

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection

from contest.management.demo import demo
from tests.browser import whole_site
from tests.budgets import MOST_QUERIES, asked

pytestmark = pytest.mark.django_db
# Four queries run for every member of the staff: session, user, permissions, banner.
MORE = {
    # Rounds, outstanding revisions, acts of a worker, questions and reports, series and their turns, the judge and its
    # queue.
    "$": 12,
    # Each level is checked again; also overlapping rounds and vetting results.
    r"(rounds|drafts)/\d+/$": 12,
    # Equal boards in rounds, collections and the library, and the solver's results.
    r"proposals/\d+/$": 10,
    # The solver's results for levels without a solution, and known boards.
    r"levels/intake/\d+/$": 10,
    # PostgreSQL also locks the calendar.
    r"(rounds|drafts)/\d+/edit/$": 9,
    # The round is announced and opened for the response, so round and levels are queried twice.
    r"(rounds|drafts)/\d+/preview/": 12,
    # Each line queries its part of the site, and PostgreSQL's clock.
    "health/$": 10,
    # Rounds, submissions, counts of ten kinds, visitors, outages, the log.
    "day/$": 10,
    # The number and the keys of all that waits, a page's questions and reports; names, and pairs that were decided.
    r"people/$": 10,
    # Rounds, series and categories to choose from, the categories of the post, and its pictures.
    r"posts/\d+/$": 10,
    # Tracks with their last numbers, seasons, rounds with their levels, series with queues and turns, places of levels.
    r"calendar/$": 14,
    # Other names, submissions, reports, the record.
    r"people/\d+/$": 9,
    # The tracks.
    "series/$": 9,
    # Its queues, copies in public collections, its turns, the number of the next round, and notes about all series.
    r"series/\d+/$": 11,
    # Equal boards in rounds, collections and the library, its queue, and the solver's results.
    r"library/\d+/$": 12,
}


def test_no_page_of_the_desk_asks_more_than_its_budget(cache_of_its_own, file_regression):
    site = whole_site.load()
    organiser = User.objects.get(username=demo.ORGANISER)
    # A usual role: permissions of superusers are not queried.
    User.objects.filter(pk=organiser.pk).update(is_superuser=False)
    organiser.groups.add(Group.objects.get(name="organiser"))
    shown, over = set(), {}
    for address, path in whole_site.paths(site, desk=True):
        page = whole_site.Page(path.removeprefix("zh-hans/"), whole_site.ORGANISER)
        statements, answer = asked(site.client(page.role), page.address("en"))
        if not whole_site.is_a_page(answer):
            continue
        shown.add(address.pattern)
        most = next((most for pattern, most in MORE.items() if re.match(f"desk/{pattern}", page.path)), MOST_QUERIES)
        if len(statements) > most:  # counted again with what the first view has cached
            statements, _answer = asked(site.client(page.role), page.address("en"))
        if len(statements) > most:
            over[page.path] = statements
    assert not {path: len(statements) for path, statements in over.items()}, over
    if connection.vendor == "sqlite":  # rows have other numbers elsewhere, and fewer of the addresses exist
        file_regression.check("\n".join(sorted(shown)), basename="shown")
