"""A new site has something to play, and every empty list says what to do: one sentence and a link."""

import re
from collections import deque
from html.parser import HTMLParser
from typing import Any

import pytest
from django.core import signing
from django.test import Client

from contest import players
from contest.infra import clock
from contest.library.own import installing
from tests import cast, sizes
from tests.desk.conftest import member

pytestmark = pytest.mark.django_db
_VOID = {"area", "br", "hr", "img", "input", "link", "meta", "source", "use", "wbr", "col"}


class Reading(HTMLParser):
    """The links of a page, and the text and links of its empty lists (class none)."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.empty: list[dict[str, Any]] = []
        self._open: list[str] = []
        self._from = 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "a" and given.get("href"):
            self.links.add(given["href"])
        if self._from and tag in ("a", "button", "form"):
            self.empty[-1]["links"] += 1
        if tag in _VOID or "/" in tag:
            return
        self._open.append(tag)
        if not self._from and tag != "dd" and "none" in (given.get("class") or "").split():
            self._from = len(self._open)
            self.empty.append({"text": "", "links": 0})

    def handle_endtag(self, tag):
        if tag in self._open:
            while self._open.pop() != tag:
                pass
        if len(self._open) < self._from:
            self._from = 0

    def handle_data(self, data):
        if self._from:
            self.empty[-1]["text"] += data


def crawl(client: Client, start: str) -> dict[str, Reading]:
    """Return all pages that a visitor finds by following links."""
    found: dict[str, Reading] = {}
    queue = deque([start])
    seen = {start}
    while queue:
        address = queue.popleft()
        answer = client.get(address)
        if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
            continue
        found[address] = Reading(b"".join(answer).decode())
        for link in found[address].links:
            target = re.sub(r"[#?].*", "", link)
            if re.match(r"/en/(?!accounts/logout|collections/.+/\d+/|static)", target) and target not in seen:
                seen.add(target)
                queue.append(target)
    return found


def visitor(role: str) -> tuple[Client, str]:
    """Return the browser of a visitor, and the page where the visit begins."""
    client = Client()
    client.cookies["django_language"] = "en"
    if role == "organiser":
        client.force_login(member("organiser"))
        return client, "/en/desk/"
    if role == "player":
        player, secret = players.create("Ann", country="", email="", at=clock.now())
        client.cookies["claims"] = signing.dumps({str(player.pk): secret}, salt="claims", compress=True)
    return client, "/en/"


@pytest.mark.parametrize(("role", "least"), sizes.cases([("player", 45), ("organiser", 60)], [("stranger", 40)]))
def test_every_empty_list_is_an_invitation(role, least, cache_of_its_own):
    with clock.set_to(cast.DURING):
        installing.install(clock.now())
        pages = crawl(*visitor(role))
    assert len(pages) >= least
    assert [
        f"{address}: {' '.join(str(part['text']).split())}"
        for address, page in pages.items()
        for part in page.empty
        if not part["links"]
    ] == []


def test_the_home_page_of_a_new_site_offers_a_level_of_the_day_to_play(client, cache_of_its_own):
    with clock.set_to(cast.DURING):
        installing.install(clock.now())
        client.cookies["django_language"] = "en"
        (address,) = {link for link in Reading(client.get("/en/").text).links if re.search(r"/\d+/play/$", link)}
        assert client.get(address).context["facts"]["daily"] == "2026-11-04"
