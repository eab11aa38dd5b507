import json
from io import BytesIO
from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection
from rest_framework.exceptions import ValidationError

from contest import judging
from contest.api import json_texts
from contest.api.exceptions import TooLarge
from contest.api.exceptions import problem_of as problem_for
from contest.api.parsers import JSONParser
from contest.api.serializers import submissions as bodies
from contest.models import Submission
from tests.api.conftest import code_of

GOOD = {"nickname": "Ann", "moves": "rR"}
WRONG = [
    ([], [("", "not_an_object")]),
    ({"nickname": 1, "round": "x"}, [("nickname", "not_a_string"), ("moves", "required"), ("round", "not_an_integer")]),
    ({"moves": "\ud800", "nickname": "\ud800"}, [("moves", "bad_text"), ("nickname", "bad_text")]),
    ({"moves": "r\0", "nickname": "A\0", "claim": "\0"}, [("claim", "bad_text"), ("nickname", "bad_text")]),
    *(({"moves": "r", "round": wrong}, [("round", "not_an_integer")]) for wrong in (True, 1.5, "1")),
    *(({"moves": "r", "practice": wrong}, [("practice", "not_a_boolean")]) for wrong in (0, "", [])),
]


def test_a_solution_gets_a_receipt_then_its_verdict(round_, english):
    """Rule 4.8: a program submits as a person does."""
    answer = english.post(GOOD)
    receipt = answer.json()
    assert (answer.status_code, answer["Location"]) == (202, receipt["url"])
    assert receipt.keys() == {"id", "number", "received_at", "sha256", "url", "claim"}
    assert receipt["received_at"] == "2026-11-04T12:00:00.000000Z"
    assert receipt["url"].endswith(f"/api/v1/submissions/{receipt['id']}/")
    waiting = english.get(receipt["url"])
    assert (waiting.json()["verdict"], waiting["Retry-After"]) == ("pending", "1")

    judging.judge_until_empty()
    judged = english.get(f"submissions/{receipt['id']}/?wait=5")
    verdict = judged.json()
    assert "Retry-After" not in judged
    assert (verdict["state"], verdict["verdict"], verdict["slot"]) == ("judged", "accepted", "main")
    assert (verdict["reading"], verdict["left_out"]) == ("lines", [])
    assert (verdict["moves"], verdict["pushes"], verdict["ranks"]) == (2, 1, {"moves": 1, "pushes": 1})
    assert (verdict["index"], verdict["step"], verdict["why"], verdict["void"]) == (None, None, None, None)


def test_a_claim_is_returned_once_and_proves_the_nickname_but_a_cookie_does_not(round_, english):
    claim = english.post(GOOD).json()["claim"]
    again = english.post({**GOOD, "moves": "rRl", "claim": claim})
    assert (again.status_code, "claim" in again.json()) == (202, False)
    english.client.cookies["claims"] = claim
    assert code_of(english.post({**GOOD, "moves": "rRr"})) == (409, "name_taken")


def test_the_same_idempotency_key_returns_the_first_receipt_marked_as_replayed(round_, english):
    key = {"Idempotency-Key": "one"}
    first = english.post(GOOD, **key)
    proved = {**GOOD, "claim": first.json()["claim"]}
    again = english.post(proved, **key)
    assert again.json()["id"] == first.json()["id"]
    assert (first.get("Idempotency-Replayed"), again["Idempotency-Replayed"]) == (None, "true")
    assert code_of(english.post({**proved, "moves": "r"}, **key)) == (422, "key_reused")
    assert code_of(english.post(proved, **{"Idempotency-Key": "k" * 201})) == (400, "bad_key")


def test_during_a_database_outage_the_answer_has_retry_after(round_, english):
    def away(*_query):
        raise OperationalError

    with connection.execute_wrapper(away):
        for answer in (english.post(GOOD), english.get("rounds/1/")):
            assert (code_of(answer), answer["Retry-After"]) == ((503, "unavailable"), "5")


def test_a_body_may_be_as_long_as_the_limit_and_no_longer(settings):
    settings.MAX_SUBMISSION_BODY = 2
    context = {"request": SimpleNamespace(headers={})}
    assert JSONParser().parse(BytesIO(b"{}"), parser_context=context) == {}
    with pytest.raises(TooLarge):
        JSONParser().parse(BytesIO(b"{} "), parser_context=context)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "Expecting value"),
        (b'{"a": "\xff"}', "can't decode byte 0xff"),
        (b'{"a": "r", "a": "R"}', "repeated name"),
        (b'{"a": NaN}', "NaN"),
        (b"[" * 5_000, "nested too deeply"),
        (b'{"a": %s}' % (b"9" * 5000), "Exceeds the limit"),
        (b"[" + b'"",' * 10_000 + b'""]', "too many values"),
    ],
    ids=["nothing", "no UTF-8", "a repeated name", "no number", "too deep", "too many digits", "too many values"],
)
def test_ambiguous_json_is_refused(body, why):
    with pytest.raises(ValueError, match=why):
        json_texts.parse(body)


@pytest.mark.parametrize(("body", "errors"), WRONG, ids=lambda value: str(value)[:40])
def test_every_wrong_member_is_named(body, errors):
    with pytest.raises(ValidationError) as refusal:
        bodies.read_entry(body, "")
    assert sorted((error.field, error.code) for error in problem_for(refusal.value).errors) == sorted(errors)


def test_the_key_in_the_header_takes_precedence_and_null_means_absent():
    entry = bodies.read_entry({"moves": "r", "idempotency_key": "a", "practice": None, "round": 1.0, "more": 7}, "b")
    assert (entry.idempotency_key, entry.practice, entry.round, entry.nickname) == ("b", False, 1, "")
    assert bodies.read_entry({"moves": "r", "idempotency_key": "a"}, "").idempotency_key == "a"
    assert json_texts.parse(b"\xef\xbb\xbf{}") == {}  # with a byte order mark
    moves = 'r,[{\\" ' * 20_000  # are not values
    assert json_texts.parse(json.dumps({"moves": moves}).encode()) == {"moves": moves}


@pytest.mark.parametrize("part", [b'\\"', b'"\\', b"\\", b'"', b'\\\\"', b"a"])
def test_a_string_without_an_end_is_one_string(part):
    """A search from each of its quotes would take quadratic time."""
    for count in (998, 999):
        assert b'"' not in json_texts._STRING.sub(b"", b'"' + part * count)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ('{"moves": "rR", "nickname": "推箱客"}'.encode("gbk"), 400, "malformed_json"),
        ("[]", 400, "invalid"),
        ({**GOOD, "round": -(10**30)}, 404, "no_round"),
        ({**GOOD, "slot": "third"}, 404, "no_level"),
        ({"moves": "rR"}, 400, "no_name"),
        ({**GOOD, "country": "中国"}, 400, "bad_country"),
        ({**GOOD, "moves": "r" * 2_097_153}, 413, "too_large"),
        ({**GOOD, "moves": "r" * 2_700_000}, 413, "too_large"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_bad_request_is_refused_and_nothing_is_stored(round_, english, body, status, code):
    assert code_of(english.post(body)) == (status, code)
    assert not Submission.objects.exists()


@pytest.mark.parametrize(
    ("kind", "headers", "code"),
    [
        ("text/plain", {}, "unsupported_media_type"),
        ("application/json; charset=gbk", {}, "unsupported_encoding"),
        ("application/json", {"Content-Encoding": "gzip"}, "unsupported_encoding"),
    ],
)
def test_only_plain_json_is_accepted(round_, english, kind, headers, code):
    assert code_of(english.post("{}", kind, **headers)) == (415, code)
