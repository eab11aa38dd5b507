from datetime import timedelta

import pytest

from contest import judging
from contest.infra import clock
from contest.judging import receipt_chain
from contest.models import Round, Token
from contest.players import api_tokens
from contest.rules.sealed_answers import SealedText
from tests import cast
from tests.api.conftest import Bot, code_of


@pytest.fixture
def sealing(round_):
    cast.a_round(2, **cast.earlier(4))
    Round.objects.update(settings={**round_.settings, "sealed_answers": True})
    return Round.objects.get(number=1)


@pytest.fixture
def made(sealing):
    return api_tokens.make_program("Robo", None, cast.DURING)[0]


@pytest.fixture
def robo(made):
    return Bot(token=api_tokens.make(made, None, cast.DURING).text)


def a_text(player: int, moves: str = "rR") -> SealedText:
    return SealedText(1, "main", player, "0123456789abcdef" * 2, moves)


def entry(text: SealedText, moves: int = 2, pushes: int = 1) -> dict:
    return {"slot": "main", "moves": moves, "pushes": pushes, "sha256": text.sha256}


def test_a_program_seals_an_answer_and_anybody_with_the_text_opens_it_after_the_close(robo):
    """Rules 5.11 to 5.13: its number is returned to its token, and the list shows it to everybody."""
    text = a_text(robo.get("token/").json()["archive_number"])
    sealed = robo.post(entry(text), path="rounds/1/sealed/")
    assert sealed.status_code == 201
    assert (sealed.json()["state"], sealed.json()["submission"], sealed.json()["moves"]) == ("sealed", None, 2)
    receipt_chain.append_all()
    assert robo.get("rounds/2/sealed/").json()["results"] == []
    listed = robo.get("rounds/1/sealed/").json()["results"]
    assert listed == [{**sealed.json(), "leaf": listed[0]["leaf"], "chain_link": listed[0]["chain_link"]}]
    assert listed[0]["leaf"]
    assert robo.get("rounds/1/submissions/").json()["results"] == []
    assert robo.get("rounds/1/chain/").json() == {"round": 1, "number": None, "link": receipt_chain.newest().link}
    with clock.set_to(cast.CLOSES + timedelta(hours=23)):
        opened, again = (Bot().post({"text": f"{text}\n"}, path="rounds/1/sealed/open/") for _time in range(2))
        judging.judge_until_empty()
        assert opened.status_code == again.status_code == 202
        assert opened["Location"] == opened.json()["url"]
        verdict = robo.get(f"submissions/{opened.json()['id']}/").json()
        (now,) = Bot().get("rounds/1/sealed/").json()["results"]
    assert (verdict["verdict"], verdict["received_at"]) == ("accepted", sealed.json()["received_at"])
    assert (now["state"], now["submission"]) == ("opened", verdict["number"])


def test_a_repeated_seal_does_not_count_against_the_token(limits, robo, made):
    """Rules 5.9, 5.11."""
    Token.objects.update(per_minute=2)
    answers = [robo.post(entry(a_text(made.archive_number)), path="rounds/1/sealed/") for _again in range(4)]
    assert {(answer.status_code, answer.json()["number"]) for answer in answers} == {(201, answers[0].json()["number"])}


def test_the_longest_sealable_solution_can_be_opened(robo, made, sealing):
    """Rules 5.8, 5.13: the limit on the request's size is that of an open submission."""
    moves = "rl" * ((sealing.max_moves - 2) // 2) + "rR"
    text = a_text(made.archive_number, moves)
    assert robo.post(entry(text, len(moves)), path="rounds/1/sealed/").status_code == 201
    with clock.set_to(cast.CLOSES):
        assert robo.post({"text": str(text)}, path="rounds/1/sealed/open/").status_code == 202


def test_impossible_requests_are_refused_with_a_code(robo, made):
    """Rules 5.11, 5.13."""
    text = a_text(made.archive_number)
    assert code_of(robo.post(entry(text, pushes=0), path="rounds/1/sealed/")) == (422, "below_bound")
    assert code_of(robo.post({**entry(text), "slot": "bonus"}, path="rounds/1/sealed/")) == (400, "invalid")
    assert code_of(robo.post({"text": str(text)}, path="rounds/1/sealed/open/")) == (404, "not_sealed")
    robo.post(entry(text), path="rounds/1/sealed/")
    early = robo.post({"text": str(text)}, path="rounds/1/sealed/open/")
    assert code_of(early) == (409, "early")
    assert early["Retry-After"] == str(int((cast.CLOSES - cast.DURING).total_seconds()))


def test_a_round_without_the_setting_has_no_sealed_answers(round_, english):
    """Rules 5.11, 17.1."""
    assert english.get("rounds/1/sealed/").status_code == 404
    assert "sealed_answers" not in english.get("rounds/1/").json()["settings"]
    assert english.post({"text": "x"}, path="rounds/1/sealed/open/").status_code == 404
