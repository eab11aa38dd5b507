"""The client library with all kinds of responses; tests/client/test_site.py uses it with the real site."""

import asyncio
import inspect
import json
from types import SimpleNamespace

import httpx
import pytest
from leitai import AsyncClient, Client, LeitaiError, NotReceived, Refused

AT = "2026-11-21T12:00:00.123456Z"
RECEIPT = {"id": "abc", "number": 7, "received_at": AT, "sha256": "0" * 64, "url": "u"}
PENDING = {"number": 1, "state": "queued", "verdict": "pending"}
ADA = {"number": 3, "name": "Ada", "country": "GB", "league": "human"}
JUDGED = {"number": 1, "state": "judged", "verdict": "accepted"}


class Site:
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
        # A token may have a line end, as files have it.
        return Client("http://site.example/", " leitai_x_y\r\n", http=http, sleep=self.slept.append, **options)

    def async_client(self, **options):
        async def sleep(seconds):
            self.slept.append(seconds)

        http = httpx.AsyncClient(transport=httpx.MockTransport(self))
        return AsyncClient("http://site.example/", "leitai_x_y", http=http, sleep=sleep, **options)


def json_answer(body, status=200, **headers):
    return httpx.Response(status, json=body, headers={name.replace("_", "-"): value for name, value in headers.items()})


@pytest.fixture(autouse=True)
def _stopped(monkeypatch):
    monkeypatch.setattr("leitai.talking.time", SimpleNamespace(monotonic=lambda: 0.0))


def test_a_submission_carries_token_and_key():
    site = Site(json_answer(RECEIPT, 202))
    receipt = site.client().submit("rR", slot="main")
    request = site.asked[0]
    assert str(request.url) == "http://site.example/api/v1/submissions/"
    assert request.headers["Authorization"] == "Bearer leitai_x_y"
    assert json.loads(request.content) == {"moves": "rR", "slot": "main"}
    assert request.headers["Idempotency-Key"]
    assert (receipt.number, receipt.received_at.microsecond) == (7, 123456)


@pytest.mark.parametrize("address", ["contest.example", "http://", "ftp://contest.example", "http://[::1", "h\x00"])
def test_an_address_of_no_site_and_a_key_that_no_header_carries_are_refused(address):
    with pytest.raises(LeitaiError, match=r"such as https://contest\.example"):
        Client(address)
    with pytest.raises(LeitaiError, match="The key has a character"):
        Site().client().submit("rR", idempotency_key="schlüssel")


def test_an_error_names_the_address_without_its_password():
    site = Site(httpx.ConnectError("refused"))
    client = Client("http://me:secret@site.example", tries=1, http=httpx.Client(transport=httpx.MockTransport(site)))
    with pytest.raises(NotReceived, match=r"^GET http://site\.example/api/v1/tracks/: refused, tried 1 time$"):
        client.tracks()


@pytest.mark.parametrize("trouble", [httpx.ConnectError("refused"), httpx.ReadTimeout("slow"), httpx.Response(503)])
def test_a_failed_request_is_retried_with_the_same_key(trouble):
    site = Site(trouble, json_answer(RECEIPT, 202))
    assert site.client().submit("rR").number == 7
    first, second = (request.headers["Idempotency-Key"] for request in site.asked)
    assert first == second
    assert site.slept == [0.5]


def test_a_retry_after_not_received_has_the_same_key():
    site = Site(httpx.ConnectError("refused"), json_answer(RECEIPT, 202), json_answer(RECEIPT, 202))
    client = site.client(tries=1)
    with pytest.raises(NotReceived) as failed:
        client.submit("rR")
    client.submit("rR", idempotency_key=failed.value.idempotency_key)
    assert client.send(failed.value.call).number == 7
    assert {request.headers["Idempotency-Key"] for request in site.asked} == {failed.value.idempotency_key}


