"""An act that has waited for a lock until its time was over does nothing (rules 2.9, 3.7, 3.10, 11.3)."""

from collections.abc import Callable
from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest
from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest

from contest import levels, rounds, visibility
from contest.admin import RoundAdmin
from contest.infra import clock
from contest.models import Round
from contest.models.round import RoundQuerySet
from contest.rounds import lucky_number, make_up
from contest.wording.bilingual import Reason
from tests import cast

pytestmark = pytest.mark.django_db
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)
REASON = Reason(zh="原因", en="because")


@pytest.fixture
def wait_until(monkeypatch) -> Callable[[datetime], None]:
    """Let the next lock of a round be free only at a time."""

    def wait(at: datetime) -> None:
        original = RoundQuerySet.select_for_update

        def lock(self, **options):
            monkeypatch.setattr(clock, "_set_to", at)
            return original(self, **options)

        monkeypatch.setattr(RoundQuerySet, "select_for_update", lock)

    return wait


def _put(round_: Round, at: datetime) -> None:
    admitted = levels.check("#######|#@-$-.#|#######", "rRR")
    rounds.put_level(round_, "extra2", admitted, title="New", author="A", at=at, by=None)


def _change(round_: Round, at: datetime) -> None:
    round_.closes_at += DAY
    rounds.save(round_, at=at, by=None)


def _extend(round_: Round, at: datetime) -> None:
    rounds.extend(round_, round_.closes_at + DAY, REASON, at=at, by=None)


@pytest.mark.parametrize(
    ("act", "limit"),
    [
        (_put, cast.OPENS),
        (lambda round_, at: rounds.clear_slot(round_, "extra", at=at, by=None), cast.OPENS),
        (lambda round_, at: lucky_number.type_number(round_, 7, at=at, by=None), cast.OPENS),
        (_extend, cast.CLOSES),
        (_change, cast.CLOSES),
    ],
    ids=["put", "clear", "lucky", "extend", "change"],
)
def test_nothing_changes_that_has_become_public_meanwhile(act, limit, wait_until):
    round_ = cast.a_round()
    facts = Round.objects.filter(pk=round_.pk).values("commitment", "closes_at", "settings", "levels__sha256")
    before = list(facts)
    with clock.set_to(limit - SECOND):
        wait_until(limit + SECOND)
        cast.refusal_of(act, round_, clock.now())
    assert list(facts) == before


def test_a_round_cancelled_after_its_reveal_keeps_what_was_public(wait_until):
    """Rule 7.10, although the organiser pressed the button before the close."""
    round_ = cast.a_round()
    with clock.set_to(cast.CLOSES - SECOND):
        wait_until(cast.CLOSES + SECOND)
        rounds.cancel(round_, REASON, at=clock.now(), by=None)
        round_.refresh_from_db()
        assert visibility.are_solutions_public(round_, clock.now())


def test_the_plain_admin_saves_no_level_of_a_round_that_has_opened_meanwhile():
    form, levels_ = SimpleNamespace(instance=cast.a_round()), SimpleNamespace(has_changed=lambda: True)
    with clock.set_to(cast.OPENS), pytest.raises(PermissionDenied):
        RoundAdmin(Round, admin.site).save_formset(HttpRequest(), form, levels_, change=True)


def test_no_make_up_window_is_granted_after_the_reveal(wait_until):
    round_ = cast.a_round(reveal_waits_until=cast.CLOSES + DAY)
    with clock.set_to(cast.CLOSES + DAY - SECOND):
        opens_at = clock.now() + SECOND / 2
        wait_until(cast.CLOSES + DAY + SECOND)
        with pytest.raises(ValidationError):
            make_up.grant_make_up(round_, opens_at, opens_at + DAY, REASON, at=clock.now(), by=None)
