"""The feed of everything that happens: read on from any number, the same for everybody."""

import json

import pytest

from contest import judging
from contest.api import events as doors
from contest.infra import clock
from contest.models import Post
from contest.outreach import events
from tests import cast
from tests.api import contract
from tests.api.conftest import Bot


@pytest.fixture(autouse=True)
def _always_look(monkeypatch):
    monkeypatch.setattr(events.cache, "is_first", lambda *_: True)


def lines(answer):
    return [json.loads(line) for line in contract.body_of(answer).splitlines()]


def test_a_reader_goes_on_from_the_last_number(english, round_):
    first = lines(english.get("events/?limit=1"))
    assert [(event["kind"], event["round"]) for event in first] == [("announced", 1)]
    assert first[0]["url"] == "http://testserver/en/rounds/1/"
    assert [event["kind"] for event in lines(english.get(f"events/?after={first[0]['number']}"))] == ["opened"]
    assert lines(english.get("events/?after=99")) == []


def test_an_accepted_submission_is_told_with_what_everybody_may_know(english, program, round_):
    """Rules 7.1, 7.4."""
    cast.send("Ann", "rR")
    judging.judge_until_empty()
    told = lines(english.get("events/?after=2"))
    assert [event["kind"] for event in told] == ["accepted", "best", "best"]
    assert told[0]["stands"]
    assert told[0]["submission"]["player"]["name"] == "Ann"
    assert told[0]["submission"]["sha256"] is None
    assert "lurd" not in told[0]["submission"]
    assert lines(program.get("events/?after=2")) == told


def test_who_waits_is_answered_as_soon_as_something_happens(english, round_, monkeypatch):
    english.get("events/")

    def something_happens(_seconds):
        cast.send("Ann", "rR")
        judging.judge_until_empty()

    monkeypatch.setattr(doors.time, "sleep", something_happens)
    assert lines(english.get("events/?after=2&wait=5"))[0]["kind"] == "accepted"


def test_nobody_waits_where_too_many_wait_already(english, round_, monkeypatch):
    monkeypatch.setattr(doors, "_waits", doors.BoundedSemaphore(1))
    doors._waits.acquire()
    assert lines(english.get("events/?after=99&wait=5")) == []


def test_a_post_has_its_title_in_the_readers_language(english, db):
    Post.objects.create(
        slug="news", title_en="News", text_en="Words", title_zh="消息", text_zh="文", published_at=clock.now()
    )
    for bot, title in ((english, "News"), (Bot("zh-Hans"), "消息")):
        (told,) = lines(bot.get("events/"))
        assert (told["kind"], told["post"]) == ("post", title)
        assert told["url"].endswith("/posts/news/")


@pytest.mark.parametrize("query", ["after=x", "limit=0", "wait=-1"])
def test_a_wrong_number_is_named(english, round_, query):
    answer = english.get(f"events/?{query}")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == query.partition("=")[0]
