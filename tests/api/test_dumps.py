import gzip
import hashlib
import json
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from contest.api.feeds import __main__ as process
from contest.api.feeds import bulk, nightly
from contest.api.feeds import lines as listing
from contest.infra import clock, rate_limits
from contest.models import Dump, DumpFile, DumpPiece, Level, Player, Round, SeenSolutions, State, Submission
from contest.players import acts
from solvers.sokoban.formats import read_collection
from tests import cast
from tests.api import contract

NIGHT = timedelta(days=1)


def read_dumps(bot):
    return bot.get("dumps/").json()["results"]


def download(bot, file):
    answer = bot.get(file["url"])
    assert answer.status_code == 200
    return answer.getvalue()


def read_files(bot, dump):
    return {file["name"]: gzip.decompress(download(bot, file)).decode() for file in dump["files"]}


def test_size_checksum_and_line_count_match_the_file(final, english, monkeypatch):
    monkeypatch.setattr(nightly, "_PIECE", 10)
    nightly.make_due(clock.now())
    (dump,) = read_dumps(english)
    for file in dump["files"]:
        packed = download(english, file)
        assert (file["bytes"], file["sha256"]) == (len(packed), hashlib.sha256(packed).hexdigest())
        assert file["lines"] == gzip.decompress(packed).count(b"\n")
        assert english.get(file["url"], **{"If-None-Match": f'"{file["sha256"]}"'}).status_code == 304
    assert DumpPiece.objects.count() > DumpFile.objects.count()
    assert '"round":1' in read_files(english, dump)["archives.ndjson.gz"]
    for path in ("2026-01-01/levels.ndjson.gz", f"{dump['night']}/nothing"):
        assert english.get(f"dumps/{path}").status_code == 404


@pytest.mark.parametrize(
    ("at", "counts"),
    [
        (cast.OPENS - timedelta(seconds=1), [0, 0, 0]),
        (cast.CLOSES - timedelta(microseconds=1), [2, 3, 0]),
        (cast.CLOSES, [2, 3, 3]),
    ],
)
def test_in_each_phase_a_dump_equals_the_public_lists(played, english, at, counts):
    """Rules 7.1 to 7.4."""
    with clock.set_to(at):
        nightly.make_due(at)
        files = read_files(english, read_dumps(english)[0])
        for name, count in zip(("levels", "submissions", "solutions"), counts, strict=True):
            lines = english.get(f"{name}.ndjson").getvalue().decode()
            assert files[f"{name}.ndjson.gz"] == lines
            assert lines.count("\n") == count


def test_a_dump_is_in_english_in_any_process_language(played, english):
    Level.objects.filter(slot="extra").update(voided_at=cast.DURING, void_reason_zh="有误", void_reason_en="A flaw")
    with translation.override("zh-hans"):
        nightly.make_due(clock.now())
    assert "A flaw" in read_files(english, read_dumps(english)[0])["levels.ndjson.gz"]


def test_an_erasure_withdraws_all_older_dumps_at_once(final, english):
    """Rule 15.6."""
    for night in range(2):
        with clock.set_to(cast.AFTER + night * NIGHT):
            nightly.make_due(clock.now())
    with clock.set_to(cast.AFTER + NIGHT):
        listed = read_dumps(english)
        assert len(listed) == 2
        assert all("Bob" in read_files(english, dump)["submissions.ndjson.gz"] for dump in listed)
        acts.erase(Player.objects.get(nickname="Bob"), None)
        assert read_dumps(english) == []
        assert {english.get(file["url"]).status_code for dump in listed for file in dump["files"]} == {404}
        assert nightly.make_due(clock.now())
        (new_dump,) = read_dumps(english)
        assert all("Bob" not in text for text in read_files(english, new_dump).values())
    assert set(DumpPiece.objects.values_list("file__dump", flat=True)) == {Dump.objects.get().pk}


@pytest.mark.parametrize(
    "change",
    [
        lambda: Submission.objects.filter(player__nickname="Bob").update(is_unpublished=True),
        lambda: Round.objects.update(reveal_waits_until=cast.AFTER + NIGHT, finalised_at=None),
        lambda: Round.objects.update(finalised_at=None),
    ],
    ids=["moves are withheld", "what is revealed waits", "no longer final"],
)
def test_data_hidden_again_is_in_no_dump(final, english, change):
    """Rules 3.10, 7.3, 15.4."""
    Round.objects.update(settings={**final.settings, "solutions_public": "at_final"})
    nightly.make_due(clock.now())
    assert len(read_dumps(english)) == 1
    change()
    assert read_dumps(english) == []
    nightly.make_due(clock.now())
    assert read_files(english, read_dumps(english)[0])["solutions.ndjson.gz"].count("\n") < 3


