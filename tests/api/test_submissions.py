from datetime import timedelta

import pytest
from django.db import OperationalError, connection

from contest import judging
from contest.infra import clock
from contest.models import Submission
from tests import cast
from tests.api.conftest import problem_of

GOOD = {"nickname": "Ann", "moves": "rR"}


def test_a_solution_gets_a_receipt_then_its_verdict(round_, english):
    answer = english.post(GOOD)
    receipt = answer.json()
    assert answer.status_code == 202
    assert receipt.keys() == {"id", "number", "received_at", "sha256", "url", "claim"}
    assert receipt["received_at"] == "2026-11-04T12:00:00.000000Z"
    assert receipt["url"].endswith(f"/api/v1/submissions/{receipt['id']}/")
    assert english.get(f"submissions/{receipt['id']}/").json()["verdict"] == "pending"

    judging.judge_until_empty()
    verdict = english.get(f"submissions/{receipt['id']}/?wait=5").json()
    assert (verdict["state"], verdict["verdict"], verdict["slot"]) == ("judged", "accepted", "main")
    assert (verdict["moves"], verdict["pushes"], verdict["ranks"]) == (2, 1, {"moves": 1, "pushes": 1})
    assert (verdict["index"], verdict["step"], verdict["why"], verdict["void"]) == (None, None, None, None)


def test_a_wrong_solution_is_told_where_and_why(round_, bot):
    receipt = bot.post({**GOOD, "slot": "main", "moves": "r u"}).json()
    judging.judge_until_empty()
    verdict = bot.get(f"submissions/{receipt['id']}/").json()
    assert (verdict["verdict"], verdict["index"], verdict["step"], verdict["why"]) == ("illegal", 2, 2, "wall")
    assert verdict["detail"]
    assert verdict["ranks"] == {"moves": None, "pushes": None}


@pytest.mark.parametrize(("moves", "verdict"), [("", "empty"), ("rX", "malformed"), ("r\0R", "malformed")])
def test_what_cannot_be_read_is_stored_and_gets_a_verdict(round_, bot, moves, verdict):
    receipt = bot.post({**GOOD, "moves": moves})
    assert receipt.status_code == 202
    judging.judge_until_empty()
    assert bot.get(f"submissions/{receipt.json()['id']}/").json()["verdict"] == verdict


def test_a_claim_proves_the_nickname_and_comes_once(round_, english):
    claim = english.post(GOOD).json()["claim"]
    again = english.post({**GOOD, "moves": "rRl", "claim": claim})
    assert again.status_code == 202
    assert "claim" not in again.json()


def test_a_stranger_cannot_use_a_nickname_that_is_taken(round_, bot):
    bot.post(GOOD)
    answer = bot.post({**GOOD, "moves": "rRl"})
    assert (answer.status_code, problem_of(answer)["code"]) == (409, "name_taken")


def test_a_cookie_proves_nothing_here(round_, english):
    claim = english.post(GOOD).json()["claim"]
    english.client.cookies["claims"] = claim
    assert english.post({**GOOD, "moves": "rRl"}).status_code == 409


def test_the_same_idempotency_key_gets_the_first_receipt(round_, english):
    first = english.post(GOOD, **{"Idempotency-Key": "one"}).json()
    again = english.post({**GOOD, "claim": first["claim"]}, **{"Idempotency-Key": "one"}).json()
    other = english.post({**GOOD, "moves": "r", "claim": first["claim"]}, **{"Idempotency-Key": "one"})
    assert again["id"] == first["id"]
    assert (other.status_code, problem_of(other)["code"]) == (422, "key_reused")


def test_a_receipt_that_was_given_before_says_so(round_, english):
    first = english.post(GOOD, **{"Idempotency-Key": "one"})
    again = english.post({**GOOD, "claim": first.json()["claim"]}, **{"Idempotency-Key": "one"})
    assert (first.get("Idempotency-Replayed"), again.get("Idempotency-Replayed")) == (None, "true")
    assert again.json()["number"] == first.json()["number"]


def test_while_the_database_is_away_the_answer_says_when_to_ask_again(round_, bot):
    def away(*_query):
        raise OperationalError

    with connection.execute_wrapper(away):
        answers = [bot.post(GOOD), bot.get("rounds/1/")]
    assert [(answer.status_code, problem_of(answer)["code"], answer["Retry-After"]) for answer in answers] == [
        (503, "unavailable", "5")
    ] * 2


