from datetime import timedelta

import pytest
from django.test import Client

from contest.infra import clock
from contest.models import Banner, Player, Question
from tests.desk.conftest import member, signed_in

PAGE = "/en/rounds/7/questions/"


@pytest.fixture
def asked(client, running, send):
    send("RR")
    player = Player.objects.get()
    client.post(PAGE, {"player": player.pk, "text": "May I ask <b>this</b>?"})
    return Question.objects.get()


def test_a_network_asks_a_limited_number_of_questions_under_any_names(cache_of_its_own, settings, running):
    """Rule 25.1: the organisers are few."""
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"contest.question.network": "2/86400s/key"}

    def ask(nickname, address):
        asker = Client(REMOTE_ADDR=address)
        asker.post("/en/submit/", {"moves": "RR", "nickname": nickname})
        player = Player.objects.get(nickname=nickname)
        return asker.post(PAGE, {"player": player.pk, "text": "May I?"})

    assert [ask(f"Ann {number}", f"203.0.113.{number}").status_code for number in (1, 2, 3)] == [302, 302, 422]
    assert ask("Bo", "198.51.100.1").status_code == 302
    assert Question.objects.count() == 3


def test_an_organiser_publishes_an_answer(client, asked):
    """Rule 25.1: readers of the other language see that the answer is not translated."""
    assert "Not answered yet." in client.get(PAGE).text
    organiser = signed_in(member("organiser"))
    page = f"/en/desk/people/questions/{asked.pk}/"
    assert "May I ask &lt;b&gt;this&lt;/b&gt;?" in organiser.get(page).text
    fields = {"answer_zh": "可以。", "answer_en": "", "is_public": "on", "public_text": ""}
    assert "Public version of the question" in organiser.post(page, fields).content.decode()
    organiser.post(page, {**fields, "public_text": "May one ask?"})
    for public in (PAGE, "/en/rounds/7/"):
        text = Client().get(public).content.decode()
        assert "May one ask?" in text
        assert '<span lang="zh-Hans">可以。</span>' in text
        assert "Ann" not in text.partition("May one ask?")[2].partition("</article>")[0]


def test_the_banner_is_on_every_page(client, running):
    """Rule 25.1."""
    at = clock.now()
    Banner.objects.create(text_zh="周日维护", shown_from=at - timedelta(hours=1), shown_until=at + timedelta(hours=1))
    for page in ("", "submit/", "nowhere/"):
        assert '<span lang="zh-Hans">周日维护</span>' in client.get(f"/en/{page}").content.decode()
    Banner.objects.update(shown_until=at)
    assert "周日维护" not in client.get("/en/").content.decode()
