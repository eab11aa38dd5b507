from datetime import datetime, timedelta

import pytest

from contest.celery import tasks
from contest.infra import clock
from contest.models import AuditEntry, NameReport, Question, Round, Series, SeriesRound, State, Submission
from contest.results import by_itself, revisions, rulings
from contest.rounds import lucky_number
from contest.rules import beacons
from contest.rules.phases import Phase
from contest.wording.bilingual import Reason
from tests import cast
from tests.contest.results.worked import MAIN, drawn, finalise, revise

pytestmark = pytest.mark.django_db

DAYS = 3
QUIET = cast.CLOSES + timedelta(days=DAYS)
SECOND = timedelta(seconds=1)


def a_round_of_a_series() -> Round:
    with clock.set_to(cast.OPENS):
        round_ = cast.a_round()
    series = cast.a_series(cast.OPENS, every_weeks=3, length_days=21, final_after_days=DAYS)
    SeriesRound.objects.create(series=series, number=1, round=round_)
    cast.enter_all(round_, [("Ann", 9, 3), ("Bo", 8, 4)])
    return round_


def final_at(at: datetime) -> list[Round]:
    with clock.set_to(at):
        return by_itself.finalise_quiet(at)


def test_after_quiet_days_a_round_is_final(settings):
    """Rule 14.7: but not where two organisers must check final results."""
    round_ = a_round_of_a_series()
    Series.objects.update(final_after_days=None)  # by default an organiser finalises it
    assert final_at(QUIET + timedelta(days=99)) == []
    Series.objects.update(final_after_days=DAYS)
    assert final_at(QUIET - SECOND) == []
    settings.FOUR_EYES = True
    assert final_at(QUIET) == []
    settings.FOUR_EYES = False
    with clock.set_to(QUIET):
        tasks.advance()  # workers look for such rounds
    round_.refresh_from_db()
    assert round_.phase(QUIET) is Phase.FINAL
    assert AuditEntry.objects.get(act="finalise").actor is None
    assert final_at(QUIET + timedelta(days=1)) == []


def test_a_waiting_or_held_submission_keeps_the_round_provisional():
    """Rules 14.2, 14.7."""
    a_round_of_a_series()
    with clock.set_to(cast.DURING):
        cast.send("Cy", "rR")
    assert final_at(QUIET + timedelta(days=9)) == []
    Submission.objects.filter(player__nickname="Cy").update(state=State.QUARANTINED)
    assert final_at(QUIET + timedelta(days=9)) == []


def test_an_open_question_keeps_the_round_provisional_and_its_answer_restarts_the_days():
    round_ = a_round_of_a_series()
    player = Submission.objects.first().player
    question = Question.objects.create(round=round_, player=player, text="Why?", asked_at=cast.DURING)
    assert final_at(QUIET) == []
    Question.objects.filter(pk=question.pk).update(answered_at=cast.DURING)
    report = NameReport.objects.create(kind=NameReport.Kind.OFFENSIVE, player=player, reported_at=cast.DURING)
    assert final_at(QUIET) == []
    NameReport.objects.filter(pk=report.pk).update(decided_at=cast.DURING)
    Question.objects.filter(pk=question.pk).update(answered_at=QUIET)
    assert final_at(QUIET + timedelta(days=DAYS) - SECOND) == []
    assert final_at(QUIET + timedelta(days=DAYS)) == [round_]


def test_a_ruling_restarts_the_days():
    round_ = a_round_of_a_series()
    ruled_at = cast.CLOSES + timedelta(days=2)
    with clock.set_to(ruled_at):
        rulings.void(Submission.objects.first(), Reason("误会", "A mistake"), at=ruled_at, by=None)
    assert final_at(QUIET) == []
    assert final_at(ruled_at + timedelta(days=DAYS)) == [round_]


VALUE = "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce"
LATER = cast.AFTER + timedelta(days=2)
QUICKNET = beacons.BEACONS["drand quicknet"]


@pytest.fixture
def with_beacon(round_):
    round_.settings["lucky_beacon"] = "drand quicknet"
    round_.save()
    cast.enter_all(round_, MAIN)
    return round_


def enter(round_, value=VALUE, at=cast.AFTER):
    lucky_number.enter_beacon(round_, value, at=at, by=None)
    round_.refresh_from_db()


def test_before_the_value_is_known_nobody_is_drawn_and_nothing_is_final(with_beacon):
    """Rules 11.15, 14.2."""
    number = QUICKNET.round_at(cast.CLOSES)
    assert drawn(with_beacon) == (["A", "E", "D"], None)
    assert f"round {number} of drand quicknet is missing" in cast.refusal_of(finalise, with_beacon)
    enter(with_beacon, VALUE.upper())
    document = finalise(with_beacon).document
    assert document["draw"]["beacon"] == {"name": "drand quicknet", "round": number, "value": VALUE}
    assert document["draw"]["lucky"] is not None


def test_a_value_is_entered_between_its_publication_and_the_final_results(with_beacon):
    """Rules 11.14, 11.15: every entry is recorded; a round without a beacon accepts none."""
    without = cast.a_round(2, **cast.earlier(9))
    assert "no public randomness" in cast.refusal_of(lucky_number.enter_beacon, without, VALUE, at=cast.AFTER, by=None)
    with_beacon.closes_at = cast.CLOSES + timedelta(seconds=1)
    with_beacon.save()
    published_at = QUICKNET.time_of(QUICKNET.round_at(with_beacon.closes_at))
    assert "after the close" in cast.refusal_of(enter, with_beacon, at=cast.DURING)
    assert "not published yet" in cast.refusal_of(enter, with_beacon, at=published_at - timedelta(microseconds=1))
    assert "64 hexadecimal digits" in cast.refusal_of(enter, with_beacon, value="17")
    enter(with_beacon, at=published_at)
    enter(with_beacon, "0" * 64, at=published_at)
    entries = AuditEntry.objects.filter(act="enter beacon value").order_by("pk")
    assert [entry.after["value"] for entry in entries] == [VALUE, "0" * 64]


@pytest.mark.parametrize("wrong", ["0" * 64, "6" * 64])
def test_a_value_found_wrong_after_the_final_results_is_corrected_by_a_revision(with_beacon, wrong):
    """Rules 11.16, 14.5: the draw is repeated, also where the right value draws the same player."""
    enter(with_beacon, wrong)
    first = finalise(with_beacon).document
    with_beacon.refresh_from_db()
    assert not revisions.is_due(with_beacon, LATER)
    enter(with_beacon, at=LATER)
    assert revisions.is_due(with_beacon, LATER)
    document = revise(with_beacon).document
    assert (document["draw"]["kept_from"], drawn(with_beacon)[1]) == (None, "D")
    assert [draw["draw"]["beacon"]["value"] for draw in (first, document)] == [wrong, VALUE]
    assert revise(with_beacon, LATER + timedelta(hours=1)).document["draw"]["kept_from"] == 2
