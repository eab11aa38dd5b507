"""Each night's dump: what everybody may read, with checksums, and nothing that was taken back since."""

import gzip
import hashlib
from datetime import timedelta
from types import SimpleNamespace

import pytest

from contest import judging, results
from contest.api.feeds import __main__ as feeds
from contest.api.feeds import nightly
from contest.infra import clock
from contest.models import Dump, DumpFile, DumpPiece, Player, Round, SeenSolutions, Submission
from contest.players import acts
from tests import cast

NIGHT = timedelta(days=1)


@pytest.fixture
def played(round_):
    for name, moves in (("Ann", "rR"), ("Bob", "rlrR"), ("Cleo", "rlrlrR"), ("Dora", "u")):
        cast.send(name, moves)
    judging.judge_until_empty()
    return round_


@pytest.fixture
def final(played):
    """The round is final, its moves are public."""
    with clock.set_to(cast.AFTER):
        results.finalise(played, at=cast.AFTER, by=None)
        Round.objects.update(complete_at=cast.AFTER)
        yield played


def offered(bot):
    return bot.get("dumps/").json()["results"]


def take(bot, file):
    """The bytes of a file, as they are sent."""
    answer = bot.get(file["url"])
    assert answer.status_code == 200
    return answer.getvalue()


def texts(bot, dump):
    """What the files of a dump say, by name."""
    return {file["name"]: gzip.decompress(take(bot, file)).decode() for file in dump["files"]}


def test_a_dump_has_the_lines_of_the_lists(final, english):
    assert nightly.make_due(clock.now())
    (dump,) = offered(english)
    said = texts(english, dump)
    for name in ("levels", "submissions", "solutions"):
        assert said[f"{name}.ndjson.gz"] == english.get(f"{name}.ndjson").getvalue().decode()
    assert said["solutions.ndjson.gz"].count("\n") == 3
    assert '"round":1' in said["archives.ndjson.gz"]


def test_size_checksum_and_lines_are_those_of_what_is_sent(final, english, monkeypatch):
    monkeypatch.setattr(nightly, "_PIECE", 10)
    nightly.make_due(clock.now())
    for file in offered(english)[0]["files"]:
        packed = take(english, file)
        assert (file["bytes"], file["sha256"]) == (len(packed), hashlib.sha256(packed).hexdigest())
        assert file["lines"] == gzip.decompress(packed).count(b"\n")
    assert DumpPiece.objects.count() > DumpFile.objects.count()


@pytest.mark.parametrize(
    ("at", "counts"),
    [
        (cast.OPENS - timedelta(seconds=1), [0, 0, 0]),
        (cast.CLOSES - timedelta(microseconds=1), [2, 3, 0]),
        (cast.CLOSES, [2, 3, 3]),
    ],
)
def test_in_every_phase_a_dump_says_what_the_lists_say_to_everybody(played, english, at, counts):
    """Rules 7.1 to 7.4."""
    with clock.set_to(at):
        nightly.make_due(at)
        said = texts(english, offered(english)[0])
        for name, count in zip(("levels", "submissions", "solutions"), counts, strict=True):
            lines = english.get(f"{name}.ndjson").getvalue().decode()
            assert said[f"{name}.ndjson.gz"] == lines
            assert lines.count("\n") == count


def test_an_erasure_withdraws_every_older_dump_at_once(final, english):
    """Rule 15.6."""
    for night in range(2):
        with clock.set_to(cast.AFTER + night * NIGHT):
            nightly.make_due(clock.now())
    with clock.set_to(cast.AFTER + NIGHT):
        listed = offered(english)
        assert len(listed) == 2
        assert all("Bob" in texts(english, dump)["submissions.ndjson.gz"] for dump in listed)
        acts.erase(Player.objects.get(nickname="Bob"), None)
        assert offered(english) == []
        for dump in listed:
            for file in dump["files"]:
                assert english.get(file["url"]).status_code == 404
        assert nightly.make_due(clock.now())
        (anew,) = offered(english)
        assert all("Bob" not in text for text in texts(english, anew).values())
    assert Dump.objects.count() == 1
    assert set(DumpPiece.objects.values_list("file__dump", flat=True)) == {Dump.objects.get().pk}


def test_moves_that_are_withheld_withdraw_what_held_them(final, english):
    """Rule 15.4."""
    nightly.make_due(clock.now())
    Submission.objects.filter(player__nickname="Bob").update(is_unpublished=True)
    assert offered(english) == []
    nightly.make_due(clock.now())
    assert texts(english, offered(english)[0])["solutions.ndjson.gz"].count("\n") == 2


