"""What organisers of some tracks do for the rounds of those as others do for all: second looks."""

from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Disqualification, Player, Round, SecondLook, Track
from contest.staff import members
from tests import cast
from tests.desk.conftest import DESK, member, said, signed_in

pytestmark = pytest.mark.django_db
FINALISE, APPLY = f"{DESK}rounds/1/do/finalise/", {"do": "apply"}


@pytest.fixture(autouse=True)
def _closed(settings):
    """A round of the club's that may become final, on a site that asks for four eyes."""
    settings.FOUR_EYES = True
    for slug in ("club", "school"):
        Track.objects.create(slug=slug, title_zh=slug, title_en=slug.title())
    round_ = cast.a_round(track_id="club")
    cast.enter_all(round_, [("Ann", 9, 3), ("Bo", 8, 4)])
    with clock.set_to(round_.closes_at + timedelta(days=1)):
        yield


def owner_of(track: str, name: str = ""):
    user = member("track-organiser", name or track)
    members.give_role(user, "track-organiser", by=None, tracks=[track])
    return signed_in(user)


@pytest.fixture
def owner():
    return owner_of("club")


@pytest.fixture
def other():
    return owner_of("school")


def waiting() -> str:
    return f"{DESK}second-looks/{SecondLook.objects.waiting().get().pk}/"


def accused() -> dict[str, str]:
    player = Player.objects.get(nickname="Ann")
    return {"player": str(player.pk), "reason_zh": "", "reason_en": "Two names.", "note": "Seen.", **APPLY}


def test_an_owner_of_the_track_gives_the_second_look(organiser, owner):
    """Rule 15.7."""
    organiser.post(FINALISE, APPLY)
    for page in (DESK, f"{DESK}rounds/1/"):
        assert waiting() in said(owner.get(page)), page
    assert "What it would change" in said(owner.post(waiting(), {"do": "look"}))
    assert Round.objects.get().finalised_at is None
    assert owner.post(waiting(), {"do": "confirm"}).status_code == 302
    assert Round.objects.get().finalised_at is not None


def test_an_owner_confirms_a_ruling_or_sends_it_back(organiser, owner):
    for do, rulings in (("send-back", 0), ("confirm", 1)):
        organiser.post(f"{DESK}rounds/1/do/disqualify/", accused())
        assert owner.post(waiting(), {"do": do}).status_code == 302
        assert Disqualification.objects.count() == rulings


def test_an_owner_who_asked_does_not_confirm_but_another_owner_does(owner):
    owner.post(FINALISE, APPLY)
    assert owner.post(waiting(), {"do": "confirm"}).status_code == 422
    assert Round.objects.get().finalised_at is None
    assert owner_of("club", "second").post(waiting(), {"do": "confirm"}).status_code == 302
    assert Round.objects.get().finalised_at is not None


def test_of_another_tracks_second_looks_nothing_is_there(organiser, other):
    """Neither to see, nor to confirm, nor to send back."""
    organiser.post(FINALISE, APPLY)
    assert "waits for a second organiser" not in said(other.get(DESK))
    assert other.get(waiting()).status_code == 404
    for do in ("look", "confirm", "send-back"):
        assert other.post(waiting(), {"do": do}).status_code == 404
    assert SecondLook.objects.waiting().exists()
    assert Round.objects.get().finalised_at is None
