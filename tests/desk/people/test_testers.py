"""The testers of a round on the desk (rule 4.14)."""

import pytest
from django.contrib.auth.models import User

from contest import players
from contest.models import AuditEntry, Player, Tester
from contest.rounds import testers
from contest.submissions import at_once
from contest.visibility import Viewer
from tests import cast
from tests.desk.conftest import BEFORE, member, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("before_round")]
PAGE = "/en/desk/rounds/1/testers/"


def a_player(nickname: str, owner: User | None = None) -> Player:
    player, _claim = players.create(nickname, country="", email="", at=BEFORE)
    Player.objects.filter(pk=player.pk).update(owner=owner)
    player.refresh_from_db()
    return player


@pytest.fixture(autouse=True)
def draft(before_round):
    return cast.a_round(announced_at=None)


@pytest.fixture
def tina(db) -> Player:
    return a_player("Tina", User.objects.create_user("tina"))


@pytest.fixture
def tester(draft, tina) -> Tester:
    return testers.name(draft, tina, at=BEFORE, by=None)


@pytest.fixture
def observer(db):
    return signed_in(member("observer"))


def shown(client) -> str:
    return client.get(PAGE, follow=True).text


def test_somebody_is_named_told_where_they_go_and_taken_off(organiser, tina):
    assert organiser.post(PAGE, {"nickname": "tina"}).status_code == 302
    assert f"/en/me/tests/{Tester.objects.get().pk}/" in shown(organiser)
    assert "has not agreed yet" in shown(organiser)
    assert organiser.post(PAGE, {"off": str(Tester.objects.get().pk)}).status_code == 302
    assert not Tester.objects.exists()
    assert AuditEntry.objects.first().act == "take tester off"


def test_who_cannot_be_named_is_refused_in_the_same_words(organiser):
    """No refusal reveals which nicknames have an account, or belong to organisers."""
    a_player("Unowned"), a_player("Linda", member("judge"))
    wrong = []
    for nickname in ("Nobody", "Unowned", "Linda"):
        answer = organiser.post(PAGE, {"nickname": nickname})
        assert answer.status_code == 422
        wrong.append(dict(answer.context["form"].errors))
    assert "testers sign in" in str(wrong[0])
    assert wrong[0] == wrong[1] == wrong[2]
    assert not Tester.objects.exists()


def test_what_they_found_is_shown(organiser, draft, tina, tester):
    testers.agree(tester, [], viewer=Viewer(), at=BEFORE, by=tina.owner)
    at_once.enter_as_tester(tester, draft.levels.get(slot="extra"), cast.SOLUTIONS["extra"], at=BEFORE, address="")
    assert "agreed" in shown(organiser)
    assert '<td class="number">5</td>' in shown(organiser)


def test_a_name_given_by_a_tester_is_bound_only_by_organisers_who_may_change_the_round(
    organiser, observer, tina, tester
):
    """Rule 4.14."""
    told = a_player("Told")
    testers.agree(tester, [told], viewer=Viewer(), at=BEFORE, by=tina.owner)
    words = "They say that Told is a name of theirs, too."
    asked = {"bind": str(tester.pk), "player": str(told.pk)}
    assert (words in shown(observer), "Name as tester" in shown(observer)) == (True, False)
    for given in (asked, {"nickname": "Told"}):
        assert observer.post(PAGE, given).status_code == 404
    assert organiser.post(PAGE, {**asked, "player": str(tina.pk)}).status_code == 404
    assert organiser.post(PAGE, asked).status_code == 302
    assert told in tester.names.all()
    assert words not in shown(organiser)


def test_nobody_is_named_for_a_round_that_has_opened(organiser, tina):
    cast.a_round(2, **cast.earlier(9))
    assert "Name as tester" in shown(organiser)
    assert "Name as tester" not in organiser.get("/en/desk/rounds/2/testers/").text
