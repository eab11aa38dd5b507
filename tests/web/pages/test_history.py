import json
import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache

from contest import results, rounds
from contest.infra import clock
from contest.models import Best, LuckyNumber, Placing, Player, Round, Submission
from contest.rankings import personal_bests
from contest.results import rulings
from contest.rules import lucky_draw, tabulation
from tests import cast
from tests.web.pages.conftest import REASON, finalise

pytestmark = pytest.mark.django_db
PAGE = "/en/history/"
BEIJING = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 7, 1, 20, tzinfo=BEIJING)


def create_final_round(number, closes_at, *entered):
    round_ = cast.a_round(
        number, announced_at=closes_at - timedelta(days=9), opens_at=closes_at - timedelta(days=8), closes_at=closes_at
    )
    for rank, name in enumerate(entered):
        cast.enter(round_, name, 10 + 2 * rank, 3 + rank, at=closes_at - timedelta(days=2))
    with clock.set_to(closes_at + timedelta(days=3)):
        results.finalise(Round.objects.get(pk=round_.pk), at=closes_at + timedelta(days=3), by=None)
    return round_


@pytest.fixture
def now(cache_of_its_own):
    with clock.set_to(NOW):
        yield NOW


def figures(client):
    cache.clear()
    years = client.get(PAGE).context["years"]
    return {
        year["figures"].year: (len(year["figures"].rounds), year["figures"].players, year["figures"].newcomers)
        for year in years
    }


def test_each_year_has_its_rounds_players_and_newcomers(client, now):
    """A round belongs to the year of its close in Beijing."""
    create_final_round(1, datetime(2025, 3, 1, 20, tzinfo=BEIJING), "Ada", "Bo")
    create_final_round(2, datetime(2025, 6, 1, 20, tzinfo=BEIJING), "Ada", "Cy")
    create_final_round(3, datetime(2026, 1, 1, 0, 30, tzinfo=BEIJING), "Cy", "Dee")  # still 2025 in other time zones
    assert figures(client) == {2026: (1, 2, 1), 2025: (2, 3, 3)}


def test_champions_are_named_only_for_final_rounds(client, now):
    create_final_round(1, datetime(2025, 3, 1, 20, tzinfo=BEIJING), "Ada", "Bo")
    running = cast.a_round(2, opens_at=NOW - timedelta(days=1), closes_at=NOW + timedelta(days=1))
    cast.enter(running, "Cy", 4, 2, at=NOW)
    cache.clear()
    (this_year, last_year) = client.get(PAGE).context["years"]
    assert [champions for _line, champions in this_year["rounds"]] == [[]]
    ((line, champions),) = last_year["rounds"]
    assert (line.levels, [str(champion.player) for champion in champions]) == (2, ["Ada"])


def create_practice_result(round_, nickname, moves, pushes, at):
    entered = cast.enter(round_, nickname, moves, pushes, at=at)
    type(entered).objects.filter(pk=entered.pk).update(is_practice=True)
    Best.objects.filter(submission=entered).delete()
    personal_bests.recount([entered.level], [entered.player])


def test_a_record_is_broken_if_practice_beats_the_contest(client, now):
    """Rule 20.1."""
    round_ = create_final_round(1, datetime(2025, 3, 1, 20, tzinfo=BEIJING), "Ada", "Bo")  # 10 moves, 3 pushes

    def broken():
        cache.clear()
        ((year),) = client.get(PAGE).context["years"]
        return year["figures"].broken

    create_practice_result(round_, "Cy", 10, 3, NOW)
    assert broken() == 0  # equal, and later
    create_practice_result(round_, "Dee", 9, 4, NOW)
    assert broken() == 1
    create_practice_result(round_, "Eve", 12, 2, NOW)
    assert broken() == 2
    assert '<a href="/en/records/">Records broken since</a>' in client.get(PAGE).content.decode()


def test_the_year_lists_changes_of_the_rules(client, now):
    """Rule 17."""
    for number, settings in ((1, {}), (2, {"lucky": False}), (3, {"lucky": False}), (4, {"lucky": True})):
        new_round = create_final_round(number, datetime(2025, number, 1, 20, tzinfo=BEIJING), "Ada")
        Round.objects.filter(pk=new_round.pk).update(settings=settings)
    ((year),) = client.get(PAGE).context["years"]
    changed = [(round_.number, changes) for round_, changes in year["formats"]]
    assert changed == [(2, [("Lucky draw", "yes", "no")]), (4, [("Lucky draw", "no", "yes")])]


