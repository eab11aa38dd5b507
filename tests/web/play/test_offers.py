from datetime import timedelta

import pytest
from django.test import Client

from contest import judging
from contest.infra import clock
from contest.models import Best, Submission, Verdict
from tests.web import conftest


@pytest.fixture
def hook(running):
    running.levels.get(slot="extra").delete()  # one push solves it in any direction
    return conftest.a_level(running, "#######|#@---##|#-$---#|####.-#|#######", slot="extra2")


@pytest.fixture
def receipt(client, hook, send):
    def sent(moves="lDDrdL", **more):
        send(moves, **more)
        judging.judge_until_empty()
        submission = Submission.objects.latest("number")
        return f"/en/s/{submission.receipt_id}/"

    return sent


def test_accepting_an_offer_submits_the_turned_solution_once_and_now(client, receipt):
    """Rules 5.6, 6.10: pressed twice, it is sent once."""
    address = receipt()
    page = client.get(address).content.decode()
    assert "These moves solve Extra 2 turned clockwise." in page
    assert "Turn it back and submit" in page
    assert not Best.objects.exists()
    pressed = clock.now() + timedelta(minutes=1)
    with clock.set_to(pressed):
        answers = [client.post(f"{address}send/", follow=True) for _time in range(2)]
    first, second = Submission.objects.order_by("number")
    assert all(f"Receipt {second.number}" in answer.content.decode() for answer in answers)
    assert second.received_at == pressed > first.received_at
    judging.judge_until_empty()
    second.refresh_from_db()
    assert (second.verdict, second.level.slot, second.player) == (Verdict.ACCEPTED, "extra2", first.player)


def test_the_receipt_link_alone_cannot_accept_an_offer(client, receipt):
    """Rules 4.11, 7.5: accepting an offer acts as the player; this needs the claim secret."""
    address = receipt()
    secret = client.session["claim"][1]
    stranger = Client()
    page = stranger.get(address).content.decode()
    assert "does not prove the nickname" in page
    assert stranger.post(f"{address}send/").status_code == 409
    assert Submission.objects.count() == 1
    assert stranger.post(f"{address}send/", {"claim": secret}).status_code == 302
    assert Submission.objects.count() == 2


def test_a_solution_of_another_level_is_offered_for_that_level(client, receipt):
    """Rule 6.9."""
    page = client.get(receipt("RR", slot="extra2")).content.decode()
    assert "These moves solve Main." in page
    assert "Submit it for Main" in page


def test_after_the_close_an_offer_is_refused_with_a_message(client, receipt, running):
    """Rules 3.8, 6.10."""
    address = receipt()
    with clock.set_to(running.closes_at):
        answer = client.post(f"{address}send/")
    assert answer.status_code == 409
    assert "Round 7 closed at" in answer.content.decode()
    assert Submission.objects.count() == 1


def test_a_receipt_without_an_offer_cannot_be_sent(client, receipt):
    address = receipt("udud")
    assert "Send it" not in client.get(address).content.decode()
    assert client.post(f"{address}send/").status_code == 404
    assert client.post("/en/s/nothing/send/").status_code == 404
