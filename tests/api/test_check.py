from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Player, Submission
from tests import cast
from tests.api.conftest import code_of, fields_of

BOARD = "#####\n#@$.#\n#####"
REBUILT = "######\n#---.#\n#@$###\n#--#--\n####--"


def check(bot, **body):
    return bot.post(body, path="check/")


def test_a_trial_on_a_level_returns_the_verdict_and_stores_nothing(round_, english):
    trial = check(english, moves="rR", round=1, slot="main").json()
    assert (trial["verdict"], trial["slot"], trial["moves"], trial["pushes"]) == ("accepted", "main", 2, 1)
    assert trial["ranks"] == {"moves": 1, "pushes": 1}
    assert not trial.keys() & {"id", "number", "received_at"}
    assert not Submission.objects.exists()
    assert not Player.objects.exists()
    # Without a round the open one is used, and without a slot the solved level (rule 6.8).
    assert check(english, moves=cast.SOLUTIONS["extra"]).json()["slot"] == "extra"


def test_an_own_board_needs_no_round_and_other_members_are_ignored(db, english):
    """Rule 6.11: a failure is reported with its position."""
    trial = check(english, board=BOARD, moves="R", practice="no member of a trial").json()
    assert (trial["verdict"], trial["round"], trial["ranks"]) == ("accepted", None, {"moves": None, "pushes": None})
    failed = check(english, board=BOARD, moves=" u").json()
    assert (failed["verdict"], failed["index"], failed["step"], failed["why"]) == ("illegal", 1, 1, "wall")


@pytest.mark.parametrize(
    ("moves", "verdict", "reading", "left_out"),
    [
        ("R", "accepted", "lines", []),
        ("me:\n“R”\u200e", "accepted", "words", [(1, "me:"), (2, "“"), (2, "”U+200E")]),
        ("note\n[1]uu", "malformed", "", [(1, "note"), (2, "[1]uu")]),
        ("hello " * 9, "malformed", "", [(1, ("hello " * 7)[:40])]),
        ("note\n999999999R", "too_long", "lines", [(1, "note")]),
    ],
)
def test_a_trial_says_what_was_read_and_what_was_left_out(db, english, moves, verdict, reading, left_out):
    """Rule 6.1: also if the verdict is malformed, empty or too long."""
    trial = check(english, board=BOARD, moves=moves).json()
    parts = [(part["line"], part["text"]) for part in trial["left_out"]]
    assert (trial["verdict"], trial["reading"] or "", parts) == (verdict, reading, left_out)


def test_a_level_before_its_opening_is_never_judged(round_, english, program):
    """Rule 7.4."""
    with clock.set_to(cast.OPENS - timedelta(seconds=1)):
        for bot in (english, program):
            for slot in ("main", "extra3"):
                assert code_of(check(bot, moves="rR", round=1, slot=slot)) == (404, "no_round")


def test_an_own_board_is_not_named_after_a_level_of_the_round(round_, english):
    trial = check(english, board="######\n#@-$.#\n######", moves="lL", slot="main").json()
    assert (trial["verdict"], trial["slot"], trial["round"]) == ("illegal", None, None)
    assert (trial["turned"]["slot"], trial["turned"]["lurd"]) == (None, "rR")
    assert "main" not in trial["detail"].lower()


def test_moves_in_the_url_return_their_level(english, db):
    body = english.get("rebuild/drUluRR/").json()
    assert (body["board"], body["width"], body["height"], body["boxes"]) == (REBUILT, 6, 5, 1)
    assert body["url"].endswith("/lurd2xsb/drUluRR")


@pytest.mark.parametrize(("moves", "code"), [("rl", "no_push"), ("Rx", "foreign_character"), ("R200001r", "too_long")])
def test_moves_that_imply_no_level_are_refused(english, db, moves, code):
    answer = english.get(f"rebuild/{moves}/")
    assert (code_of(answer), fields_of(answer)) == ((422, code), (422, ["moves"]))
    assert english.post({"moves": moves}, path="rebuild/").json() == answer.json()
