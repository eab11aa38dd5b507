import logging
import re
from datetime import timedelta

import pytest

from contest import judging
from contest.api import schema
from contest.infra import clock, rate_limits
from contest.models import Player, Scope, Submission, Token
from contest.players import api_tokens
from tests import cast
from tests.api.conftest import Bot, code_of, fields_of, problem_of


@pytest.fixture
def token(round_):
    player = cast.send("Ann", "rR").submission.player

    def make(**options):
        return api_tokens.make(player, None, clock.now(), **options).text

    return make


def test_with_a_token_the_nickname_is_optional_and_another_is_refused(program):
    """Rules 4.11, 16.2."""
    answer = program.post({"moves": "rR"})
    assert (answer.status_code, "claim" in answer.json()) == (202, False)
    assert Submission.objects.get().player.nickname == "Robo"
    about = program.get("token/").json()
    assert (about["player"]["name"], about["player"]["league"], about["scopes"]) == ("Robo", "bot", ["submit", "read"])
    assert about["last_used_at"] == "2026-11-04T12:00:00.000000Z"
    assert code_of(program.post({"moves": "rR", "nickname": "Nobody yet"})) == (403, "not_allowed")
    assert not Player.objects.filter(nickname="Nobody yet").exists()


def test_invalid_tokens_get_401_and_store_nothing(token):
    good = token()
    expired = token(expires_at=clock.now() - timedelta(seconds=1))
    revoked = token()
    Token.objects.filter(public_id=revoked.split("_")[1]).update(revoked_at=clock.now())
    stored = Submission.objects.count()
    for header, code in (
        (f"Bearer {good}a", "bad_token"),
        (f"Bearer {good[:-1]}{'B' if good[-1] == 'A' else 'A'}", "bad_token"),
        (f"Bearer leitai_{'a' * 12}_{'a' * 43}", "bad_token"),
        ("Bearer", "bad_token"),
        ("Bearer a b", "bad_token"),
        ("", "bad_token"),
        (f"Basic {good}", "bad_token"),
        (good, "bad_token"),
        ("Bearer leitai_é", "bad_token"),
        (f"Bearer {expired}", "expired_token"),
        (f"Bearer {revoked}", "revoked_token"),
    ):
        for answer in (Bot().post({"moves": "rR"}, Authorization=header), Bot().get("rounds/", Authorization=header)):
            assert code_of(answer) == (401, code), header
            assert answer["WWW-Authenticate"] == 'Bearer realm="leitai", error="invalid_token"'
            assert "Authorization" in answer["Vary"]
    assert Submission.objects.count() == stored


OWN_ADDRESSES = {
    ("post", "submissions/"): Scope.SUBMIT,
    ("post", "rounds/{number}/sealed/"): Scope.SUBMIT,
    ("get", "submissions/"): Scope.READ,
    ("get", "bests/"): Scope.READ,
    ("get", "token/"): Scope.READ,
    ("get", "webhooks/"): Scope.WEBHOOKS,
    ("post", "webhooks/"): Scope.WEBHOOKS,
    ("get", "webhooks/{hook}/"): Scope.WEBHOOKS,
    ("post", "webhooks/{hook}/test/"): Scope.WEBHOOKS,
    ("post", "webhooks/{hook}/end/"): Scope.WEBHOOKS,
}


def refused_for_a_scope(bot, among=None):
    """Return the URLs, *among* those given or all, at which *bot*'s token lacks a scope."""
    documented = schema.document()["paths"].items()
    urls = [(method, path.removeprefix(schema.PREFIX)) for path, methods in documented for method in methods]
    refused = set()
    for method, path in among or urls:
        address = re.sub(r"{\w+}", "1", path)
        answer = bot.get(address) if method == "get" else bot.post({}, path=address)
        if answer.status_code == 403 and problem_of(answer)["code"] == "missing_scope":
            refused.add((method, path))
    return refused


def test_each_scope_opens_its_own_urls(token):
    assert refused_for_a_scope(Bot(token=token(scopes=[]))) == OWN_ADDRESSES.keys()
    for needed in Scope:
        own = {address for address, scope in OWN_ADDRESSES.items() if scope == needed}
        assert refused_for_a_scope(Bot(token=token(scopes=[needed])), OWN_ADDRESSES) == OWN_ADDRESSES.keys() - own


def test_without_a_token_these_urls_are_closed(round_, english):
    for method, path in OWN_ADDRESSES:
        address = re.sub(r"{\w+}", "1", path)
        if (method, path) != ("post", "submissions/"):
            answer = english.get(address) if method == "get" else english.post({}, path=address)
            assert code_of(answer) == (401, "no_token"), address
            assert 'error="invalid_request"' in answer["WWW-Authenticate"]


def test_solved_levels_need_the_read_scope(token):
    reader, sender = Bot(token=token(scopes=[Scope.READ])), Bot(token=token(scopes=[Scope.SUBMIT]))
    assert reader.get("levels/?show=solved").status_code == 200
    refusal = sender.get("levels/?show=solved")
    assert code_of(refusal) == (403, "missing_scope")
    assert "read" in problem_of(refusal)["detail"]
    assert sender.get("levels/?show=").status_code == 200


