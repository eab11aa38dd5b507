"""Acts of organisers on a round in the admin: each has a page, is recorded, and explains a refusal."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from contest.infra import clock
from contest.models import (
    AuditEntry,
    Disqualification,
    Round,
    Snapshot,
    Submission,
)
from contest.rules.phases import Phase
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


def test_results_are_made_final_and_revised(organiser, during_round):
    """Rules 14.2, 14.4, 15.1, 15.2, 15.3."""
    cast.enter_all(during_round, [("A", 5, 2), ("B", 6, 3), ("C", 7, 4)])
    best, second, _third = Submission.objects.order_by("number")
    assert act(organiser, during_round, "finalise", cast.AFTER).status_code == 302
    act(organiser, best, "void", cast.AFTER, reason_en="Sent by mistake", is_unpublished="on")
    act(organiser, during_round, "disqualify", cast.AFTER, player=second.player_id, reason_en="Shared")
    act(organiser, during_round, "revise", cast.AFTER, reason_en="Ruled")
    assert [len(snapshot.document["points"]) for snapshot in Snapshot.objects.all()] == [3, 1]
    act(organiser, best, "unvoid", cast.AFTER, reason_en="Was right")
    ruling = Disqualification.objects.get()
    act(organiser, during_round, "lift", cast.AFTER, ruling=ruling.pk, reason_en="Was right")
    act(organiser, during_round, "revise", cast.AFTER, reason_en="Taken back")
    assert len(Snapshot.objects.get(revision=3).document["points"]) == 3
    assert AuditEntry.objects.filter(actor_name="organiser").count() == 7


def test_the_button_shows_the_reason_why_a_round_cannot_be_final(organiser, during_round):
    cast.send("A", "rR")
    url = reverse("admin:contest_round_act", args=[during_round.pk, "finalise"])
    with clock.set_to(cast.AFTER):
        assert "1 submission is not judged yet." in organiser.get(url).content.decode()


@pytest.mark.parametrize(
    ("at", "offered"),
    [
        (BEFORE, {"announce", "lucky"}),
        (cast.OPENS - timedelta(hours=1), {"lucky", "cancel"}),
        (cast.DURING, {"extend", "void-level", "disqualify", "cancel"}),
        (cast.AFTER, {"finalise", "void-level", "disqualify", "cancel"}),
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


def test_an_unknown_act_or_round_is_not_found(organiser):
    """Rule 7.10: an existing act has its effect."""
    round_ = cast.a_round()
    assert act(organiser, round_, "delete", cast.DURING).status_code == 404
    assert act(organiser, round_, "cancel", cast.DURING, reason_zh="取消").status_code == 302
    assert Round.objects.get().phase(cast.DURING) == Phase.CANCELLED
    round_.pk = 999
    assert act(organiser, round_, "cancel", cast.DURING, reason_en="x").status_code == 404
