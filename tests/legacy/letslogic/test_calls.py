"""The contract with programs written for letslogic.com (docs/letslogic.md)."""

import io
import json
import zipfile
from datetime import timedelta

import pytest

from contest import judging, submissions
from contest.infra import clock
from contest.models import Best, Door, Player, Round, Scope, Submission
from contest.players import api_tokens
from contest.rankings import standings
from contest.submissions import Entry
from contest.visibility import Viewer
from solvers.sokoban.formats import letslogic, read_collection
from tests import cast
from tests.legacy.letslogic.conftest import JSoko

pytestmark = pytest.mark.django_db


@pytest.fixture
def call(client, during_round, settings):
    """A program with a key of Ada's."""
    settings.LETSLOGIC = True
    player = cast.send("Ada", "u").submission.player
    key = api_tokens.make(player, None, cast.DURING).text

    def send(path, **fields):
        answer = client.post(f"/letslogic/api/v1/{path}", {"key": key, **fields})
        assert answer.status_code == 200
        return answer

    send.player = player
    return send


def test_a_round_is_a_collection(call):
    (collection,) = call("collections").json()
    assert (collection["id"], collection["levels"], collection["author"]) == (1, 2, "Author")


def test_a_level_has_its_digits_and_nothing_entered_yet(call, during_round):
    main, extra = call("collection/1").json()
    board = letslogic.parse(main["map"], main["width"], main["height"])
    assert board.published_text == cast.CORRIDOR
    assert [main[name] for name in ("blue_moves", "blue_pushes", "green_moves", "green_pushes")] == [None] * 4
    assert extra["title"] == "extra of 1"


def _main(during_round):
    return during_round.levels.get(slot="main").pk


def test_a_solution_is_entered_and_answered_with_both_bests(call, during_round):
    """Rule 5.1."""
    answer = call(f"level/{_main(during_round)}", solution="rR").json()
    assert answer["result"].startswith("Well done! You have completed this puzzle in 2 move(s) and 1 pushe(s).")
    best = {"rank": 1, "points": 1, "moves": 2, "pushes": 1}
    assert (answer["blue"], answer["green"]) == (best, best)
    assert call("collection/1").json()[0]["blue_moves"] == 2


def test_a_worse_one_says_that_nothing_improved(call, during_round):
    """Rule 5.7."""
    call(f"level/{_main(during_round)}", solution="rR")
    answer = call(f"level/{_main(during_round)}", solution="rlrR").json()
    assert "you have not improved" in answer["result"].lower()
    assert answer["blue"]["moves"] == 2


@pytest.mark.parametrize("solution", ["", "l", "r", "???"])
def test_what_solves_nothing_is_invalid(call, during_round, solution):
    assert call(f"level/{_main(during_round)}", solution=solution).json() == {"error": "Invalid Solution"}


def test_a_level_that_is_not_there_does_not_exist(call):
    assert call("level/999999", solution="rR").json() == {"error": "Specified level does not exist"}


def test_a_level_of_a_round_to_come_does_not_exist(call):
    """Rule 2.8."""
    opens_at = cast.CLOSES + timedelta(days=7)
    coming = cast.a_round(2, opens_at=opens_at, closes_at=opens_at + timedelta(days=7), announced_at=cast.OPENS)
    assert call(f"level/{_main(coming)}", solution="rR").json() == {"error": "Specified level does not exist"}
    assert call("collection/2").json() == []
    assert len(call("collections").json()) == 1


def test_a_round_that_waits_for_its_reveal_takes_nothing(call, during_round):
    """Rules 3.2, 20.1."""
    Round.objects.update(reveal_waits_until=cast.AFTER + timedelta(days=1))
    with clock.set_to(cast.AFTER):
        assert "error" in call(f"level/{_main(during_round)}", solution="rR").json()
    assert not Submission.objects.filter(received_at__gte=cast.AFTER).exists()


def test_records_are_a_zip_with_one_object(call, during_round):
    call(f"level/{_main(during_round)}", solution="rR")
    with zipfile.ZipFile(io.BytesIO(call("records").content)) as packed:
        (name,) = packed.namelist()
        shown = json.loads(packed.read(name))
    assert shown[str(_main(during_round))]["green"]["pushes"] == 1


