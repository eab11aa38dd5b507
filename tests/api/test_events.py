import json
from types import SimpleNamespace

import pytest

from contest.api.feeds import bulk
from contest.api.feeds import events as doors
from contest.front import listening
from contest.infra import clock, rate_limits
from contest.models import Post, Submission, Track
from contest.outreach import events
from tests import cast
from tests.api import contract

STREAM = {"Accept": "text/event-stream"}


@pytest.fixture(autouse=True)
def _always_look(monkeypatch):
    monkeypatch.setattr(events.cache, "is_first", lambda *_: True)


def lines(answer):
    return [json.loads(line) for line in contract.body_of(answer).splitlines()]


def test_a_reader_continues_from_the_last_number(english, round_):
    first = lines(english.get("events/?limit=1"))
    assert [(event["kind"], event["round"]) for event in first] == [("announced", 1)]
    assert first[0]["url"] == "http://testserver/en/rounds/1/"
    assert [event["kind"] for event in lines(english.get(f"events/?after={first[0]['number']}"))] == ["opened"]
    assert lines(english.get("events/?after=99")) == []


def test_an_event_shows_the_public_facts_of_an_accepted_submission(english, program, round_):
    """Rules 6.13, 7.1, 7.4."""
    cast.submit("Ann", "rR")
    feed = lines(english.get("events/?after=2"))
    assert [event["kind"] for event in feed] == ["accepted", "best", "best"]
    assert feed[0]["stands"]
    assert feed[0]["submission"]["player"]["name"] == "Ann"
    assert feed[0]["submission"]["sha256"] is None
    assert "lurd" not in feed[0]["submission"]
    assert lines(program.get("events/?after=2")) == feed
    Submission.objects.update(verdict="not_solved")
    event = lines(english.get("events/?after=2"))[0]
    assert (event["stands"], event["submission"]["moves"], event["submission"]["pushes"]) == (False, None, None)


def test_an_attempt_of_the_machine_is_reported_with_budget_and_counts(english, round_):
    """Rule 20.5."""
    best = {"lurd": "rR", "moves": 2, "pushes": 1}
    level = round_.levels.get(slot="main")
    cast.attempt(level, answer="solved", found={"moves": best, "pushes": best}, cpu_seconds=1.5)
    assert "machine" not in [event["kind"] for event in lines(english.get("events/"))], "not revealed"
    with clock.set_to(cast.AFTER):
        event = lines(english.get("events/"))[-1]
    facts = {"slot": "main", "seconds": 600, "cpu_seconds": 1.5, "answer": "solved", "moves": 2, "pushes": 1}
    assert (event["kind"], event["round"]) == ("machine", 1)
    assert event["machine"].items() >= facts.items()
    assert "lurd" not in event["machine"]


def test_events_are_filtered_by_track(english, round_):
    """Rule 2.11: each event names its track; a post has none."""
    Track.objects.create(slug="weekly", title_zh="周赛", title_en="Weekly", order=1)
    cast.a_round(2, track_id="weekly")
    Post.objects.create(slug="told", title_en="Told", text_en="Words", published_at=cast.OPENS)
    feed = lines(english.get("events/"))
    assert {(event.get("round"), event.get("track")) for event in feed} == {(1, "main"), (2, "weekly"), (None, None)}
    for track in ("main", "weekly"):
        of_track = [event for event in feed if event.get("track") == track]
        assert lines(english.get(f"events/?track={track}")) == of_track
        assert lines(english.get(f"events/?track={track}&after={of_track[0]['number']}")) == of_track[1:]


def test_more_events_than_a_page_of_lines_count_against_the_address(english, round_, monkeypatch):
    """Rule 5.9: a thousand take a third of a second, and no cache has them. A reader of the newest counts nothing."""
    newest = lines(english.get("events/"))[-1]["number"]
    monkeypatch.setattr(bulk, "LINES_PER_PASS", 1)
    passes = []
    monkeypatch.setattr(rate_limits, "_pass", lambda _gate, amount: passes.append(amount))
    for query in ("", "?limit=1", f"?after={newest - 1}", f"?after={newest}", "?after=99", "?track=main"):
        english.get(f"events/{query}")
    assert passes == [1 + newest, 1 + newest]


@pytest.fixture
def stopped(monkeypatch):
    """The clock that measures a wait; it advances only while code sleeps."""
    at, sleeps = [0.0], []

    def sleep(seconds):
        at[0] += seconds
        sleeps.append(seconds)

    monkeypatch.setattr(doors, "time", SimpleNamespace(monotonic=lambda: at[0], sleep=sleep))
    return sleeps


def test_a_waiting_request_is_answered_on_the_next_event(english, round_, stopped, monkeypatch):
    english.get("events/")

    def something_happens(_seconds):
        cast.submit("Ann", "rR")

    monkeypatch.setattr(doors.time, "sleep", something_happens)
    assert lines(english.get("events/?after=2&wait=5"))[0]["kind"] == "accepted"


@pytest.mark.parametrize(("wait", "seconds"), [(0, 0), (3, 3), (193302949, 5)])
def test_a_wait_lasts_at_most_as_long_as_requested_and_permitted(english, round_, stopped, monkeypatch, wait, seconds):
    monkeypatch.setattr(doors, "_waits", doors.BoundedSemaphore(1))
    for _again in range(2):
        assert lines(english.get(f"events/?after=99&wait={wait}")) == []
    assert sum(stopped) == seconds * 2


def test_beyond_the_limit_of_waits_answers_are_immediate_and_browsers_retry_later(english, round_, monkeypatch):
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


def read_stream(answer):
    """Parse the stream as a browser does: the pause, and each event's id and data."""
    assert answer["Content-Type"] == "text/event-stream"
    first, *blocks = contract.body_of(answer).decode().removesuffix("\n\n").split("\n\n")
    events_ = [dict(line.split(": ", 1) for line in block.split("\n")) for block in blocks]
    return int(first.removeprefix("retry: ")), [(int(fields["id"]), json.loads(fields["data"])) for fields in events_]


def test_browsers_get_the_same_events_as_a_stream_and_resume_from_the_last_id(english, round_):
    feed = lines(english.get("events/"))
    pause, streamed = read_stream(english.get("events/", **STREAM))
    assert streamed == [(event["number"], event) for event in feed]
    _pause, rest = read_stream(english.get("events/?after=0", **STREAM, **{"Last-Event-ID": str(streamed[0][0])}))
    assert rest == streamed[1:]
    assert pause == 1_000
    assert lines(english.get("events/?after=0", **{"Last-Event-ID": str(feed[0]["number"])})) == feed[1:]
    cached = english.get("events/")
    assert "Accept" in cached["Vary"].split(", ")
    assert english.get("events/", **STREAM, **{"If-None-Match": cached["ETag"]}).status_code == 200
