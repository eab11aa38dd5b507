"""The client library against answers of all kinds; tests/client/test_site.py has it talk to the site."""

import asyncio
import inspect
import json

import httpx
import pytest
from leitai import AsyncClient, Client, NotReceived, Refused

RECEIPT = {"id": "abc", "number": 7, "received_at": "2026-11-21T12:00:00.123456Z", "sha256": "0" * 64, "url": "u"}


class Site:
    """Answers from a list, and remembers what was asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []
        self.slept = []

    def __call__(self, request):
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def client(self, **options):
        http = httpx.Client(transport=httpx.MockTransport(self))
        return Client("http://site.example/", "leitai_x_y", http=http, sleep=self.slept.append, **options)

    def async_client(self, **options):
        async def sleep(seconds):
            self.slept.append(seconds)

        http = httpx.AsyncClient(transport=httpx.MockTransport(self))
        return AsyncClient("http://site.example/", "leitai_x_y", http=http, sleep=sleep, **options)


def json_answer(body, status=200, **headers):
    return httpx.Response(status, json=body, headers={name.replace("_", "-"): value for name, value in headers.items()})


def test_a_submission_carries_token_and_key():
    site = Site(json_answer(RECEIPT, 202))
    receipt = site.client().submit("rR", slot="main")
    request = site.asked[0]
    assert str(request.url) == "http://site.example/api/v1/submissions/"
    assert request.headers["Authorization"] == "Bearer leitai_x_y"
    assert json.loads(request.content) == {"moves": "rR", "slot": "main"}
    assert request.headers["Idempotency-Key"]
    assert (receipt.number, receipt.received_at.microsecond) == (7, 123456)


@pytest.mark.parametrize("trouble", [httpx.ConnectError("refused"), httpx.ReadTimeout("slow"), httpx.Response(503)])
def test_trouble_is_tried_again_with_the_same_key(trouble):
    site = Site(trouble, json_answer(RECEIPT, 202))
    assert site.client().submit("rR").number == 7
    first, second = (request.headers["Idempotency-Key"] for request in site.asked)
    assert first == second
    assert site.slept == [0.5]


def test_trouble_that_stays_is_not_received():
    site = Site(*[httpx.ConnectError("refused")] * 3)
    with pytest.raises(NotReceived, match="refused, tried 3 times"):
        site.client(tries=3).submit("rR")
    assert site.slept == [0.5, 1.0]


def test_the_site_says_how_long_to_wait():
    site = Site(json_answer({"code": "quota"}, 429, Retry_After="17"), json_answer(RECEIPT, 202))
    site.client().submit("rR")
    assert site.slept == [17.0]


def test_a_wait_of_an_hour_is_cut_to_a_minute():
    site = Site(json_answer({"code": "quota"}, 429, Retry_After="3600"), json_answer(RECEIPT, 202))
    site.client().submit("rR")
    assert site.slept == [60.0]


def test_a_refusal_has_code_words_and_fields():
    problem = {"code": "name_taken", "detail": "Taken.", "errors": [{"field": "nickname"}]}
    site = Site(json_answer(problem, 409))
    with pytest.raises(Refused, match="Taken") as refused:
        site.client().submit("rR")
    assert (refused.value.code, refused.value.status, refused.value.errors) == (
        "name_taken",
        409,
        [{"field": "nickname"}],
    )


def test_a_page_instead_of_json_is_no_leitai_site():
    with pytest.raises(Refused, match="not the answer of a Leitai site"):
        list(Site(httpx.Response(200, text="<html>")).client().rounds())


def test_pages_are_followed():
    def a_round(number):
        at = RECEIPT["received_at"]
        return {"number": number, "phase": "final", "opens_at": at, "closes_at": at}

    following = "http://site.example/api/v1/rounds/?cursor=before-2"
    site = Site(
        json_answer({"next": following, "previous": None, "results": [a_round(2)]}),
        json_answer({"next": None, "previous": None, "results": [a_round(1)]}),
    )
    assert [round_.number for round_ in site.client().rounds()] == [2, 1]
    assert str(site.asked[1].url) == following


def test_a_token_goes_to_its_own_site_only():
    """A page's address could name another host; the key must not travel there."""
    elsewhere = {"next": "http://evil.example/api/v1/rounds/", "previous": None, "results": []}
    with pytest.raises(Refused, match="another site"):
        list(Site(json_answer(elsewhere)).client().rounds())


def test_what_the_site_adds_later_is_kept():
    site = Site(json_answer({"number": 1, "state": "judged", "verdict": "accepted", "new": 5}))
    submission = site.client().submission("abc")
    assert submission.is_judged
    assert submission.extra == {"new": 5}


