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
    steps = checklist.steps(Round.objects.get(pk=round_.pk), at)
    return next((step for step in steps if step.standing is not Standing.DONE), None)


def next_name(round_, at):
    step = next_step(round_, at)
    return step and step.name


@pytest.fixture
def draft(db):
    with clock.set_to(BEFORE):
        yield cast.a_round(announced_at=None)


def test_a_round_goes_through_its_steps_in_order(draft):
    seen = [next_name(draft, BEFORE)]
    rounds.announce(draft, at=BEFORE, by=None)
    step = next_step(draft, cast.DURING)
    assert (step.standing, step.missing) == (Standing.WAITING, ()), "there is nothing to do but wait"
    seen += [next_name(draft, at) for at in (BEFORE, cast.DURING, cast.AFTER)]
    results.finalise(draft, at=cast.AFTER, by=None)
    seen.append(next_name(draft, cast.AFTER))
    assert seen == [Name.PREVIEW, Name.WATCH, Name.WATCH, Name.FINALISE, Name.ANNOUNCE]
    Round.objects.update(cancelled_at=BEFORE)
    assert checklist.steps(Round.objects.get(), cast.DURING) == ()


def test_a_level_that_fails_the_check_is_named_with_its_fault(draft):
    """Rule 2.7: a level without solution, or twice in the round; before that, a main level must exist."""
    cast.a_level(draft, "extra2", "######|#.$-@#|######", "lL")
    assert next_name(draft, BEFORE) is Name.GATE
    draft.levels.filter(slot="extra2").delete()
    Level.objects.filter(slot="extra").update(solution="")
    assert next_name(draft, BEFORE) is Name.GATE
    assert "Extra" in " ".join(next_step(draft, BEFORE).missing)
    draft.levels.filter(slot="main").delete()
    assert next_name(draft, BEFORE) is Name.DRAFT


def test_past_or_conflicting_times_are_the_next_step(draft):
    """Rule 2.6."""
    assert next_name(draft, cast.OPENS + timedelta(hours=1)) is Name.SCHEDULE
    cast.a_round(2)
    assert next_name(draft, BEFORE) is Name.SCHEDULE
    assert "2" in " ".join(next_step(draft, BEFORE).missing)


def test_the_desk_says_that_the_opening_of_a_draft_is_near_or_has_passed(draft):
    """Nobody is surprised by an opening that did not happen; with a missing level neither."""
    steps = {
        at: dict(checklist.next_steps(Round.objects.all(), cast.OPENS + at))[draft].missing
        for at in (timedelta(days=-9), timedelta(days=-2), timedelta(hours=1))
    }
    assert [" ".join(missing) for missing in steps.values()] == [
        "",
        "It is to open on 2026-11-01 20:00 and is not published.",
        "The opening has passed. Choose a later one.",
    ]
    draft.levels.all().delete()
    (step,) = (step for _round, step in checklist.next_steps(Round.objects.all(), cast.OPENS + timedelta(hours=1)))
    assert (step.name, len(step.missing)) == (Name.DRAFT, 2)


def test_an_unjudged_submission_keeps_the_verification_open(draft):
    """Rule 14.2."""
    rounds.announce(draft, at=BEFORE, by=None)
    with clock.set_to(cast.DURING):
        cast.send("Ann", "rR")
    assert next_name(draft, cast.AFTER) is Name.VERIFY
    Submission.objects.update(state=State.QUARANTINED)
    assert next_name(draft, cast.AFTER) is Name.VERIFY
    Submission.objects.all().delete()
    LuckyNumber.objects.update(number=1)  # not the committed number
    assert next_name(draft, cast.AFTER) is Name.DRAW
