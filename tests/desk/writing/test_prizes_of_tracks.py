"""Prizes of rounds of one's own tracks: an owner of a track edits those, and of others finds nothing."""

from datetime import timedelta

import pytest

from contest import results
from contest.infra import clock
from contest.models import Player, Prize, Round, Sponsor
from tests import cast
from tests.desk.conftest import DESK, owner_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("after_round")]
WORDS = {"what_zh": "木制推箱子一套", "what_en": "A wooden puzzle"}


@pytest.fixture
def owner(after_round):
    return owner_of("club")


def a_final_round(number: int, track: str, **times) -> Round:
    made = cast.a_round(number, track_id=track, **times)
    cast.enter(made, f"Player{number}", 9, 3, at=made.opens_at + timedelta(hours=1))
    results.finalise(made, at=cast.AFTER, by=None)
    return Round.objects.get(pk=made.pk)


@pytest.fixture
def theirs(owner) -> Prize:
    """What another track gives, with its winner and where it goes."""
    round_ = a_final_round(1, "main", **cast.earlier(10))
    winner = Player.objects.get(nickname="Player1")
    prize = Prize.objects.create(round=round_, what_zh="别人的奖", what_en="NotYours", player=winner)
    Prize.objects.update(contact="12 Goal Street")
    return prize


@pytest.fixture
def own(owner) -> Prize:
    return Prize.objects.create(round=a_final_round(2, "club"), **WORDS)


def test_an_owner_writes_down_changes_and_awards_a_prize_of_their_round(owner):
    round_ = a_final_round(2, "club")
    assert "/desk/prizes/?round=2" in owner.get(f"{DESK}rounds/2/").text
    assert owner.post(f"{DESK}prizes/", {**WORDS, "round": round_.pk}).status_code == 302
    page = f"{DESK}prizes/{Prize.objects.get().pk}/"
    assert "A wooden puzzle" in owner.get(page).text
    assert owner.post(page, {**WORDS, "what_en": "A book", "round": round_.pk, "do": "save"}).status_code == 302
    winner = Player.objects.get()
    assert owner.post(page, {"do": "award", "player": winner.pk}).status_code == 302
    assert (Prize.objects.get().what_en, Prize.objects.get().player) == ("A book", winner)


def test_of_another_tracks_prizes_nothing_is_there(owner, own, theirs):
    shown = owner.get(f"{DESK}prizes/?round=1").text
    assert ("A wooden puzzle" in shown, "NotYours" in shown, "Player1" in shown) == (True, False, False)
    page, before = f"{DESK}prizes/{theirs.pk}/", Prize.objects.filter(pk=theirs.pk).values().get()
    assert owner.get(page).status_code == owner.post(f"{page}contact/").status_code == 404
    for given in ({**WORDS, "round": own.round_id, "do": "save"}, {"do": "award", "player": ""}, {"do": "hand-over"}):
        assert owner.post(page, given).status_code == 404
    assert Prize.objects.filter(pk=theirs.pk).values().get() == before


def test_a_prize_is_neither_made_in_nor_moved_to_a_round_of_another_track(owner, own, theirs):
    given = {**WORDS, "round": theirs.round_id}
    assert owner.post(f"{DESK}prizes/", given).status_code == 422
    assert owner.post(f"{DESK}prizes/{own.pk}/", {**given, "do": "save"}).status_code == 422
    assert list(Prize.objects.filter(round=theirs.round)) == [theirs]
    offered = owner.get(f"{DESK}prizes/").context["form"].fields["round"].queryset
    assert [round_.number for round_ in offered] == [2]


def test_where_a_prize_goes_is_neither_read_nor_ended_by_an_owner(owner, organiser, own):
    """Rule 14.8: organisers of the whole site alone do that."""
    Prize.objects.filter(pk=own.pk).update(player=Player.objects.get(), contact="12 Goal Street")
    page = f"{DESK}prizes/{own.pk}/"
    assert "Where it shall go" not in owner.get(page).text
    assert "Where it shall go" in organiser.get(page).text
    assert owner.post(f"{page}contact/").status_code == owner.post(page, {"do": "hand-over"}).status_code == 404
    assert "12 Goal Street" in organiser.post(f"{page}contact/").text
    assert Prize.objects.get().handed_at is None


def test_a_sponsor_whom_nobody_may_know_yet_is_not_told(owner, organiser, own):
    """Rule 7.4: who gives prizes is public with the first of them."""
    coming = cast.a_round(3, opens_at=cast.AFTER + timedelta(days=9), closes_at=cast.AFTER + timedelta(days=19))
    secret, mine, unused = (Sponsor.objects.create(name=name) for name in ("Secret", "Mine", "Unused"))
    Prize.objects.create(round=coming, sponsor=secret, **WORDS)
    Prize.objects.filter(pk=own.pk).update(sponsor=mine)

    def offered(client) -> set[Sponsor]:
        return set(client.get(f"{DESK}prizes/").context["form"].fields["sponsor"].queryset)

    assert offered(owner) == {mine}
    assert offered(organiser) == {secret, mine, unused}
    assert owner.post(f"{DESK}prizes/", {**WORDS, "round": own.round_id, "sponsor": secret.pk}).status_code == 422
    with clock.set_to(coming.opens_at):
        assert offered(owner) == {secret, mine}