def test_waiting_ends_with_the_verdict():
    pending = {"number": 1, "state": "queued", "verdict": "pending"}
    judged = {"number": 1, "state": "judged", "verdict": "accepted"}
    site = Site(json_answer(pending), json_answer(judged))
    assert site.client().verdict("abc").verdict == "accepted"
    assert [request.url.query for request in site.asked] == [b"wait=5", b"wait=5"]


def test_a_site_too_busy_to_wait_is_not_asked_again_at_once():
    pending = {"number": 1, "state": "queued", "verdict": "pending"}
    site = Site(json_answer(pending), json_answer({"number": 1, "state": "judged", "verdict": "accepted"}))
    site.client().verdict("abc")
    assert len(site.slept) == 1
    assert 0.5 < site.slept[0] <= 1


def test_a_batch_is_answered_item_by_item():
    problem = {"status": 409, "code": "late", "detail": "Late.", "errors": []}
    site = Site(json_answer({"results": [RECEIPT, problem]}, 207))
    receipt, refused = site.client().submit_all([{"moves": "rR"}, {"moves": "r", "idempotency_key": "k"}])
    assert (receipt.number, refused.code, refused.status) == (7, "late", 409)
    sent = json.loads(site.asked[0].content)["submissions"]
    assert sent[0]["idempotency_key"]
    assert sent[1] == {"moves": "r", "idempotency_key": "k"}


def _event(number):
    return {"number": number, "kind": "opened", "at": "2026-11-21T12:00:00.000000Z", "round": 7}


def _lines(*objects):
    text = "".join(json.dumps(one) + "\n" for one in objects)
    return httpx.Response(200, text=text, headers={"Content-Type": "application/x-ndjson"})


def test_events_are_followed_each_once_from_the_last_one():
    site = Site(_lines(_event(4), _event(5)), _lines(), _lines(_event(6)))
    following = site.client().follow(3)
    assert [next(following).number for _ in range(3)] == [4, 5, 6]
    assert [request.url.params["after"] for request in site.asked] == ["3", "5", "5"]
    assert len(site.slept) == 1  # nothing had happened, and the site had not let it wait


def test_a_list_without_pages_is_read_to_its_end():
    def row(rank):
        return {"rank": rank, "player": {"name": "Ada"}, "moves": 2, "pushes": 1, "received_at": RECEIPT["received_at"]}

    pages = [json_answer({"count": 3, "results": [row(1), row(2)]}), json_answer({"count": 3, "results": [row(3)]})]
    site = Site(*pages)
    assert [one.rank for one in site.client().standings(7)] == [1, 2, 3]
    assert [request.url.params["start"] for request in site.asked] == ["0", "2"]


def test_a_shape_is_the_object_again():
    given = {"number": 1, "state": "judged", "verdict": "accepted", "new": 5}
    assert given.items() <= Site(json_answer(given)).client().submission("abc").as_json().items()


def test_a_file_that_is_refused_is_refused_in_words():
    with pytest.raises(Refused, match="Nothing"):
        Site(json_answer({"detail": "Nothing here."}, 404)).client().levels_file(99)


# The twin


def test_the_twin_has_the_same_methods_with_the_same_arguments():
    def methods(kind):
        return {
            name: list(inspect.signature(method).parameters)
            for name, method in inspect.getmembers(kind, inspect.isfunction)
            if not name.startswith("_")
        }

    assert methods(AsyncClient) == methods(Client)


def test_the_twin_tries_again_with_the_same_key():
    site = Site(httpx.ConnectError("refused"), httpx.Response(503), json_answer(RECEIPT, 202))

    async def talk():
        async with site.async_client() as client:
            return await client.submit("rR")

    assert asyncio.run(talk()).number == 7
    assert len({request.headers["Idempotency-Key"] for request in site.asked}) == 1
    assert site.slept == [0.5, 1.0]


def test_the_twin_follows_pages_and_events():
    def a_round(number):
        at = RECEIPT["received_at"]
        return {"number": number, "phase": "open", "opens_at": at, "closes_at": at}

    following = "http://site.example/api/v1/rounds/?cursor=before-2"
    site = Site(
        json_answer({"next": following, "previous": None, "results": [a_round(2)]}),
        json_answer({"next": None, "previous": None, "results": [a_round(1)]}),
        _lines(_event(1), _event(2)),
    )

    async def talk():
        client = site.async_client()
        rounds = [round_.number async for round_ in client.rounds()]
        following = client.follow()
        return rounds, [(await anext(following)).number for _ in range(2)]

    assert asyncio.run(talk()) == ([2, 1], [1, 2])


def test_the_twin_waits_for_the_verdict():
    pending = {"number": 1, "state": "queued", "verdict": "pending"}
    site = Site(json_answer(pending), json_answer({"number": 1, "state": "judged", "verdict": "accepted"}))
    assert asyncio.run(site.async_client().verdict("abc")).verdict == "accepted"
