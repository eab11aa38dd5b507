"""All public pages: each exists in both languages, obeys the policy and stays within its query budget."""

import re

import pytest
from django.core.cache import cache
from django.db import connection

from contest.infra import clock
from tests import cast
from tests.browser import whole_site
from tests.budgets import MOST_QUERIES, Asked, asked
from tests.leaks.addresses import Address

pytestmark = pytest.mark.django_db
# Exceptions for the first reader after a change, who fills the cache; with reasons.
MOST_QUERIES_UNCACHED = {
    # Best places, first times, held points, rivals and their names are separate queries, cached until a board changes.
    r"players/\d+-": 10,
}
# Exceptions for every reader: the places, progress, news, nicknames (and their number, for the pages) and submissions
# of one reader are not cached. A post with everything has levels, replays, pictures, a series, categories and comments.
# The program's solution is compared with the levels in play, and it is recorded that the reader has seen it.
MOST_QUERIES_OWN = {"me/": 13, "posts/everything/": 11, r"rounds/\d+/\w+/program/": 9}
_INLINE = re.compile(r'<style|\sstyle=|\son[a-z]+="|<script(?![^>]*\b(?:src=|type="application/json"))')


def _most(path: str) -> tuple[int, int]:
    usual = next((most for part, most in MOST_QUERIES_OWN.items() if re.match(part, path)), MOST_QUERIES)
    return next((most for part, most in MOST_QUERIES_UNCACHED.items() if re.match(part, path)), usual), usual


def _faults(page: whole_site.Page, language: str, asked: Asked, most: int) -> list[str]:
    statements, answer = asked
    text, count = answer.content.decode(), len(statements)
    faults = [] if answer.status_code == 200 else [f"status {answer.status_code}"]
    faults += [f"inline: {found[0]}" for found in _INLINE.finditer(text)]
    faults += [f"{count} queries"] if count > most else []
    tag = {"en": "en", "zh-hans": "zh-Hans"}[language]
    faults += ["language"] if page.has_language and f'<html lang="{tag}"' not in text else []
    return [f"{page.address(language)}: {fault}" for fault in faults]


def _first_view(site: whole_site.Site, address: Address, path: str) -> tuple[whole_site.Page, Asked] | None:
    """Return the page for the first role that gets one, and its answer in English to an empty cache."""
    for page in whole_site.candidates(address, path):
        cache.clear()
        answered = asked(site.client(page.role), page.address("en"))
        if whole_site.is_a_page(answered[1]):
            return page, answered
    return None


def test_every_page_works_in_both_languages_within_eight_queries(cache_of_its_own, file_regression):
    """The first reader after a change reads English; the next one Chinese, signed in if the page is public."""
    faults, shown = [], []
    with clock.set_to(cast.DURING):
        site = whole_site.load()
        for address, path in whole_site.paths(site, desk=False):
            if (found := _first_view(site, address, path)) is None:
                continue
            page, first = found
            shown.append(f"{address.pattern}: {page.role}")
            most_uncached, most = _most(page.path)
            faults += _faults(page, "en", first, most_uncached)
            is_for_all = page.role == whole_site.STRANGER and not page.path.startswith("account/")
            later = site.client(whole_site.ACCOUNT if is_for_all else page.role)
            faults += _faults(page, "zh-hans", asked(later, page.address("zh-hans")), most)
    assert faults == []
    if connection.vendor == "sqlite":  # rows have other numbers elsewhere, and fewer of the addresses exist
        file_regression.check("\n".join(sorted(set(shown))), basename="shown")
