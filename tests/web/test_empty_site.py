"""A new site has something to play, and every empty list says what to do: one sentence and a link."""

import re
from collections import deque

import pytest
from django.test import Client

from contest import players
from contest.infra import clock
from contest.library.own import installing
from tests import cast, sizes
from tests.desk.conftest import member

pytestmark = pytest.mark.django_db


def read(page: str) -> tuple[set[str], list[str]]:
    """Return the links of a page, and its empty lists (class none), which contain no element of their own kind."""
    lists = re.finditer(r'<(p|li|td)\b[^>]*class="(?:[^"]* )?none[ "].*?</\1>', page, re.DOTALL)
    return set(re.findall(r'<a\b[^>]*\bhref="([^"]+)"', page)), [part[0] for part in lists]


def crawl(client: Client, start: str) -> dict[str, list[str]]:
    """Return the empty lists of each page."""
    found: dict[str, list[str]] = {}
    queue = deque([start])
    seen = {start}
    while queue:
        address = queue.popleft()
        answer = client.get(address)
        if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
            continue
        links, found[address] = read(b"".join(answer).decode())
        for link in links:
            target = re.sub(r"[#?].*", "", link)
            if re.match(r"/en/(?!accounts/logout|collections/.+/\d+/|static)", target) and target not in seen:
                seen.add(target)
                queue.append(target)
    return found


def visitor(role: str) -> tuple[Client, str]:
    client = Client()
    client.cookies["django_language"] = "en"
    if role == "organiser":
        client.force_login(member("organiser"))
        return client, "/en/desk/"
    if role == "player":
        players.create("Ann", country="", email="", at=clock.now())
        client.cookies.update(cast.browser_of("Ann").cookies)
    return client, "/en/"


@pytest.mark.parametrize(("role", "least"), sizes.cases([("player", 45), ("organiser", 60)], [("stranger", 40)]))
def test_every_empty_list_is_an_invitation(role, least, cache_of_its_own):
    with clock.set_to(cast.DURING):
        installing.install(clock.now())
        pages = crawl(*visitor(role))
    assert len(pages) >= least
    assert [
        f"{address}: {' '.join(part.split())}"
        for address, empty in pages.items()
        for part in empty
        if not re.search("<(a|button|form)\\b", part)
    ] == []
