"""Full lists with one object per line: complete, ordered by number, and without more data than the pages."""

import json
from datetime import timedelta

import pytest

from contest.api.feeds import bulk
from contest.api.feeds import lines as listing
from contest.infra import clock, rate_limits
from contest.models import Level, SeenSolutions, State, Submission
from solvers.sokoban.formats import read_collection
from tests import cast
from tests.api import contract


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


def test_accepted_submissions_are_listed_by_number_without_hashes_before_the_reveal(english, played):
    """Rules 6.14, 7.1, 7.4."""
    assert names(english.get("submissions.ndjson")) == ["Ann", "Bob", "Cleo"]
    assert {line["sha256"] for line in lines(english.get("submissions.ndjson"))} == {None}
    with clock.set_to(cast.CLOSES):
        assert None not in {line["sha256"] for line in lines(english.get("submissions.ndjson"))}


def test_moves_are_listed_once_public_and_the_reader_is_recorded(english, program, played):
    """Rules 7.3, 15.4, 20.3: without the moves of a solution that must not be published."""
    Submission.objects.filter(player__nickname="Bob").update(is_unpublished=True)
    with clock.set_to(cast.CLOSES - timedelta(microseconds=1)):
        assert lines(english.get("solutions.ndjson")) == lines(program.get("solutions.ndjson")) == []
    with clock.set_to(cast.CLOSES):
        assert [line["lurd"] for line in lines(english.get("solutions.ndjson"))] == ["rR", "rlrlrR"]
        assert names(english.get("submissions.ndjson")) == ["Ann", "Bob", "Cleo"]
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
