"""Times from which URLs exist: a level from the opening, a solution from the close, a draft never.

The crawl of tests/leaks finds data that is public too early; these tests also check that it appears in time.
"""

from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Level, Player, Round, Submission
from tests import cast

pytestmark = pytest.mark.django_db
INSTANT = timedelta(microseconds=1)
LEVEL_URLS = [
    *(f"/en/rounds/1/main/{page}" for page in ("", "?part=1", "card.png", "moves/", "moves/?part=1", "pareto/")),
    *(f"/en/rounds/1/main/{page}" for page in ("play/", "pushes/", "share/", "square.png")),
    *(f"/rounds/1/main{file}" for file in (".gbk.txt", ".sok", ".txt", "/board.png", "/light.svg", "/numbers.json")),
    *(f"/en/{page}" for page in ("authors/Author/", "rounds/1/results/", "rounds/1/stats/", "screen/1/")),
    *(f"/en/embed/{frame}" for frame in ("level/1/main/", "standings/1/main/?by=pushes")),
    "/oembed?url=http://testserver/en/rounds/1/main/",
]
LIST_URLS = ["/rounds.ics"]
LIST_URLS += [f"/en/{page}" for page in ("", "authors/", "feeds/rounds.json", "records/", "rounds/", "rounds/1/")]
SOLUTION_URLS = [
    *(f"/en/rounds/1/replays/{{0}}/{page}" for page in ("", "card.png", "film/gif/")),
    *(f"/rounds/1/replays/{{0}}.{file}" for file in ("sok", "txt")),
    "/en/embed/replay/1/{0}/",
    "/oembed?url=http://testserver/en/rounds/1/replays/{0}/",
]


def statuses(client, addresses, at):
    with clock.set_to(at):
        return {address: client.get(address, follow=True).status_code for address in addresses}


def test_a_level_exists_from_the_opening_on(client, during_round):
    """Rules 2.8, 7.4."""
    assert statuses(client, LEVEL_URLS, cast.OPENS - INSTANT) == dict.fromkeys(LEVEL_URLS, 404)
    assert statuses(client, LEVEL_URLS, cast.OPENS) == dict.fromkeys(LEVEL_URLS, 200)


@pytest.mark.parametrize("announced_at", [cast.OPENS - timedelta(days=7), None])
def test_lists_name_a_round_from_its_announcement_and_its_levels_from_the_opening_on(
    client, during_round, announced_at
):
    """Rules 2.8, 7.4, 7.10: a draft is nowhere, and never opens."""
    Round.objects.update(announced_at=announced_at, title_en="Seven boxes")
    sitemaps = ["/sitemap-rounds.xml", "/sitemap-levels.xml"]
    for at, shown in ((cast.OPENS - INSTANT, False), (cast.OPENS, announced_at is not None)):
        with clock.set_to(at):
            texts = {address: client.get(address).content.decode() for address in (*LIST_URLS, *sitemaps)}
        for mention in ("main of 1", "Seven boxes", "rounds/1/main/", "Author</a>"):
            assert any(mention in text for text in texts.values()) == shown, (at, mention)
        assert ("/rounds/1/" in texts["/sitemap-rounds.xml"]) == (announced_at is not None)
        assert ("Round 1" in texts["/en/rounds/"]) == (announced_at is not None)


def test_a_solution_exists_from_the_close_on_unless_withheld(client, during_round):
    """Rules 7.3, 7.4, 7.6, 15.4."""
    submission = cast.enter(during_round, "Ann", 2, 1, at=cast.DURING)
    Submission.objects.update(lurd="rR")
    addresses = [address.format(submission.number) for address in SOLUTION_URLS]
    assert statuses(client, addresses, cast.CLOSES - INSTANT) == dict.fromkeys(addresses, 404)
    assert statuses(client, addresses, cast.CLOSES) == dict.fromkeys(addresses, 200)
    assert client.post(addresses[2]).status_code == 404
    Submission.objects.update(is_unpublished=True)
    assert statuses(client, addresses, cast.CLOSES) == dict.fromkeys(addresses, 404)


def test_a_void_level_shows_its_reason_and_ranks_nobody(client, during_round):
    """Rule 2.10."""
    cast.enter_all(during_round, [("Ann", 9, 3), ("Bo", 8, 4)])
    main = Level.objects.filter(slot="main")
    main.update(voided_at=cast.DURING, void_reason_en="Two players on the board", board_version=99)
    for page in ("rounds/1/", *(f"rounds/1/main/{board}" for board in ("", "moves/", "pushes/", "pareto/"))):
        text = client.get(f"/en/{page}").content.decode()
        assert "Two players on the board" in text, page
        assert page == "rounds/1/" or ">Ann<" not in text, page
    assert client.get("/en/screen/1/").content.decode().count('class="slide"') == 2
    assert "main of 1" not in client.get("/en/records/").content.decode()
    ann = client.get(Player.objects.get(nickname="Ann").get_absolute_url()).content.decode()
    assert "Points of Pareto fronts" not in ann
    assert "Best levels" not in ann
    with clock.set_to(cast.AFTER):
        assert "main of 1" not in client.get("/en/levels/").content.decode()
