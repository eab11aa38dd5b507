"""The feed of all events: it can be read from any number on, and is the same for everybody."""

import json
from types import SimpleNamespace

import pytest

from contest import judging
from contest.api.feeds import events as doors
from contest.front import listening
from contest.infra import clock
from contest.models import Post, Submission, Track
from contest.outreach import events
from tests import cast
from tests.api import contract
from tests.api.conftest import Bot, fields_of


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


def test_an_accepted_submission_is_told_with_what_everybody_may_know_as_long_as_it_stands(english, program, round_):
    """Rules 6.13, 7.1, 7.4."""
    cast.send("Ann", "rR")
    judging.judge_until_empty()
    told = lines(english.get("events/?after=2"))
    assert [event["kind"] for event in told] == ["accepted", "best", "best"]
    assert told[0]["stands"]
    assert told[0]["submission"]["player"]["name"] == "Ann"
    assert told[0]["submission"]["sha256"] is None
    assert "lurd" not in told[0]["submission"]
    assert lines(program.get("events/?after=2")) == told
    Submission.objects.update(verdict="not_solved")
    told = lines(english.get("events/?after=2"))[0]
    assert (told["stands"], told["submission"]["moves"], told["submission"]["pushes"]) == (False, None, None)


def test_events_are_asked_for_by_track(english, round_):
    """Rule 2.11: each event names its track; a post has none."""
    Track.objects.create(slug="weekly", title_zh="周赛", title_en="Weekly", order=1)
    cast.a_round(2, track_id="weekly")
    Post.objects.create(slug="told", title_en="Told", text_en="Words", published_at=cast.OPENS)
    told = lines(english.get("events/"))
    assert {(event.get("round"), event.get("track")) for event in told} == {(1, "main"), (2, "weekly"), (None, None)}
    for track in ("main", "weekly"):
        of_track = [event for event in told if event.get("track") == track]
        assert lines(english.get(f"events/?track={track}")) == of_track
        assert lines(english.get(f"events/?track={track}&after={of_track[0]['number']}")) == of_track[1:]


@pytest.fixture
def stopped(monkeypatch):
    """The clock that measures a wait; it advances only while code sleeps."""
    at, sleeps = [0.0], []

    def sleep(seconds):
        at[0] += seconds
        sleeps.append(seconds)

    monkeypatch.setattr(doors, "time", SimpleNamespace(monotonic=lambda: at[0], sleep=sleep))
    return sleeps


def test_who_waits_is_answered_as_soon_as_something_happens(english, round_, stopped, monkeypatch):
    english.get("events/")

    def something_happens(_seconds):
        cast.send("Ann", "rR")
        judging.judge_until_empty()

    monkeypatch.setattr(doors.time, "sleep", something_happens)
    assert lines(english.get("events/?after=2&wait=5"))[0]["kind"] == "accepted"


@pytest.mark.parametrize(("wait", "seconds"), [(0, 0), (3, 3), (193302949, 5)])
def test_nobody_waits_longer_than_asked_for_and_than_anybody_may(english, round_, stopped, monkeypatch, wait, seconds):
    monkeypatch.setattr(doors, "_waits", doors.BoundedSemaphore(1))
    for _again in range(2):
        assert lines(english.get(f"events/?after=99&wait={wait}")) == []
    assert sum(stopped) == seconds * 2


def test_nobody_waits_where_too_many_wait_already_and_browsers_are_told_to_come_later(english, round_, monkeypatch):
    monkeypatch.setattr(doors, "_waits", SimpleNamespace(acquire=lambda blocking: False))
    assert lines(english.get("events/?after=99&wait=5")) == []
    assert read_stream(english.get("events/?after=99", **STREAM)) == (15_000, [])


def test_if_the_front_server_waits_the_application_returns_at_once_the_seconds_and_newest_event(english, round_):
    newest = lines(english.get("events/"))[-1]["number"]

    def ask(after, **headers):
        asked = {listening.WAITS_HERE: True, **headers}
        answer = english.client.get(f"/api/v1/events/?after={after}&wait=5", **asked)
        return answer[listening.SECONDS], int(answer[listening.NEWEST])

    assert ask(newest) == ("5", newest)
    assert ask(newest, HTTP_ACCEPT="text/event-stream") == (str(listening.LONGEST_SECONDS), newest)
    assert ask(0) == ("0", newest)
    assert listening.SECONDS not in english.get("events/?after=99&wait=0")


def test_a_post_has_its_title_in_the_readers_language(english, db):
    Post.objects.create(
        slug="news", title_en="News", text_en="Words", title_zh="消息", text_zh="文", published_at=clock.now()
    )
    for bot, title in ((english, "News"), (Bot("zh-Hans"), "消息")):
        (told,) = lines(bot.get("events/"))
        assert (told["kind"], told["post"]) == ("post", title)
        assert told["url"].endswith("/posts/news/")


def read_stream(answer):
    """Parse the stream as a browser does: the pause, and each event's id and data."""
    assert answer["Content-Type"] == "text/event-stream"
    first, *blocks = contract.body_of(answer).decode().removesuffix("\n\n").split("\n\n")
    events_ = [dict(line.split(": ", 1) for line in block.split("\n")) for block in blocks]
    return int(first.removeprefix("retry: ")), [(int(one["id"]), json.loads(one["data"])) for one in events_]


STREAM = {"Accept": "text/event-stream"}


def test_browsers_get_the_same_as_server_sent_events_and_come_back_with_the_last_id(english, round_):
    told = lines(english.get("events/"))
    pause, streamed = read_stream(english.get("events/", **STREAM))
    assert streamed == [(event["number"], event) for event in told]
    _pause, rest = read_stream(english.get("events/?after=0", **STREAM, **{"Last-Event-ID": str(streamed[0][0])}))
    assert rest == streamed[1:]
    assert pause == 1_000
    assert lines(english.get("events/?after=0", **{"Last-Event-ID": str(told[0]["number"])})) == told[1:]


def test_a_last_id_that_is_none_is_refused_in_either_form(english, round_):
    for wrong in ({**form, "Last-Event-ID": last} for last in ("two", "", "01") for form in (STREAM, {})):
        assert fields_of(english.get("events/", **wrong)) == (400, ["Last-Event-ID"]), wrong


def test_an_answer_in_one_form_is_not_taken_for_the_other(english, round_):
    etag = english.get("events/")["ETag"]
    assert "Accept" in english.get("events/")["Vary"].split(", ")
    assert english.get("events/", **STREAM, **{"If-None-Match": etag}).status_code == 200
