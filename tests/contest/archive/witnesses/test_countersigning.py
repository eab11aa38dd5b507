import base64

import pytest

from contest.archive.witnesses import asking, checkpoints
from contest.infra import clock, outbound_http
from contest.models import Checkpoint
from contest.rules import merkle, signed_notes
from tests import cast
from tests.contest.archive.test_writer import bind

pytestmark = pytest.mark.django_db
LOG, SEED = "log.example/leitai", b"\5" * 32
LEAVES = [merkle.leaf_hash(bytes([number])) for number in range(20)]
TEXT = "text/plain; charset=utf-8"


def note(size: int, leaves: list[bytes] = LEAVES, seed: bytes = SEED, origin: str = LOG) -> str:
    body = signed_notes.write(origin, size, merkle.root(leaves[:size]), "ab" * 32, {})
    return f"{body}\n{signed_notes.sign(body, origin, seed)}"


def proof(old: int, size: int, leaves: list[bytes] = LEAVES) -> list[bytes]:
    def node(height: int, index: int) -> bytes:
        return merkle.root(leaves[index << height : (index + 1) << height])

    return merkle.consistency(node, old, size)


def asked(client, old: int, size: int, text: str = "", hashes: list[bytes] | None = None):
    hashes = proof(old, size) if hashes is None else hashes
    lines = [f"old {old}", *(base64.b64encode(item).decode() for item in hashes)]
    body = "\n".join(lines) + "\n\n" + (text or note(size))
    return client.post("/add-checkpoint", body, content_type=TEXT)


@pytest.fixture(autouse=True)
def witnessed(settings):
    settings.WITNESSED_LOGS = [str(signed_notes.keys_of(LOG, SEED)[0])]


def test_an_extension_of_the_known_tree_is_countersigned(client):
    """C2SP tlog-witness."""
    _, key = checkpoints.public_keys()
    for old, size in ((0, 5), (5, 5), (5, 13), (13, 20)):
        answer = asked(client, old, size)
        assert answer.status_code == 200
        assert signed_notes.is_signed_by(signed_notes.read(note(size) + answer.content.decode()), key)
    assert Checkpoint.objects.filter(origin=LOG).first().size == 20


def test_a_fork_is_never_countersigned(client):
    """Rule 24.2: neither a different tree of the same size, nor one that grew from a different tree."""
    asked(client, 0, 5)
    other = LEAVES[:4][::-1] + LEAVES[4:]
    assert asked(client, 5, 5, note(5, other), []).status_code == 409
    for hashes in (proof(5, 13, other), proof(5, 13), []):
        assert asked(client, 5, 13, note(13, other), hashes).status_code == 422
    assert asked(client, 0, 13, note(13, other), []).status_code == 409
    assert Checkpoint.objects.get(origin=LOG).size == 5


def test_a_request_with_another_size_gets_the_last_seen_size(client):
    asked(client, 0, 13)
    answer = asked(client, 5, 20)
    assert (answer.status_code, answer.content, answer["Content-Type"]) == (409, b"13\n", "text/x.tlog.size")


def test_unknown_logs_and_unreadable_requests_get_an_error_without_a_signature(client, settings):
    wrong = {
        403: [note(5, seed=b"\6" * 32)],
        404: [note(5, origin="stranger.example/leitai")],
        400: ["x", note(5)[:-1], note(5).replace("\n5\n", "\n-5\n")],
    }
    for status, texts in wrong.items():
        for text in texts:
            assert asked(client, 0, 5, text, []).status_code == status
    for head in ("old x", "old 0\nx", "old 9", "old " + "0" * 19, "old 0" + f"\n{'A' * 43}=" * 64):
        assert client.post("/add-checkpoint", f"{head}\n\n{note(5)}", content_type=TEXT).status_code == 400
    for body in ("", "\n\n", b"\xff\xfe"):
        assert client.post("/add-checkpoint", body, content_type=TEXT).status_code == 400
    assert client.post("/add-checkpoint", b"x" * 80_000, content_type=TEXT).status_code == 413
    settings.WITNESSED_LOGS = []
    assert asked(client, 0, 5).status_code == 404
    assert not Checkpoint.objects.exists()


def test_another_site_countersigns_ours(settings, monkeypatch):
    """The other site is simulated here in a few lines; it remembers our first checkpoint."""
    _, witness = signed_notes.keys_of("other.example/leitai", SEED)
    settings.WITNESSES = [f"{witness}@https://other.example/add-checkpoint", "nonsense"]
    seen: list[signed_notes.Checkpoint] = []

    def other(url, body, headers):
        assert url == "https://other.example/add-checkpoint"
        head, _, text = body.decode().partition("\n\n")
        first, *lines = head.split("\n")
        offered, size = signed_notes.read(text), seen[-1].size if seen else 0
        if first != f"old {size}":
            return outbound_http.Reply(409, f"{size}\n", "HTTP 409")
        root = seen[-1].root if seen else merkle.EMPTY
        assert merkle.is_consistent(size, offered.size, root, offered.root, list(map(base64.b64decode, lines)))
        seen.append(offered)
        return outbound_http.Reply(200, signed_notes.cosign(offered.body, "other.example/leitai", SEED, 7), "HTTP 200")

    monkeypatch.setattr(outbound_http, "ask", other)
    with clock.set_to(cast.DURING):
        cast.a_round()
        for name in ("Ada", "Bo"):
            cast.send(name, "rR")
            bind()
            checkpoints.make(clock.now())
            assert asking.ask_all() == 1
            assert signed_notes.is_signed_by(signed_notes.read(checkpoints.newest().note), witness)
            assert asking.ask_all() == 0
    assert [item.size for item in seen] == [2, 3]


_NONSENSE = [(200, "— other.example/leitai AAAAAAAA\n"), (200, "x"), (500, ""), (0, ""), (409, "9\n")]


@pytest.mark.parametrize("reply", _NONSENSE)
def test_a_witness_that_answers_nonsense_changes_nothing(reply, settings, monkeypatch):
    _, witness = signed_notes.keys_of("other.example/leitai", SEED)
    settings.WITNESSES = [f"{witness}@https://other.example/add-checkpoint"]
    monkeypatch.setattr(outbound_http, "ask", lambda *_: outbound_http.Reply(reply[0], reply[1], "words"))
    with clock.set_to(cast.DURING):
        cast.a_round()
        bind()
        checkpoints.make(clock.now())
    before = checkpoints.newest().note
    assert asking.ask_all() == 0
    assert checkpoints.newest().note == before
