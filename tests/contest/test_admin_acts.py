"""Acts of organisers on a round in the admin: each has a page, and explains a refusal."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from contest.infra import clock
from contest.models import (
    AuditEntry,
    Round,
)
from tests import cast
from tests.contest.test_admin import BEFORE, shown

pytestmark = pytest.mark.django_db


def act(organiser, about, name, at, **fields):
    model = about._meta.model_name
    with clock.set_to(at):
        return organiser.post(reverse(f"admin:contest_{model}_act", args=[about.pk, name]), fields)


def times(**given):
    return {f"{name}_{part}": value for name, at in given.items() for part, value in enumerate(shown(at))}


@pytest.mark.parametrize(
    ("closes_at", "reason", "message"),
    [(cast.CLOSES - timedelta(hours=1), "Storm", "never earlier"), (cast.CLOSES + timedelta(hours=1), "", "reason")],
)
def test_a_refused_action_shows_its_reason_and_changes_nothing(organiser, closes_at, reason, message):
    """Rule 3.7."""
    answer = act(organiser, cast.a_round(), "extend", cast.DURING, reason_en=reason, **times(closes_at=closes_at))
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert Round.objects.get().closes_at == cast.CLOSES
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize(
    ("at", "offered"),
    [
        (BEFORE, {"announce", "lucky"}),
        (cast.OPENS - timedelta(hours=1), {"lucky", "cancel"}),
        (cast.DURING, {"extend", "void-level", "disqualify", "cancel"}),
        (cast.AFTER, {"finalise", "void-level", "disqualify", "cancel", "machine"}),
    ],
)
def test_each_phase_has_its_buttons_and_every_button_its_page(organiser, at, offered):
    round_ = cast.a_round()
    with clock.set_to(at):
        page = organiser.get(reverse("admin:contest_round_change", args=[round_.pk])).content.decode()
        found = set(re.findall(r"/admin/contest/round/\d+/([a-z-]+)/do/", page))
        assert found == offered
        for name in found:
            assert organiser.get(reverse("admin:contest_round_act", args=[round_.pk, name])).status_code == 200
