import json
from datetime import timedelta

import pytest

from contest import judging
from contest.archive import collected, verify
from contest.archive.witnesses import checkpoints
from contest.celery import tasks
from contest.infra import clock
from contest.judging import receipt_chain
from contest.models import ChainLink, Checkpoint, Round, Submission, TreeNode
from contest.rules import merkle, signed_notes
from tests import cast
from tests.contest.archive.conftest import pack
from tests.contest.archive.test_writer import LATER, bind, packed, play, unpacked
from tests.contest.rules.test_merkle import is_included

pytestmark = pytest.mark.django_db


def _leaves() -> list[bytes]:
    return [
        merkle.leaf_hash(bytes.fromhex(leaf))
        for leaf in ChainLink.objects.order_by("position").values_list("leaf", flat=True)
    ]


def fill(count: int) -> None:
    """Create a chain of *count* links without submissions: the tree reads only the links."""
    round_ = cast.a_round()
    rows = [
        Submission(
            receipt_id=f"r{number}", round=round_, player_id=1, sent_as_id=1, text=b"", sha256=f"{number:064}",
            door="api", reader="rle", received_at=cast.DURING, turn_at=cast.DURING,
        )
        for number in range(count)
    ]  # fmt: skip
    first = cast.send("Ada", "rR").submission
    for row in rows:
        row.player_id = row.sent_as_id = first.player_id
    Submission.objects.bulk_create(rows)
    bind()


@pytest.mark.parametrize(
    ("named", "site", "origin"),
    [("", "", "localhost/leitai"), ("", "https://c.example", "c.example/leitai"), ("log", "https://c.example", "log")],
)
def test_the_origin_of_checkpoints_is_the_host_or_the_configured_name(settings, named, site, origin):
    settings.CHECKPOINT_ORIGIN, settings.SITE_URL = named, site
    assert checkpoints.origin() == origin


