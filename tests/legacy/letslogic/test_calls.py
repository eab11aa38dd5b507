"""The contract with clients written for letslogic.com (docs/reference/letslogic.md): strict parsers accept it."""

from datetime import timedelta
from unittest.mock import Mock

import pytest

from contest import judging, submissions
from contest.infra import clock, rate_limits
from contest.levels.files import number_of
from contest.models import Best, Door, Level, Player, Round, Scope, Submission, Token
from contest.players import api_tokens
from contest.rankings import standings
from contest.submissions import Entry
from contest.visibility import Viewer
from solvers.sokoban.formats import letslogic, read_collection
from tests import cast
from tests.legacy.letslogic.conftest import number_in

pytestmark = pytest.mark.django_db
BEST = {"rank": 1, "points": 1, "moves": 2, "pushes": 1}


@pytest.fixture
def main(during_round):
    return number_of(during_round.levels.get(slot="main"))


def test_a_round_is_a_collection_with_levels_in_digits(crate, main):
    (collection,) = crate.collections()
    assert (collection["id"], collection["levels"], collection["author"]) == (1, 2, "Author")
    level, extra = crate.levels(1)
    assert (level["id"], extra["title"]) == (main, "extra of 1")
    assert letslogic.parse(level["map"], level["width"], level["height"]).published_text == cast.CORRIDOR
    assert [level[name] for name in ("blue_moves", "blue_pushes", "green_moves", "green_pushes")] == [None] * 4


def test_a_solution_is_entered_and_answered_with_both_bests(crate, main):
    """Rules 5.1, 5.7."""
    for solution in ("", "r", "rDldR"):
        with pytest.raises(LookupError, match="Invalid Solution"):
            crate.submit(main, solution)
    answer = crate.submit(main, "rR")
    assert answer["result"].startswith("Well done! You have completed this puzzle in 2 move(s) and 1 pushe(s).")
    assert (answer["blue"], answer["green"]) == (BEST, BEST)
    assert crate.levels(1)[0]["blue_moves"] == 2
    assert crate.records() == {main: {"blue": BEST, "green": BEST}}
    worse = crate.submit(main, "rlrR")
    assert worse["result"] == "But you have not improved. You have completed this puzzle in 4 move(s) and 1 pushe(s)."
    assert worse["blue"]["moves"] == 2


def test_a_solution_may_be_as_long_as_at_the_other_doors(crate, main):
    assert crate.submit(main, "rl" * 140_000 + "rR")["blue"]["moves"] == 280_002


def test_a_missing_level_or_a_level_of_a_future_round_does_not_exist(crate):
    """Rule 2.8."""
    opens_at = cast.CLOSES + timedelta(days=7)
    coming = cast.a_round(2, opens_at=opens_at, closes_at=opens_at + timedelta(days=7), announced_at=cast.OPENS)
    for number in (999_999, number_of(coming.levels.get(slot="main"))):
        with pytest.raises(LookupError, match="Specified level does not exist"):
            crate.submit(number, "rR")
    assert crate.levels(2) == []
    assert len(crate.collections()) == 1


def test_a_round_that_waits_for_its_reveal_accepts_nothing(crate, main):
    """Rules 3.2, 20.1."""
    Round.objects.update(reveal_waits_until=cast.AFTER + timedelta(days=1))
    with clock.set_to(cast.AFTER), pytest.raises(LookupError):
        crate.submit(main, "rR")
    assert not Submission.objects.filter(received_at__gte=cast.AFTER).exists()


def test_numbers_of_levels_show_no_round_to_come(crate, during_round):
    """Rule 2.1: those of a round are the same whatever drafts were made before it."""
    draft = cast.a_round(3, announced_at=None)
    second = cast.a_round(2, **cast.earlier(5))
    numbers = [level["id"] for number in (1, 2) for level in crate.levels(number)]
    assert numbers == [500_000_004, 500_000_005, 500_000_008, 500_000_009]
    for level in (*draft.levels.all(), *second.levels.all()):
        with pytest.raises(LookupError, match="Specified level does not exist"):
            crate.submit(level.pk, "rR")


def test_every_call_refuses_a_wrong_key(client, key, main):
    for path in ("collections", "collection/1", f"level/{main}", "records"):
        for wrong in ("", "leitai_aaaaaaaaaaaa_" + "a" * 43):
            answer = client.post(f"/letslogic/api/v1/{path}", {"key": wrong, "solution": "rR"})
            assert (answer.status_code, answer.json()) == (200, {"error": "Invalid key"})
            assert answer["Access-Control-Allow-Origin"] == "*"


