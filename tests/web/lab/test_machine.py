import pytest

from contest.infra import clock
from contest.models import Round, Search, SearchKind, Slot
from contest.vetting import machine
from tests import cast

pytestmark = pytest.mark.django_db
PAGE = "/en/lab/machine/"


@pytest.fixture
def round_(db):
    round_ = cast.with_settings(cast.a_round(), machine_levels=["main", "extra"], machine_seconds=1_200)
    with clock.set_to(cast.AFTER):
        yield round_


def text(client, url: str) -> str:
    answer = client.get(url)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_before_the_reveal_there_is_the_budget_and_no_outcome_and_without_the_setting_nothing(client, round_):
    with clock.set_to(cast.DURING):
        shown = text(client, "/en/rounds/1/")
        assert client.post(f"{PAGE}1/main/").status_code == 404
        assert "No open challenge" in text(client, PAGE)
    assert "tries to solve, from nothing: Main, Extra; with 1200 CPU seconds for each level." in shown
    assert "There is no result of the machine to show at present." in text(client, "/en/rounds/1/")
    Round.objects.update(settings=round_.settings | {"machine_levels": []})
    assert "Challenge the machine" not in text(client, "/en/rounds/1/")


def test_the_round_shows_each_outcome_beside_the_best_of_humans(client, round_):
    best, (main, extra) = {"lurd": "rR", "moves": 2, "pushes": 1}, round_.levels.order_by("-slot")
    cast.attempt(main, answer="solved", found={"moves": best, "pushes": best})
    cast.attempt(extra)
    cast.enter(round_, "Ann", 1_234, 56, slot=Slot.EXTRA, at=cast.DURING)
    shown = text(client, "/en/rounds/1/")
    assert "<b>solved</b>" in shown
    assert "<b>not found within the budget</b>" in shown
    assert "1,234 / 56" in shown
    assert client.get("/en/rounds/1/main/program/machine/moves.txt").content == b"rR"
    assert client.get("/en/rounds/1/extra/program/machine/").status_code == 404


def test_a_visitor_asks_for_another_attempt_and_reads_why_not(client, round_):
    cast.attempt(round_.levels.get(slot=Slot.MAIN))
    assert "Try again" in text(client, PAGE)
    answer = client.post(f"{PAGE}1/main/")
    assert (answer.status_code, answer["Location"]) == (302, f"{PAGE}#1-main")
    assert Search.objects.filter(kind=SearchKind.MACHINE, task=machine.AGAIN).count() == 1
    assert "An attempt is on its way." in text(client, PAGE)
    assert client.post(f"{PAGE}1/main/").status_code == 409
    assert client.post(f"{PAGE}1/extra/").status_code == 403
    assert client.post(f"{PAGE}9/main/").status_code == 404
