import pytest
from django.http import HttpResponse

from contest.players import BadName, clean_nickname, name_key, remember_claim, viewer_of
from contest.visibility import Viewer
from tests.cast import send


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (" Liu  Yi ", "liu yi", True),
        ("ＬＩＵ ＹＩ", "liu yi", True),
        ("Zíka", "Zi\u0301ka", True),
        ("Straße", "STRASSE", True),
        ("ﬁnn", "Finn", True),
        ("İstanbul", "istanbul", False),
        ("Anna", "Аnna", True),
        ("Bob1", "BobI", True),
        ("player", "rival", False),
    ],
)
def test_names_that_look_alike_are_one_player(one, other, same):
    """Rule 4.5."""
    assert (name_key(one) == name_key(other)) == same


@pytest.mark.parametrize("nickname", ["推箱子高手", "👨‍👩‍👧", "क्‍ष", "x" * 32, "Zíka"])
def test_names_of_any_script_are_kept(nickname):
    assert clean_nickname(nickname)


@pytest.mark.parametrize("nickname", ["", " ", "x" * 33, "a\u200db", "\u200d", "a\x07", "\ue000", "\u2066a"])
def test_names_nobody_could_read_are_refused(nickname):
    """Rule 4.4."""
    with pytest.raises(BadName):
        clean_nickname(nickname)


@pytest.mark.parametrize("proof", ["claim", "receipt id"])
def test_a_browser_keeps_the_proof_it_was_given(rf, during_round, proof):
    receipt = send("player", "rR")
    secret = receipt.claim if proof == "claim" else receipt.submission.receipt_id
    answer = HttpResponse()
    remember_claim(answer, Viewer(), receipt.submission.player_id, secret or "")
    request = rf.get("/")
    request.COOKIES = {name: cookie.value for name, cookie in answer.cookies.items()}
    assert viewer_of(request).owns(receipt.submission)


def test_a_forged_or_foreign_claim_proves_nothing(rf, during_round):
    receipt, other = send("player", "rR"), send("rival", "rR")
    answer = HttpResponse()
    remember_claim(answer, Viewer(), receipt.submission.player_id, other.submission.receipt_id)
    request = rf.get("/")
    request.COOKIES = {name: cookie.value for name, cookie in answer.cookies.items()}
    assert not viewer_of(request).claims
    request.COOKIES = {name: cookie.value[:-1] for name, cookie in answer.cookies.items()}
    assert not viewer_of(request).claims
