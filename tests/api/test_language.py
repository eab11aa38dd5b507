import pytest
from django.conf import settings

pytestmark = pytest.mark.usefixtures("during_round")

LARGE = b"x" * (settings.MAX_SUBMISSION_BODY + 1)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        *((language, ("Round", "en")) for language in ("", "xx", "*", "!")),
        *((language, ("回合", "zh-hans")) for language in ("zh-Hans", "xx, zh;q=0.5")),
    ],
)
def test_the_language_follows_the_header_and_not_the_cookie(client, language, expected):
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "zh-hans" if expected[1] == "en" else "en"
    answer = client.get("/api/v1/rounds/", headers={"Accept-Language": language} if language else {})
    assert (answer.json()["results"][0]["title"], answer["Content-Language"]) == expected


@pytest.mark.parametrize(
    ("path", "body"),
    [("nowhere/", ""), ("rounds/?limit=%00", ""), ("check/", LARGE), ("submissions/", "{"), ("submissions/", "{}")],
    ids=["by a view", "by a check of the whole site", "before its body was read", "in a reader", "by its members"],
)
def test_a_refusal_follows_the_header_and_not_the_previous_request(client, path, body):
    def read_details(**headers):
        send = client.post if body else client.get
        answer = send(
            f"/api/v1/{path}", **({"data": body, "content_type": "application/json"} if body else {}), headers=headers
        )
        return [answer.json()["detail"], *(error["detail"] for error in answer.json()["errors"])]

    assert not any(text.isascii() for text in read_details(**{"Accept-Language": "zh-Hans"}))
    assert all(text.isascii() for text in read_details())
