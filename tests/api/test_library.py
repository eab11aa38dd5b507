import pytest

from contest.api import schema
from contest.infra import clock
from contest.levels import listing
from contest.models import CollectedLevel
from contest.players import api_tokens
from contest.submissions import Entry, at_once
from tests import cast
from tests.api.conftest import Bot

pytestmark = pytest.mark.django_db


@pytest.fixture
def library(db):
    cast.enter(cast.a_round(), "Ann", 10, 5, at=cast.DURING)
    with clock.set_to(cast.AFTER):
        cast.a_collection("corridors", may_download=True)
        cast.a_collection("closed", boards=("#######|#@-$-.#|#######",), may_download=False)
        yield


def names_of(answer) -> list[tuple[object, ...]]:
    rows = answer.json()["results"]
    return [(row["collection"], row["place"]) if row["collection"] else (row["round"], row["slot"]) for row in rows]


def test_collections_are_listed_with_a_file_if_the_author_allows_it(english, library):
    rows = {row["slug"]: row for row in english.get("collections/").json()["results"]}
    assert rows["corridors"]["file"].endswith("/corridors/levels.sok")
    assert rows["closed"]["file"] is None
    assert english.get("collections/corridors/").json() == rows["corridors"]
    text = english.get("collections/corridors/levels.sok").content.decode()
    assert all(title in text for title in ("corridors 1", "corridors 2"))
    assert english.get("collections/closed/levels.sok").status_code == 404


def test_both_kinds_of_levels_are_listed_without_boards_that_may_not_be_downloaded(english, library):
    answer = english.get("levels/")
    of_rounds = {(1, "main"), (1, "extra")}
    assert {*names_of(answer)} == {("closed", 1), ("corridors", 1), ("corridors", 2)} | of_rounds
    assert answer.json()["count"] == 5
    assert {row["collection"] for row in answer.json()["results"] if row["board"] is None} == {"closed"}


def test_a_token_lists_the_levels_that_its_player_has_solved(library):
    player = at_once.accept_collected(Entry("Bo", "rR"), CollectedLevel.objects.get(title="corridors 1")).result.player
    program = Bot(token=api_tokens.make(player, None, clock.now()).text)
    assert names_of(program.get("levels/?show=solved")) == [("corridors", 1)]
    assert len(names_of(program.get("levels/?show=new"))) == 4


def test_the_api_has_every_order_of_the_list():
    assert set(schema.ORDERS) == listing.ORDERS.keys()