def test_a_player_erased_during_a_dump_is_in_no_dump(final, english, monkeypatch):
    write = nightly._write

    def erasing(dump, name, listed):
        write(dump, name, listed)
        if name == nightly.SOLUTIONS:
            acts.erase(Player.objects.get(nickname="Bob"), None)

    with monkeypatch.context() as patch:
        patch.setattr(nightly, "_write", erasing)
        nightly.make_due(clock.now())
    assert read_dumps(english) == []


def test_the_dump_process_makes_the_dump_or_fails(played, monkeypatch):
    monkeypatch.setattr(process, "Thread", lambda **_options: SimpleNamespace(start=lambda: None))
    monkeypatch.setattr(process.os, "nice", lambda niceness: None)
    monkeypatch.setattr("django.setup", lambda: None)
    process.main()
    assert set(Dump.objects.get().files.values_list("name", flat=True)) == set(nightly.FILES)
    monkeypatch.setattr(nightly, "make_due", {}.__getitem__)
    with pytest.raises(SystemExit):
        process.main()


def test_old_dumps_are_deleted_after_the_configured_nights(final, english, settings):
    settings.DUMPS_KEPT = 2
    for night in range(3):
        with clock.set_to(cast.AFTER + night * NIGHT):
            assert nightly.make_due(clock.now())
            assert not nightly.make_due(clock.now())
            nights = [dump["night"] for dump in read_dumps(english)]
    assert nights == ["2026-11-24", "2026-11-23"]
    settings.DUMPS_KEPT = 0
    with clock.set_to(cast.AFTER + 2 * NIGHT):
        assert not nightly.make_due(clock.now())
    assert not Dump.objects.exists()


