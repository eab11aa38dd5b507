import base64
import csv
import hashlib
import io
import json
import re
import zipfile
from datetime import datetime, timedelta

import pytest

from contest import judging, results, rounds, visibility
from contest.archive import format as archived
from contest.archive import writer
from contest.infra import clock, rate_limits
from contest.judging import receipt_chain
from contest.models import ChainLink, Door, Player, Round, Slot, Submission
from contest.results import rulings
from contest.visibility import Viewer
from contest.web.sharing import open_data
from contest.wording.bilingual import Reason
from tests import cast
from tests.contest.archive import conftest

pytestmark = pytest.mark.django_db
PAIR = "########|#@$.---#|#-$.---#|########"  # solved by RldR; after R all boxes but one are home
LATER = cast.CLOSES + timedelta(days=1)


def play(number: int = 1, **settings) -> None:
    with clock.set_to(cast.DURING):
        round_ = cast.a_round(number)
        cast.with_settings(round_, **{"spectator": True, "scoring_levels": ["main", "extra"], **settings})
        cast.a_level(round_, Slot.EXTRA2, PAIR, "RldR")
        claims = {}
        for nickname, moves in (
            ("Ada", "rlrR"),
            ("=Bo", "rR"),
            ("阿木", "rR"),
            ("Ada", "rDldR"),
            ("Cy", "lll"),
            ("Cy", "R"),
            ("Dee", "rR"),
            ("Ada", "rRll"),
            ("Eve", "rR"),
            ("Dee", "RldR"),
        ):
            receipt = cast.send(nickname, moves, claim=claims.get(nickname, ""), country="cn")
            claims.setdefault(nickname, receipt.claim or "")
        judging.judge_until_empty()
        bind()
        dee = Player.objects.get(nickname="Dee")
        rulings.disqualify(round_, dee, Reason(en="Copied."), at=cast.DURING, by=None)
        void("Eve", cast.DURING)


def bind() -> None:
    """Append all links. In the single transaction of a test, PostgreSQL cannot know which missing numbers are final."""
    receipt_chain.add(receipt_chain._received_after(receipt_chain._last_number()).order_by("number"))


def void(nickname: str, at: datetime) -> None:
    submission = Submission.objects.get(player__nickname=nickname)
    rulings.void(submission, Reason(en="On request."), at=at, by=None)


def packed(number: int = 1) -> bytes:
    at = clock.now()
    return b"".join(writer.write(writer.of(visibility.archived_rounds(Viewer(), at).get(number=number), at)))


def unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as files:
        return {name: files.read(name) for name in files.namelist()}


def written(at: datetime = LATER, number: int = 1) -> dict[str, bytes]:
    with clock.set_to(at):
        return unpacked(packed(number))


def rows(files: dict[str, bytes], name: str = archived.SUBMISSIONS) -> list[dict]:
    return [json.loads(line) for line in files[name].splitlines()]


def test_an_archive_lists_every_accepted_submission_and_no_rejected_one_and_its_tables_no_formula(archive_files):
    assert [(row["slot"], row["verdict"], row["lurd"], bool(row["void"])) for row in rows(archive_files)] == [
        ("main", "accepted", "rlrR", False),
        ("main", "accepted", "rR", False),
        ("main", "accepted", "rR", False),
        ("extra", "accepted", "rDldR", False),
        ("extra2", "spectator", "R", False),
        ("main", "accepted", "rR", False),
        ("main", "accepted", "rR", False),
        ("main", "accepted", "rR", True),
        ("extra2", "accepted", "RldR", False),
    ]
    assert "cancelled" not in json.loads(
        archive_files["round.json"]
    )  # so that the seal of an older archive still matches
    table = list(csv.DictReader(io.StringIO(archive_files["rankings.csv"].decode("utf-8-sig"))))
    assert [row["name"] for row in table if row["slot"] == "main" and row["by"] == "moves"] == ["'=Bo", "阿木", "Ada"]


@pytest.fixture
def marked():
    """Return a round with submissions that must not be published, with moves that nobody else sent."""
    earlier = cast.a_round(9, **cast.earlier(8))
    play(solutions_public="at_close")
    with clock.set_to(cast.DURING):
        cast.send("Rejected", "u" * 13)
        cast.send("Practice", "rl" * 8 + "rR", round=earlier.number, practice=True)
        cast.send("Withheld", "rl" * 9 + "rR")
        cast.send("Shown", "Solution: " + "rl" * 6 + "rR", door=Door.WEB)
        judging.judge_until_empty()
        bind()
    Submission.objects.filter(player__nickname="Withheld").update(is_unpublished=True)
    with clock.set_to(LATER):
        yield Submission.objects.filter(player__nickname__in=["Rejected", "Practice", "Withheld"])


