import re
from datetime import timedelta
from unittest import mock

import pytest
from django.test import Client

from contest.infra import rate_limits
from contest.library import collection_files, publishing
from contest.models import CollectedLevel, Collection, LevelResult, Player
from solvers.sokoban.formats import read_collection
from tests import cast

pytestmark = pytest.mark.django_db
PLAY = "/en/collections/corridors/1/play/"
MIRRORED = "######|#.$-@#|######"
DAY = timedelta(days=1)
COMMENTS = re.compile(r'<section class="said".*?</section>\n', re.DOTALL)
# When it was announced, and how long until it opens.
UNREVEALED = {"draft": (None, 9 * DAY), "scheduled": (cast.OPENS, 9 * DAY), "open": (cast.OPENS, -DAY)}


@pytest.fixture
def corridors(db) -> Collection:
    return cast.a_collection(may_download=True, licence="CC BY 4.0", remarks="Narrow.")


def solved_by(nickname: str, moves: str = "rR", client: Client | None = None) -> Client:
    client = client or Client()
    answer = client.post(PLAY, {"moves": moves, "nickname": nickname})
    assert answer.status_code == 302, answer.content
    return client


def text_of(client: Client, address: str) -> str:
    page = client.get(address, headers={"accept-language": "en"})
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"|server-time" content="[^"]+"', "", page.content.decode())


def test_the_level_page_ranks_all_players_and_shows_no_moves(corridors):
    """Rule 26.2."""
    solved_by("Ann", "rlrR")
    solved_by("Bo")
    page = Client().get("/en/collections/corridors/1/").content.decode()
    assert page.count("Ann</a>") == page.count("Bo</a>") == 2
    assert "rlrR" not in page
    numbers = Client().get("/collections/corridors/1/numbers.json").json()
    assert numbers["moves"] == [[2, 1, "Bo"], [4, 1, "Ann"]]
    assert numbers["least"] == {"moves": 1, "pushes": 1}
    assert Client().get(Player.objects.get(nickname="Bo").get_absolute_url()).status_code == 200


def test_a_solution_may_be_as_long_as_in_a_round(corridors):
    solved_by("Ann", "rl" * 140_000 + "rR")
    assert LevelResult.objects.get().moves == 280_002


def test_the_player_leads_to_the_level_before_and_after(corridors):
    assert neighbours_of(1) == [("next", "2")]
    assert neighbours_of(2) == [("prev", "1")]


def neighbours_of(place: int) -> list[tuple[str, str]]:
    page = Client().get(f"/en/collections/corridors/{place}/play/").content.decode()
    return re.findall(r'rel="(prev|next)"\s+href="/en/collections/corridors/(\d+)/play/"', page)


def test_a_cached_tile_is_updated_after_changes(corridors):
    address = "/en/collections/corridors/"
    assert "0 solvers" in Client().get(address).content.decode()
    solved_by("Ann")
    assert "1 solver<" in Client().get(address).content.decode()
    Collection.objects.update(title_en="Narrow ways")
    assert "Narrow ways</a>" in Client().get("/en/levels/").content.decode()
    assert "1 人解出" in Client().get("/zh-hans/levels/").content.decode()


def test_a_download_has_boards_titles_and_authors_but_no_solution(corridors):
    solved_by("Ann")
    expected = [(str(level.board), str(level)) for level in CollectedLevel.objects.order_by("place")]
    for kind in ("sok", "xsb", "slc"):
        entries = read_collection(Client().get(f"/collections/corridors.{kind}").content).entries
        assert [(str(entry.level), entry.title) for entry in entries] == expected
        assert not any(entry.attempts for entry in entries)


@pytest.mark.parametrize("address", ["/collections/corridors.slc", "/api/v1/collections/corridors/levels.sok"])
def test_a_download_counts_its_levels_and_its_bytes_before_they_are_read(corridors, monkeypatch, address):
    """Rule 5.9: a file of the 100,000 levels that a collection may have takes 35 seconds."""
    size = sum(len(level.text) for level in corridors.levels.all())
    monkeypatch.setattr(collection_files, "LEVELS_PER_PASS", 1)
    monkeypatch.setattr(collection_files, "BYTES_PER_PASS", 1)
    passes = []
    monkeypatch.setattr(rate_limits, "_pass", lambda _gate, amount: passes.append(amount))
    Client().get(address)
    assert passes == [1 + 2 + size]
    monkeypatch.setattr(rate_limits, "_pass", mock.Mock(side_effect=rate_limits.Busy(1, 7)))
    monkeypatch.delattr(collection_files, "write")
    refusal = Client().get(address)
    assert (refusal.status_code, refusal["Retry-After"]) == (429, "7")


def test_withdrawn_collections_and_forbidden_downloads_return_404(corridors):
    Collection.objects.update(may_download=False)
    assert Client().get("/collections/corridors.sok").status_code == 404
    assert ".sok" not in Client().get("/en/collections/corridors/").content.decode()
    Collection.objects.update(may_download=True)
    publishing.withdraw(corridors, at=cast.DURING, by=None)
    pages = [f"/en/collections/corridors/{rest}" for rest in ("", "1/", "1/play/")]
    files = [f"/collections/corridors{rest}" for rest in (".sok", "/1/light.svg", "/1/numbers.json")]
    files += [f"/api/v1/collections/corridors/{rest}" for rest in ("", "levels.sok")]
    assert {Client().get(address).status_code for address in (*pages, *files)} == {404}


@pytest.mark.parametrize(("phase", "text"), [("draft", MIRRORED), ("scheduled", cast.CORRIDOR), ("open", MIRRORED)])
def test_a_level_does_not_reveal_that_it_is_also_in_an_unrevealed_round(corridors, phase, text):
    """Rules 26.3, 27.3: except for comments, which are closed while the round is open and its board public."""
    client = solved_by("Ann", "rlrR")
    receipt = LevelResult.objects.get().get_absolute_url()
    client.get(receipt)  # the secret is shown once
    below = ("", "corridors/", "corridors/1/", "corridors/1/play/", "corridors/2/")
    addresses = [*(f"/en/collections/{rest}" for rest in below), "/en/levels/", "/en/levels/?kind=collections", receipt]
    addresses += ["/collections/corridors.sok", "/collections/corridors/1/numbers.json"]
    before = [text_of(client, address) for address in addresses]
    announced_at, wait = UNREVEALED[phase]
    opens_at = cast.DURING + wait
    round_ = cast.a_round(5, announced_at=announced_at, opens_at=opens_at, closes_at=opens_at + 20 * DAY)
    round_.levels.all().delete()
    cast.a_level(round_, text=text)
    after = [text_of(client, address) for address in addresses]
    if phase == "open":
        twin = addresses.index("/en/collections/corridors/1/")
        before[twin] = COMMENTS.sub("", before[twin])
    assert after == before
