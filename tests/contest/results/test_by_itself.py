"""Rounds of a series become final automatically, if organisers chose so (rule 14.7)."""

from datetime import datetime, timedelta

import pytest

from contest.celery import tasks
from contest.infra import clock
from contest.models import AuditEntry, NameReport, Question, Round, Series, SeriesRound, State, Submission
from contest.results import by_itself, rulings
from contest.rules.phases import Phase
from contest.wording.bilingual import Reason
from tests import cast

pytestmark = pytest.mark.django_db

DAYS = 3
QUIET = cast.CLOSES + timedelta(days=DAYS)
SECOND = timedelta(seconds=1)


def a_round_of_a_series() -> Round:
    with clock.set_to(cast.OPENS):
        round_ = cast.a_round()
    series = Series.objects.create(
        name_zh="周赛",
        name_en="Weekly",
        first_opens_at=cast.OPENS,
        every_weeks=3,
        length_days=21,
        final_after_days=DAYS,
    )
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
