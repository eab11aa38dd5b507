import pytest

from contest.levels import rebuilding
from tests.api.conftest import code_of

BOARD = "######\n#---.#\n#@$###\n#--#--\n####--"


def test_moves_after_the_slash_are_answered_by_their_level(english, db):
    body = english.get("rebuild/drUluRR/").json()
    assert (body["board"], body["width"], body["height"], body["boxes"]) == (BOARD, 6, 5, 1)
    assert body["url"].endswith("/lurd2xsb/drUluRR")


def test_long_moves_are_sent_and_have_no_page(english, db):
    short = english.post({"moves": "dr UluRR"}, path="rebuild/").json()
    assert short == english.get("rebuild/drUluRR/").json()
    long = english.post({"moves": "R" + "lr" * rebuilding.LONGEST_ADDRESS}, path="rebuild/").json()
    assert (long["board"], long["url"]) == ("#####\n#@$.#\n#####", None)


@pytest.mark.parametrize(
    ("moves", "code"),
    [("rl", "no_push"), ("Rx", "foreign_character"), ("RlR", "pushes_nothing"), ("R200001r", "too_long")],
)
def test_moves_of_no_level_are_told_in_words(bot, db, moves, code):
    answer = bot.get(f"rebuild/{moves}/")
    assert code_of(answer) == (422, code)
    assert answer.json()["errors"][0]["field"] == "moves"
    assert bot.post({"moves": moves}, path="rebuild/").json() == answer.json()


def test_what_is_no_text_is_refused_by_name(english, db):
    for body in ({}, {"moves": 3}):
        assert english.post(body, path="rebuild/").json()["errors"][0]["field"] == "moves"


def test_it_counts_as_a_trial(limits, english, db, settings):
    settings.ADDRESS_PER_MINUTE = 2
    assert [english.get("rebuild/R/").status_code for _ in range(3)] == [200, 200, 429]
