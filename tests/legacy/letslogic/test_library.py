"""Published collections for clients of letslogic.com (rule 26; docs/reference/letslogic.md)."""

import pytest

from contest.infra import rate_limits
from contest.levels.files import FIRST_COLLECTED
from contest.library import collection_files, publishing
from contest.models import CollectedLevel, LevelResult
from contest.submissions import Entry, at_once
from solvers.sokoban.formats import letslogic, read_collection
from tests import cast
from tests.legacy.letslogic.conftest import number_in

pytestmark = pytest.mark.django_db
UNKNOWN = "Specified level does not exist"


@pytest.fixture
def corridors(during_round):
    return cast.a_collection(may_download=True, remarks="Narrow.")


def _library_collections(crate):
    return [collection for collection in crate.collections() if collection["id"] > 1_000_000]


def test_a_published_collection_is_listed_with_its_levels_in_order(crate, corridors):
    (shown,) = _library_collections(crate)
    assert shown == {**shown, "title": "Corridors", "author": "Author", "description": "Narrow.", "levels": 2}
    first, second = crate.levels(shown["id"])
    assert (first["title"], second["title"]) == ("corridors 1", "corridors 2")
    assert letslogic.parse(first["map"], first["width"], first["height"]).published_text == cast.CORRIDOR
    assert first["blue_moves"] is None
    numbers = [level["id"] for collection in crate.collections() for level in crate.levels(collection["id"])]
    assert len(numbers) == len(set(numbers)) == 4


@pytest.fixture
def first(crate, corridors):
    return crate.levels(_library_collections(crate)[0]["id"])[0]["id"]


def test_a_solution_is_stored_and_answered_with_both_bests(crate, first):
    """Rule 26.2."""
    with pytest.raises(LookupError, match="Invalid Solution"):
        crate.submit(first, "r")
    at_once.accept_collected(Entry("Bo", "rlrR"), CollectedLevel.objects.get(place=1))
    answer = crate.submit(first, "rR")
    best = {"rank": 1, "points": 2, "moves": 2, "pushes": 1}
    assert answer["result"].startswith("Well done! You have completed this puzzle in 2 move(s) and 1 pushe(s).")
    assert answer["blue"] == answer["green"] == best
    assert LevelResult.objects.get(player__nickname="Ada").lurd == "rR"
    assert crate.levels(_library_collections(crate)[0]["id"])[0]["green_pushes"] == 1
    assert crate.records() == {first: {"blue": best, "green": best}}
    worse = crate.submit(first, "rlrR")
    assert "you have not improved" in worse["result"].lower()
    assert worse["blue"]["moves"] == 2


def _withdraw(collection):
    publishing.withdraw(collection, at=cast.DURING, by=None)


def _forbid_downloads(collection):
    collection.may_download = False
    publishing.change(collection, by=None)


def test_a_collection_counts_its_levels(crate, corridors, monkeypatch):
    """Rule 5.9."""
    monkeypatch.setattr(collection_files, "LEVELS_PER_PASS", 1)
    passes = []
    monkeypatch.setattr(rate_limits, "_pass", lambda _gate, amount: passes.append(amount))
    crate.levels(FIRST_COLLECTED + corridors.pk)
    assert passes == [1, 1 + corridors.count]


@pytest.mark.parametrize("hide", [_withdraw, _forbid_downloads])
def test_a_collection_without_downloads_is_hidden(crate, corridors, first, hide):
    """Neither its name, nor its boards, nor results on it."""
    number = _library_collections(crate)[0]["id"]
    crate.submit(first, "rR")
    hide(corridors)
    assert _library_collections(crate) == []
    assert crate.levels(number) == []
    assert crate.records() == {}
    with pytest.raises(LookupError, match=UNKNOWN):
        crate.submit(first, "rR")


@pytest.mark.parametrize("number", [1_000_000_000, 2**31])
def test_an_unknown_number_does_not_exist(crate, corridors, number):
    with pytest.raises(LookupError, match=UNKNOWN):
        crate.submit(number, "rR")
    assert crate.levels(number) == []


@pytest.mark.parametrize("address", ["/collections/corridors.sok", "/api/v1/collections/corridors/levels.sok"])
def test_a_file_of_a_collection_contains_the_level_numbers(client, first, settings, address):
    text = client.get(address).content.decode()
    assert number_in(text) == first
    assert [entry.keys["id"] for entry in read_collection(text).entries] == [str(first), str(first + 1)]
    settings.LETSLOGIC = False
    assert number_in(client.get(f"{address}?again").content.decode()) is None


def test_a_program_is_refused_because_collections_rank_people(corridors, crate, first):
    crate.key = cast.token_of("Bot")
    with pytest.raises(LookupError, match="rank people alone"):
        crate.submit(first, "rR")
    assert not LevelResult.objects.exists()
