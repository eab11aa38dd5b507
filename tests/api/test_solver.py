from datetime import timedelta

import pytest

from contest.infra import clock, rate_limits
from contest.models import Search, SearchState, Slot
from contest.vetting import coaching
from tests import cast
from tests.api.conftest import code_of, fields_of

LEVEL = "#######\n#@--$.#\n#-----#\n#######"
ROOMY = "#######|#@----#|#-$---#|#--.--#|#######"  # cast.CORNER with another column


def ask(bot, **body):
    return bot.post({"level": LEVEL, **body}, path="solver/")


def test_a_question_is_accepted_polled_cancelled_and_answered(round_, program):
    asked = ask(program, act="prove", aim="moves")
    waiting = program.get(asked["Location"])
    assert (asked.status_code, waiting.json()["state"], waiting["Retry-After"]) == (202, "queued", "1")
    cancel = f"{asked['Location']}cancel/".partition("/api/v1/")[2]
    stopped = program.post({}, path=cancel)
    assert (stopped.status_code, stopped.json()["state"]) == (200, "cancelled")
    assert program.post({}, path="solver/nothing/cancel/").status_code == 404
    solution = {"lurd": "rrR", "moves": 3, "pushes": 1}
    searched = {"state": SearchState.DONE, "answer": "solved", "found": {"moves": solution}, "least_moves": 3}
    searched["tried"] = cast.compared()
    Search.objects.update(**searched)
    found = program.get(asked["Location"]).json()
    assert (found["state"], found["answer"], found["lurd"], found["moves"]) == ("done", "solved", "rrR", 3)
    assert (found["lower_bound_moves"], found["seconds"]) == (3, 10)


def test_the_coach_says_where_the_solution_sent_loses(round_, program):
    asked = ask(program, act="coach", aim="moves", lurd="rlrrR")
    found = {"moves": {"lurd": "rrR", "moves": 3, "pushes": 1}}
    stretches = coaching.find_stretches(Search.objects.get(), found)
    done = {"state": SearchState.DONE, "tried": cast.compared(), "answer": "solved"}
    Search.objects.update(**done, found=found, stretches=stretches)
    answer = program.get(asked["Location"]).json()
    (stretch,) = answer["stretches"]
    assert (answer["lurd"], stretch["start"], stretch["stop"], stretch["moves"]) == ("rrR", 0, 2, 2)


def test_an_answer_for_a_level_in_play_looks_like_no_answer(round_, english):
    """Rule 20.4: a level in play with another column; the other question found nothing in its ten seconds."""
    near, other = (ask(english, level=level).json()["id"] for level in (ROOMY, LEVEL))
    solution = {"lurd": "rDldR", "moves": 5, "pushes": 2}
    done = {"state": SearchState.DONE, "tried": cast.compared()}
    Search.objects.update(**done, answer="unknown", limit="cpu_seconds", nodes=700, cpu_seconds=10)
    found = {"answer": "solved", "limit": "", "found": {"pushes": solution}, "best": 2}
    found["tried"] = cast.compared(Slot.EXTRA)
    Search.objects.filter(public_id=near).update(**found, nodes=7, cpu_seconds=0.1)
    first, second = (english.get(f"solver/{search_id}/").json() for search_id in (near, other))
    assert {**first, "id": 0, "url": 0} == {**second, "id": 0, "url": 0}


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ({"level": cast.CORNER}, (403, ["level"])),  # which is in play
        ({"level": 7}, (400, ["level"])),
        ({"seconds": -1}, (400, ["seconds"])),
        ({"level": "nonsense"}, (422, ["level"])),
        ({"act": "coach"}, (422, ["lurd"])),
    ],
    ids=lambda value: str(value)[:20],
)
def test_an_impossible_question_is_refused_with_the_field(round_, english, body, refusal):
    """Rules 4.9, 20.4."""
    assert fields_of(ask(english, **body)) == refusal


@pytest.mark.parametrize("path", ["solver/", "rounds/1/extra/hint/"])
def test_a_rate_limited_question_is_not_parsed(round_, english, monkeypatch, path):
    """Examining a level of 38,000 cells takes half a second, even if it is refused."""

    def full(_cost, _address):
        raise rate_limits.Busy(20, 7)

    monkeypatch.setattr(rate_limits, "pass_door", full)
    for reader in ("contest.api.json_texts.parse", "solvers.sokoban.Level.parse"):
        monkeypatch.setattr(reader, None)
    answer = english.post({"level": LEVEL, "moves": ""}, path=path)
    assert code_of(answer) == (429, "quota")
    assert answer["Retry-After"]


def test_a_hint_in_practice_shows_no_complete_solution(round_, english):
    """Rule 20.4."""
    with clock.set_to(cast.AFTER):
        asked = english.post({"moves": ""}, path="rounds/1/extra/hint/")
        assert asked.status_code == 202
        Search.objects.update(
            state=SearchState.DONE, answer="solved", found={"pushes": {"lurd": "rD", "moves": 2, "pushes": 1}}
        )
        found = english.get(f"solver/{asked.json()['id']}/").json()
        assert (found["lurd"], found["moves"], found["pushes"]) == ("rD", None, None)


def test_a_lost_position_names_the_boxes_and_the_push(round_, english):
    loss = {"boxes": [9], "reach": [9, 10], "push": 1, "moves": 3}
    with clock.set_to(cast.AFTER):
        asked = english.post({"moves": "rrdL"}, path="rounds/1/extra/hint/").json()
        assert asked["loss"] is None
        Search.objects.update(state=SearchState.DONE, answer="unsolvable", loss=loss)
        assert english.get(f"solver/{asked['id']}/").json()["loss"] == loss


def test_there_is_no_hint_in_an_open_round_or_before_the_opening(round_, english, program):
    """Rule 20.4: at no endpoint, for nobody."""
    for somebody in (english, program):
        assert code_of(somebody.post({"moves": ""}, path="rounds/1/extra/hint/")) == (403, "not_practice")
    with clock.set_to(cast.OPENS - timedelta(seconds=1)):
        assert code_of(english.post({"moves": ""}, path="rounds/1/extra/hint/")) == (404, "not_found")
