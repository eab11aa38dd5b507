import pytest

from tests.api.conftest import code_of, fields_of

BOARD = "######\n#---.#\n#@$###\n#--#--\n####--"


def test_moves_in_the_url_return_their_level(english, db):
    body = english.get("rebuild/drUluRR/").json()
    assert (body["board"], body["width"], body["height"], body["boxes"]) == (BOARD, 6, 5, 1)
    assert body["url"].endswith("/lurd2xsb/drUluRR")


@pytest.mark.parametrize(("moves", "code"), [("rl", "no_push"), ("Rx", "foreign_character"), ("R200001r", "too_long")])
def test_moves_that_imply_no_level_are_refused(english, db, moves, code):
    answer = english.get(f"rebuild/{moves}/")
    assert (code_of(answer), fields_of(answer)) == ((422, code), (422, ["moves"]))
    assert english.post({"moves": moves}, path="rebuild/").json() == answer.json()