def test_an_open_round_shows_points_and_no_titles(round_, page):
    """Rule 7.4."""
    text = " ".join(page("/en/rounds/1/results/", cast.DURING).split())
    for shown in ("38.5", "A preview", "5 players with points"):
        assert shown in text
    assert "★" not in text


def test_provisional_results_and_the_draw_appear_at_the_close(round_, page):
    """Rules 7.4, 8.7, 11.11, 14.1."""
    number = LuckyNumber.objects.get()
    text = page("/en/rounds/1/results/", cast.CLOSES)
    assert "Provisional" in text
    assert "Moves champion" in text
    for shown in (round_.commitment, number.salt, f"1|{number.number}|{number.salt}", "N = 3 candidates."):
        assert shown in text
    assert f"+ {number.number % 3}</strong>" in text


def test_the_commitment_is_public_from_the_opening_and_the_lucky_number_from_the_reveal(round_, page):
    """Rules 3.10, 7.4, 11.2, 11.4, 11.5, 11.13, 14.6: and the prizes from the opening."""
    Round.objects.update(prizes_en="A cube")
    lucky = LuckyNumber.objects.get()
    for at, is_open in ((cast.OPENS - timedelta(seconds=1), False), (cast.OPENS, True)):
        text = page("/en/rounds/1/", at)
        assert (round_.commitment in text, "A cube" in text) == (is_open, is_open)
    LuckyNumber.objects.update(is_typed=True)
    rounds.delay_reveal(cast.CLOSES - timedelta(hours=1), cast.CLOSES)
    addresses = ("/en/rounds/1/", "/en/rounds/1/results/", "/api/v1/rounds/1/")
    for at in (cast.CLOSES - timedelta(microseconds=1), cast.AFTER):
        assert not any(lucky.salt in page(address, at) for address in addresses)
    revealed = page("/en/rounds/1/results/", cast.CLOSES + timedelta(hours=24))
    assert lucky.salt in revealed
    assert "An organiser chose the lucky number" in revealed


def test_a_final_result_has_a_hash_and_a_reproducible_draw(round_, page, tmp_path, capsys):
    """Rules 11.5, 11.11, 14.3, 15.6."""
    page("/rounds/1/results.json", cast.AFTER, 404)
    snapshot = finalise(round_)
    text = page("/rounds/1/results.json", cast.AFTER)
    shown = json.loads(text)
    assert shown["sha256"] == snapshot.sha256 == tabulation.digest(shown["results"])
    assert tabulation.differences(shown["results"]) == []
    assert sorted(player["name"] for player in shown["players"].values()) == list("ABCDE")
    assert snapshot.sha256 in page("/en/rounds/1/results/", cast.AFTER)
    file = tmp_path / "results.json"
    file.write_text(text)
    assert lucky_draw.main([str(file)]) == 0
    assert "That is the commitment." in capsys.readouterr().out


def test_old_revisions_remain_available(round_, page):
    """Rule 14.4."""
    finalise(round_)
    round_.refresh_from_db()
    later = cast.AFTER + timedelta(days=1)
    rulings.void(Submission.objects.get(player__nickname="C"), REASON, at=later, by=None)
    with clock.set_to(later):
        results.revise(round_, REASON, at=later, by=None)
    text = page("/en/rounds/1/results/", later)
    assert "A goal was missing" in text
    assert "C</a>" not in text
    assert "C</a>" in page("/en/rounds/1/results/?revision=1", later)
    assert json.loads(page("/rounds/1/results.json?revision=1", later))["revision"] == 1


def test_unknown_rounds_and_revisions_return_404(round_, page):
    """Rules 7.5, 14.3."""
    for address in ("/en/rounds/9/results/", "/rounds/9/results.json", "/en/rounds/1/results/?revision=1"):
        page(address, cast.AFTER, 404)
    finalise(round_)
    page("/en/rounds/1/results/?revision=1", cast.AFTER)
    for revision in ("2", "", "x", "-1", "²", "9" * 40):
        page(f"/en/rounds/1/results/?revision={revision}", cast.AFTER, 404)


