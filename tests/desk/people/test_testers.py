"""The testers of a round on the desk (rule 4.14)."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from contest import players
from contest.infra import clock
from contest.models import AuditEntry, Player, Tester
from contest.rounds import testers
from contest.submissions import at_once
from contest.templatetags.record import ACT_WORDS
from contest.visibility import Viewer
from tests import cast
from tests.desk.conftest import member, signed_in

pytestmark = pytest.mark.django_db
BEFORE = cast.OPENS - timedelta(days=9)
PAGE = "/en/desk/rounds/1/testers/"


@pytest.fixture(autouse=True)
def draft(db):
    with clock.set_to(BEFORE):
        yield cast.a_round(announced_at=None)


@pytest.fixture
def tina(db) -> Player:
    player, _claim = players.create("Tina", country="", email="", at=BEFORE)
    Player.objects.filter(pk=player.pk).update(owner=User.objects.create_user("tina"))
    return Player.objects.get()


def said(answer) -> str:
    return answer.content.decode()


def test_somebody_is_named_and_the_page_says_where_they_go(organiser, tina):
    assert organiser.post(PAGE, {"nickname": "tina"}).status_code == 302
    assert f"/en/me/tests/{Tester.objects.get().pk}/" in said(organiser.get(PAGE, follow=True))
    assert "has not agreed yet" in said(organiser.get(PAGE, follow=True))
    assert "name tester" in ACT_WORDS


def test_who_cannot_be_named_is_refused_in_the_same_words(organiser):
    """Which nicknames have an account, and whose belong to organisers, is told by no refusal."""
    for nickname in ("Unowned", "Linda"):
        players.create(nickname, country="", email="", at=BEFORE)
    Player.objects.filter(nickname="Linda").update(owner=member("judge"))
    wrong = []
    for nickname in ("Nobody", "Unowned", "Linda"):
        answer = organiser.post(PAGE, {"nickname": nickname})
        assert answer.status_code == 422
        wrong.append(dict(answer.context["form"].errors))
    assert "testers sign in" in str(wrong[0])
    assert wrong[0] == wrong[1] == wrong[2]
    assert not Tester.objects.exists()


def test_what_they_found_is_shown(organiser, draft, tina):
    tester = testers.name(draft, tina, at=BEFORE, by=None)
    testers.agree(tester, [], viewer=Viewer(), at=BEFORE, by=tina.owner)
    at_once.enter_as_tester(tester, draft.levels.get(slot="extra"), cast.SOLUTIONS["extra"], at=BEFORE, address="")
    shown = said(organiser.get(PAGE, follow=True))
    assert "agreed" in shown
    assert '<td class="number">5</td>' in shown


def test_a_name_that_a_tester_told_is_bound_by_who_may_change_the_round(organiser, draft, tina):
    """Rule 4.14."""
    told, _claim = players.create("Told", country="", email="", at=BEFORE)
    tester = testers.name(draft, tina, at=BEFORE, by=None)
    testers.agree(tester, [told], viewer=Viewer(), at=BEFORE, by=tina.owner)
    words = "They say that Told is a name of theirs, too."
    asked = {"bind": str(tester.pk), "player": str(told.pk)}
    observer = signed_in(member("observer"))
    assert words in said(observer.get(PAGE, follow=True))
    assert observer.post(PAGE, asked).status_code == 404
    assert organiser.post(PAGE, {**asked, "player": str(tina.pk)}).status_code == 404
    assert organiser.post(PAGE, asked).status_code == 302
    assert told in tester.names.all()
    assert words not in said(organiser.get(PAGE, follow=True))
    assert "bind names of tester" in ACT_WORDS


def test_somebody_is_taken_off_and_the_record_says_so(organiser, draft, tina):
    tester = testers.name(draft, tina, at=BEFORE, by=None)
    assert organiser.post(PAGE, {"off": str(tester.pk)}).status_code == 302
    assert not Tester.objects.exists()
    assert AuditEntry.objects.first().act == "take tester off"


def test_an_observer_reads_and_names_nobody(draft, tina):
    observer = signed_in(member("observer"))
    assert observer.get(PAGE, follow=True).status_code == 200
    assert "Name as tester" not in said(observer.get(PAGE, follow=True))
    assert observer.post(PAGE, {"nickname": "Tina"}).status_code == 404
    assert not Tester.objects.exists()


def test_nobody_is_named_for_a_round_that_has_opened(organiser, tina):
    cast.a_round(2, **cast.earlier(9))
    assert "Name as tester" not in said(organiser.get("/en/desk/rounds/2/testers/"))
