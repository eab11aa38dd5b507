"""Bots ask the solver, and for hints in practice (rule 20.4)."""

import pytest

from contest.infra import clock, rate_limits
from contest.models import Search, SearchState
from contest.vetting import worker
from tests import cast
from tests.api.conftest import code_of, problem_of

LEVEL = "#######\n#@--$.#\n#-----#\n#######"
DUG = "#######|#@----#|#-$--##|#--.-##|#######"  # cast.CORNER with one dead cell in its right wall


def ask(bot, **body):
    return bot.post({"level": LEVEL, **body}, path="solver/")


def test_a_question_is_taken_searched_and_answered(round_, program):
    asked = ask(program, act="prove", aim="moves")
    assert (asked.status_code, asked.json()["state"]) == (202, "queued")
    assert asked["Location"].endswith(f"/api/v1/solver/{asked.json()['id']}/")
    worker.work_until_empty(lambda: None)
    found = program.get(f"solver/{asked.json()['id']}/").json()
    assert (found["state"], found["answer"], found["lurd"], found["optimal"]) == ("done", "solved", "rrR", "moves")
    assert (found["lower_bound_moves"], found["seconds"]) == (3, 10)


def test_a_search_can_be_stopped(round_, english):
    number = ask(english).json()["id"]
    stopped = english.post({}, path=f"solver/{number}/cancel/")
    assert (stopped.status_code, stopped.json()["state"]) == (200, "cancelled")


def test_a_level_in_play_is_refused_in_words(round_, bot):
    """Rules 4.9, 20.4."""
    answer = ask(bot, level=cast.CORNER)
    assert code_of(answer) == (403, "in_play")
    assert problem_of(answer)["errors"][0]["field"] == "level"


def test_what_solves_a_level_in_play_looks_like_what_was_not_found(round_, english):
    """Rule 20.4: a level in play with a dead cell dug; the other question found nothing in its ten seconds."""
    near, other = (ask(english, level=level).json()["id"] for level in (DUG, LEVEL))
    solution = {"lurd": "rDldR", "moves": 5, "pushes": 2}
    Search.objects.update(state=SearchState.DONE, answer="unknown", limit="cpu_seconds", nodes=700, cpu_seconds=10)
    found = {"answer": "solved", "limit": "", "found": {"pushes": solution}, "best": 2}
    Search.objects.filter(public_id=near).update(**found, nodes=7, cpu_seconds=0.1)
    first, second = (english.get(f"solver/{one}/").json() for one in (near, other))
    assert {**first, "id": 0, "url": 0} == {**second, "id": 0, "url": 0}


@pytest.mark.parametrize(
    ("body", "field"),
    [({"level": 7}, "level"), ({"seconds": "9"}, "seconds"), ({"seconds": True}, "seconds"), ({"act": []}, "act")],
)
def test_a_member_of_another_kind_is_named(round_, english, body, field):
    answer = ask(english, **body)
    assert answer.status_code == 400
    assert [error["field"] for error in problem_of(answer)["errors"]] == [field]


@pytest.mark.parametrize("body", [{"level": "nonsense"}, {"level": ""}, {"act": "guess"}, {"act": "optimize"}])
def test_what_cannot_be_asked_is_refused(round_, bot, body):
    assert ask(bot, **body).status_code == 422


def test_who_asks_too_much_waits(round_, english, settings):
    settings.NETWORK_SECONDS_PER_DAY = 15
    ask(english)
    answer = ask(english)
    assert code_of(answer) == (429, "quota")
    assert answer["Retry-After"]


@pytest.mark.parametrize("path", ["solver/", "rounds/1/extra/hint/"])
def test_at_the_gate_nothing_is_read(round_, english, monkeypatch, path):
    """A level of 38,000 cells takes half a second to look at, refused or not."""

    def full(_address):
        raise rate_limits.Busy(20, 7)

    monkeypatch.setattr(rate_limits, "pass_question", full)
    for reader in ("contest.api.json_texts.parse", "solvers.sokoban.Level.parse"):
        monkeypatch.setattr(reader, None)
    answer = english.post({"level": LEVEL, "moves": ""}, path=path)
    assert code_of(answer) == (429, "quota")
    assert answer["Retry-After"]


def test_an_unknown_question_is_not_there(round_, bot):
    assert bot.get("solver/nothing/").status_code == 404
    assert bot.post({}, path="solver/nothing/cancel/").status_code == 404


def test_a_hint_is_given_in_practice_and_shows_no_whole_solution(round_, english):
    """Rule 20.4."""
    with clock.set_to(cast.AFTER):
        asked = english.post({"moves": ""}, path="rounds/1/extra/hint/")
        assert asked.status_code == 202
        Search.objects.update(
            state=SearchState.DONE, answer="solved", found={"pushes": {"lurd": "rD", "moves": 2, "pushes": 1}}
        )
        found = english.get(f"solver/{asked.json()['id']}/").json()
        assert (found["lurd"], found["moves"], found["pushes"]) == ("rD", None, None)


def test_there_is_no_hint_in_an_open_round(round_, bot, program):
    """Rule 20.4: on no door, for nobody."""
    for somebody in (bot, program):
        assert code_of(somebody.post({"moves": ""}, path="rounds/1/extra/hint/")) == (403, "not_practice")


def test_there_is_no_hint_for_a_level_that_nobody_sees_yet(db, english):
    with clock.set_to(cast.OPENS.replace(day=1, hour=1)):
        cast.a_round()
        assert english.post({"moves": ""}, path="rounds/1/extra/hint/").status_code == 404


@pytest.mark.parametrize("name", ["level", "lurd"])
def test_half_a_surrogate_pair_is_no_text(db, english, name):
    question = {"level": "#####|#@$.#|#####", "act": "optimize", "lurd": "R"}
    refusal = english.post(question | {name: question[name] + "\ud800"}, path="solver/")
    assert code_of(refusal) == (400, "invalid")
    assert [(one["field"], one["code"]) for one in refusal.json()["errors"]] == [(name, "bad_text")]