@pytest.mark.parametrize("count", [254, 255, 600])
def test_the_tree_root_covers_all_leaves(count):
    """Rule 24.2: whatever part of the tree is stored."""
    with clock.set_to(cast.DURING):
        fill(count)
    leaves = _leaves()
    size = len(leaves)
    assert TreeNode.objects.count() == size // 256
    assert receipt_chain.tree_root(size) == merkle.root(leaves)
    assert merkle.join([(1, hash_) for hash_ in receipt_chain.tree_peaks(size)]) == merkle.root(leaves)
    for index in {0, 1, size // 2, size - 1}:
        proof = receipt_chain.inclusion(index, size)
        assert is_included(leaves[index], index, size, proof, merkle.root(leaves))
    for old in {1, 2, 255, 256, size - 1} & set(range(size)):
        proof = receipt_chain.consistency(old, size)
        assert merkle.is_consistent(old, size, merkle.root(leaves[:old]), merkle.root(leaves), proof)


def test_at_most_one_checkpoint_is_made_an_hour_and_only_after_changes(client):
    with clock.set_to(cast.DURING):
        assert client.get("/checkpoint").status_code == 404
        cast.a_round()
        cast.send("Ada", "rR")
        bind()
        tasks.advance()  # by a worker
        assert not checkpoints.make_hourly(clock.now())
    note = signed_notes.read(client.get("/checkpoint").content.decode())
    assert (note.size, note.link) == (2, receipt_chain.newest().link)
    assert note.root == merkle.root(_leaves())
    key = signed_notes.read_key(client.get("/checkpoint/keys").content.decode().splitlines()[0])
    assert signed_notes.is_signed_by(note, key)
    with clock.set_to(cast.DURING + timedelta(hours=2)):
        assert not checkpoints.make(clock.now())


@pytest.fixture
def watched(client):
    play()
    with clock.set_to(cast.DURING):
        checkpoints.make(clock.now())
        cast.submit("Zoe", "rR")
        bind()
        checkpoints.make(clock.now() + timedelta(hours=1))
    with clock.set_to(LATER):
        checkpoints.make(LATER)
        yield unpacked(packed())


@pytest.fixture
def folder(watched, client, tmp_path):
    found = tmp_path / "kept"
    found.mkdir()
    for row in Checkpoint.objects.all():
        (found / f"{row.pk}.txt").write_text(row.note)
    (found / "1.proof").write_bytes(client.get("/checkpoints/proof/11/12").content)
    return found


def verified(tmp_path, files, folder, **given):
    pieces = collected.read_folder(folder, [str(checkpoints.public_keys()[0])])
    path = pack(tmp_path, files)
    return verify.verify(path, trusted=collected.TrustedFacts(checkpoints=tuple(pieces), **given))


def test_collected_checkpoints_agree_with_the_archive(watched, folder, tmp_path):
    report = verified(tmp_path, watched, folder)
    assert report.differences == []
    printed = " ".join(report.trusted)
    assert "Of 3 checkpoints 3 are of this archive's part" in printed
    assert "1 proofs between them hold" in printed
    assert "Its seal is the one that" in printed


def test_a_fork_a_failing_or_unreadable_proof_and_a_foreign_key_are_reported(watched, folder, tmp_path):
    first = Checkpoint.objects.order_by("pk").first()
    body = signed_notes.write(checkpoints.origin(), first.size, b"\7" * 32, "ab" * 32, {})
    signed = f"{body}\n{signed_notes.sign(body, checkpoints.origin(), checkpoints.seed())}"
    (folder / "fork.txt").write_text(signed)
    proof = json.loads((folder / "1.proof").read_text())
    (folder / "1.proof").write_text(json.dumps({**proof, "hashes": proof["hashes"][::-1][:-1]}))
    (folder / "2.proof").write_text("{}")
    foreign = Checkpoint.objects.first()
    body = foreign.note.partition("\n\n")[0] + "\n"
    (folder / "foreign.txt").write_text(f"{body}\n{signed_notes.sign(body, checkpoints.origin(), bytes(32))}")
    found = " ".join(map(str, verified(tmp_path, watched, folder).differences))
    for fault in (
        "is a fork", "the archive is of another history", "does not prove", "cannot be read",
        "is signed by none of the keys",
    ):  # fmt: skip
        assert fault in found


def test_a_stored_seal_and_link_are_compared_with_the_archive(watched, tmp_path, capsys):
    """Rule 24.2: a seal, and links by their numbers."""
    path = pack(tmp_path, watched)
    seal = verify.verify(path).seal
    opening = ChainLink.objects.get(position=0)
    own = ChainLink.objects.exclude(submission=None).order_by("position")
    rejected = own.filter(submission__player__nickname="Cy").first()
    links = [f"--link={row.number or 0}:{row.link}" for row in (opening, own[0], rejected)]
    assert verify.main([str(path), f"--seal={seal}", *links]) == 0
    printed = capsys.readouterr().out
    assert "Its seal is the one you gave." in printed
    assert printed.count("stands in it") == 3
    for wrong in (
        f"--seal={'0' * 64}",
        f"--link=5:{'0' * 64}",
        f"--link={own[0].number}:{own[1].link}",
        f"--link=999:{rejected.link}",
    ):
        assert verify.main([str(path), wrong]) == 1
    with pytest.raises(SystemExit):
        verify.main([str(path), "--link=nonsense"])


def test_a_checkpoint_names_the_time_up_to_which_it_is_complete():
    play()
    with clock.set_to(LATER):
        checkpoints.make(LATER)
        cast.enter(Submission.objects.first().round, "Gap", 2, 1, at=cast.DURING)
    assert signed_notes.read(checkpoints.newest().note).time == "2026-11-23T12:00:00.000000Z"


@pytest.mark.parametrize("is_witnessed", [False, True])
@pytest.mark.parametrize("archive_format", [2, 4])
def test_an_entry_that_an_earlier_checkpoint_lacks_entered_late(archive_format, is_witnessed, tmp_path):
    """Rules 3.3, 24.2: by the time of the site or of a witness, whatever time the entry names."""
    play()
    Round.objects.update(archive_format=archive_format)
    folder, day = tmp_path / "kept", cast.DURING + timedelta(days=1)
    folder.mkdir()
    with clock.set_to(day):
        checkpoints.make(day)
    kept = signed_notes.read(checkpoints.newest().note)
    body = kept.body.replace(f"time {kept.time}\n", "") if is_witnessed else kept.body
    note = f"{body}\n{signed_notes.sign(body, kept.origin, checkpoints.seed())}"
    note += signed_notes.cosign(body, "witness.example/w", bytes(32), int(day.timestamp())) if is_witnessed else ""
    (folder / "1.txt").write_text(note)
    with clock.set_to(cast.OPENS + timedelta(hours=1)):
        cast.send("Late", "rR")
    with clock.set_to(LATER):
        judging.judge_until_empty()
        bind()
        files = unpacked(packed())
    keys = [str(checkpoints.public_keys()[0]), str(signed_notes.keys_of("witness.example/w", bytes(32))[1])]
    pieces = collected.read_folder(folder, keys)
    trusted = collected.TrustedFacts(checkpoints=tuple(pieces))
    found = " ".join(map(str, verify.verify(pack(tmp_path, files), trusted=trusted).differences))
    assert f"submission {Submission.objects.get(player__nickname='Late').number} entered late" in found
