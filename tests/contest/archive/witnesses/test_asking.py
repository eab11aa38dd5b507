"""Other sites countersign ours (rule 24.2); they are simulated here."""

import base64
from datetime import timedelta

import pytest

from contest.archive.witnesses import asking, checkpoints, records
from contest.celery import tasks
from contest.desk import health
from contest.infra import clock, outbound_http
from contest.models import Checkpoint, Witnessing
from contest.rules import merkle, signed_notes
from tests import cast
from tests.contest.archive.test_writer import bind

pytestmark = pytest.mark.django_db
NAME, SEED = "other.example/leitai", b"\5" * 32
URL = "https://other.example/add-checkpoint"
_, KEY = signed_notes.keys_of(NAME, SEED)
TEXT = "text/plain; charset=utf-8"


@pytest.fixture(autouse=True)
def during(settings):
    settings.WITNESSES = [f"{KEY}@{URL}"]
    with clock.set_to(cast.DURING):
        yield


def grow(name: str = "Ada") -> None:
    if not checkpoints.newest():
        cast.a_round()
    cast.send(name, "rR")
    bind()
    checkpoints.make(clock.now())


def answer(monkeypatch, *replies: tuple[int, str]) -> list[str]:
    """Let the witness give *replies*, the last one for good; 200 signs. Return the requests' first lines."""
    left, requests = list(replies), []

    def ask(_url, body, _headers):
        head, _, text = body.decode().partition("\n\n")
        requests.append(head.split("\n")[0])
        status, reply = left.pop(0) if len(left) > 1 else left[0]
        signed = signed_notes.cosign(signed_notes.read(text).body, NAME, SEED, 7) if status == 200 else reply
        return outbound_http.Reply(status, signed, f"HTTP {status}")

    monkeypatch.setattr(outbound_http, "ask", ask)
    return requests


def condition() -> str:
    (line,) = records.report(clock.now())
    return line.condition


def test_another_site_countersigns_ours(settings, monkeypatch):
    settings.WITNESSES = [f"{KEY}@{URL}", "nonsense"]
    seen: list[signed_notes.Checkpoint] = []

    def other(url, body, headers):
        assert url == URL
        head, _, text = body.decode().partition("\n\n")
        first, *lines = head.split("\n")
        offered, size = signed_notes.read(text), seen[-1].size if seen else 0
        if first != f"old {size}":
            return outbound_http.Reply(409, f"{size}\n", "HTTP 409")
        root = seen[-1].root if seen else merkle.EMPTY
        assert merkle.is_consistent(size, offered.size, root, offered.root, list(map(base64.b64decode, lines)))
        seen.append(offered)
        return outbound_http.Reply(200, signed_notes.cosign(offered.body, NAME, SEED, 7), "HTTP 200")

    monkeypatch.setattr(outbound_http, "ask", other)
    for name in ("Ada", "Bo"):
        grow(name)
        assert asking.ask_all() == 1
        assert signed_notes.is_signed_by(signed_notes.read(checkpoints.newest().note), KEY)
        assert asking.ask_all() == 0
    assert [item.size for item in seen] == [2, 3]


_NONSENSE = [(200, "— other.example/leitai AAAAAAAA\n"), (200, "x"), (500, ""), (0, "")]


@pytest.mark.parametrize("reply", _NONSENSE)
def test_a_witness_that_answers_nonsense_changes_nothing(reply, monkeypatch):
    monkeypatch.setattr(outbound_http, "ask", lambda *_: outbound_http.Reply(reply[0], reply[1], "words"))
    grow()
    before = checkpoints.newest().note
    assert asking.ask_all() == 0
    assert (checkpoints.newest().note, condition()) == (before, "late")


def test_a_witness_that_was_down_is_asked_again_until_it_signs(monkeypatch):
    """Rule 24.2: although no new checkpoint was made. The next test holds the wait between two attempts."""
    monkeypatch.setattr(tasks, "is_first", lambda *_: True)
    requests = answer(monkeypatch, (0, ""), (0, ""), (200, ""))
    grow()
    for _ in range(2):
        tasks.advance()
        assert not signed_notes.is_signed_by(signed_notes.read(checkpoints.newest().note), KEY)
    tasks.advance()
    assert signed_notes.is_signed_by(signed_notes.read(checkpoints.newest().note), KEY)
    tasks.advance()
    assert (len(requests), condition()) == (3, "well")


