"""Rounds to be announced at a later time, which only the plain admin form offers."""

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User

from contest import players
from contest.infra import clock
from contest.models import Player, Round, Tester, Track
from contest.rounds import lucky_number, testers
from contest.visibility import Viewer
from tests import cast
from tests.contest.test_admin import ADD, BEFORE, change, errors, form, level_fields, round_fields

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def club():
    return Track.objects.create(slug="club", title_zh="俱乐部", title_en="Club")


def add(organiser, track="main", *, longer=0, **times) -> Round:
    """Add a round through the form, with a corridor that is so much longer than the usual one."""
    text, solution = f"{'#' * (6 + longer)}\n#@{' ' * (1 + longer)}$.#\n{'#' * (6 + longer)}", "r" * (1 + longer) + "R"
    fields = round_fields(**times) | {"number": "9", "track": track}
    with clock.set_to(BEFORE):
        answer = organiser.post(ADD, form(level_fields(confirmed="on", text=text, solution=solution), **fields))
    assert answer.status_code == 302, errors(answer)
    return Round.objects.latest("pk")


def save_again(organiser, round_, **times) -> Round:
    fields = round_fields(**times) | {"number": round_.number, "track": round_.track_id, "levels-INITIAL_FORMS": 1}
    stored = round_.levels.get()
    level = level_fields(id=stored.pk, confirmed="on", text=stored.text.replace("|", "\n"), solution=stored.solution)
    answer = change(organiser, round_, level, at=BEFORE, **fields)
    assert answer.status_code == 302, errors(answer)
    return Round.objects.get(pk=round_.pk)


def weeks(count) -> dict[str, datetime]:
    """Return the times of a round so many times four weeks after the usual one."""
    later = 4 * count * timedelta(weeks=1)
    return {"opens_at": cast.OPENS + later, "closes_at": cast.CLOSES + later}


def test_a_round_to_be_announced_later_keeps_its_numbers_until_it_is_a_draft_again(organiser, club):
    round_ = add(organiser, "club", announced_at=BEFORE + DAY)
    scheduled = save_again(organiser, round_, announced_at=BEFORE + 2 * DAY)
    assert (scheduled.number, scheduled.name, scheduled.announced_at) == (9, "club-1", BEFORE + 2 * DAY)
    assert save_again(organiser, scheduled, announced_at=None).name == "9"


def test_no_gap_in_the_numbers_shows_a_round_that_is_to_be_announced_later(organiser, club):
    """Rules 2.1, 2.8: rounds with public numbers keep theirs, all others follow in the order of announcements."""
    cast.a_round(3, **cast.earlier(8))
    first, second = (
        add(organiser, "club", longer=days, announced_at=BEFORE + days * DAY, **weeks(days)) for days in (1, 2)
    )
    assert [(row.number, row.name) for row in (first, second)] == [(4, "club-1"), (5, "club-2")]
    now = add(organiser, "club", longer=3, announced_at=BEFORE, **weeks(3))
    assert {row.number: row.name for row in Round.objects.all()} == {3: "3", 4: "club-1", 5: "club-2", 6: "club-3"}
    assert [Round.objects.get(pk=row.pk).number for row in (now, first, second)] == [4, 5, 6]
    first.refresh_from_db()
    moved = save_again(organiser, first, announced_at=BEFORE + 3 * DAY, **weeks(1))
    assert [Round.objects.get(pk=row.pk).number for row in (now, second, moved)] == [4, 5, 6]
    assert all(not lucky_number.missing_for_draw(row) for row in Round.objects.exclude(number=3))


def test_no_announcement_is_in_the_past_or_revoked(organiser):
    """Rule 2.1: a public number is never used again."""
    round_ = add(organiser, announced_at=BEFORE - DAY)
    assert round_.announced_at == BEFORE
    assert save_again(organiser, round_, announced_at=None).announced_at == BEFORE


@pytest.mark.parametrize("was_draft", [True, False])
def test_a_tester_of_a_level_in_another_round_cannot_enter_this_one(organiser, was_draft):
    """Rule 4.14."""
    account = User.objects.create_user("tina")
    player, _claim = players.create("Tina", country="", email="", at=BEFORE)
    Player.objects.filter(pk=player.pk).update(owner=account)
    other = cast.a_round(5, announced_at=None)
    tester = testers.invite(other, Player.objects.get(), at=BEFORE, by=None)
    testers.agree(tester, (), viewer=Viewer(), at=BEFORE, by=account)
    testers.record_view(tester, other.levels.get(slot="main"), viewer=Viewer(), at=BEFORE, by=account)
    announced = save_again(organiser, add(organiser, announced_at=None)) if was_draft else add(organiser)
    assert Tester.objects.bound().get(round=announced).account == account
