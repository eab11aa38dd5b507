"""Hidden data is not shown at any URL (docs/reference/rules.md, section 7)."""

import re

import pytest

from contest.players import acts
from tests import sizes
from tests.leaks import crawl
from tests.leaks.addresses import addresses
from tests.leaks.scene import Secret

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("cluster")]
OWN = "me/|account/|bell|players/"


@pytest.mark.parametrize("role", sizes.cases(["anonymous"], crawl.ROLES))
def test_no_url_shows_hidden_data_or_changes_anything(planted, role):
    """Rules 2.8, 3.10, 4.7, 5.12, 5.13, 6.14, 7.2, 7.4, 7.5, 7.8, 11.4, 20.4.

    A crawl that only gets 404 would find nothing: it must read all public levels, and all
    unproved answers. Reading writes only records of the visit, and every response forbids
    content sniffing.
    """
    walked = crawl.walk(planted, role)
    assert [f"{leak.role} at {leak.address}: {leak.secret.kind} ({leak.mark})" for leak in walked.leaks] == []
    assert walked.faults == []
    levels = {secret for secret in planted.secrets if secret.kind == "level" and crawl.may_see("anonymous", secret)}
    unproved = {secret for secret in planted.secrets if secret.kind == "unproved"}
    assert levels
    assert unproved
    assert walked.met >= levels | unproved


@pytest.mark.parametrize(
    ("role", "cached", "where"),
    sizes.cases(
        [("rival", "events", OWN)],
        [(role, "events|dumps|rounds", where) for role, where in (("rival", OWN), ("anonymous", ""), ("bot", "api/"))],
    ),
)
def test_an_erased_player_is_named_at_no_url(planted, role, cached, where):
    """Rule 15.6: also not in pages and lines that were cached while the name existed."""
    pages = [address for address in addresses() if not re.match("zh-hans/desk/|admin/", address.pattern)]
    planted.secrets = [Secret("claim", (planted.players["owner"].nickname,))]
    known = [address for address in pages if re.match(rf"api/v1/({cached})/", address.pattern)]
    assert crawl.walk(planted, role, known).leaks
    acts.erase(planted.players["owner"], None)
    among = [address for address in pages if re.search(where, address.pattern)]
    assert [leak.address for leak in crawl.walk(planted, role, among).leaks] == []


def test_the_search_finds_no_hidden_data(planted):
    """Rules 2.8, 7.4: neither by a word in all hidden names, nor by their own names."""
    for role in ("anonymous", "owner"):
        client = planted.client(role)
        hidden = [secret for secret in planted.secrets if not crawl.may_see(role, secret)]
        for word in ("TitleOf", "AuthorOf", "Name of", "e", "1"):
            text = crawl._answer(client, f"/en/search/?part=1&q={word}")
            assert [
                mark for secret in hidden for mark in secret.marks if crawl.contains_mark(crawl.plain(mark), text)
            ] == []
    for mark in [mark for secret in hidden if secret.kind in ("level", "staff note") for mark in secret.marks[:2]]:
        assert client.get("/en/search/", {"q": mark, "part": 1}).context["found"].count == 0, mark
