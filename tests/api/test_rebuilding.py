import pytest

from contest.levels import rebuilding
from contest.models import Token
from tests.api.conftest import code_of, fields_of

BOARD = "######\n#---.#\n#@$###\n#--#--\n####--"


def test_moves_in_the_url_return_their_level(english, db):
    body = english.get("rebuild/drUluRR/").json()
    assert (body["board"], body["width"], body["height"], body["boxes"]) == (BOARD, 6, 5, 1)
    assert body["url"].endswith("/lurd2xsb/drUluRR")


def test_long_moves_are_posted_and_have_no_page(english, db):
    short = english.post({"moves": "dr UluRR"}, path="rebuild/").json()
    assert short == english.get("rebuild/drUluRR/").json()
    long = english.post({"moves": "R" + "lr" * rebuilding.MAX_URL_LENGTH}, path="rebuild/").json()
    assert (long["board"], long["url"]) == ("#####\n#@$.#\n#####", None)


@pytest.mark.parametrize(("moves", "code"), [("rl", "no_push"), ("Rx", "foreign_character"), ("R200001r", "too_long")])
def test_moves_that_imply_no_level_are_refused(english, db, moves, code):
    answer = english.get(f"rebuild/{moves}/")
    assert (code_of(answer), fields_of(answer)) == ((422, code), (422, ["moves"]))
    assert english.post({"moves": moves}, path="rebuild/").json() == answer.json()


def test_rebuilding_counts_as_a_trial_of_the_address_or_the_token(limits, english, program, settings):
    settings.ADDRESS_PER_MINUTE = 2
    assert [english.get("rebuild/R/").status_code for _ in range(3)] == [200, 200, 429]
    Token.objects.update(per_minute=1)
    assert [program.get("rebuild/R/").status_code for _ in range(2)] == [200, 429]
