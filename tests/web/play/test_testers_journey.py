"""A tester's way through the pages, from being named to the round they may not enter (rules 4.10, 4.14)."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from contest import players, rounds
from contest.infra import clock
from contest.models import Player, Round, Submission, Tester
from tests import cast
from tests.desk.conftest import DESK, member, said, signed_in

pytestmark = pytest.mark.django_db
BEFORE = cast.OPENS - timedelta(days=9)


@pytest.fixture
def told(in_english) -> tuple[Client, Client]:
    """The browsers of an organiser and of Told, whom the tester Tina gave as a name of hers after playing a draft."""
    with clock.set_to(BEFORE):
        cast.a_round(announced_at=None)
        tina, _claim = players.create("Tina", country="", email="", at=BEFORE)
        Player.objects.filter(pk=tina.pk).update(owner=User.objects.create_user("tina"))
        players.create("Told", country="", email="", at=BEFORE)
        organiser = signed_in(member("organiser"))
        place = f"{DESK}drafts/{Round.objects.get().pk}/testers/"
        assert organiser.post(place, {"nickname": "Tina"}).status_code == 302
        page = f"/en/me/tests/{Tester.objects.get().pk}/"
        assert f"{page}" in said(organiser.get(place))
        tester = signed_in(User.objects.get(username="tina"))
        assert tester.post(page, {"agrees": "on", "names": "Told"})["Location"] == page
        assert cast.CORRIDOR in said(tester.get(f"{page}main/"))
        assert tester.post(f"{page}main/", {"moves": "rR"})["Location"] == page
        assert "Told is a name of theirs, too." in said(organiser.get(place))
    browser = Client()
    browser.post("/en/claim/", {"proof": cast.claim_of("Told")})
    return organiser, browser


def bind(organiser: Client) -> None:
    asked = {"bind": Tester.objects.get().pk, "player": Player.objects.get(nickname="Told").pk}
    with clock.set_to(BEFORE):
        round_ = Round.objects.get()
        assert organiser.post(f"{DESK}drafts/{round_.pk}/testers/", asked).status_code == 302


def opened(**settings: str) -> None:
    with clock.set_to(BEFORE):
        round_ = Round.objects.get()
        round_.settings = {**round_.settings, **settings}
        rounds.save(round_, at=BEFORE, by=None)
        rounds.announce(round_, at=BEFORE, by=None)


def sent(browser: Client):
    with clock.set_to(cast.DURING):
        return browser.post("/en/submit/", {"moves": "rR", "nickname": "Told"})


def test_a_told_name_that_an_organiser_confirms_is_refused(told):
    organiser, browser = told
    bind(organiser)
    opened()
    answer = sent(browser)
    assert answer.status_code == 403
    assert not Submission.objects.exists()


def test_a_told_name_is_hors_concours_where_the_round_allows_it(told):
    organiser, browser = told
    bind(organiser)
    opened(organisers_may_enter="hors concours")
    assert sent(browser).status_code == 302
    assert Submission.objects.get().is_hors_concours


def test_a_told_name_that_nobody_confirms_enters_as_anybody(told):
    """Else a tester would throw a rival out."""
    _organiser, browser = told
    opened()
    assert sent(browser).status_code == 302
    assert not Submission.objects.get().is_hors_concours
