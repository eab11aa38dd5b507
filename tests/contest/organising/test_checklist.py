"""What is to be done for a round, step by step."""

from datetime import timedelta

import pytest

from contest import results, rounds
from contest.infra import clock
from contest.models import Level, LuckyNumber, Round, State, Submission
from contest.organising import checklist
from contest.organising.checklist import Name, Standing
from tests import cast

pytestmark = pytest.mark.django_db


BEFORE = cast.OPENS - timedelta(days=9)


def next_step(round_, at):
    """The first that is not done."""
    steps = checklist.steps(Round.objects.get(pk=round_.pk), at)
    return next((step for step in steps if step.standing is not Standing.DONE), None)


def next_name(round_, at):
    step = next_step(round_, at)
    return step and step.name


def missing(round_, at) -> str:
    step = next_step(round_, at)
    return " ".join(step.missing) if step else ""


@pytest.fixture
def draft(db):
    with clock.set_to(BEFORE):
        yield cast.a_round(announced_at=None)


def test_a_round_goes_through_its_steps_in_order(draft):
    seen = [next_name(draft, BEFORE)]
    rounds.announce(draft, at=BEFORE, by=None)
    seen += [next_name(draft, at) for at in (BEFORE, cast.DURING, cast.AFTER)]
    results.finalise(draft, at=cast.AFTER, by=None)
    seen.append(next_name(draft, cast.AFTER))
    assert seen == [Name.PREVIEW, Name.WATCH, Name.WATCH, Name.FINALISE, Name.ANNOUNCE]


def test_what_comes_after_the_next_step_is_later(draft):
    standing = {step.name: step.standing for step in checklist.steps(draft, BEFORE)}
    assert list(standing) == list(Name)
    assert {standing[name] for name in (Name.DRAFT, Name.GATE, Name.SCHEDULE)} == {Standing.DONE}
    assert {standing[name] for name in list(Name)[4:]} == {Standing.LATER}


def test_without_a_main_level_that_is_the_first_thing_to_do(draft):
    draft.levels.filter(slot="main").delete()
    assert next_name(draft, BEFORE) is Name.DRAFT


def test_a_level_that_fails_the_gate_is_named_with_its_fault(draft):
    """Rule 2.7."""
    Level.objects.filter(slot="extra").update(solution="")
    assert next_name(draft, BEFORE) is Name.GATE
    assert "Extra" in missing(draft, BEFORE) or "附加" in missing(draft, BEFORE)


def test_a_level_that_stands_twice_in_the_round_fails_the_gate(draft):
    cast.a_level(draft, "extra2", "######|#.$-@#|######", "lL")
    assert next_name(draft, BEFORE) is Name.GATE


def test_times_that_have_passed_are_the_next_thing_to_do(draft):
    assert next_name(draft, cast.OPENS + timedelta(hours=1)) is Name.SCHEDULE


def test_a_round_in_the_way_is_named(draft):
    """Rule 2.6."""
    cast.a_round(2)
    assert next_name(draft, BEFORE) is Name.SCHEDULE
    assert "2" in missing(draft, BEFORE)


def test_while_the_round_runs_there_is_nothing_to_do_but_wait(draft):
    rounds.announce(draft, at=BEFORE, by=None)
    step = next_step(draft, cast.DURING)
    assert step
    assert (step.standing, step.missing) == (Standing.WAITING, ())


def test_a_submission_without_a_verdict_keeps_the_verification_open(draft):
    """Rule 14.2."""
    rounds.announce(draft, at=BEFORE, by=None)
    with clock.set_to(cast.DURING):
        cast.send("Ann", "rR")
    assert next_name(draft, cast.AFTER) is Name.VERIFY
    Submission.objects.update(state=State.QUARANTINED)
    assert next_name(draft, cast.AFTER) is Name.VERIFY


def test_a_lucky_number_that_is_not_the_committed_one_stops_the_draw(draft):
    """Rule 14.2."""
    rounds.announce(draft, at=BEFORE, by=None)
    LuckyNumber.objects.update(number=1)
    assert next_name(draft, cast.AFTER) is Name.DRAW


def test_a_cancelled_round_has_nothing_to_do(draft):
    Round.objects.update(cancelled_at=BEFORE)
    assert checklist.steps(Round.objects.get(), cast.DURING) == ()
