from datetime import timedelta
from unittest import mock

import pytest

from contest import results
from contest.api import base
from contest.infra import clock, rate_limits
from contest.models import Note, Player, SeenSolutions, Submission
from contest.results import rows, rulings
from contest.wording.bilingual import Reason
from tests import cast
from tests.api.conftest import Bot, code_of

REASON = Reason("原因", "the reason")


@pytest.fixture
def played(played):
    cast.submit("Ann's extra", cast.SOLUTIONS["extra"])
    return played


def names(page):
    return [row["player"]["name"] for row in page["results"]]


@pytest.mark.parametrize("url", ["rounds/1/solutions/?limit=3", "submissions/?limit=3&texts=true"])
def test_a_page_has_no_more_long_texts_than_fit_and_they_count_by_their_size(program, final, monkeypatch, url):
    """Rule 5.9: fifteen texts of 2 MB took 470 MB of memory, and twenty solutions of a million moves were free."""
    Submission.objects.update(player=Player.objects.get(nickname="Robo"))
    whole = program.get(url).json()["results"]
    monkeypatch.setattr(base, "MOST_TEXT_BYTES", 9)
    passes = []
    monkeypatch.setattr(rate_limits, "pass_door", lambda *asked: passes.append(asked[2]))
    pages = [program.get(url).json()]
    while len(pages) < 9 and (address := pages[-1]["next"]):
        pages.append(program.get(address.partition("/api/v1/")[2]).json())
    sizes = [[len(row.get("text") or row["lurd"]) for row in page["results"]] for page in pages]
    assert [row for page in pages for row in page["results"]][: len(whole)] == whole
    assert passes == [sum(page) for page in sizes]
    assert all(sum(page) <= 9 or len(page) == 1 for page in sizes)
    assert len(pages) >= 3


def test_live_results_and_their_draw_are_computed_once(english, played, cache_of_its_own, monkeypatch):
    """With 1,500 players they took half a second for each request, as often as any header made another page."""
    computed = mock.Mock(wraps=rows.live)
    monkeypatch.setattr(rows, "live", computed)
    with clock.set_to(cast.CLOSES):
        answers = [english.get("rounds/1/results/", **{"Accept-Language": f"en;q=0.{number}"}) for number in (1, 2)]
        assert english.get("rounds/1/draw/").status_code == 200
    assert [answer.json() for answer in answers] == [answers[0].json()] * 2
    assert computed.call_count == 1


def test_accepted_submissions_are_listed_without_moves_or_hashes_while_the_round_is_open(english, played):
    """Rules 6.14, 7.1, 7.4."""
    page = english.get("rounds/1/submissions/").json()
    assert names(page) == ["Ann's extra", "Cleo", "Bob", "Ann"]
    assert {row["sha256"] for row in page["results"]} == {None}
    assert names(english.get("rounds/1/submissions/?slot=extra").json()) == ["Ann's extra"]
    with clock.set_to(cast.CLOSES):
        assert len({row["sha256"] for row in english.get("rounds/1/submissions/").json()["results"]}) == 4


def test_solutions_are_public_from_the_close_and_the_reader_is_recorded(english, program, played):
    """Rules 7.2, 7.3, 20.3."""
    for bot in (english, program):
        assert code_of(bot.get("rounds/1/solutions/")) == (404, "not_found")
    with clock.set_to(cast.CLOSES):
        rows = english.get("rounds/1/solutions/?slot=main").json()["results"]
        assert not SeenSolutions.objects.exists()
        program.get("rounds/1/solutions/")
    assert [row["lurd"] for row in rows] == ["rlrlrR", "rlrR", "rR"]
    assert [str(seen.player) for seen in SeenSolutions.objects.all()] == ["Robo"]


def test_an_unpublished_solution_is_left_out(english, played):
    """Rule 15.4."""
    bob = Submission.objects.get(player__nickname="Bob")
    rulings.void(bob, REASON, at=clock.now(), by=None, is_unpublished=True)
    with clock.set_to(cast.CLOSES):
        assert names(english.get("rounds/1/solutions/?slot=main").json()) == ["Cleo", "Ann"]
        listed = english.get("rounds/1/submissions/?slot=main").json()["results"]
    assert [row["void"] and row["void"]["reason"] for row in listed] == [None, "the reason", None]


def test_an_open_round_previews_points_without_titles(english, played):
    """Rule 7.4."""
    body = english.get("rounds/1/results/").json()
    assert (body["preview"], body["provisional"], body["document"]) == (True, True, None)
    points = [(row["place"], row["player"]["name"], row["titles"]) for row in body["points"]]
    assert points == [(1, "Ann", []), (2, "Bob", []), (3, "Cleo", [])]
    assert (body["champions"], body["lucky_player"]) == ({"moves": None, "pushes": None, "second": None}, None)
    assert english.get("rounds/1/draw/").status_code == 404