@pytest.mark.parametrize(("header", "seconds"), [("17", 17.0), ("3600", 60.0)])
def test_retry_after_is_respected_up_to_a_minute(header, seconds):
    site = Site(json_answer({"code": "quota"}, 429, Retry_After=header), json_answer(RECEIPT, 202))
    site.client().submit("rR")
    assert site.slept == [seconds]
    with pytest.raises(Refused) as refused:
        Site(json_answer({"code": "quota"}, 429)).client(tries=1).submit("rR")
    assert refused.value.code == "quota"


def test_a_refusal_has_a_code_a_message_and_fields():
    errors = [{"field": "nickname"}]
    site = Site(json_answer({"code": "name_taken", "detail": "Taken.", "errors": errors}, 409))
    with pytest.raises(Refused, match="Taken") as refused:
        site.client().submit("rR")
    assert (refused.value.code, refused.value.status, refused.value.errors) == ("name_taken", 409, errors)
    with pytest.raises(Refused, match="Nothing"):
        Site(json_answer({"detail": "Nothing here."}, 404)).client().collection_file("nothing")
    with pytest.raises(Refused, match="not the answer of a Leitai site"):
        list(Site(httpx.Response(200, text="<html>")).client().rounds())


def test_only_open_rounds_are_requested():
    rows = [{"number": 8, "phase": "open", "opens_at": AT, "closes_at": AT, "track": name} for name in ("b", "main")]
    site = Site(*[json_answer({"next": None, "results": rows}) for _request in range(3)])
    found = [site.client().round(track=track) for track in ("main", "b", "c")]
    assert [round_ and round_.track for round_ in found] == ["main", "b", None]
    assert [dict(request.url.params) for request in site.asked] == [{"phase": "open"}] * 3


@pytest.mark.parametrize(
    ("ask", "name"),
    [
        (lambda client: list(client.rounds(track="nope")), "Track nope"),
        (lambda client: list(client.standings(7, "extra9")), "Level 7/extra9"),
        (lambda client: client.open_sealed("leitai-sealed-1\n99/main"), "Round 99"),
    ],
)
def test_a_missing_object_is_named_with_the_place_to_look(ask, name):
    site = Site(json_answer({"code": "not_found", "detail": "There is nothing at this URL."}, 404))
    with pytest.raises(Refused, match=rf"^{name} does not exist or is not public yet\. .*leitai rounds") as refused:
        ask(site.client())
    assert (refused.value.code, refused.value.status) == ("not_found", 404)


def pages_of_rounds():
    rounds = [{"number": number, "phase": "final", "opens_at": AT, "closes_at": AT} for number in (2, 1)]
    following = "http://site.example/api/v1/rounds/?cursor=before-2"
    return [
        json_answer({"next": link, "results": [round_]}) for link, round_ in zip([following, None], rounds, strict=True)
    ]


def test_pages_are_followed_only_on_the_same_site():
    """A page's URL could name another host; the key must not be sent there."""
    site = Site(*pages_of_rounds())
    assert [round_.number for round_ in site.client().rounds()] == [2, 1]
    assert str(site.asked[1].url) == "http://site.example/api/v1/rounds/?cursor=before-2"
    elsewhere = {"next": "http://evil.example/api/v1/rounds/", "previous": None, "results": []}
    with pytest.raises(Refused, match="another site"):
        list(Site(json_answer(elsewhere)).client().rounds())


def test_a_list_without_pages_is_read_to_its_end():
    def row(rank):
        return {"rank": rank, "player": ADA, "moves": 2, "pushes": 1, "received_at": AT}

    ranks = range(1, 301), range(301, 401)
    site = Site(*[json_answer({"count": 400, "results": [row(rank) for rank in page]}) for page in ranks])
    assert [row_.rank for row_ in site.client().standings(7)] == list(range(1, 401))
    assert [request.url.params["start"] for request in site.asked] == ["0", "300"]


def test_an_accepted_submission_has_its_members_as_attributes():
    row = {"number": 4, "player": ADA, "moves": 2, "pushes": 1, "received_at": AT, "slot": "main"}
    (accepted,) = Site(json_answer({"next": None, "results": [row]})).client().submissions(7)
    assert (accepted.number, accepted.player.name, accepted.slot, accepted.extra) == (4, "Ada", "main", {})
    assert row.items() <= accepted.as_json().items()


