"""Each thing that happens is told once, in the order in which it became known, dated by the rules."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction

from contest import judging, results
from contest.infra import clock
from contest.judging import record, rejudge
from contest.models import Event, Note, Player, Post, Round, Submission, Verification
from contest.outreach import events, webhooks
from contest.results import rulings
from contest.rounds import lifecycle
from contest.wording.bilingual import Reason
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def round_(db):
    with clock.set_to(cast.DURING):
        yield cast.a_round()


@pytest.fixture(autouse=True)
def _always_look(monkeypatch):
    monkeypatch.setattr(events.cache, "is_first", lambda *_: True)


def kinds(after=0, at=cast.DURING):
    return [event.kind for event in events.after(after, at)]


@pytest.mark.parametrize(
    ("at", "told"),
    [
        (cast.OPENS - timedelta(days=8), []),
        (cast.OPENS - timedelta(days=1), ["announced"]),
        (cast.OPENS, ["announced", "opened"]),
        (cast.CLOSES - timedelta(microseconds=1), ["announced", "opened"]),
        (cast.CLOSES, ["announced", "opened", "closed", "revealed"]),
    ],
)
def test_what_comes_true_by_itself_is_told_at_its_instant(round_, at, told):
    assert kinds(at=at) == told
    assert kinds(at=at) == told  # once


def test_an_event_has_the_time_of_the_rule_whenever_somebody_looked(round_):
    announced, opened = events.after(0, cast.DURING)
    assert (announced.at, opened.at) == (round_.announced_at, cast.OPENS)


def test_a_verdict_is_told_with_who_leads_now(round_):
    for minute, (name, moves) in enumerate((("Ann", "rlrR"), ("Bob", "rR"), ("Dora", "u"))):
        with clock.set_to(cast.DURING + timedelta(minutes=minute)):
            cast.send(name, moves)
    assert "accepted" not in kinds()
    judging.judge_until_empty()
    told = [(event.kind, event.submission.player.nickname, event.by) for event in events.after(2, cast.DURING)]
    assert told == [
        ("accepted", "Ann", ""),
        ("accepted", "Bob", ""),
        ("best", "Bob", "moves"),
        ("best", "Bob", "pushes"),
    ]


def test_a_verdict_that_comes_in_while_others_are_told_is_told_next_with_who_leads_by_it(round_, monkeypatch):
    leaders = events._leaders

    def judge_meanwhile(number):
        found = list(leaders(number))
        judging.judge_until_empty()
        return found

    monkeypatch.setattr(events, "_leaders", judge_meanwhile)
    cast.send("Bob", "rR")
    assert kinds() == ["announced", "opened"]
    assert kinds(after=2) == ["accepted", "best", "best"]


def test_who_tells_is_told_how_many_events_there_were(round_):
    assert events.tell(cast.DURING) == 2
    cast.send("Bob", "rR")
    judging.judge_until_empty()
    assert (events.tell(cast.DURING), events.tell(cast.DURING)) == (3, 0)


def test_events_of_one_round_and_level_hold_them_once(round_):
    """A thousand events would hold three thousand rounds else."""
    for name in ("Ann", "Bob", "Dora"):
        cast.send(name, "rR")
    judging.judge_until_empty()
    told = events.after(0, cast.DURING)
    sent = [event.submission for event in told if event.submission]
    assert len(sent) >= 3
    for held in ([event.round for event in told], [one.round for one in sent], [one.level for one in sent]):
        assert len({id(one) for one in held}) == 1


def test_practice_is_no_event_of_the_contest(round_):
    with clock.set_to(cast.AFTER):
        cast.send("Ann", "rR", round=1, practice=True)
        judging.judge_until_empty()
        assert Submission.objects.get().is_practice
        assert "accepted" not in kinds(at=cast.AFTER)


def test_a_verdict_that_is_taken_back_takes_its_event_with_it(round_, monkeypatch):
    cast.send("Ann", "rR")
    monkeypatch.setattr(record, "_RAISE", "UPDATE a_table_that_is_not_there SET board_version = 1")
    monkeypatch.setattr(record, "_at_once", record._at_once.__wrapped__)  # its texts are kept
    with pytest.raises(DatabaseError), transaction.atomic():
        judging.judge_row(Submission.objects.get())
    assert not Submission.objects.get().verdict
    assert not Event.objects.filter(kind="accepted").exists()


def test_numbers_only_rise_also_where_something_became_known_late(round_):
    """Who has read up to a number misses nothing: what comes later has a higher one, whatever its time."""
    last = events.after(0, cast.DURING)[-1].number or 0
    Note.objects.create(round=round_, kind=Note.Kind.MAKE_UP, written_at=cast.OPENS)
    (late,) = events.after(last, cast.DURING)
    assert (late.kind, late.number, late.at) == ("note", last + 1, cast.OPENS)


def test_results_and_their_revisions_are_told(round_):
    cast.send("Ann", "rR")
    judging.judge_until_empty()
    with clock.set_to(cast.AFTER):
        results.finalise(round_, at=cast.AFTER, by=None)
    assert ("final", 1) in [(event.kind, event.revision) for event in events.after(0, cast.AFTER)]


def test_a_cancelled_round_says_so_and_reveals_nothing(round_):
    """Rule 7.10."""
    Round.objects.update(cancelled_at=cast.DURING)
    assert kinds(at=cast.AFTER) == ["announced", "opened", "cancelled"]


def test_a_post_is_told_when_it_is_shown_and_gone_when_it_is_taken_back(db):
    post = Post.objects.create(slug="news", title_en="News", published_at=cast.DURING)
    assert kinds(at=cast.DURING - timedelta(seconds=1)) == []
    assert kinds() == ["post"]
    Post.objects.filter(pk=post.pk).update(published_at=None)
    assert kinds() == []


def test_an_event_names_the_player_as_they_are_called_now(round_):
    cast.send("Ann", "rR")
    judging.judge_until_empty()
    events.tell(cast.DURING)
    Player.objects.update(nickname="Anna")
    assert {event.submission.player.nickname for event in events.after(2, cast.DURING)} == {"Anna"}


WHY = Reason(zh="", en="Because.")


def told(kind, at=cast.DURING):
    return [event for event in events.after(0, at) if event.kind == kind]


def test_a_longer_round_is_postponed_with_the_note_that_says_so(round_):
    """Rule 3.7; who reads notes alone is told as before."""
    lifecycle.extend(round_, cast.CLOSES + timedelta(days=1), WHY, at=cast.DURING, by=None)
    (event,) = told("postponed")
    (note,) = told("note")
    assert (event.round, event.note, event.at) == (round_, note.note, cast.DURING)


def test_a_later_opening_is_postponed(round_):
    """Rule 3.7."""
    before = cast.OPENS - timedelta(days=1)
    for opens_at in (cast.OPENS + timedelta(hours=1), cast.OPENS):
        round_.opens_at = opens_at
        lifecycle.save(round_, at=before, by=None)
    assert [event.at for event in told("postponed", before)] == [before]


def test_a_draft_that_moves_tells_nothing(db):
    with clock.set_to(cast.DURING):
        draft = cast.a_round(announced_at=None, opens_at=cast.AFTER, closes_at=cast.AFTER + timedelta(days=7))
        draft.opens_at += timedelta(days=1)
        lifecycle.save(draft, at=cast.DURING, by=None)
    assert events.after(0, cast.DURING) == []
    assert not Event.objects.exists()


def test_a_void_level_is_told_with_its_note(round_):
    """Rule 2.10."""
    lifecycle.void_slot(round_.levels.get(slot="extra"), WHY, at=cast.DURING, by=None)
    (event,) = told("void")
    assert (event.submission, event.note.values) == (None, {"slot": "extra"})
    assert webhooks._data(event)["slot"] == "extra"
    assert told("note")


def test_a_void_submission_is_told_and_that_it_counts_again(round_):
    """Rule 15.1."""
    cast.send("Ann", "rR")
    judging.judge_until_empty()
    sent = Submission.objects.get()
    rulings.void(sent, WHY, at=cast.DURING, by=None)
    with clock.set_to(cast.DURING + timedelta(minutes=1)):
        rulings.unvoid(sent, WHY, by=None)
    assert [(event.submission, event.at) for event in told("void")] == [
        (sent, cast.DURING),
        (sent, cast.DURING + timedelta(minutes=1)),
    ]


def test_practice_that_becomes_void_is_no_event_of_the_contest(round_):
    with clock.set_to(cast.AFTER):
        cast.send("Ann", "rR", round=1, practice=True)
        judging.judge_until_empty()
        rulings.void(Submission.objects.get(), WHY, at=cast.AFTER, by=None)
    assert told("void", cast.AFTER) == []


def test_an_act_that_is_taken_back_takes_its_event_with_it(round_, monkeypatch):
    cast.send("Ann", "rR")
    judging.judge_until_empty()
    monkeypatch.setattr(rulings.audit_log, "record", None)
    with pytest.raises(TypeError):
        rulings.void(Submission.objects.get(), WHY, at=cast.DURING, by=None)
    assert told("void") == []
    assert Submission.objects.get().voided_at is None


@pytest.mark.parametrize(("verdict", "kinds_told"), [("accepted", []), ("not_solved", ["accepted", "rejudged"])])
def test_what_is_judged_otherwise_is_told_to_everybody_once_applied(round_, verdict, kinds_told):
    """Rule 6.13."""
    cast.send("Ann", "rR")
    judging.judge_until_empty()
    Submission.objects.update(verdict=verdict)
    Verification.objects.all().delete()
    Event.objects.filter(kind="accepted").delete()
    again = rejudge.start("again")
    list(rejudge.compute(again, Submission.objects.all()))
    rejudge.preview(again)
    assert told("rejudged") == []
    rejudge.apply(again, None, "because")
    assert [event.kind for event in events.after(0, cast.DURING) if event.submission_id and not event.by] == kinds_told