@pytest.mark.parametrize(
    "change",
    [{"reveal_waits_until": cast.AFTER + NIGHT, "finalised_at": None}, {"finalised_at": None}],
    ids=["what is revealed waits", "no longer final"],
)
def test_what_is_hidden_again_is_in_no_dump_any_more(final, english, change):
    """Rules 3.10, 7.3."""
    settings = {**final.settings, "solutions_public": "at_final"}
    Round.objects.update(settings=settings)
    nightly.make_due(clock.now())
    assert len(offered(english)) == 1
    Round.objects.update(**change)
    assert offered(english) == []


def test_who_is_erased_while_a_dump_is_made_is_in_none(final, english, monkeypatch):
    write = nightly._write

    def erasing(dump, name, listed):
        write(dump, name, listed)
        if name == nightly.SOLUTIONS:
            acts.erase(Player.objects.get(nickname="Bob"), None)

    with monkeypatch.context() as patch:
        patch.setattr(nightly, "_write", erasing)
        nightly.make_due(clock.now())
    assert offered(english) == []
    nightly.make_due(clock.now())
    assert all("Bob" not in text for text in texts(english, offered(english)[0]).values())


class Process:
    """The process that makes a dump, in name: `contest.api.feeds` runs in this one."""

    def __init__(self, words, **_options):
        assert words[1:] == ["-m", "contest.api.feeds"]

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        pass

    def wait(self):
        try:
            feeds.main()
        except SystemExit as end:
            return end.code
        return 0


@pytest.fixture
def in_this_process(monkeypatch):
    """A worker that has dumps made by a `Process`, without what a process of its own does to itself."""
    monkeypatch.setattr(nightly.subprocess, "Popen", Process)
    monkeypatch.setattr(nightly, "connection", SimpleNamespace(close=lambda: None))
    monkeypatch.setattr(feeds, "Thread", lambda **_options: SimpleNamespace(start=lambda: None))
    monkeypatch.setattr(feeds.os, "nice", lambda niceness: None)
    monkeypatch.setattr("django.setup", lambda: None)


def test_the_process_makes_it_and_its_failure_fails_the_task(played, in_this_process, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(nightly, "make_due", {}.__getitem__)
        with pytest.raises(RuntimeError, match="not made"):
            nightly.dump()
    assert not Dump.objects.exists()
    nightly.dump()
    assert set(Dump.objects.get().files.values_list("name", flat=True)) == set(nightly.FILES)


def test_no_process_is_started_while_nothing_is_due(played, monkeypatch):
    nightly.make_due(clock.now())
    monkeypatch.setattr(nightly.subprocess, "Popen", None)
    nightly.dump()


def test_dumps_are_kept_for_so_many_nights(final, english, settings):
    settings.DUMPS_KEPT = 2
    for night in range(3):
        with clock.set_to(cast.AFTER + night * NIGHT):
            assert nightly.make_due(clock.now())
            assert not nightly.make_due(clock.now())
            nights = [dump["night"] for dump in offered(english)]
    assert nights == ["2026-11-24", "2026-11-23"]
    settings.DUMPS_KEPT = 0
    with clock.set_to(cast.AFTER + 2 * NIGHT):
        assert not nightly.make_due(clock.now())
    assert not Dump.objects.exists()


def test_a_dump_is_made_by_one_worker_and_after_a_kill_by_the_next(final, english, monkeypatch):
    def kill(*_words):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(nightly, "_pack", kill)
        with pytest.raises(KeyboardInterrupt):
            nightly.make_due(cast.AFTER)
    assert not nightly.make_due(cast.AFTER + timedelta(minutes=5))
    assert offered(english) == []
    with clock.set_to(cast.AFTER + timedelta(hours=3)):
        assert nightly.make_due(clock.now())
        assert len(offered(english)) == 1


def test_a_player_who_takes_moves_away_is_remembered(final, program, english):
    """Rule 20.3."""
    nightly.make_due(clock.now())
    files = {file["name"]: file for file in offered(program)[0]["files"]}
    take(program, files["submissions.ndjson.gz"])
    take(english, files[nightly.SOLUTIONS])
    assert not SeenSolutions.objects.exists()
    take(program, files[nightly.SOLUTIONS])
    assert SeenSolutions.objects.get().player.nickname == "Robo"


@pytest.mark.parametrize("path", ["2026-01-01/levels.ndjson.gz", "{night}/nothing"])
def test_there_is_nothing_else(final, english, path):
    nightly.make_due(clock.now())
    assert english.get(f"dumps/{path.format(night=Dump.objects.get())}").status_code == 404