@pytest.mark.parametrize("reply", [(409, "2\n"), (409, "9\n"), (422, "")])
def test_a_witness_that_saw_another_history_is_an_alarm(reply, monkeypatch, caplog):
    """Rule 24.2: another tree of this size, a longer one, or no common beginning."""
    answer(monkeypatch, reply)
    grow()
    assert asking.ask_all() == 0
    assert condition() == "refused"
    assert "it saw another history of this log" in caplog.text
    answer(monkeypatch, (200, ""))
    assert asking.ask_all() == 1
    assert condition() == "well"


def _send(client, size: int, line: str):
    return client.post(f"/checkpoints/{size}/signatures", line, content_type=TEXT)


def test_a_witness_may_send_its_signature_itself(client, settings):
    """A witness of one file has no address that the site could ask."""
    settings.WITNESSES = [str(KEY)]
    grow()
    body = signed_notes.read(checkpoints.newest().note).body
    for at in (7, 8):
        assert _send(client, 2, signed_notes.cosign(body, NAME, SEED, at)).status_code == 200
    assert len(signed_notes.read(checkpoints.newest().note).signatures) == 2
    assert condition() == "well"
    before = checkpoints.newest().note
    stranger = signed_notes.cosign(body, "stranger.example", b"\6" * 32, 7)
    for size, line, status in (
        (2, stranger, 404), (9, stranger, 404), (2, "", 404), (2, "\xff", 404), (2, f"— {NAME} " + "A" * 600, 403),
        (2, signed_notes.cosign(body, NAME, b"\6" * 32, 7), 403), (2, f"— {NAME} AAAAAAAA\n", 403),
        (2, f"— {NAME} x\n— y", 403),
    ):  # fmt: skip
        assert _send(client, size, line).status_code == status, line
    assert checkpoints.newest().note == before


OTHER = "log.example/leitai"
SIGNED, SILENT, REFUSED = Witnessing.Outcome


@pytest.fixture
def seven(settings):
    settings.WITNESSED_LOGS = [str(signed_notes.keys_of(OTHER, SEED)[0])]
    Checkpoint.objects.create(origin=checkpoints.origin(), size=7, root="", note="", made_at=cast.DURING)


def store(outcome, log="", size=7, ago=timedelta(), **fields):
    witness = checkpoints.origin() if log else NAME
    records.store(log or checkpoints.origin(), witness, outcome, size, cast.DURING - ago, **fields)


def _figure() -> health.Figure:
    return next(figure for figure in health.all_figures(cast.DURING) if figure.name == "Witnesses")


@pytest.mark.parametrize(
    ("stored", "light", "words"),
    [
        ([], "amber", f"{NAME} has not signed"),
        ([(SIGNED,)], "green", "2 sign"),
        ([(SIGNED, "", 7, timedelta(days=9))], "green", "2 sign"),
        ([(SIGNED, "", 6, timedelta(hours=2)), (SILENT,)], "green", "2 sign"),
        ([(SIGNED, "", 6, timedelta(hours=4)), (SILENT,)], "amber", f"{NAME} has not signed"),
        ([(SIGNED,), (REFUSED,)], "red", f"{NAME} saw another history of localhost/leitai"),
        ([(SIGNED,), (REFUSED, OTHER)], "red", f"localhost/leitai saw another history of {OTHER}"),
    ],
)
def test_health_has_a_light_for_the_witnesses(seven, stored, light, words):
    for answer in stored:
        store(*answer)
    assert (_figure().light, words in _figure().value) == (light, True), _figure()


def test_a_fork_stays_red_and_is_the_first_task_on_the_desk(seven, organiser):
    store(SIGNED)
    store(REFUSED, OTHER, fork="the checkpoint")
    store(SIGNED, OTHER)
    assert (_figure().light, f"FORK: {OTHER}" in _figure().value) == ("red", True)
    assert f"FORK: {OTHER} has signed two different histories" in organiser.get("/en/desk/").content.decode()
