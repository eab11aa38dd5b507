"""The pages of collections with their levels, files and player."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from contest.library import publishing
from contest.models import CollectedLevel, Collection, LevelResult, Player, Round
from contest.rounds import lucky_number as lucky
from contest.templatetags.collections import progress
from contest.web.pages.tiles import Tile
from solvers.sokoban.formats import read_collection
from tests import cast

pytestmark = pytest.mark.django_db
PLAY = "/en/collections/corridors/1/play/"
MIRRORED = "######|#.$-@#|######"


@pytest.fixture
def corridors(db) -> Collection:
    return cast.a_collection(may_download=True, licence="CC BY 4.0", remarks="Narrow.")


def solved_by(nickname: str, moves: str = "rR", client: Client | None = None) -> Client:
    client = client or Client()
    answer = client.post(PLAY, {"moves": moves, "nickname": nickname})
    assert answer.status_code == 302, answer.content
    return client


@pytest.mark.parametrize(("own", "is_best"), [((9, 6), True), ((10, 5), True), ((10, 6), False), ((None, None), False)])
def test_a_tile_is_best_where_nobody_needs_fewer_moves_or_nobody_fewer_pushes(own, is_best):
    assert Tile(None, 9, 5, *own).is_best is is_best


@pytest.mark.parametrize(
    ("done", "count", "laid"), [(0, 0, "M0 4"), (1, 120, "M0 4h8"), (7, 120, "M0 4h18"), (120, 120, "M0 4h198")]
)
def test_progress_lays_a_brick_for_each_part_that_has_begun(done, count, laid):
    assert f'class="laid" d="{laid}"' in progress(done, count)


def text_of(client: Client, address: str) -> str:
    """Return the page without values that change at every load."""
    page = client.get(address, headers={"accept-language": "en"})
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"|server-time" content="[^"]+"', "", page.content.decode())


def test_a_solution_leads_to_a_receipt_with_its_ranks_and_the_secret_once(corridors):
    client = Client()
    answer = client.post(PLAY, {"moves": "rR", "nickname": "Ann"})
    receipt = client.get(answer["Location"]).content.decode()
    assert "Solved in 2 moves and 1 pushes." in receipt
    assert receipt.count("rank 1") == 2
    assert "The nickname is yours now" in receipt
    assert "The nickname is yours now" not in client.get(answer["Location"]).content.decode()


def test_the_players_script_gets_the_receipt_or_the_errors_as_json(corridors):
    client, asks = Client(), {"Accept": "application/json"}
    refused = client.post(PLAY, {"moves": "r", "nickname": "Ann"}, headers=asks)
    assert (refused.status_code, list(refused.json()["errors"])) == (422, ["moves"])
    taken = client.post(PLAY, {"moves": "rR", "nickname": "Ann"}, headers=asks)
    assert taken.status_code == 201
    assert client.get(taken.json()["receipt"]).status_code == 200


def test_the_level_ranks_everybody_and_shows_nobodys_moves(corridors):
    """Rule 26.2."""
    solved_by("Ann", "rlrR")
    solved_by("Bo")
    page = Client().get("/en/collections/corridors/1/").content.decode()
    assert page.count("Ann</a>") == page.count("Bo</a>") == 2
    assert "rlrR" not in page
    numbers = Client().get("/collections/corridors/1/numbers.json").json()
    assert numbers["moves"] == [[2, 1, "Bo"], [4, 1, "Ann"]]
    assert Client().get(Player.objects.get(nickname="Bo").get_absolute_url()).status_code == 200


def test_progress_is_the_readers_own(corridors):
    """The path for beginners continues where the reader stopped."""
    Collection.objects.update(path_length=2)
    client, address = solved_by("Ann"), "/en/collections/corridors/"
    for reader, words in ((client, ("1 of 2 solved", "Play level 2")), (Client(), ("0 of 2 solved", "Play level 1"))):
        assert words[0] in reader.get("/en/collections/").content.decode()
        page = reader.get(address).content.decode()
        assert all(word in page for word in words)


def test_a_tile_that_is_kept_follows_what_changes(corridors):
    address = "/en/collections/corridors/"
    assert "0 solvers" in Client().get(address).content.decode()
    solved_by("Ann")
    assert "1 solver<" in Client().get(address).content.decode()
    Collection.objects.update(title_en="Narrow ways")
    assert "Narrow ways</a>" in Client().get("/en/levels/").content.decode()
    assert "1 人解出" in Client().get("/zh-hans/levels/").content.decode()


def test_a_file_has_the_boards_titles_and_authors_and_no_solution(corridors):
    solved_by("Ann")
    expected = [(str(level.board), str(level)) for level in CollectedLevel.objects.order_by("place")]
    for kind in ("sok", "xsb", "slc"):
        entries = read_collection(Client().get(f"/collections/corridors.{kind}").content).entries
        assert [(str(one.level), one.title) for one in entries] == expected
        assert not any(one.attempts for one in entries)


def test_a_withdrawn_collection_and_the_file_of_one_without_download_return_404(corridors):
    Collection.objects.update(may_download=False)
    assert Client().get("/collections/corridors.sok").status_code == 404
    assert ".sok" not in Client().get("/en/collections/corridors/").content.decode()
    Collection.objects.update(may_download=True)
    publishing.withdraw(corridors, at=cast.DURING, by=None)
    pages = [f"/en/collections/corridors/{rest}" for rest in ("", "1/", "1/play/")]
    files = [
        "/collections/corridors.sok",
        "/collections/corridors/1/light.svg",
        "/collections/corridors/1/numbers.json",
    ]
    assert {Client().get(address).status_code for address in (*pages, *files)} == {404}


def test_a_thumbnail_is_kept_by_the_browser_and_follows_the_theme(corridors):
    light, dark = (Client().get(f"/collections/corridors/1/{look}.svg") for look in ("light", "dark"))
    assert "immutable" in light["Cache-Control"]
    assert light.content != dark.content
    assert Client().get("/collections/corridors/1/purple.svg").status_code == 404
    assert 'loading="lazy"' in Client().get("/en/collections/corridors/").content.decode()
    ((one, solved, boards),) = Client().get("/en/collections/").context["listed"]
    assert (one, solved, [board.place for board in boards]) == (corridors, 0, [1, 2])


# A level that is also in a round (rule 26.3)


def _twin(times: dict, text: str = MIRRORED) -> Round:
    round_ = Round(number=5, title_zh="回合", title_en="Round", **times)
    lucky.save_committed(round_)
    cast.a_level(round_, text=text, solution="lL" if text == MIRRORED else "rR")
    return round_


DAY = timedelta(days=1)
TALK = re.compile(r'<section class="said".*?</section>', re.DOTALL)
UNREVEALED = {
    "draft": {"opens_at": cast.DURING + 9 * DAY, "closes_at": cast.DURING + 30 * DAY},
    "scheduled": {
        "announced_at": cast.OPENS,
        "opens_at": cast.DURING + 9 * DAY,
        "closes_at": cast.DURING + 30 * DAY,
    },
    "open": {"announced_at": cast.OPENS, "opens_at": cast.DURING - DAY, "closes_at": cast.DURING + 9 * DAY},
}


@pytest.mark.parametrize(("phase", "text"), [("draft", MIRRORED), ("scheduled", cast.CORRIDOR), ("open", MIRRORED)])
def test_a_level_that_also_stands_in_an_unrevealed_round_tells_nothing_of_it(corridors, phase, text):
    """Rules 26.3, 27.3: except for comments, which are closed while the round is open and its board public."""
    client = solved_by("Ann", "rlrR")
    receipt = LevelResult.objects.get().get_absolute_url()
    client.get(receipt)  # the secret is shown once
    below = ("", "corridors/", "corridors/1/", "corridors/1/play/", "corridors/2/")
    addresses = [*(f"/en/collections/{rest}" for rest in below), "/en/levels/", "/en/levels/?kind=collections", receipt]
    addresses += ["/collections/corridors.sok", "/collections/corridors/1/numbers.json"]
    before = [text_of(client, address) for address in addresses]
    _twin(UNREVEALED[phase], text)
    after = [text_of(client, address) for address in addresses]
    if phase == "open":
        twin = addresses.index("/en/collections/corridors/1/")
        before[twin] = TALK.sub("", before[twin])
    assert after == before


def test_a_solution_to_such_a_level_is_taken_as_ever_and_shown_to_its_sender_alone(corridors):
    round_ = _twin(UNREVEALED["open"])
    client = solved_by("Ann")
    result = LevelResult.objects.get()
    assert (result.is_best_by_moves, result.is_best_by_pushes) == (True, True)
    assert round_.submissions.count() == 0
    assert "rR" in client.get(result.get_absolute_url()).content.decode()
    page = Client().get("/en/collections/corridors/1/").content.decode()
    assert ">rR<" not in page
    assert result.receipt_id not in page
