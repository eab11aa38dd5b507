"""Four eyes: with the setting, acts that change results need two organisers (rule 15.7)."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from contest.infra import clock
from contest.models import AuditEntry, Disqualification, Player, Round, SecondLook
from contest.organising.round_acts import ACTS
from tests import cast
from tests.desk.conftest import DESK, member, owner_of, signed_in

pytestmark = pytest.mark.django_db
FINALISE, DISQUALIFY = f"{DESK}rounds/1/do/finalise/", f"{DESK}rounds/1/do/disqualify/"
APPLY, CONFIRM = {"do": "apply"}, {"do": "confirm"}
SEND_BACK = {"do": "send-back", "answer": "Ask Ann first."}


@pytest.fixture(autouse=True)
def round_(settings):
    """A round that may become final, on a site with the four-eyes setting."""
    settings.FOUR_EYES = True
    made = cast.a_round()
    cast.enter_all(made, [("Ann", 9, 3), ("Bo", 8, 4)])
    with clock.set_to(made.closes_at + timedelta(days=1)):
        yield made


@pytest.fixture
def second(db):
    return signed_in(member("organiser", "second"))


def waiting() -> str:
    return f"{DESK}second-looks/{SecondLook.objects.waiting().get().pk}/"


def accused() -> dict[str, str]:
    player = Player.objects.get(nickname="Ann")
    return {"player": str(player.pk), "reason_zh": "", "reason_en": "Two names.", "note": "Seen.", **APPLY}


def is_final() -> bool:
    return Round.objects.get().finalised_at is not None


def test_one_organiser_alone_cannot_finalise_results(organiser, second):
    """Rule 15.7."""
    assert organiser.post(FINALISE, APPLY).status_code == 302
    for page in (DESK, f"{DESK}rounds/1/"):
        text = second.get(page).text
        assert ("has waited for a second organiser since" in text, waiting() in text) == (True, True), page
    answer = organiser.post(waiting(), CONFIRM)
    assert answer.status_code == 422
    assert "another organiser has to confirm it" in answer.text
    assert not is_final()


def test_a_second_organiser_reads_what_final_results_bring(organiser, second):
    organiser.post(FINALISE, APPLY)
    assert "Titles: " in second.post(waiting(), {"do": "look"}).text
    assert not is_final()


def test_a_second_organiser_sees_the_effects_and_confirms(organiser, second):
    organiser.post(DISQUALIFY, accused())
    shown = second.post(waiting(), {"do": "look"}).text
    assert "What it would change" in shown
    assert "Two names." in shown
    assert not Disqualification.objects.exists()
    assert second.post(waiting(), CONFIRM).status_code == 302
    ruling = Disqualification.objects.get()
    assert (ruling.player.nickname, ruling.reason_en, ruling.note) == ("Ann", "Two names.", "Seen.")
    acts = [(entry.act, entry.actor_name) for entry in AuditEntry.objects.order_by("pk")]
    assert acts[-3:] == [
        ("ask for a second look", "organiser"),
        ("confirm a second look", "second"),
        ("disqualify", "second"),
    ]


def test_a_request_is_withdrawn_or_sent_back_and_made_and_confirmed_once(organiser, second):
    for client in (organiser, second):
        organiser.post(FINALISE, APPLY)
        assert client.post(waiting(), SEND_BACK).status_code == 302
        assert not SecondLook.objects.waiting().exists()
    organiser.post(FINALISE, APPLY)
    again = organiser.post(FINALISE, APPLY)
    assert (again.status_code, "already waiting for a second organiser" in again.text) == (422, True)
    address = waiting()
    assert not is_final()
    assert second.post(address, CONFIRM).status_code == 302
    assert is_final()
    assert second.post(address, CONFIRM).status_code == 404
    assert "has waited for a second organiser" not in second.get(DESK).text


def test_what_no_longer_holds_is_refused_and_can_be_sent_back(organiser, second):
    organiser.post(DISQUALIFY, accused())
    address = waiting()
    SecondLook.objects.update(given={**accused(), "player": "999"})
    answer = second.post(address, CONFIRM)
    assert (answer.status_code, "no longer valid" in answer.text) == (422, True)
    assert second.post(address, SEND_BACK).status_code == 302


def test_a_judge_confirms_a_ruling_and_no_publishing(organiser):
    judge = signed_in(member("judge"))
    organiser.post(DISQUALIFY, accused())
    assert judge.post(waiting(), CONFIRM).status_code == 302
    organiser.post(FINALISE, APPLY)
    assert (judge.get(waiting()).status_code, judge.post(waiting(), CONFIRM).status_code) == (404, 404)


def test_owners_of_the_track_confirm_for_each_other_and_owners_of_another_find_nothing(round_):
    owner, partner, other = owner_of("club"), owner_of("club", "partner"), owner_of("school", "other")
    Round.objects.update(track="club")
    owner.post(FINALISE, APPLY)
    assert waiting() not in other.get(DESK).text
    assert other.get(waiting()).status_code == 404
    for do in ("look", "confirm", "send-back"):
        assert other.post(waiting(), {"do": do}).status_code == 404
    assert owner.post(waiting(), CONFIRM).status_code == 422
    for page in (DESK, f"{DESK}rounds/1/"):
        assert waiting() in partner.get(page).text, page
    assert not is_final()
    assert partner.post(waiting(), CONFIRM).status_code == 302
    assert is_final()


def test_the_plain_admin_does_not_bypass_the_second_look(round_):
    chief = signed_in(User.objects.create_superuser("chief", password="x"))
    for act in ("finalise", "disqualify", "void-level"):
        assert chief.post(f"/admin/contest/round/{round_.pk}/{act}/do/", accused()).status_code == 404
    assert "Make the results final" not in chief.get(f"/admin/contest/round/{round_.pk}/change/").text
    assert not is_final()


def test_other_acts_need_one_organiser_and_without_the_setting_all_acts_do(organiser, settings):
    assert {act.name for act in ACTS if act.takes_two} == {"finalise", "disqualify", "void-level", "revise"}
    settings.FOUR_EYES = False
    organiser.post(FINALISE, APPLY)
    assert is_final()