def test_a_cancelled_round_shows_its_reason_and_has_no_points(round_, page):
    """Rule 7.10."""
    rounds.cancel(round_, REASON, at=cast.DURING, by=None)
    text = page("/en/rounds/1/", cast.AFTER)
    assert "A goal was missing" in text
    assert "38.5" not in text
    assert 'class="list accepted"' in text  # earlier public data remains
    page("/en/rounds/1/results/", cast.AFTER, 404)


def test_withheld_moves_and_erased_names_disappear_from_old_results(round_, page):
    """Rules 15.4, 15.6: an organiser withholds moves for privacy, and no old revision shows them."""
    snapshot = finalise(round_)
    Player.objects.filter(nickname="A").update(erased_at=cast.AFTER)
    shown = json.loads(page("/rounds/1/results.json", cast.AFTER))
    assert "A" not in {player["name"] for player in shown["players"].values()}
    assert tabulation.digest(shown["results"]) == snapshot.sha256
    withheld = Submission.objects.get(player__nickname="C")
    rulings.void(withheld, REASON, at=cast.AFTER, by=None, is_unpublished=True)
    shown = json.loads(page("/rounds/1/results.json", cast.AFTER))
    assert not shown["is_complete"]
    assert {row["number"] for row in shown["results"]["submissions"] if row["lurd"] is None} == {withheld.pk}


def replay_link(name, moves):
    number = Submission.objects.get(player__nickname=name, moves=moves).number
    return f'href="/en/rounds/1/replays/{number}/"'


def test_points_link_to_the_scored_solutions(round_, page):
    """Rules 3.3, 7.3: B's fewest moves and fewest pushes are two solutions, linked by their numbers on this site."""
    Submission.objects.filter(player__nickname="B", moves=500).update(original_number=10**9)
    text = page("/en/rounds/1/results/", cast.AFTER)
    by_moves, by_pushes = replay_link("B", 500), replay_link("B", 520)
    assert text.count(by_moves) == text.count(by_pushes) == 2, "beside the points, and beside the ranks"
    assert re.search(rf"<a\s+{re.escape(by_moves)}\s*>500/118</a>", text)


def test_points_do_not_link_to_hidden_solutions(round_, page):
    """Rules 7.3, 7.4, 15.4: nor to a withdrawn one."""
    assert replay_link("B", 500) not in page("/en/rounds/1/results/", cast.DURING)
    Submission.objects.filter(player__nickname="B", moves=500).update(is_unpublished=True)
    text = page("/en/rounds/1/results/", cast.AFTER)
    assert (replay_link("B", 500) in text, replay_link("B", 520) in text) == (False, True)
    Round.objects.update(settings=round_.settings | {"solutions_public": "never"})
    text = page("/en/rounds/1/results/", cast.AFTER)
    assert replay_link("B", 520) not in text
    assert "500/118" in text


@pytest.fixture
def titles_without_points(during_round):
    """Ann and Bo are champions of the main level; only the extra level scores, which Cy and Dee have solved."""
    during_round.settings["scoring_levels"] = ["extra"]
    during_round.save()
    cast.enter_all(during_round, [("Ann", 500, 120), ("Bo", 510, 110)])
    cast.enter_all(during_round, [("Cy", 50, 12), ("Dee", 51, 12)], slot="extra")
    return during_round


def test_a_title_holder_without_points_is_named_and_has_a_certificate(titles_without_points, page):
    """Rules 7.4, 9.4, 10.4, 11.6: the main level decides the champions, whichever levels score."""
    champion = Player.objects.get(nickname="Ann").pk
    address = f"/en/rounds/1/results/certificates/{champion}/"
    page(address, cast.AFTER, 404)
    finalise(titles_without_points)
    lucky, later = Placing.objects.get(is_lucky=True).player.nickname, cast.AFTER + timedelta(hours=1)
    titled = [("Moves champion", "Ann"), ("Pushes champion", "Bo"), ("Lucky player", lucky)]
    for where in ("rounds/1/results", "rounds/1", "screen/1"):
        lines = page(f"/en/{where}/", later).partition('<dl class="facts">\n<dt>★')[2].partition("</dl>")[0]
        assert re.findall(r" ([\w ]+)</dt>\s*<dd>\s*(?:<a [^>]*>)?(\w+)", lines) == titled, where
    assert f'href="{address}"' in page("/en/rounds/1/results/", later)
    assert "Moves champion" in page(address, later)
