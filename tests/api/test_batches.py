import pytest

from contest.infra import rate_limits
from contest.models import Submission, Token
from tests.api.conftest import code_of


def batch(bot, items, **headers):
    return bot.post({"submissions": items}, **headers)


def test_each_item_is_answered_in_order_as_if_sent_alone(program, round_):
    bad = {"moves": "rR", "country": "中国"}
    answer = batch(program, [{"moves": "rR"}, {"moves": 7}, bad, "rR", {"moves": "rlrR"}])
    assert answer.status_code == 207
    results = answer.json()["results"]
    first, last = Submission.objects.order_by("number")
    expected = [first.number, "invalid", "bad_country", "invalid", last.number]
    assert [row.get("code") or row["number"] for row in results] == expected
    assert results[2] == program.post(bad).json()


def test_every_item_has_its_own_idempotency_key(program):
    """Rule 5.5."""
    items = [{"moves": "r", "idempotency_key": "a"}, {"moves": "rl", "idempotency_key": "b"}]
    first = [row["id"] for row in batch(program, items).json()["results"]]
    again = batch(program, [*items, {"moves": "rlr", "idempotency_key": "a"}]).json()["results"]
    assert [row.get("id") for row in again[:2]] == first
    assert again[2]["code"] == "key_reused"
    assert Submission.objects.count() == 2


@pytest.mark.parametrize(
    ("items", "headers"),
    [([], {}), ({}, {}), ([{"moves": "r"}] * 101, {}), ([{"moves": "r"}], {"Idempotency-Key": "one"})],
    ids=["none", "an object", "101", "one key for all"],
)
def test_a_batch_is_a_list_of_1_to_100_without_a_key_of_its_own(program, items, headers):
    assert code_of(batch(program, items, **headers)) == (400, "invalid")
    assert not Submission.objects.exists()


def test_the_rate_limit_counts_items_and_accepts_or_refuses_a_whole_batch(limits, program):
    """Rule 5.9."""
    Token.objects.update(per_minute=3)
    assert batch(program, [{"moves": "r"}, {"moves": "rl"}]).status_code == 207
    answer = batch(program, [{"moves": "rlr"}, {"moves": "rlrl"}])
    assert code_of(answer) == (429, "quota")
    assert answer["Retry-After"]
    assert code_of(batch(program, [{"moves": "r"}] * 4)) == (413, "too_large")
    assert Submission.objects.count() == 2


def test_a_batch_without_a_token_counts_each_item_against_its_address(round_, english, monkeypatch):
    passed = []
    monkeypatch.setattr(rate_limits, "pass_door", lambda _cost, _address, amount=1: passed.append(amount))
    assert batch(english, [{"moves": "r"}] * 5).status_code == 207
    assert batch(english, [{"moves": "r"}]).status_code == 207
    assert passed == [1, 4, 1]
