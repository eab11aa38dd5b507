"""Whole lists, a line an object: complete, in order of number, and showing no more than the pages do."""

import json
from datetime import timedelta

import pytest

from contest import judging, results
from contest.api.feeds import bulk
from contest.api.feeds import lines as listing
from contest.infra import clock
from contest.models import Level, Round, SeenSolutions, State, Submission
from solvers.sokoban.formats import read_collection
from tests import cast
from tests.api import contract


@pytest.fixture
def played(round_):
    for name, moves in (("Ann", "rR"), ("Bob", "rlrR"), ("Cleo", "rlrlrR"), ("Dora", "u")):
        cast.send(name, moves)
    judging.judge_until_empty()
    return round_


def lines(answer):
    assert answer["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in contract.body_of(answer).splitlines()]


def names(answer):
    return [line["player"]["name"] for line in lines(answer)]


def at_final(round_):
    with clock.set_to(cast.AFTER):
        results.finalise(round_, at=cast.AFTER, by=None)
    return clock.set_to(cast.AFTER)


def test_all_public_levels_stand_in_one_answer(english, played):
    with clock.set_to(cast.OPENS - timedelta(seconds=1)):
        assert lines(english.get("levels.ndjson")) == []
    listed = lines(english.get("levels.ndjson"))
    assert [(line["round"], line["slot"]) for line in listed] == [(1, "main"), (1, "extra")]
    assert listed[0] == english.get("rounds/1/main/").json()


def test_what_was_accepted_stands_in_order_of_number_without_hashes_before_the_reveal(english, played):
    """Rules 6.14, 7.1, 7.4."""
    answer = english.get("submissions.ndjson")
    assert names(answer) == ["Ann", "Bob", "Cleo"]
    assert {line["sha256"] for line in lines(english.get("submissions.ndjson"))} == {None}
    with clock.set_to(cast.CLOSES):
        assert None not in {line["sha256"] for line in lines(english.get("submissions.ndjson"))}


def test_moves_stand_there_once_they_are_public_and_a_reader_is_remembered(english, program, played):
    """Rules 7.3, 20.3."""
    for at in (cast.DURING, cast.CLOSES - timedelta(microseconds=1)):
        with clock.set_to(at):
            assert lines(english.get("solutions.ndjson")) == []
            assert lines(program.get("solutions.ndjson")) == []
    with at_final(Round.objects.get()):
        assert [line["lurd"] for line in lines(english.get("solutions.ndjson"))] == ["rR", "rlrR", "rlrlrR"]
        assert not SeenSolutions.objects.exists()
        program.get("solutions.ndjson")
        assert SeenSolutions.objects.get().player.nickname == "Robo"


def test_an_unpublished_solution_is_listed_without_its_moves(english, played):
    """Rule 15.4."""
    Submission.objects.filter(player__nickname="Bob").update(is_unpublished=True)
    with at_final(Round.objects.get()):
        assert names(english.get("solutions.ndjson")) == ["Ann", "Cleo"]
        assert names(english.get("submissions.ndjson")) == ["Ann", "Bob", "Cleo"]


@pytest.mark.parametrize("chunk", [1, 1000])
def test_who_asks_again_from_the_last_line_reads_each_row_once(english, played, monkeypatch, chunk):
    monkeypatch.setattr(bulk, "MOST_LINES", 2)
    monkeypatch.setattr(listing, "_ROWS_AT_ONCE", chunk)
    found, since = [], 0
    while part := lines(english.get(f"submissions.ndjson?since={since}")):
        found += [line["player"]["name"] for line in part]
        since = part[-1]["number"]
    assert found == ["Ann", "Bob", "Cleo"]


def test_the_list_ends_before_what_still_waits_for_its_verdict_so_that_nobody_misses_it(english, played):
    bob = Submission.objects.filter(player__nickname="Bob")
    bob.update(state=State.QUEUED, verdict="", judged_at=None, received_at=clock.now())
    assert names(english.get("submissions.ndjson")) == ["Ann"]
    bob.update(received_at=clock.now() - timedelta(minutes=11))
    assert names(english.get("submissions.ndjson")) == ["Ann", "Cleo"]


@pytest.mark.parametrize("file", ["submissions.ndjson", "solutions.ndjson"])
def test_a_list_that_changed_is_sent_again(english, played, file):
    with at_final(Round.objects.get()):
        etag = english.get(file)["ETag"]
        assert english.get(file, **{"If-None-Match": etag}).status_code == 304
        Level.objects.filter(slot="main").update(board_version=99)
        assert english.get(file, **{"If-None-Match": etag}).status_code == 200


def test_a_rounds_levels_are_one_file_that_programs_read(english, played):
    answer = english.get("rounds/1/levels.sok")
    assert [entry.title for entry in read_collection(answer.content).entries] == ["main of 1", "extra of 1"]
    with clock.set_to(cast.OPENS - timedelta(seconds=1)):
        assert english.get("rounds/1/levels.sok").status_code == 404


def test_archives_are_listed_from_the_reveal(english, played):
    """Rule 24.1."""
    assert english.get("archives/").json() == {"results": []}
    Round.objects.update(complete_at=cast.AFTER)  # as the judging side notes once all is judged and chained
    with clock.set_to(cast.AFTER):
        assert [one["round"] for one in english.get("archives/").json()["results"]] == [1]
