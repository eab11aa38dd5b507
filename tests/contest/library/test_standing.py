from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.core import mail
from django.core.exceptions import ValidationError

from contest import rounds
from contest.infra import clock
from contest.library import series, shelf
from contest.models import AuditEntry, LibraryLevel, Series, Slot
from contest.wording.bilingual import Reason
from solvers import sokoban
from tests import cast

# The main level of the cast's round, mirrored.
MIRRORED, SOLUTION = "######|#.$-@#|######", "lL"
BEFORE, DAY = cast.OPENS - timedelta(days=8), timedelta(days=1)
pytestmark = [pytest.mark.django_db, pytest.mark.clock(BEFORE)]


@pytest.fixture
def weekly() -> Series:
    return cast.a_series(cast.CLOSES + 30 * DAY)


def in_library(title: str, board: str = MIRRORED, solution: str = SOLUTION) -> LibraryLevel:
    level = LibraryLevel(title=title, author="Ann")
    return shelf.store_level(level, sokoban.Level.parse(board), solution, at=BEFORE, by=None, is_confirmed=True)


def another(title: str, length: int) -> LibraryLevel:
    return in_library(title, f"{'#' * (length + 4)}|#@$.{'-' * (length - 1)}#|{'#' * (length + 4)}", "R")


def an_organiser(*permissions: str) -> User:
    user = User.objects.create(username="-".join(permissions), email=f"{'-'.join(permissions)}@example.org")
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    return user


@pytest.mark.parametrize("at", [cast.OPENS - DAY, cast.DURING, cast.AFTER])
def test_a_level_of_an_announced_or_past_round_is_not_queued_however_it_is_turned(weekly, at):
    cast.a_round()
    with (
        clock.set_to(at),
        pytest.raises(ValidationError, match=r"rotated or mirrored \(Round 1 · Main\)"),
    ):
        shelf.enqueue(in_library("Mirror"), weekly, Slot.MAIN, by=an_organiser("view_round"))
    assert not weekly.queue.exists()


@pytest.mark.parametrize("fields", [{"announced_at": None}, {"cancelled_at": cast.OPENS - DAY}])
def test_a_level_not_used_in_any_public_round_is_queued(weekly, fields):
    """Rules 7.10, 23.2: drafts, and rounds that were cancelled before they opened."""
    cast.a_round(**fields)
    shelf.enqueue(in_library("Mirror"), weekly, Slot.MAIN, by=None)


def test_levels_used_in_rounds_are_replaced_by_the_next_ones(weekly):
    cast.a_round()
    levels = [another("One", 3), in_library("Mirror"), another("Two", 4)]
    done = shelf.enqueue_all([level.pk for level in levels], weekly, ["main", "extra"], by=None)
    assert [(row.slot, row.level.title) for row in weekly.queue.all()] == [("extra", "Two"), ("main", "One")]
    assert (done.count, done.left_out) == (2, 0)
    assert done.refusal(None, BEFORE) == "“Mirror” cannot be used in a series."
    assert "(Round 1 · Main)" in done.refusal(None, cast.DURING)


def test_a_level_used_in_a_round_while_it_was_queued_is_left_out_at_its_turn(
    weekly, django_capture_on_commit_callbacks
):
    """Rule 23.2: the next level is used, and organisers are notified; only viewers of the other round learn of it."""
    behind = in_library("Behind", cast.CORNER, cast.SOLUTIONS["extra"])
    shelf.enqueue_all([in_library("Mirror").pk, another("Next", 3).pk, behind.pk], weekly, ["main"], by=None)
    an_organiser("change_round"), an_organiser("change_round", "view_round")
    hidden = {"opens_at": cast.CLOSES + 60 * DAY, "closes_at": cast.CLOSES + 61 * DAY}
    cast.a_round(**hidden, announced_at=BEFORE)
    at = weekly.first_opens_at - 7 * DAY
    with django_capture_on_commit_callbacks(execute=True):
        (round_,) = series.advance(at)
    assert round_.levels.get().title == "Next"
    assert [row.level for row in weekly.queue.all()] == [behind], "whose turn may come when it stands in none"
    letters = {letter.to[0]: letter.body for letter in mail.outbox if "skipped levels" in letter.subject}
    assert "Round 1" in letters["change_round-view_round@example.org"]
    assert "“Mirror” cannot be used in a series." in letters["change_round@example.org"]
    assert "“Mirror” cannot be used in a series." in series.list_troubles(at)[0]
    assert AuditEntry.objects.get(act="take out of queue").after == {"stands in": [1]}
    assert LibraryLevel.objects.get(title="Mirror").state == "ready"


LATER = {"opens_at": cast.CLOSES + 9 * DAY, "closes_at": cast.CLOSES + 10 * DAY}


@pytest.mark.parametrize("is_first", [False, True])
@pytest.mark.parametrize("permission", ["view_round", "change_round"])
def test_two_announced_rounds_share_no_level_until_one_is_revealed(is_first, permission):
    """Rule 2.12: the earlier one would give away the solutions, whichever was announced first."""
    cast.a_round()
    times = {"opens_at": cast.OPENS - 2 * DAY, "closes_at": cast.OPENS - DAY} if is_first else LATER
    draft = cast.a_round(2, announced_at=None, **times)
    draft.levels.all().delete()
    by = an_organiser(permission)
    shelf.use_level(in_library("Mirror"), draft, Slot.MAIN, at=BEFORE, by=by)
    named = permission == "view_round"
    with pytest.raises(ValidationError, match=r"Round 1 · Main" if named else "cannot be used in this time"):
        rounds.announce(draft, at=BEFORE, by=by)
    assert AuditEntry.objects.filter(act="ask for a level").exists() is not named
    assert rounds.announce(draft, at=LATER["opens_at"] - DAY, by=by) if not is_first else True


def test_a_running_round_is_extended_although_a_later_round_has_its_level():
    """Rules 2.12, 3.7: rounds from before this rule."""
    round_ = cast.a_round()
    cast.a_round(2, **LATER)
    with clock.set_to(cast.DURING):
        rounds.extend(round_, cast.CLOSES + DAY, Reason("延长", "Longer"), at=cast.DURING, by=None)


def test_a_round_of_a_series_takes_no_used_level_by_hand_either(weekly):
    """Rule 23.2: an organiser who exchanges its level is shown the past round."""
    cast.a_round()
    shelf.enqueue_all([another("One", 3).pk, another("Two", 4).pk], weekly, ["main"], by=None)
    at = weekly.first_opens_at - 7 * DAY
    (made,) = series.advance(at)
    with clock.set_to(at), pytest.raises(ValidationError, match=r"Round 1 · Main"):
        shelf.use_level(in_library("Mirror"), made, Slot.MAIN, at=at, by=None)
    assert made.levels.get().title == "One"
