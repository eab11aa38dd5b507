from datetime import timedelta
from typing import Any

import pytest

from contest.infra import clock
from contest.library import publishing
from contest.models import CollectedLevel, Collection, Level, Player, Post, Round
from contest.visibility import Viewer
from contest.web.finding import answers
from contest.web.finding.answers import find
from tests import cast

pytestmark = pytest.mark.django_db
LATER = cast.AFTER
WORD = "Willow"


@pytest.fixture
def site(db):
    Player.objects.create(nickname="Willow Quiet", name_key="willow quiet", created_at=LATER)
    times = {1: cast.OPENS, 2: LATER - timedelta(days=1), 3: LATER + timedelta(days=20), 4: LATER + timedelta(days=50)}
    for number, opens_at in times.items():
        round_ = cast.a_round(number, opens_at=opens_at, closes_at=opens_at + timedelta(days=14))
        if number == 1:
            cast.enter(round_, "Willow Ann", 10, 5, at=cast.DURING)
    Round.objects.update(title_en=f"{WORD} round")
    Round.objects.filter(number=4).update(announced_at=None)
    Level.objects.update(title=f"{WORD} of a round")
    cast.a_collection("park", title_en=f"{WORD} Park")
    CollectedLevel.objects.filter(place=1).update(title=f"{WORD} pond", words="willow pond")
    for slug, published_at in (("now", LATER), ("later", LATER + timedelta(days=1)), ("draft", None)):
        Post.objects.create(slug=slug, title_en=f"{WORD} {slug}", published_at=published_at)


def found(text: str, viewer: Viewer | None = None) -> dict[str, Any]:
    given = find(viewer or Viewer(), LATER, text)
    rounds = [(round_.number, title) for round_, title in given.rounds]
    return {
        "players": [player.nickname for player in given.players],
        "levels": sorted((level.title, getattr(level, "slot", "-")) for level in given.levels),
        "rounds": rounds,
        "collections": [str(collection) for collection in given.collections],
        "posts": [post.slug for post in given.posts],
    }


def test_public_objects_of_all_kinds_are_found(site):
    assert found("willow") == {
        "players": ["Willow Ann"],
        "levels": [("Willow of a round", "extra")] * 2 + [("Willow of a round", "main")] * 2 + [("Willow pond", "-")],
        "rounds": [(2, "Willow round"), (1, "Willow round")],
        "collections": ["Willow Park"],
        "posts": ["now"],
    }


def test_a_player_without_public_results_is_found_only_by_themselves(site):
    quiet = Player.objects.get(nickname="Willow Quiet")
    assert found("quiet")["players"] == []
    assert found("quiet", Viewer(proved=frozenset({quiet.pk})))["players"] == ["Willow Quiet"]


@pytest.mark.parametrize("prefix", ["Willow 0", "A Willow"])
def test_newer_names_hide_no_player_and_no_names_a_rated_one(site, monkeypatch, prefix):
    """One address makes thousands of names a day, also with results."""
    monkeypatch.setattr(answers, "_MAX_NAMES", 6)
    monkeypatch.setattr(answers, "_MAX_CANDIDATES", 6)
    for number in range(9):
        cast.enter(Round.objects.get(number=1), f"{prefix}{number}", 10, 5, at=cast.DURING)
    assert all("Willow Ann" in found(text)["players"] for text in ("willow", "illow"))
    cast.enter(Round.objects.get(number=1), "Willow Zoe", 10, 5, at=cast.DURING)
    assert "Willow Zoe" not in found("illow")["players"]
    Player.objects.filter(nickname="Willow Zoe").update(shown_rating=1500)
    assert [found(text)["players"][0] for text in ("willow", "illow")] == ["Willow Zoe"] * 2
    assert found("willow zoe")["players"] == ["Willow Zoe"]


def test_a_round_is_found_by_its_number_once_it_has_opened(site):
    for text, numbers in {"1": [1], "第2期": [2], "round 3": [], "4": [], "99999999999": []}.items():
        assert [number for number, _title in found(text)["rounds"]] == numbers, text


def test_a_level_of_a_round_is_found_from_the_opening_second(site):
    opens_at = Round.objects.get(number=3).opens_at
    for at, count in ((opens_at - timedelta(seconds=1), 2), (opens_at, 3)):
        levels = find(Viewer(), at, "of a round", 9).levels
        assert len({level.round_id for level in levels}) == count


def test_blank_texts_find_nothing_and_wildcards_are_literal(site):
    for text in ("", "  ", "\0", "%", "_", "\\", "'", "%' OR 1=1", "𝕎" * 500):
        assert not any(found(text).values()), text


def test_a_level_is_found_by_its_author_in_any_case_and_width_until_it_is_withdrawn(site):
    CollectedLevel.objects.filter(place=2).update(title="Reeds", author="Ｊames", words="reeds james")
    assert found("JAMES")["levels"] == [("Reeds", "-")]
    publishing.withdraw(Collection.objects.get(slug="park"), at=LATER, by=None)
    assert (found("willow")["collections"], found("pond")["levels"], found("james")["levels"]) == ([], [], [])


@pytest.fixture
def willow(db):
    cast.enter(cast.a_round(), "Willow", 10, 5, at=cast.DURING)
    Round.objects.update(title_en="Round of <willows>")
    with clock.set_to(cast.AFTER + timedelta(days=1)):
        yield


def test_the_page_links_the_results(client, willow):
    """The response is private: it may contain the reader's own unlisted names."""
    answer = client.get("/en/search/?q=willow")
    page = answer.content.decode()
    assert page.count("/en/players/") == 1
    assert all(text in page for text in ("Round of &lt;willows&gt;", "/en/rounds/1/", "/en/levels/?q=willow"))
    part = client.get("/en/search/?q=willow&part=1").content.decode()
    assert ("/en/players/" in part, "<html" in part) == (True, False)
    nothing = client.get("/en/search/?q=<nobody>").content.decode()
    assert "No results for “&lt;nobody&gt;”." in nothing