def test_players_and_champions_are_objects_and_become_the_same_json_again():
    row = {"place": 1, "player": ADA, "move_half_points": 4, "push_half_points": 3, "titles": ["MMC"]}
    document = {"round": 7, "preview": False, "provisional": False, "revision": 1, "points": [row], "lucky_player": ADA}
    document["champions"] = {"moves": {**ADA, "new": 5}, "pushes": None, "second": ADA}
    results = Site(json_answer(document)).client().results(7)
    assert (results.champions.moves.name, results.champions.pushes, results.lucky_player.number) == ("Ada", None, 3)
    assert (results.points[0].player.league, results.champions.moves.extra) == ("human", {"new": 5})
    assert results.as_json() == document


def test_polling_ends_with_the_verdict_and_pauses_if_the_site_did_not_wait():
    site = Site(json_answer(PENDING), json_answer(JUDGED))
    assert site.client().verdict("abc").verdict == "accepted"
    assert [request.url.query for request in site.asked] == [b"wait=5", b"wait=5"]
    assert site.slept == [1.0]


def test_a_batch_is_answered_item_by_item():
    problem = {"status": 409, "code": "late", "detail": "Late.", "errors": []}
    site = Site(json_answer({"results": [RECEIPT, problem]}, 207))
    receipt, refused = site.client().submit_all([{"moves": "rR"}, {"moves": "r", "idempotency_key": "k"}])
    assert (receipt.number, refused.code, refused.status) == (7, "late", 409)
    sent = json.loads(site.asked[0].content)["submissions"]
    assert sent[0]["idempotency_key"]
    assert sent[1] == {"moves": "r", "idempotency_key": "k"}


def events(*numbers):
    event_lines = [json.dumps({"number": number, "kind": "opened", "at": AT, "round": 7}) + "\n" for number in numbers]
    return httpx.Response(200, text="".join(event_lines), headers={"Content-Type": "application/x-ndjson"})


def test_events_are_followed_once_each_from_the_last_number():
    site = Site(events(4, 5), events(), events(6))
    following = site.client().follow(3)
    assert [next(following).number for _ in range(3)] == [4, 5, 6]
    assert [request.url.params["after"] for request in site.asked] == ["3", "5", "5"]
    assert len(site.slept) == 1  # nothing had happened, and the site had not made it wait


def test_the_async_client_has_the_same_methods_and_arguments():
    def methods(kind):
        return {
            name: list(inspect.signature(method).parameters)
            for name, method in inspect.getmembers(kind, inspect.isfunction)
            if not name.startswith("_")
        }

    assert methods(AsyncClient) == methods(Client)


def test_the_async_client_retries_pages_follows_and_waits():
    trouble = [httpx.ConnectError("refused"), httpx.Response(503)]
    verdict = [json_answer(PENDING), json_answer(JUDGED)]
    site = Site(*trouble, json_answer(RECEIPT, 202), *pages_of_rounds(), events(1, 2), *verdict)

    async def talk():
        async with site.async_client() as client:
            assert (await client.submit("rR")).number == 7
            assert [round_.number async for round_ in client.rounds()] == [2, 1]
            following = client.follow()
            assert [(await anext(following)).number for _ in range(2)] == [1, 2]
            assert (await client.verdict("abc")).verdict == "accepted"

    asyncio.run(talk())
    assert len({request.headers["Idempotency-Key"] for request in site.asked[:3]}) == 1
    assert site.slept == [0.5, 1.0, 1.0]


@pytest.mark.parametrize("token", ["leitai_x\ny", "leitai_x\x00y", "leitai_x…"])
def test_a_token_that_no_header_can_carry_is_refused_without_being_shown(token):
    """The error of the HTTP library quotes the header, and `leitai mcp` shows errors to the model."""
    with pytest.raises(LeitaiError, match="token") as refusal:
        Client("http://site.example/", token)
    assert "leitai_x" not in str(refusal.value)
