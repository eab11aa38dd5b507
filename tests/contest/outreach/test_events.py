from datetime import timedelta

import pytest

from contest import results
from contest.infra import clock
from contest.judging import rejudge
from contest.models import Event, Note, Post, Round, Submission, Verdict, Verification
from contest.outreach import events, webhooks
from contest.results import rulings
from contest.rounds import lifecycle
from contest.wording.bilingual import Reason
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _always_look(monkeypatch):
    monkeypatch.setattr(events.cache, "is_first", lambda *_: True)


WHY = Reason(zh="", en="Because.")


def kinds(after=0, at=cast.DURING):
    return [event.kind for event in events.read_events(after, at)]


def events_of_kind(kind, at=cast.DURING):
    return [event for event in events.read_events(0, at) if event.kind == kind]


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (cast.OPENS - timedelta(days=8), []),
        (cast.OPENS - timedelta(days=1), ["announced"]),
        (cast.OPENS, ["announced", "opened"]),
        (cast.CLOSES - timedelta(microseconds=1), ["announced", "opened"]),
        (cast.CLOSES, ["announced", "opened", "closed", "revealed"]),
    ],
)
def test_events_of_the_schedule_are_recorded_with_their_exact_times(during_round, at, expected):
    assert kinds(at=at) == expected
    assert kinds(at=at) == expected  # once
    times = {event.kind: event.at for event in events.read_events(0, at)}
    by_the_rules = {"announced": during_round.announced_at, "opened": cast.OPENS, "closed": cast.CLOSES}
    assert times.items() <= (by_the_rules | {"revealed": cast.CLOSES}).items()


def test_practice_and_its_voiding_are_no_events(during_round):
    with clock.set_to(cast.AFTER):
        cast.submit("Ann", "rR", round=1, practice=True)
        assert Submission.objects.get().is_practice
        rulings.void(Submission.objects.get(), WHY, at=cast.AFTER, by=None)
        assert not {"accepted", "void"} & set(kinds(at=cast.AFTER))
        results.finalise(during_round, at=cast.AFTER, by=None)
        assert [event.revision for event in events_of_kind("final", cast.AFTER)] == [1]


def test_voiding_what_has_no_rank_is_no_event(during_round):
    """Spectator answers do not count, so nobody's place changes."""
    with clock.set_to(cast.DURING):
        cast.submit("Ann", "rR")
        Submission.objects.update(verdict=Verdict.SPECTATOR)
        rulings.void(Submission.objects.get(), WHY, at=cast.DURING, by=None)
    assert "void" not in kinds(at=cast.AFTER)


def test_numbers_only_rise_even_for_late_events(during_round):
    """A client that has read up to a number misses nothing: later events have higher numbers, whatever their times."""
    last = events.read_events(0, cast.DURING)[-1].number or 0
    Note.objects.create(round=during_round, kind=Note.Kind.MAKE_UP, written_at=cast.OPENS)
    (late,) = events.read_events(last, cast.DURING)
    assert (late.kind, late.number, late.at) == ("note", last + 1, cast.OPENS)


def test_a_cancelled_round_is_reported_and_reveals_nothing(during_round):
    """Rule 7.10."""
    Round.objects.update(cancelled_at=cast.DURING)
    assert kinds(at=cast.AFTER) == ["announced", "opened", "cancelled"]


def test_a_post_is_reported_when_published_and_disappears_when_withdrawn(db):
    post = Post.objects.create(slug="news", title_en="News", published_at=cast.DURING)
    assert kinds(at=cast.DURING - timedelta(seconds=1)) == []
    assert kinds() == ["post"]
    Post.objects.filter(pk=post.pk).update(published_at=None)
    assert kinds() == []


def test_moving_an_announced_round_is_reported_and_moving_a_draft_is_not(during_round):
    """Rule 3.7; readers of notes only see the same as before."""
    before = cast.OPENS - timedelta(days=1)
    draft = cast.a_round(2, announced_at=None, opens_at=cast.AFTER, closes_at=cast.AFTER + timedelta(days=7))
    draft.opens_at += timedelta(days=1)
    lifecycle.save(draft, at=before, by=None)
    for opens_at in (cast.OPENS + timedelta(hours=1), cast.OPENS):
        during_round.opens_at = opens_at
        lifecycle.save(during_round, at=before, by=None)
    assert [(event.round, event.at) for event in events_of_kind("postponed", before)] == [(during_round, before)]
    lifecycle.extend(during_round, cast.CLOSES + timedelta(days=1), WHY, at=cast.DURING, by=None)
    (note,) = events_of_kind("note")
    assert [(event.note, event.at) for event in events_of_kind("postponed")[1:]] == [(note.note, cast.DURING)]


def test_void_levels_and_submissions_and_their_reinstatement_are_reported(during_round):
    """Rules 2.10, 15.1."""
    lifecycle.void_slot(during_round.levels.get(slot="extra"), WHY, at=cast.DURING, by=None)
    (event,) = events_of_kind("void")
    assert (event.submission, event.note.values) == (None, {"slot": "extra"})
    assert webhooks._event_data(event)["slot"] == "extra"
    assert events_of_kind("note")
    cast.submit("Ann", "rR")
    sent = Submission.objects.get()
    rulings.void(sent, WHY, at=cast.DURING, by=None)
    with clock.set_to(cast.DURING + timedelta(minutes=1)):
        rulings.unvoid(sent, WHY, by=None)
    assert [(event.submission, event.at) for event in events_of_kind("void")[1:]] == [
        (sent, cast.DURING),
        (sent, cast.DURING + timedelta(minutes=1)),
    ]


@pytest.mark.parametrize(("verdict", "reported_kinds"), [("accepted", []), ("not_solved", ["accepted", "rejudged"])])
def test_a_changed_verdict_is_reported_once_applied(during_round, verdict, reported_kinds):
    """Rule 6.13."""
    cast.submit("Ann", "rR")
    Submission.objects.update(verdict=verdict)
    Verification.objects.all().delete()
    Event.objects.filter(kind="accepted").delete()
    again = rejudge.start("again")
    list(rejudge.compute(again, Submission.objects.all()))
    rejudge.preview(again)
    assert events_of_kind("rejudged") == []
    cast.carry_out(rejudge.apply(again, None, "because"))
    assert [
        event.kind for event in events.read_events(0, cast.DURING) if event.submission_id and not event.by
    ] == reported_kinds
