import pytest
from django.urls import reverse

from contest.models import Submission
from contest.web.pages import accepted
from tests import cast

pytestmark = pytest.mark.django_db


def test_hidden_and_unknown_pages_return_the_same_404(client, running, coming):
    for page in ("rounds/8/main/", "rounds/99/", "rounds/7/extra3/", "s/nothing/", "nowhere/"):
        answer = client.get(f"/en/{page}")
        assert answer.status_code == 404
        assert "There is no such page" in answer.content.decode()


def test_a_submission_leads_to_its_receipt_and_shows_the_claim_until_the_verdict(client, running, send):
    page = send("RR").content.decode()
    submission = Submission.objects.get()
    address = f"/en/s/{submission.receipt_id}/"
    assert f"Receipt {submission.number}" in page
    assert submission.sha256 in page
    assert "The nickname is yours now" in page
    assert "The nickname is yours now" in client.get(f"{address}?wait=1").content.decode()
    assert "The nickname is yours now" not in client.get(address).content.decode()


@pytest.mark.parametrize(("moves", "message"), [("RR", "2 moves, 2 pushes"), ("U", "Move 1 (U) walks into a wall.")])
def test_a_waiting_receipt_is_judged_without_a_worker(client, running, send, moves, message):
    send(moves)
    page = client.get(f"/en/s/{Submission.objects.get().receipt_id}/?wait=1&fragment=1").content.decode()
    assert message in page
    assert "<html" not in page


def test_the_browser_remembers_the_nickname(client, running, send):
    send("RR", nickname="Ann")
    assert 'value="Ann"' in client.get("/en/submit/").content.decode()
    assert send("R R", nickname="ann").status_code == 200
    assert Submission.objects.count() == 2


def test_a_foreign_nickname_is_refused_and_the_text_stays_in_the_form(client, running, send):
    send("RR")
    client.cookies.clear()
    answer = send("RRuu", nickname="Ann")
    assert answer.status_code == 409
    assert "RRuu" in answer.content.decode()
    assert 'aria-invalid="true"' in answer.content.decode()


def test_a_late_submission_is_refused_with_a_message(client, closed, send):
    answer = send("R", round="6")
    assert answer.status_code == 409
    assert "Round 6 closed at" in answer.content.decode()
    assert not Submission.objects.exists()


@pytest.mark.parametrize("name", ["Ann/Ben", "50% #1?", "O'Neill & <b>"])
def test_any_author_name_has_a_page(client, name):
    cast.a_round().levels.filter(slot="main").update(author=name)
    assert client.get(reverse("author", args=[name])).context["author"] == name


@pytest.mark.parametrize("by", ["received", "moves"])
def test_each_page_continues_where_the_previous_one_ended(during_round, client, monkeypatch, by):
    """Rule 7.1; pages near the end are queried from the end."""
    monkeypatch.setattr(accepted, "PER_PAGE", 3)
    cast.enter_all(during_round, [("Ann", 30 - moves % 7, 3) for moves in range(11)])
    pages = [client.get(f"/en/rounds/1/submissions/?by={by}&page={page}").context["chosen"] for page in range(1, 5)]
    expected = Submission.objects.order_by(*accepted.ORDERS[by])
    assert [row.pk for page in pages for row in page] == [row.pk for row in expected]