@pytest.mark.parametrize("path", ["collections", "collection/1", "level/1", "records"])
@pytest.mark.parametrize("key", ["", "leitai_x_y", "leitai_aaaaaaaaaaaa_" + "a" * 43])
def test_a_wrong_key_is_told_as_one(client, during_round, settings, path, key):
    settings.LETSLOGIC = True
    assert client.post(f"/letslogic/api/v1/{path}", {"key": key}).json() == {"error": "Invalid key"}


def test_a_key_that_may_only_read_enters_nothing(client, during_round, settings):
    settings.LETSLOGIC = True
    player = cast.send("Ada", "u").submission.player
    key = api_tokens.make(player, None, cast.DURING, scopes=[Scope.READ]).text
    answer = client.post(f"/letslogic/api/v1/level/{_main(during_round)}", {"key": key, "solution": "rR"})
    assert answer.json() == {"error": "Invalid key"}


def test_switched_off_there_is_nothing(client, during_round):
    assert client.post("/letslogic/api/v1/collections", {"key": "x"}).status_code == 404


def test_other_sites_programs_may_call(call):
    assert call("collections")["Access-Control-Allow-Origin"] == "*"


def test_a_program_sees_its_rank_among_programs(client, during_round, settings):
    """Rule 16.4."""
    settings.LETSLOGIC = True
    bot, _claim = api_tokens.make_program("Bot", None, cast.DURING)
    key = api_tokens.make(bot, None, cast.DURING).text
    path = f"/letslogic/api/v1/level/{_main(during_round)}"
    assert client.post(path, {"key": key, "solution": "rR"}).json()["blue"]["rank"] == 1


def _records(call):
    with zipfile.ZipFile(io.BytesIO(call("records").content)) as packed:
        return json.loads(packed.read("records.json"))


def test_practice_is_no_record(call, during_round):
    """Rule 20.1: it stands on boards of its own."""
    with clock.set_to(cast.AFTER):
        ada = Viewer(proved=frozenset({call.player.pk}))
        entry = Entry("Ada", "rR", practice=True, round=1, slot="main")
        submissions.accept(entry, door=Door.API, viewer=ada)
        judging.judge_until_empty()
        assert Best.objects.filter(player=call.player).exists()
        assert _records(call) == {}


def test_points_are_of_the_ranking_with_ones_own_first_entry_in_it(call, during_round, cache_of_its_own):
    cast.enter_all(during_round, [("Bo", 2, 1), ("Cy", 2, 1)])
    cast.enter_all(during_round, [("Ada", 9, 9)], slot="extra")  # the ranking of the other level is another one
    bo = Player.objects.get(nickname="Bo")
    standings.count(during_round.levels.get(slot="main"), "moves", league=standings.league_of(bo, during_round))
    answer = call(f"level/{_main(during_round)}", solution="rlrR").json()
    assert (answer["blue"]["rank"], answer["blue"]["points"]) == (3, 1)
    assert _records(call)[str(_main(during_round))]["blue"] == answer["blue"]


def test_a_round_that_is_over_takes_practice_and_answers_of_all_time(call, during_round):
    """Rule 20.1."""
    cast.send("Bo", "rR")
    judging.judge_until_empty()
    after = cast.CLOSES + timedelta(days=1)
    key = api_tokens.make(call.player, None, after).text
    with clock.set_to(after):
        answer = call(f"level/{_main(during_round)}", solution="rlrR", key=key).json()
        assert "completed this puzzle in 4 move(s)" in answer["result"]
        assert answer["blue"] == {"rank": 2, "points": 1, "moves": 4, "pushes": 1}
        assert call("collection/1", key=key).json()[0]["blue_moves"] == 4
    assert not Best.objects.filter(player=call.player, board="contest").exists()


@pytest.mark.parametrize("address", ["/rounds/1/main.sok", "/api/v1/rounds/1/levels.sok"])
def test_a_file_of_levels_says_where_a_solution_is_to_be_sent(client, call, during_round, address):
    """As JSoko's submitter does it."""
    text = client.get(address).content.decode()
    assert JSoko.number_in(text) == _main(during_round)
    first = read_collection(text).entries[0]
    assert first.keys == {"id": str(_main(during_round))}
    assert call(f"level/{first.keys['id']}", solution="rR").json()["result"].startswith("Well done!")


def test_without_the_door_no_file_has_a_number_that_means_another_level_elsewhere(client, during_round, settings):
    settings.LETSLOGIC = False
    assert JSoko.number_in(client.get("/api/v1/rounds/1/levels.sok").content.decode()) is None
