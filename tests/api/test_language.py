"""The API answers in the language of the request, and in English by default."""

import pytest
from django.conf import settings

from contest.front import doors
from contest.infra import clock
from tests import cast

LARGE = b"x" * (settings.MAX_SUBMISSION_BODY + 1)


@pytest.fixture(autouse=True)
def _one_round(db):
    with clock.set_to(cast.DURING):
        cast.a_round()
        yield


@pytest.mark.parametrize(
    ("language", "told"),
    [
        *((language, ("Round", "en")) for language in ("", "fr", "*", "!")),
        *((language, ("回合", "zh-hans")) for language in ("zh-Hans", "fr, zh;q=0.5")),
    ],
)
def test_the_language_is_the_one_asked_for_whatever_a_cookie_says(client, language, told):
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "zh-hans" if told[1] == "en" else "en"
    answer = client.get("/api/v1/rounds/", headers={"Accept-Language": language} if language else {})
    assert (answer.json()["results"][0]["title"], answer["Content-Language"]) == told


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
    client.get("/api/v1/rounds/", headers={"Accept-Language": "zh-Hans"})
    large = b"x" * (doors.most_bytes("/en/submit/") + 1)
    page = client.post("/en/submit/", large, content_type="text/plain")
    assert page.status_code == 413
    assert "This request has" in page.content.decode()
