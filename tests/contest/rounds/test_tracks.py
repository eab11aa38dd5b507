from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from contest import levels, rounds
from contest.library import series as series_acts
from contest.models import MAIN, Note, Round, Series, Slot, Track
from contest.rounds import calendar, lucky_number
from contest.rounds.tracks import MAX_REVEALED, CannotBeUsed, make_main
from contest.wording.bilingual import Reason
from solvers.sokoban import Level as Board
from tests import cast

pytestmark = pytest.mark.django_db
BEFORE = cast.OPENS - timedelta(days=1)
REASON = Reason(zh="原因", en="because")


def draft(track: str = MAIN, number: int = 2) -> Round:
    return Round(number=number, track_id=track, opens_at=cast.OPENS, closes_at=cast.CLOSES, announced_at=BEFORE)


def test_a_database_that_was_emptied_gets_its_main_track_back():
    Track.objects.all().delete()
    make_main()
    make_main()
    assert [track.slug for track in Track.objects.all()] == [MAIN]
    assert cast.a_round().track.slug == MAIN


def test_rounds_may_overlap_only_in_different_tracks(weekly):
    """Rules 2.6, 2.11."""
    cast.a_round()
    rounds.save(draft("weekly"), at=BEFORE, by=None)
    assert {round_.track_id for round_ in Round.objects.open(cast.DURING)} == {MAIN, "weekly"}
    with pytest.raises(ValidationError, match="Only one round may be open at a time: Round 2") as caught:
        rounds.save(draft("weekly", 3), at=BEFORE, by=None)
    assert "within the track Weekly. Beside it, a round may be open on: Main contest." in caught.value.messages[1]


@pytest.mark.postgres
def test_the_database_allows_overlapping_rounds_only_in_different_tracks(weekly):
    cast.a_round()
    lucky_number.save_committed(draft("weekly"))
    with pytest.raises(IntegrityError, match="round_one_open_at_a_time"), transaction.atomic():
        lucky_number.save_committed(draft("weekly", number=3))


def announced(number: int, track: str = MAIN) -> Round:
    opens_at = cast.OPENS + (number - 1) * (cast.CLOSES - cast.OPENS)
    round_ = Round(number=number, track_id=track, opens_at=opens_at, closes_at=opens_at + (cast.CLOSES - cast.OPENS))
    rounds.save(round_, at=BEFORE, by=None)
    floor = " " * number
    admitted = levels.AdmittedLevel(Board.parse(f"#####{'#' * number}|#@$.{floor}#|#####{'#' * number}"), "R")
    rounds.put_level(round_, Slot.MAIN, admitted, title="Level", author="Author", at=BEFORE, by=None)
    return rounds.announce(round_, at=BEFORE, by=None)


def test_a_round_beside_the_main_track_counts_within_its_track_too(weekly):
    """Rule 2.1: its number is never reused; a cancelled round keeps its number."""
    assert draft("weekly", number=5).name == "5"
    names = [announced(number, track).name for number, track in ((1, MAIN), (2, "weekly"), (3, MAIN), (4, "weekly"))]
    assert names == ["1", "weekly-1", "3", "weekly-2"]
    rounds.cancel(Round.objects.get(number=4), REASON, at=BEFORE, by=None)
    assert announced(5, "weekly").name == "weekly-3"
    with pytest.raises(IntegrityError), transaction.atomic():
        Round.objects.filter(number=5).update(number_in_track=2)


def test_an_announced_round_stays_in_its_track(weekly):
    round_ = cast.a_round()
    round_.track = weekly
    with pytest.raises(ValidationError) as refused:
        rounds.save(round_, at=BEFORE, by=None)
    assert refused.value.message_dict == {"track": ["The round is announced: its track can no longer be changed."]}


def test_what_follows_a_round_stays_in_its_track(weekly):
    """Rule 2.11: suggested times, a copy, and the openings of a series."""
    main = cast.a_round()
    assert calendar.suggest_round(cast.DURING, MAIN)["opens_at"] > cast.CLOSES
    assert calendar.suggest_round(cast.DURING, "weekly")["opens_at"] < cast.CLOSES
    weekly_series = Series.objects.create(name_zh="周", name_en="Weekly", first_opens_at=cast.OPENS + timedelta(days=7))
    assert series_acts.next_openings(weekly_series, cast.OPENS)[0].clash
    weekly_series.track = weekly
    assert series_acts.next_openings(weekly_series, cast.OPENS)[0].clash is None
    Round.objects.filter(pk=main.pk).update(track=weekly)
    assert rounds.clone(Round.objects.get(), at=cast.DURING, by=None).track == weekly