def test_own_submissions_are_filtered_and_listed_with_their_texts(program, token, round_):
    """Rules 6.14, 7.5."""
    Bot(token=token()).post({"moves": "rlrR"})
    old = cast.a_round(2, **cast.earlier(4))
    sent = ({"moves": "rR", "slot": "main"}, {"moves": "r u", "slot": "main"}, {"moves": "rDldR"})
    for body in (*sent, {"moves": "rRl", "round": old.number, "practice": True}):
        assert program.post(body).status_code == 202
    judging.judge_until_empty()
    assert program.post({"moves": "rRr"}).status_code == 202
    for query, moves in {
        "round=2": ["rRl"],
        "round=1&slot=main": ["r u", "rR"],
        "verdict=illegal": ["r u"],
        "verdict=pending": ["rRr"],
        "practice=true": ["rRl"],
        "practice=false&verdict=accepted": ["rDldR", "rR"],
        "limit=200": ["rRr", "rRl", "rDldR", "r u", "rR"],
    }.items():
        listed = program.get(f"submissions/?texts=true&{query}").json()["results"]
        assert [row["text"] for row in listed] == moves, query
    last = program.get("submissions/").json()["results"][0]
    assert "text" not in last
    assert program.get(last["url"]).json()["number"] == last["number"]
    assert fields_of(program.get("submissions/?verdict=good")) == (400, ["verdict"])


def test_a_player_reads_the_best_results_of_all_levels(program, token, round_):
    """Rule 7.5."""
    for moves in ("lrrR", "rR", "rDldR"):
        program.post({"moves": moves})
    Bot(token=token()).post({"moves": "rlrR"})
    judging.judge_until_empty()
    bests = program.get("bests/").json()["results"]
    counts = {(best["slot"], best["by"]): (best["moves"], best["pushes"]) for best in bests}
    by = ("moves", "pushes")
    assert counts == {("main", name): (2, 1) for name in by} | {("extra", name): (5, 2) for name in by}
    assert {(best["round"], best["board"]) for best in bests} == {(1, "contest")}
    assert program.get("bests/?round=2").json()["results"] == []


def test_a_repeated_submission_does_not_count_against_the_token(limits, program):
    """Rules 5.6, 5.9."""
    Token.objects.update(per_minute=3)
    answers = [program.post({"moves": "rR"}) for _ in range(9)]
    assert {answer.status_code for answer in answers} == {202}
    assert len({answer.json()["id"] for answer in answers}) == 1
    for _again in range(2):
        assert program.post({"submissions": [{"moves": "rR"}] * 2}).status_code == 207


def test_a_token_works_only_in_the_header_and_opens_no_page(token):
    text = token()
    owner = Bot(token=text)
    assert owner.client.get("/admin/").status_code == 302
    assert "Ann" not in owner.client.get("/en/submit/").content.decode()
    assert code_of(Bot().get(f"submissions/?token={text}&access_token={text}")) == (401, "no_token")


def test_a_token_is_never_logged(token, settings, caplog):
    settings.LOG_REQUESTS = True
    text = token()
    with caplog.at_level(logging.DEBUG):
        bot = Bot(token=text)
        bot.post({"moves": "rR"})
        bot.get("submissions/nothing/")
        Bot(token=text + "x").get("rounds/")
    assert caplog.records
    everything = " ".join(str(vars(record)) for record in caplog.records)
    assert text.split("_", 2)[2] not in everything


def test_without_redis_a_token_works_and_the_remaining_requests_are_omitted(settings, monkeypatch, program):
    settings.LIMITS_URL = "redis://127.0.0.1:1/2"
    monkeypatch.setattr(rate_limits, "_script", rate_limits._script.__wrapped__)  # the cached one has another URL
    monkeypatch.setattr(rate_limits.breaker, "rests_until", 0.0)
    answer = program.post({"moves": "rR"})
    assert (answer.status_code, "RateLimit-Policy" in answer, "RateLimit" in answer) == (202, True, False)


def test_every_answer_has_the_rate_limit_and_the_remaining_requests(round_, program, limits, settings):
    """Rule 5.9."""
    settings.TOKEN_PER_MINUTE, settings.ADDRESS_PER_MINUTE = 5, 3
    assert program.get("rounds/")["RateLimit"] == '"token";r=5;t=0'
    sent = program.post({"moves": "rR"})
    assert sent["RateLimit-Policy"] == '"token";q=5;w=60'
    assert re.fullmatch(r'"token";r=4;t=[1-9]\d?', sent["RateLimit"])
    stranger = Bot()
    read = stranger.get("rounds/")
    assert (read["RateLimit-Policy"], read.get("RateLimit")) == ('"address";q=3;w=60', None)
    for left in (2, 1, 0, 0):
        answer = stranger.post({"board": "#####|#@$.#|#####", "moves": "R"}, path="check/")
        assert answer["RateLimit"].startswith(f'"address";r={left};t=')
    assert answer.status_code == 429
    refused = Bot(token="leitai_wrong").get("rounds/")
    assert (refused.status_code, refused["RateLimit-Policy"]) == (401, '"address";q=3;w=60')
    Token.objects.update(per_minute=7)
    assert program.get("limits/")["RateLimit-Policy"] == '"token";q=7;w=60'
