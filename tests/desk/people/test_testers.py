import pytest
from django.contrib.auth.models import User

from contest.models import AuditEntry, Player, Tester
from contest.rounds import testers
from contest.visibility import Viewer
from tests import cast
from tests.contest.rounds.conftest import a_player
from tests.desk.conftest import BEFORE, member, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("before_round")]
PAGE = "/en/desk/rounds/1/testers/"


@pytest.fixture(autouse=True)
def draft(before_round):
    return cast.a_round(announced_at=None)


@pytest.fixture
def tina(db) -> Player:
    return a_player("Tina", User.objects.create_user("tina"))


@pytest.fixture
def tester(draft, tina) -> Tester:
    return testers.invite(draft, tina, at=BEFORE, by=None)


@pytest.fixture
def observer(db):
    return signed_in(member("observer"))


def shown(client) -> str:
    return client.get(PAGE, follow=True).text


def test_a_tester_is_named_gets_an_address_and_is_removed(organiser, tina):
    assert organiser.post(PAGE, {"nickname": "tina"}).status_code == 302
    assert f"/en/me/tests/{Tester.objects.get().pk}/" in shown(organiser)
    assert "has not agreed yet" in shown(organiser)
    assert organiser.post(PAGE, {"off": str(Tester.objects.get().pk)}).status_code == 302
    assert not Tester.objects.exists()
    assert AuditEntry.objects.first().act == "take tester off"


def test_every_unsuitable_name_gets_the_same_refusal(organiser):
    """No refusal reveals which nicknames have an account, or belong to organisers."""
    a_player("Unowned"), a_player("Linda", member("judge"))
    wrong = []
    for nickname in ("Nobody", "Unowned", "Linda"):
        answer = organiser.post(PAGE, {"nickname": nickname})
        assert answer.status_code == 422
        wrong.append(dict(answer.context["form"].errors))
    assert "testers need their own account" in str(wrong[0])
    assert wrong[0] == wrong[1] == wrong[2]
    assert not Tester.objects.exists()


def test_a_name_given_by_a_tester_is_bound_only_by_organisers_with_write_access(organiser, observer, tina, tester):
    """Rule 4.14."""
    reported = a_player("Told")
    testers.agree(tester, [reported], viewer=Viewer(), at=BEFORE, by=tina.owner)
    text = "They say that Told is also their nickname."
    asked = {"bind": str(tester.pk), "player": str(reported.pk)}
    assert (text in shown(observer), "Name as tester" in shown(observer)) == (True, False)
    for given in (asked, {"nickname": "Told"}):
        assert observer.post(PAGE, given).status_code == 404
    assert organiser.post(PAGE, {**asked, "player": str(tina.pk)}).status_code == 404
    assert organiser.post(PAGE, asked).status_code == 302
    assert reported in tester.names.all()
    assert text not in shown(organiser)