def test_a_closed_round_has_provisional_results_and_its_draw(english, played):
    """Rules 11.5, 14.1."""
    with clock.set_to(cast.CLOSES):
        body = english.get("rounds/1/results/").json()
        drawn = english.get("rounds/1/draw/").json()
        lucky = english.get("rounds/1/").json()["lucky"]
    assert (body["preview"], body["provisional"]) == (False, True)
    assert body["points"][0]["titles"] == ["MMC", "MPC"]
    champions = {title: player["name"] for title, player in body["champions"].items()}
    assert champions == {"moves": "Ann", "pushes": "Ann", "second": "Bob"}
    assert [player["name"] for player in (*drawn["candidates"], drawn["lucky"], body["lucky_player"])] == ["Cleo"] * 3
    assert (lucky["number"], lucky["salt"]) == (drawn["number"], drawn["salt"])


def test_final_results_name_their_document_and_revisions(english, final):
    """Rules 14.3, 14.4."""
    body = english.get("rounds/1/results/").json()
    assert (body["provisional"], body["revision"], body["revisions"]) == (False, 1, [1])
    document = english.client.get(body["document"].partition("testserver")[2]).json()
    assert document["sha256"] == body["sha256"]
    results.revise(final, REASON, at=clock.now(), by=None)
    assert english.get("rounds/1/results/").json()["reason"] == "the reason"
    assert english.get("rounds/1/results/?revision=1").json()["reason"] is None
    assert english.get("rounds/1/results/?revision=3").status_code == 404


def test_a_round_shows_its_settings_notes_and_rulings(played):
    """Rules 2.9, 7.4, 15.2."""
    Note.objects.create(
        round=played, kind="slot_void", text_zh="坏", text_en="bad", values={"slot": "extra"}, written_at=clock.now()
    )
    player = Submission.objects.get(player__nickname="Bob").player
    rulings.disqualify(played, player, REASON, at=clock.now(), by=None)
    body = Bot("zh-Hans").get("rounds/1/").json()
    assert body["settings"]["max_moves"] == 1_000_000
    assert body["commitment"] == played.commitment
    assert body["notes"][0]["why"] == "坏"
    assert [(row["player"]["name"], row["reason"]) for row in body["disqualified"]] == [("Bob", REASON.zh)]
    assert body["lucky"] is body["archive"] is body["cancelled"] is None


def test_before_the_opening_a_round_shows_nothing_hidden(english, round_):
    """Rules 2.8, 7.4."""
    with clock.set_to(cast.OPENS - timedelta(seconds=1)):
        body = english.get("rounds/1/").json()
        assert (body["phase"], body["title"], body["commitment"], body["lucky"]) == ("scheduled", "", None, None)
        assert "levels" not in body
        assert "levels" not in english.get("rounds/").json()["results"][0]
        for path in ("submissions", "solutions", "results", "draw", "chain", "main", "main/standings", "main/pareto"):
            assert english.get(f"rounds/1/{path}/").status_code == 404, path


def test_the_limits_are_the_current_settings(english, db, settings):
    """Rule 5.9."""
    settings.TOKEN_PER_MINUTE = 7
    body = english.get("limits/").json()
    assert body["player"]["in_seconds"] == [{"seconds": 60, "most": 10}, {"seconds": 3600, "most": 120}]
    assert (body["player"]["in_a_round"], body["token"]["per_minute"], body["batch"]) == (1000, 7, 100)


def test_pages_of_other_sites_may_read_but_not_send(round_, english):
    for path, headers in (("rounds/", {}), ("nothing/", {}), ("rounds/", {"If-None-Match": "*"})):
        answer = english.get(path, Origin="https://elsewhere.example", **headers)
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer
    preflight = english.client.options("/api/v1/submissions/", headers={"Origin": "https://elsewhere.example"})
    assert (preflight.status_code, preflight["Access-Control-Allow-Methods"]) == (204, "GET, HEAD")
    answer = english.post({"nickname": "Ann", "moves": "rR"}, Origin="https://elsewhere.example")
    assert "Access-Control-Allow-Origin" not in answer


@pytest.fixture
def weekly_round(round_, weekly):
    return cast.a_round(2, track=weekly)


def test_rounds_are_filtered_by_track_and_phase_and_a_submission_may_name_a_track(english, weekly_round):
    """Rules 2.11, 6.8."""

    def numbers(query):
        return [row["number"] for row in english.get(f"rounds/?{query}").json()["results"]]

    assert english.get("rounds/2/").json()["track"] == "weekly"
    assert numbers("") == [2, 1]
    assert numbers("track=weekly") == [2]
    assert numbers("track=main&phase=open") == [1]
    assert numbers("phase=closed") == []
    receipt = english.post({"nickname": "Ann", "moves": "rR", "track": "weekly"}).json()
    assert Submission.objects.get(number=receipt["number"]).round == weekly_round