def test_a_token_does_what_its_scopes_and_its_rate_allow(client, crate, main):
    """Rule 5.9."""
    player = Player.objects.get(nickname="Ada")
    player.tokens.update(per_minute=0)
    with pytest.raises(LookupError, match="Too many solutions; wait 60 seconds"):
        crate.submit(main, "rR")
    crate.key = api_tokens.make(player, None, cast.DURING, scopes=[Scope.READ]).text
    assert crate.collections()
    with pytest.raises(LookupError, match="Invalid key"):
        crate.submit(main, "rR")
    Token.objects.update(scopes=[Scope.SUBMIT])
    records = client.post("/letslogic/api/v1/records", {"key": crate.key})
    assert records.json() == {"error": "Invalid key"}


def test_when_switched_off_there_are_no_urls_and_no_level_numbers_in_files(client, key, settings):
    settings.LETSLOGIC = False
    assert client.post("/letslogic/api/v1/collections", {"key": key}).status_code == 404
    assert number_in(client.get("/api/v1/rounds/1/levels.sok").content.decode()) is None


def test_a_program_sees_its_rank_in_its_league(crate, main):
    """Rule 16.4."""
    cast.send("Ann", "rR")
    crate.key = cast.token_of("Bot")
    assert crate.submit(main, "rR")["blue"]["rank"] == 1


def test_an_unranked_solution_is_answered_with_its_counts(crate, main):
    """Rule 2.10: a void level has no ranking, and submissions for it are stored."""
    Level.objects.filter(slot="main").update(voided_at=cast.DURING)
    assert crate.submit(main, "rR")["green"] == {"rank": 0, "points": 0, "moves": 2, "pushes": 1}
    assert crate.records() == {}


def test_each_level_in_the_records_costs_a_request(crate, client, main, monkeypatch):
    """Rule 5.9: each takes ten queries."""
    crate.submit(main, "rR")
    monkeypatch.setattr(rate_limits, "_pass", Mock(side_effect=[None, rate_limits.Busy(1, 7)]))
    refusal = client.post("/letslogic/api/v1/records", {"key": crate.key}).json()
    assert refusal == {"error": "Too many solutions; wait 7 seconds"}


def test_practice_is_not_in_the_records(crate, main):
    """Rule 20.1: it has separate boards."""
    player = Player.objects.get(nickname="Ada")
    crate.submit(main, "rlrR")
    with clock.set_to(cast.AFTER):
        for slot, moves in cast.SOLUTIONS.items():
            entry = Entry("Ada", moves, practice=True, round=1, slot=slot)
            submissions.accept(entry, door=Door.API, viewer=Viewer(proved=frozenset({player.pk})))
        judging.judge_until_empty()
        assert Best.objects.filter(player=player, level__slot="extra").exists()
        assert {level: bests["blue"]["moves"] for level, bests in crate.records().items()} == {main: 4}


def test_points_count_the_players_own_first_entry(crate, during_round, main, cache_of_its_own):
    cast.enter_all(during_round, [("Bo", 2, 1), ("Cy", 2, 1)])
    cast.enter_all(during_round, [("Ada", 9, 9)], slot="extra")  # the other level has a different ranking
    bo = Player.objects.get(nickname="Bo")
    standings.count(during_round.levels.get(slot="main"), "moves", league=standings.league_of(bo, during_round))
    answer = crate.submit(main, "rlrR")
    assert (answer["blue"]["rank"], answer["blue"]["points"]) == (3, 1)
    assert crate.records()[main]["blue"] == answer["blue"]


def test_a_closed_round_accepts_practice_and_shows_the_all_time_ranks(crate, main):
    """Rule 20.1."""
    cast.submit("Bo", "rR")
    with clock.set_to(cast.CLOSES + timedelta(days=1)):
        answer = crate.submit(main, "rlrR")
        assert "completed this puzzle in 4 move(s)" in answer["result"]
        assert answer["blue"] == {"rank": 2, "points": 1, "moves": 4, "pushes": 1}
        assert crate.levels(1)[0]["blue_moves"] == 4
    assert not Best.objects.filter(player__nickname="Ada", board="contest").exists()


@pytest.mark.parametrize("address", ["/rounds/1/main.sok", "/api/v1/rounds/1/levels.sok"])
def test_a_file_of_levels_contains_their_numbers(client, key, main, address):
    text = client.get(address).content.decode()
    assert number_in(text) == main
    assert read_collection(text).entries[0].keys == {"id": str(main)}