def test_no_change_of_level_or_times_puts_a_level_into_two_open_rounds(weekly):
    """Rule 2.12: a later round may use a level that has been revealed."""
    cast.a_round()
    round_, mirrored = announced(2, "weekly"), "######|#.$-@#|######"
    Round.objects.filter(pk=round_.pk).update(opens_at=cast.OPENS, closes_at=cast.CLOSES)
    round_.refresh_from_db()
    passed = levels.AdmittedLevel(Board.parse(mirrored), "lL")
    with pytest.raises(CannotBeUsed):
        rounds.put_level(round_, Slot.EXTRA, passed, title="", author="", at=BEFORE, by=None)
    later = Round(number=3, track=weekly, opens_at=cast.CLOSES, closes_at=cast.CLOSES + timedelta(days=7))
    lucky_number.save_committed(later)
    cast.a_level(later, Slot.MAIN, mirrored, "lL")
    with pytest.raises(CannotBeUsed):
        rounds.announce(later, at=BEFORE, by=None)
    Round.objects.filter(pk=later.pk).update(announced_at=BEFORE)
    with pytest.raises(CannotBeUsed):
        rounds.extend(Round.objects.get(number=1), cast.CLOSES + timedelta(days=1), REASON, at=cast.DURING, by=None)
    assert not Note.objects.exists()


def test_hidden_clashes_are_revealed_only_so_often_a_day(weekly):
    """Rule 2.12: yes-or-no questions must not become an oracle for hidden levels."""
    by = User.objects.create_user("asking", is_staff=True)
    cast.a_round()
    draft_ = draft("weekly")
    draft_.announced_at = None
    lucky_number.save_committed(draft_)
    cast.a_level(draft_)
    for _time in range(MAX_REVEALED):
        with pytest.raises(CannotBeUsed):
            rounds.announce(draft_, at=BEFORE, by=by)
    draft_.levels.all().delete()
    cast.a_level(draft_, text=cast.CORNER.replace("$-", "-$", 1))
    assert "too often today" in cast.refusal_of(rounds.announce, draft_, at=BEFORE, by=by)


HOUR = timedelta(hours=1)
EARLY = cast.OPENS - HOUR


def refusal_of(round_, at):
    with pytest.raises(ValidationError) as refusal:
        calendar.check_times(round_, at)
    return refusal.value


def another(opens_at, closes_at, **fields):
    return Round(number=2, opens_at=opens_at, closes_at=closes_at, **{"announced_at": opens_at - HOUR, **fields})


@pytest.mark.parametrize(
    ("opens_at", "closes_at"),
    [
        (cast.OPENS - HOUR, cast.OPENS + timedelta(microseconds=1)),
        (cast.CLOSES - timedelta(microseconds=1), cast.CLOSES + HOUR),
        (cast.OPENS + HOUR, cast.CLOSES - HOUR),
        (cast.OPENS - HOUR, cast.CLOSES + HOUR),
    ],
)
def test_two_rounds_are_never_open_together(opens_at, closes_at):
    cast.a_round()
    assert "1" in refusal_of(another(opens_at, closes_at), cast.OPENS - 2 * HOUR).messages[0]


def test_drafts_and_cancelled_rounds_may_overlap_and_a_round_may_open_when_the_last_closes():
    """Rules 2.6, 3.2."""
    cast.a_round()
    for times, fields in (
        ((cast.OPENS, cast.CLOSES), {"announced_at": None}),
        ((cast.OPENS, cast.CLOSES), {"cancelled_at": EARLY}),
        ((cast.CLOSES, cast.CLOSES + HOUR), {}),
    ):
        calendar.check_times(another(*times, **fields), EARLY)


@pytest.mark.parametrize(
    ("field", "hours", "at", "may"),
    [
        ("opens_at", 1, EARLY, True),
        ("closes_at", 1, EARLY, True),
        ("number", 0, EARLY, False),
        ("opens_at", -1, cast.OPENS, False),
        ("announced_at", -1, cast.OPENS, False),
        ("closes_at", 1, cast.DURING, True),
        ("closes_at", -1, cast.DURING, False),
        ("closes_at", 1, cast.CLOSES, False),
    ],
)
def test_an_announced_round_may_change_future_times_but_never_close_earlier(field, hours, at, may):
    """Rules 2.1, 2.5, 2.9, 3.1, 3.7."""
    round_ = cast.a_round()
    setattr(round_, field, getattr(round_, field) + HOUR * hours if hours else 5)
    if may:
        calendar.check_times(round_, at)
    else:
        assert field in refusal_of(round_, at).message_dict


def test_a_suggestion_follows_the_last_announced_round_by_a_week_for_three_weeks():
    """Rules 2.1, 2.5, 3.5: a draft with one digit too many in its year has no influence."""
    suggested = calendar.suggest_round(cast.DURING)
    assert suggested["number"] == 1
    assert suggested["closes_at"] - suggested["opens_at"] == timedelta(weeks=3)
    assert suggested["opens_at"].strftime("%H:%M %Z") == "20:00 CST"
    cast.a_round(6)
    far = datetime(9999, 12, 1, tzinfo=UTC)
    Round.objects.create(number=7, opens_at=far, closes_at=far + timedelta(days=1))
    suggested = calendar.suggest_round(cast.DURING)
    assert suggested["number"] == 8
    assert cast.CLOSES + timedelta(days=6) < suggested["opens_at"] < cast.CLOSES + timedelta(days=8)