def test_over_the_quota_the_answer_says_when_to_send_again(round_, bot):
    claim = bot.post(GOOD).json()["claim"]
    for times in range(9):
        bot.post({**GOOD, "claim": claim, "moves": "l" * times})
    answer = bot.post({**GOOD, "claim": claim, "moves": "u"})
    body = problem_of(answer)
    assert (answer.status_code, body["code"]) == (429, "quota")
    assert answer["Retry-After"] == str(body["retry_after"])


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("", 400, "invalid"),
        ("{", 400, "malformed_json"),
        (b'{"nickname": "\xff"}', 400, "malformed_json"),
        ('{"moves": "r", "moves": "R"}', 400, "malformed_json"),
        ('{"round": NaN}', 400, "malformed_json"),
        ("[" * 100_000, 400, "malformed_json"),
        ('{"round": ' + "9" * 5_000 + "}", 400, "malformed_json"),
        ("[]", 400, "invalid"),
        ('"rR"', 400, "invalid"),
        ("null", 400, "invalid"),
        ({"nickname": "Ann"}, 400, "invalid"),
        ({**GOOD, "nickname": 7}, 400, "invalid"),
        ({**GOOD, "moves": ["r"]}, 400, "invalid"),
        ({**GOOD, "moves": "\ud800"}, 400, "invalid"),
        ({**GOOD, "nickname": "A\ud800"}, 400, "invalid"),
        ({**GOOD, "nickname": "A\0"}, 400, "invalid"),
        ({**GOOD, "claim": "\0"}, 400, "invalid"),
        ({**GOOD, "claim": {}}, 400, "invalid"),
        ({**GOOD, "round": True}, 400, "invalid"),
        ({**GOOD, "round": 1.5}, 400, "invalid"),
        ({**GOOD, "round": 99.0}, 404, "no_round"),
        ({**GOOD, "practice": 0}, 400, "invalid"),
        ({**GOOD, "practice": ""}, 400, "invalid"),
        ({**GOOD, "practice": []}, 400, "invalid"),
        ({**GOOD, "round": "1"}, 400, "invalid"),
        ({**GOOD, "round": 99}, 404, "no_round"),
        ({**GOOD, "round": -1}, 404, "no_round"),
        ({**GOOD, "round": 10**30}, 404, "no_round"),
        ({**GOOD, "round": -(10**30)}, 404, "no_round"),
        ({**GOOD, "slot": "third"}, 404, "no_level"),
        ({**GOOD, "slot": "extra3"}, 404, "no_level"),
        ({**GOOD, "nickname": " "}, 400, "no_name"),
        ({"moves": "rR"}, 400, "no_name"),
        ({**GOOD, "nickname": "A" * 33}, 400, "bad_name"),
        ({**GOOD, "nickname": "A\u202eB"}, 400, "bad_name"),
        ({**GOOD, "country": "中国"}, 400, "bad_country"),
        ({**GOOD, "email": "nobody"}, 400, "bad_email"),
        ({**GOOD, "moves": "r" * 2_097_153}, 413, "too_large"),
        ({**GOOD, "moves": "r" * 2_700_000}, 413, "too_large"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_bad_request_is_refused_and_nothing_is_stored(round_, bot, body, status, code):
    answer = bot.post(body)
    assert (answer.status_code, problem_of(answer)["code"]) == (status, code)
    assert not Submission.objects.exists()


def test_every_wrong_field_is_named(round_, bot):
    errors = problem_of(bot.post({"nickname": 1, "round": "x"}))["errors"]
    assert [(error["field"], error["code"]) for error in errors] == [
        ("nickname", "not_a_string"),
        ("moves", "required"),
        ("round", "not_an_integer"),
    ]


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_only_json_is_taken(round_, bot, content_type):
    answer = bot.post("{}", content_type)
    assert (answer.status_code, problem_of(answer)["code"]) == (415, "unsupported_media_type")


def test_an_idempotency_key_has_a_bound(round_, bot):
    answer = bot.post(GOOD, **{"Idempotency-Key": "k" * 201})
    assert (answer.status_code, problem_of(answer)["code"]) == (400, "bad_key")


@pytest.mark.parametrize(
    ("at", "code"), [(cast.OPENS - timedelta(hours=1), "early"), (cast.CLOSES, "late"), (cast.AFTER, "late")]
)
def test_out_of_time_is_refused(round_, bot, at, code):
    with clock.set_to(at):
        answer = bot.post({**GOOD, "round": 1})
    assert (answer.status_code, problem_of(answer)["code"]) == (409, code)


@pytest.mark.parametrize("path", ["submissions/unknown/", "submissions/17/", "nowhere/", "submissions/x"])
def test_an_unknown_address_is_a_problem_document(round_, bot, path):
    answer = bot.get(path)
    assert (answer.status_code, problem_of(answer)["code"]) == (404, "not_found")


@pytest.mark.parametrize("wait", ["x", "-1", "1.5", "٣", "9999999999"])
def test_a_wait_is_a_whole_number(round_, bot, wait):
    receipt = bot.post(GOOD).json()
    assert problem_of(bot.get(f"submissions/{receipt['id']}/?wait={wait}"))["errors"][0]["field"] == "wait"


def test_a_wrong_method_is_told_the_right_ones(round_, bot):
    answer = bot.get("check/")
    assert (answer.status_code, problem_of(answer)["code"]) == (405, "method_not_allowed")
    assert "POST" in answer["Allow"]


@pytest.mark.parametrize("body", ["{", "[]", {"nickname": 1}, {**GOOD, "round": 99}, {**GOOD, "nickname": ""}], ids=str)
def test_a_refusal_speaks_the_bots_language(round_, bot, body):
    problem = problem_of(bot.post(body))
    words = [problem["detail"], *(error["detail"] for error in problem["errors"])]
    chinese = [any("\u4e00" <= character <= "\u9fff" for character in text) for text in words]
    assert chinese == [bot.language == "zh-Hans"] * len(words)


def test_a_solution_of_the_turned_board_is_offered_to_programs_too(round_, bot):
    """Rule 6.10."""
    receipt = bot.post({**GOOD, "moves": "dD"}).json()
    judging.judge_until_empty()
    answer = bot.get(f"submissions/{receipt['id']}/").json()
    assert answer["verdict"] in ("illegal", "not_solved")
    assert (answer["turned"]["symmetry"], answer["turned"]["slot"], answer["turned"]["lurd"]) == (
        "clockwise",
        "main",
        "rR",
    )
