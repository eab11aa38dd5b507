"""The API speaks the language that the request asks for, and English to who asks for none."""

import pytest
from django.conf import settings

from contest.front import doors
from contest.infra import clock
from tests import cast

LARGE = b"x" * (settings.MAX_SUBMISSION_BODY + 1)


def titled(client, language="", **cookies):
    client.cookies.load(cookies)
    headers = {"Accept-Language": language} if language else {}
    answer = client.get("/api/v1/rounds/", headers=headers)
    return answer.json()["results"][0]["title"], answer["Content-Language"]


@pytest.fixture(autouse=True)
def _one_round(db):
    with clock.set_to(cast.DURING):
        cast.a_round()
        yield


@pytest.mark.parametrize("language", ["", "fr", "*", "!"])
def test_who_asks_for_no_language_of_ours_reads_english(client, language):
    assert titled(client, language) == ("Round", "en")


@pytest.mark.parametrize("language", ["zh-Hans", "fr, zh;q=0.5"])
def test_who_asks_for_chinese_reads_chinese(client, language):
    assert titled(client, language) == ("回合", "zh-hans")


def test_a_cookie_chooses_no_language_for_programs(client):
    assert titled(client, **{settings.LANGUAGE_COOKIE_NAME: "zh-hans"}) == ("Round", "en")


@pytest.mark.parametrize(
    ("path", "body"),
    [("nowhere/", ""), ("rounds/?limit=%00", ""), ("check/", LARGE), ("submissions/", "{"), ("submissions/", "{}")],
    ids=["by a view", "by a check of the whole site", "before its body was read", "in a reader", "by its members"],
)
def test_a_refusal_does_so_too_whatever_was_spoken_before(client, path, body):
    def told(**headers):
        send = client.post if body else client.get
        answer = send(
            f"/api/v1/{path}", **({"data": body, "content_type": "application/json"} if body else {}), headers=headers
        )
        return [answer.json()["detail"], *(error["detail"] for error in answer.json()["errors"])]

    assert not any(words.isascii() for words in told(**{"Accept-Language": "zh-Hans"}))
    assert all(words.isascii() for words in told())


def test_a_page_that_is_refused_early_speaks_the_language_of_its_address(client):
    titled(client, "zh-Hans")
    large = b"x" * (doors.most_bytes("/en/submit/") + 1)
    page = client.post("/en/submit/", large, content_type="text/plain")
    assert page.status_code == 413
    assert "This request has" in page.content.decode()
