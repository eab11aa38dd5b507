"""Four eyes: with the setting, results become final and players are disqualified by two (rule 15.7)."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from contest.infra import clock
from contest.models import AuditEntry, Disqualification, Player, Round, SecondLook
from contest.organising.round_acts import ACTS
from contest.templatetags.record import ACT_WORDS
from tests import cast
from tests.desk.conftest import DESK, member, said, signed_in

pytestmark = pytest.mark.django_db
FINALISE, DISQUALIFY = f"{DESK}rounds/1/do/finalise/", f"{DESK}rounds/1/do/disqualify/"
APPLY = {"do": "apply"}


@pytest.fixture(autouse=True)
def _closed(settings):
    """A round that may become final, on a site that asks for four eyes."""
    settings.FOUR_EYES = True
    round_ = cast.a_round()
    cast.enter_all(round_, [("Ann", 9, 3), ("Bo", 8, 4)])
    with clock.set_to(round_.closes_at + timedelta(days=1)):
        yield


@pytest.fixture
def second(db):
    return signed_in(member("organiser", "second"))


def waiting() -> str:
    return f"{DESK}second-looks/{SecondLook.objects.waiting().get().pk}/"


def accused() -> dict[str, str]:
    player = Player.objects.get(nickname="Ann")
    return {"player": str(player.pk), "reason_zh": "", "reason_en": "Two names.", "note": "Seen.", **APPLY}


def test_one_alone_makes_nothing_final(organiser, second):
    """Rule 15.7."""
    assert organiser.post(FINALISE, APPLY).status_code == 302
    assert Round.objects.get().finalised_at is None
    for page in (DESK, f"{DESK}rounds/1/"):
        assert "waits for a second organiser" in said(second.get(page))
        assert waiting() in said(second.get(page))


def test_who_asked_does_not_confirm(organiser):
    organiser.post(FINALISE, APPLY)
    answer = organiser.post(waiting(), {"do": "confirm"})
    assert (answer.status_code, Round.objects.get().finalised_at) == (422, None)
    assert "another organiser has to confirm it" in said(answer)


def test_a_second_sees_what_it_changes_and_does_it(organiser, second):
    organiser.post(DISQUALIFY, accused())
    assert not Disqualification.objects.exists()
    shown = said(second.post(waiting(), {"do": "look"}))
    assert "What it would change" in shown
    assert "Two names." in shown
    assert not Disqualification.objects.exists()
    assert second.post(waiting(), {"do": "confirm"}).status_code == 302
    ruling = Disqualification.objects.get()
    assert (ruling.player.nickname, ruling.reason_en, ruling.note) == ("Ann", "Two names.", "Seen.")
    acts = [(entry.act, entry.actor_name) for entry in AuditEntry.objects.order_by("pk")]
    assert acts[-3:] == [
        ("ask for a second look", "organiser"),
        ("confirm a second look", "second"),
        ("disqualify", "second"),
    ]
    assert {act for act, _who in acts[-3:]} <= set(ACT_WORDS)


def test_it_is_done_once(organiser, second):
    organiser.post(FINALISE, APPLY)
    address = waiting()
    assert second.post(address, {"do": "confirm"}).status_code == 302
    assert Round.objects.get().finalised_at is not None
    assert second.post(address, {"do": "confirm"}).status_code == 404
    assert "waits for a second organiser" not in said(second.get(DESK))


def test_it_can_be_taken_or_sent_back(organiser, second):
    for client in (organiser, second):
        organiser.post(FINALISE, APPLY)
        assert client.post(waiting(), {"do": "send-back"}).status_code == 302
        assert not SecondLook.objects.waiting().exists()
    assert Round.objects.get().finalised_at is None


def test_the_same_is_asked_for_once(organiser):
    organiser.post(FINALISE, APPLY)
    again = organiser.post(FINALISE, APPLY)
    assert (again.status_code, "waits for a second organiser already" in said(again)) == (422, True)
    assert SecondLook.objects.count() == 1


def test_what_no_longer_holds_is_refused_and_can_be_sent_back(organiser, second):
    organiser.post(DISQUALIFY, accused())
    address = waiting()
    SecondLook.objects.update(given={**accused(), "player": "999"})
    answer = second.post(address, {"do": "confirm"})
    assert (answer.status_code, "no longer holds" in said(answer)) == (422, True)
    assert second.post(address, {"do": "send-back"}).status_code == 302


def test_a_judge_confirms_a_ruling_and_no_publishing(organiser):
    judge = signed_in(member("judge"))
    organiser.post(DISQUALIFY, accused())
    assert judge.post(waiting(), {"do": "confirm"}).status_code == 302
    organiser.post(FINALISE, APPLY)
    assert (judge.get(waiting()).status_code, judge.post(waiting(), {"do": "confirm"}).status_code) == (404, 404)
    assert signed_in(member("observer")).get(waiting()).status_code == 404


def test_the_plain_admin_is_no_way_round():
    round_ = Round.objects.get()
    chief = signed_in(User.objects.create_superuser("chief", password="x"))
    for act in ("finalise", "disqualify"):
        assert chief.post(f"/admin/contest/round/{round_.pk}/{act}/do/", accused()).status_code == 404
    assert "Make the results final" not in said(chief.get(f"/admin/contest/round/{round_.pk}/change/"))
    assert Round.objects.get().finalised_at is None


def test_other_acts_take_one():
    assert {act.name for act in ACTS if act.takes_two} == {"finalise", "disqualify"}


def test_without_the_setting_one_is_enough(organiser, settings):
    settings.FOUR_EYES = False
    organiser.post(FINALISE, APPLY)
    assert Round.objects.get().finalised_at is not None
