import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from contest.archive.witnesses import checkpoints, records
from contest.infra import clock
from contest.models import ChainLink, Checkpoint, Witnessing
from contest.rules import merkle, signed_notes
from tests import cast
from tests.contest.archive.test_writer import bind
from tests.contest.archive.witnesses import tlog_client
from tests.contest.archive.witnesses.test_checkpoints import fill

pytestmark = pytest.mark.django_db
LOG, SEED = "log.example/leitai", b"\5" * 32
LEAVES = [merkle.leaf_hash(bytes([number])) for number in range(20)]
TEXT = "text/plain; charset=utf-8"
_UNKNOWN = """
    0/000 0/001.p/1 1/000.p/1 64/000.p/1 00/000.p/1 -1/000.p/1 a/000.p/1 0/0.p/1 0/x000/000.p/1 0/000.p/0 0/000.p/01
    0/000.p/256 0/000.p/999 0/000.p/ 0/000.p/1/ entries/000 entries/x000/000.p/1 Entries/000.p/1 0/٠٠٠.p/1
    0/x999/x999/x999/x999/x999/x999/999.p/1 99/x999/000
"""


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
    for head in (
        "old x",
        "old 0\nx",
        "old 9",
        "old 00",
        "old \N{ARABIC-INDIC DIGIT ZERO}",
        "old 0" + f"\n{'A' * 43}=" * 64,
    ):
        assert client.post("/add-checkpoint", f"{head}\n\n{note(5)}", content_type=TEXT).status_code == 400
    for body in ("", "\n\n", b"\xff\xfe"):
        assert client.post("/add-checkpoint", body, content_type=TEXT).status_code == 400
    assert client.post("/add-checkpoint", b"x" * 80_000, content_type=TEXT).status_code == 413
    settings.WITNESSED_LOGS = []
    assert asked(client, 0, 5).status_code == 404
    assert not Checkpoint.objects.exists()


def _line() -> records.Line:
    (line,) = records.report(clock.now())
    return line


def test_a_fork_of_a_witnessed_log_is_kept_as_evidence_and_stays_an_alarm(client, caplog):
    """Rule 24.2: two trees of one size, both signed by the log, even if the second comes long after."""
    for old, size in ((0, 5), (5, 13)):
        asked(client, old, size)
    other = note(5, LEAVES[:4][::-1] + LEAVES[4:])
    assert asked(client, 0, 5, other, []).status_code == 409
    assert "FORK: the log log.example/leitai signed two different trees of size 5" in caplog.text
    assert asked(client, 13, 20).status_code == 200
    assert (_line().condition, _line().signed_size) == ("fork", 20)
    evidence = [Witnessing.objects.get().fork, Checkpoint.objects.get(size=5).note]
    key, _ = signed_notes.keys_of(LOG, SEED)
    first, second = map(signed_notes.read, evidence)
    assert all(signed_notes.is_signed_by(one, key) for one in (first, second))
    assert first.size == second.size
    assert first.root != second.root


def test_a_checkpoint_without_a_proof_is_an_alarm_until_the_log_proves_it(client):
    asked(client, 0, 5)
    assert asked(client, 5, 13, hashes=[]).status_code == 422
    assert _line().condition == "refused"
    asked(client, 5, 13)
    assert (_line().condition, _line().signed_size, _line().witness) == ("well", 13, checkpoints.origin())


def test_signatures_that_strangers_add_to_a_checkpoint_are_not_stored(client):
    junk = "— stranger.example/x AAAAAAAA\n"
    for text in (note(5), note(5) + junk):
        assert asked(client, 5 if Checkpoint.objects.exists() else 0, 5, text, []).status_code == 200
    assert Checkpoint.objects.get().note == note(5)


def test_a_log_that_knows_only_the_specifications_is_countersigned(client, settings):
    """C2SP tlog-witness: every growth of a small log."""
    key, name = Ed25519PrivateKey.generate(), "independent.example/log"
    ours, old = str(checkpoints.public_keys()[1]), 0
    for size in (1, 2, 3, 4, 6, 7, 8, 13, 20):
        root = base64.b64encode(tlog_client.tree_hash(LEAVES[:size])).decode()
        signed, verifier_key = tlog_client.sign_note(f"{name}\n{size}\n{root}\n", name, key)
        settings.WITNESSED_LOGS = [verifier_key]
        body = tlog_client.add_checkpoint(old, LEAVES[:size], signed)
        answer = client.post("/add-checkpoint", body, content_type=TEXT)
        assert answer.status_code == 200, answer.content
        tlog_client.open_note(signed + answer.content.decode(), ours)
        old = size


@pytest.mark.parametrize("count", [0, 253, 254, 600])
def test_a_client_of_the_specification_reads_the_whole_log(client, count):
    """C2SP tlog-tiles: checkpoint, tiles of every level and entries agree."""

    def fetch(path: str) -> bytes:
        answer, kind = client.get(f"/{path}"), TEXT if path == "checkpoint" else "application/octet-stream"
        assert (answer.status_code, answer["Content-Type"]) == (200, kind), path
        return answer.content

    with clock.set_to(cast.DURING):
        fill(count)
        checkpoints.make(clock.now())
    size, leaves = tlog_client.audit(fetch, str(checkpoints.public_keys()[0]))
    assert size == len(leaves) == ChainLink.objects.count() == count + 2


def test_tiles_are_signed_hashes_that_may_be_cached_for_good(client):
    """Rule 24.2: the log reveals no more than the chain's leaves, and nothing that no checkpoint signs yet."""
    with clock.set_to(cast.DURING):
        fill(0)
        assert client.get("/tile/0/000.p/1").status_code == 404
        checkpoints.make(clock.now())
    for level in ("0", "entries"):
        assert client.get(f"/tile/{level}/000.p/2")["Cache-Control"] == "public, max-age=31536000, immutable"
    leaves = ChainLink.objects.order_by("position").values_list("leaf", flat=True)
    assert client.get("/tile/entries/000.p/2").content == b"".join(b"\0 " + bytes.fromhex(leaf) for leaf in leaves)
    with clock.set_to(cast.DURING):
        cast.send("Bo", "rR")
        bind()
    assert client.get("/tile/0/000.p/2").status_code == 200
    assert client.get("/tile/0/000.p/3").status_code == 404


def test_other_spellings_and_missing_tiles_are_unknown(client):
    with clock.set_to(cast.DURING):
        fill(0)
        checkpoints.make(clock.now())
    for path in _UNKNOWN.split():
        assert client.get(f"/tile/{path}").status_code == 404, path