def test_only_one_worker_makes_a_dump_and_another_replaces_a_killed_one(final, english, monkeypatch):
    def kill(*_arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(nightly, "_pack", kill)
        with pytest.raises(KeyboardInterrupt):
            nightly.make_due(cast.AFTER)
    assert not nightly.make_due(cast.AFTER + timedelta(minutes=5))
    assert read_dumps(english) == []
    with clock.set_to(cast.AFTER + timedelta(hours=3)):
        assert nightly.make_due(clock.now())
        assert len(read_dumps(english)) == 1
        monkeypatch.setattr(nightly, "_is_due", lambda at: True)  # like a worker that checked just before
        assert not nightly.make_due(clock.now())


def test_a_download_of_moves_is_recorded_for_its_player(final, program, english):
    """Rule 20.3."""
    nightly.make_due(clock.now())
    files = {file["name"]: file for file in read_dumps(program)[0]["files"]}
    download(program, files["submissions.ndjson.gz"])
    download(english, files[nightly.SOLUTIONS])
    assert not SeenSolutions.objects.exists()
    download(program, files[nightly.SOLUTIONS])
    assert SeenSolutions.objects.get().player.nickname == "Robo"


def lines(answer):
    assert answer["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in contract.body_of(answer).splitlines()]


def names(answer):
    return [line["player"]["name"] for line in lines(answer)]


def test_all_public_levels_are_in_a_list_and_the_levels_of_a_round_in_a_file(english, played):
    with clock.set_to(cast.OPENS - timedelta(seconds=1)):
        assert lines(english.get("levels.ndjson")) == []
        assert english.get("rounds/1/levels.sok").status_code == 404
    listed = lines(english.get("levels.ndjson"))
    assert [(line["round"], line["slot"]) for line in listed] == [(1, "main"), (1, "extra")]
    level = english.get("rounds/1/main/").json()
    assert (level.pop("board_version"), level) == (1, listed[0])
    file = read_collection(english.get("rounds/1/levels.sok").content)
    assert [entry.title for entry in file.entries] == ["main of 1", "extra of 1"]


def test_moves_are_listed_once_public_and_the_reader_is_recorded(english, program, played):
    """Rules 6.14, 7.1, 7.3, 15.4, 20.3: without the moves of a solution that must not be published."""
    Submission.objects.filter(player__nickname="Bob").update(is_unpublished=True)
    with clock.set_to(cast.CLOSES - timedelta(microseconds=1)):
        assert {line["sha256"] for line in lines(english.get("submissions.ndjson"))} == {None}
        assert lines(english.get("solutions.ndjson")) == lines(program.get("solutions.ndjson")) == []
    with clock.set_to(cast.CLOSES):
        assert [line["lurd"] for line in lines(english.get("solutions.ndjson"))] == ["rR", "rlrlrR"]
        sent = lines(english.get("submissions.ndjson"))
        assert [line["player"]["name"] for line in sent if line["sha256"]] == ["Ann", "Bob", "Cleo"]
        assert not SeenSolutions.objects.exists()
        program.get("solutions.ndjson")
        assert SeenSolutions.objects.get().player.nickname == "Robo"


@pytest.mark.parametrize("name", ["submissions.ndjson", "solutions.ndjson"])
def test_lines_count_against_the_address_unless_nothing_has_changed(english, played, monkeypatch, name):
    """Rule 5.9: the longest list takes fifteen seconds."""
    monkeypatch.setattr(bulk, "LINES_PER_PASS", 1)
    with clock.set_to(cast.CLOSES):
        etag = english.get(name)["ETag"]
        passes = []
        monkeypatch.setattr(rate_limits, "_pass", lambda _gate, amount: passes.append(amount))
        english.get(name)
        assert english.get(name, **{"If-None-Match": etag}).status_code == 304
        assert passes == [4]

        def refuse(_gate, _amount):
            raise rate_limits.Busy(1, 7)

        monkeypatch.setattr(rate_limits, "_pass", refuse)
        refusal = english.get(name)
        assert (refusal.status_code, refusal["Retry-After"], refusal.json()["code"]) == (429, "7", "quota")
        assert english.get(name, **{"If-None-Match": etag}).status_code == 304


def test_long_solutions_are_read_a_few_at_a_time_and_count_by_their_moves(english, played, monkeypatch):
    """A thousand may have a gigabyte, which one request held in memory."""
    monkeypatch.setattr(listing, "_LETTERS_AT_ONCE", 2)
    monkeypatch.setattr(bulk, "LETTERS_PER_PASS", 2)
    passes = []
    monkeypatch.setattr(rate_limits, "_pass", lambda _gate, amount: passes.append(amount))
    with clock.set_to(cast.CLOSES), CaptureQueriesContext(connection) as queries:
        listed = lines(english.get("solutions.ndjson"))
    reading = [query for query in queries if '"contest_submission"."lurd"' in query["sql"]]
    assert len(reading) == len(listed) > 1
    assert passes == [1 + sum(len(line["lurd"]) for line in listed) // 2]


@pytest.mark.parametrize("chunk", [1, 2])
def test_requests_from_the_last_line_on_read_each_row_once(english, played, monkeypatch, chunk):
    monkeypatch.setattr(bulk, "MOST_LINES", 2)
    monkeypatch.setattr(listing, "_ROWS_AT_ONCE", chunk)
    player_names, since = [], 0
    while part := lines(english.get(f"submissions.ndjson?since={since}")):
        assert len(part) <= 2
        player_names += [line["player"]["name"] for line in part]
        since = part[-1]["number"]
    assert player_names == ["Ann", "Bob", "Cleo"]


def test_the_list_ends_before_the_first_pending_submission(english, played):
    bob = Submission.objects.filter(player__nickname="Bob")
    bob.update(state=State.QUEUED, verdict="", judged_at=None, received_at=clock.now())
    assert names(english.get("submissions.ndjson")) == ["Ann"]
    bob.update(received_at=clock.now() - timedelta(minutes=11))
    assert names(english.get("submissions.ndjson")) == ["Ann", "Cleo"]


@pytest.mark.parametrize("file", ["submissions.ndjson", "solutions.ndjson"])
def test_a_changed_list_is_sent_again(english, played, file):
    before = english.get(file)["ETag"]
    with clock.set_to(cast.CLOSES):
        etag = english.get(file, **{"If-None-Match": before})["ETag"]
        assert etag != before
        assert english.get(file, **{"If-None-Match": etag}).status_code == 304
        Level.objects.filter(slot="main").update(board_version=99)
        assert english.get(file, **{"If-None-Match": etag}).status_code == 200


def test_archives_are_listed_from_the_reveal(english, played, final):
    """Rule 24.1."""
    with clock.set_to(cast.DURING):
        assert english.get("archives/").json() == {"results": []}
    assert [archive["round"] for archive in english.get("archives/").json()["results"]] == [1]
