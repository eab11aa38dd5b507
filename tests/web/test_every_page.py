"""All public pages: each exists in both languages, obeys the policy and stays within its query budget."""

import re

import pytest
from django.core.cache import cache
from django.test import Client

from contest.infra import clock
from tests import cast
from tests.browser import whole_site
from tests.budgets import MOST_QUERIES, asked

pytestmark = pytest.mark.django_db
# Exceptions for the first reader after a change, who fills the cache; with reasons.
MOST_QUERIES_UNCACHED = {
    # Best places, first times, held points, rivals and their names are separate queries, cached until a board changes.
    r"players/\d+-": 10,
}
# Exceptions for every reader: the places, progress, news, nicknames (and their number, for the pages) and submissions
# of one reader are not cached. A post with everything has levels, replays, pictures, a series, categories and comments.
MOST_QUERIES_OWN = {"me/": 13, "posts/everything/": 11}
_INLINE = re.compile(r'<style|\sstyle=|\son[a-z]+="|<script(?![^>]*\b(?:src=|type="application/json"))')


def _faults(client: Client, page: whole_site.Page, language: str, most: int) -> list[str]:
    """Return the failures of the page in the given language."""
    address = page.address(language)
    statements, answer = asked(client, address)
    text, count = answer.content.decode(), len(statements)
    faults = [] if answer.status_code == 200 else [f"status {answer.status_code}"]
    faults += [f"inline: {found[0]}" for found in _INLINE.finditer(text)]
    faults += [f"{count} queries"] if count > most else []
    tag = {"en": "en", "zh-hans": "zh-Hans"}[language]
    faults += ["language"] if page.has_language and f'<html lang="{tag}"' not in text else []
    return [f"{address}: {fault}" for fault in faults]


def test_every_page_works_in_both_languages_within_eight_queries(cache_of_its_own):
    """The first reader after a change reads English; the next one Chinese, signed in if the page is public."""
    with clock.set_to(cast.DURING):
        site = whole_site.load()
        faults, pages = [], list(whole_site.pages(site, desk=False))
        for page in pages:
            cache.clear()
            usual = next((most for path, most in MOST_QUERIES_OWN.items() if page.path.startswith(path)), MOST_QUERIES)
            most = next((most for path, most in MOST_QUERIES_UNCACHED.items() if re.match(path, page.path)), usual)
            faults += _faults(site.client(page.role), page, "en", most)
            is_for_all = page.role == whole_site.STRANGER and not page.path.startswith("account/")
            later = site.client(whole_site.ACCOUNT if is_for_all else page.role)
            faults += _faults(later, page, "zh-hans", usual)
    assert faults == []
    assert len(pages) > 100