def test_only_leaves_of_published_moves_are_opened(marked):
    """Rules 4.7, 7.4, 24.1, 24.2: of other submissions the archive contains neither text nor hash nor nonce."""
    Player.objects.update(email="secret@example.org")
    everything = b"".join(unpacked(packed()).values())
    opened = re.findall(rb'"text":"([^"]*)"', everything)
    texts = b"".join(map(base64.b64decode, opened))
    assert b"Solution: rl" in texts
    assert len(marked) == 3
    for hidden in marked.select_related("chain_link"):
        assert bytes(hidden.text) not in texts + everything
        assert base64.b64encode(bytes(hidden.text)) not in everything
        assert not any(secret.encode() in everything for secret in (hidden.sha256, hidden.chain_link.nonce))
        assert hidden.chain_link.leaf.encode() in everything
    for secret in (*Submission.objects.values_list("receipt_id", flat=True), "secret@example.org"):
        assert secret.encode() not in everything


def test_the_first_link_binds_the_facts_at_the_opening(archive_files):
    """Rules 6.14, 24.2: the chain consists only of leaves and links."""
    opening, links = json.loads(archive_files["opening.json"]), rows(archive_files, "chain.jsonl")
    assert (
        b"sealed_answers" not in archive_files["round.json"] + archive_files["opening.json"]
    )  # the bytes as before the feature
    assert opening.keys() == {"round", "opens_at", "closes_at", "settings", "levels", "commitment"}
    line = json.dumps(opening, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    leaf = hashlib.sha256(f"opening|{line}".encode()).hexdigest()
    assert links[0] == {"leaf": leaf, "link": hashlib.sha256(f"{'0' * 64}|{leaf}".encode()).hexdigest()}
    assert {frozenset(row) for row in links} == {frozenset({"leaf", "link"})}


def test_a_round_opened_before_openings_were_bound_keeps_its_format(played):
    """Rule 24.2: so that the seal of its archive still matches."""
    ChainLink.objects.all().delete()
    Round.objects.update(archive_format=1)
    bind()
    files = unpacked(packed())
    assert json.loads(files["manifest.json"])["format"] == 1
    assert set(files) == {"manifest.json", *archived.HASHED[1], *archived.ERASABLE}
    assert set(rows(files)[0]) == {
        "number", "player", "league", "slot", "received_at", "verdict", "moves", "pushes", "sha256", "lurd", "void",
        "is_hors_concours", "is_imported",
    }  # fmt: skip
    assert set(rows(files, "chain.jsonl")[0]) == {"number", "received_at", "sha256", "link"}


def test_an_archive_is_served_from_the_reveal_on_once_every_verdict_and_link_is_there(client):
    play()
    for at in (cast.DURING, LATER):
        with clock.set_to(at):
            assert client.get("/rounds/1/archive.zip").status_code == (200 if at == LATER else 404)
            assert (b"archive.zip" in client.get("/en/rounds/1/").content) is (at == LATER)
    with clock.set_to(cast.DURING):
        cast.send("Fay", "rR")
    with clock.set_to(LATER):
        for do, status in ((lambda: None, 404), (judging.judge_until_empty, 404), (bind, 200)):
            do()
            assert client.get("/rounds/1/archive.zip").status_code == status


@pytest.mark.parametrize(("setting", "moves_later"), [("at_final", 9), ("never", 0)])
def test_the_archive_contains_only_public_moves(setting, moves_later):
    """Rules 7.3, 24.1."""
    play(solutions_public=setting)
    for at, expected in ((LATER, 0), (LATER + timedelta(days=1), moves_later)):
        with clock.set_to(at):
            files = unpacked(packed())
            assert sum(row["lurd"] is not None for row in rows(files)) == expected
            assert (b"rlrR" in files["results.json"] + files["submissions.jsonl"]) == bool(expected)
            if at == LATER:
                results.finalise(Round.objects.get(), at=at, by=None)


def test_withheld_moves_are_nowhere_in_the_archive(played):
    """Rules 15.4, 24.1."""
    results.finalise(Round.objects.get(), at=LATER, by=None)
    Submission.objects.filter(player__nickname="Ada").update(is_unpublished=True)
    files = unpacked(packed())
    assert not any(b"rlrR" in data for data in files.values())
    assert json.loads(files["round.json"])["results"] == "awaiting_revision"


def test_the_results_of_a_final_round_are_its_last_revision_byte_for_byte(played):
    """Rules 14.3, 14.4, 24.1."""
    round_ = Round.objects.get()
    snapshot = results.finalise(round_, at=LATER, by=None)
    files = unpacked(packed())
    assert hashlib.sha256(files["results.json"]).hexdigest() == snapshot.sha256
    void("=Bo", LATER)
    assert json.loads(unpacked(packed())["round.json"])["results"] == "awaiting_revision"
    revised = results.revise(round_, Reason(en="Late ruling."), at=LATER, by=None)
    files = unpacked(packed())
    assert json.loads(files["round.json"])["results"] == "final"
    assert hashlib.sha256(files["results.json"]).hexdigest() == revised.sha256


def test_an_unchanged_archive_is_not_sent_again(played, client):
    first = client.get("/rounds/1/archive.zip")
    assert b"".join(first.streaming_content) == packed()
    etag = first.headers["ETag"]
    assert client.head("/rounds/1/archive.zip").headers["ETag"] == etag
    assert client.get("/rounds/1/archive.zip", headers={"If-None-Match": etag}).status_code == 304
    Player.objects.filter(nickname="Ada").update(nickname="Ida")
    assert client.get("/rounds/1/archive.zip", headers={"If-None-Match": etag}).status_code == 200


def test_its_submissions_and_bytes_count_against_the_address(client, monkeypatch):
    """Rule 5.9: it costs more than the list of the same submissions, also for a 304."""
    play()
    Submission.objects.filter(number=Submission.objects.earliest("number").number).update(text=b"l" * 200_000)
    passes = []
    monkeypatch.setattr(rate_limits, "_pass", lambda gate, amount: passes.append((gate.key.split(":")[0], amount)))
    monkeypatch.setattr(open_data, "ROWS_PER_PASS", 2)
    with clock.set_to(LATER):
        etag = client.get("/rounds/1/archive.zip")["ETag"]
        client.get("/rounds/1/archive.zip", headers={"If-None-Match": etag})
    assert passes == [("lists", 9)] * 2


def test_the_archive_of_a_cancelled_round_has_time_and_reason_but_no_results(played):
    """Rule 7.10: its boards stay."""
    before = unpacked(packed())
    rounds.cancel(Round.objects.get(), Reason(en="A flaw.", zh="有错"), at=clock.now(), by=None)
    files = unpacked(packed())
    about, document = json.loads(files["round.json"]), json.loads(files["results.json"])
    assert about["cancelled"] == {"at": "2026-11-23T12:00:00.000000Z", "reason_en": "A flaw.", "reason_zh": "有错"}
    assert about["results"] == "cancelled"
    assert (document["submissions"], document["rankings"], document["points"]) == ([], {}, [])
    assert (set(document["champions"].values()), document["draw"], document["revision"]) == ({None}, None, 0)
    for name in (archived.BOARDS, archived.SUBMISSIONS, archived.CHAIN, archived.LEVELS):
        assert files[name] == before[name]


def test_an_archive_agrees_with_itself_though_a_ruling_comes_while_it_is_read(played, tmp_path, monkeypatch):
    """Rule 24.1: a verifier would say that the site's tables do not follow from its submissions."""
    read, rulings_left = writer._boards, [lambda: void("阿木", LATER)]

    def read_after_a_ruling(round_):
        while rulings_left:
            rulings_left.pop()()
        return read(round_)

    monkeypatch.setattr(writer, "_boards", read_after_a_ruling)
    files = unpacked(packed())
    assert conftest.differences(tmp_path, files) == []
    assert [row["void"] is not None for row in rows(files) if row["lurd"] == "rR"].count(True) == 2


def test_an_archive_has_no_revision_that_comes_after_its_results_are_read(played):
    round_ = visibility.archived_rounds(Viewer(), LATER).get(number=1)
    results.finalise(round_, at=LATER, by=None)
    contents = writer.of(Round.objects.get(), LATER)
    results.revise(round_, Reason(en="Again."), at=LATER, by=None)
    files = unpacked(b"".join(writer.write(contents)))
    assert [row["revision"] for row in rows(files, archived.REVISIONS)] == [1]
