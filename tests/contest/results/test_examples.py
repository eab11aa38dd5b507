"""The site computes the worked examples that anybody can run (rule 19)."""

from datetime import timedelta

import pytest

from contest import results, rounds
from contest.infra import clock
from contest.models import League, LuckyNumber, Player
from contest.rankings import pareto, personal_bests
from contest.results import rulings
from contest.rounds import lucky_number
from contest.rules import beacons, lucky_draw
from contest.stats import seasons
from contest.visibility import Viewer
from tests import cast
from tests.contest.results.worked import REASON, finalise
from tests.oracle.examples import EXAMPLES, ROUNDS

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def play(round_, example):
    """Enter the submissions of *example* with its rulings; return their numbers in the order of the example."""
    round_.settings |= example.get("settings", {})
    lucky = example.get("lucky", {"number": 0, "value": None})
    LuckyNumber.objects.filter(round=round_).update(number=lucky["number"])
    salt = LuckyNumber.objects.get(round=round_).salt
    round_.commitment = lucky_draw.commitment(round_.number, lucky["number"], salt)
    round_.save()
    entered = []
    for sent in example["submissions"]:
        counts, at = (sent["moves"], sent["pushes"]), round_.opens_at + sent["minute"] * MINUTE
        entered.append(cast.enter(round_, sent["player"], *counts, slot=sent["slot"], at=at))
    for name in example.get("bots", ()):
        Player.objects.filter(nickname=name).update(league=League.BOT)
        personal_bests.recount([round_.levels.get(slot="main")], [player_of(name)])
    for place in example.get("void", ()):
        rulings.void(entered[place - 1], REASON, at=cast.DURING, by=None)
    for name in example.get("disqualified", ()):
        rulings.disqualify(round_, player_of(name), REASON, at=cast.DURING, by=None)
    for slot in example.get("void_levels", ()):
        rounds.void_slot(round_.levels.get(slot=slot), REASON, at=cast.DURING, by=None)
    merge(example.get("merged", {}))
    if lucky["value"]:
        lucky_number.enter_beacon(round_, lucky["value"], at=cast.AFTER, by=None)
    return [submission.number for submission in entered]


def player_of(name):
    return Player.objects.get(nickname=name)


def merge(names):
    for source, target in names.items():
        cast.merge(player_of(source), player_of(target), None, reason="one person")


def tabulated(round_, numbers):
    """Return the results of *round_* in the form of an example."""
    document = results.live(round_, cast.AFTER)
    names = dict(Player.objects.values_list("archive_number", "nickname"))
    place = {number: place for place, number in enumerate(numbers, 1)}
    ranked = {league: of for league, of in document["rankings"].items() if of}
    fronts = {
        league: {slot: pareto.numbers(round_.levels.get(slot=slot), league) for slot in of}
        for league, of in ranked.items()
    }
    in_league = {
        league: {
            slot: {by: [place[number] for number in order] for by, order in both.items()} for slot, both in of.items()
        }
        for league, of in ranked.items()
    }
    return {
        "rankings": in_league,
        "fronts": {league: {slot: sorted(place[n] for n in of[slot]) for slot in of} for league, of in fronts.items()},
        "points": [
            [names[row["player"]], row["move_half_points"] / 2, row["push_half_points"] / 2]
            for row in document["points"]
        ],
        "champions": {title: names.get(player) for title, player in document["champions"].items()},
        "candidates": [names[player] for player in document["draw"]["candidates"]],
        "lucky_player": names.get(document["draw"]["lucky"]),
    }


@pytest.mark.parametrize("name", ROUNDS)
def test_the_site_computes_the_examples_of_rounds(during_round, name):
    """Rules 4.13, 8.1 to 8.6, 9.1 to 9.5, 10.1 to 10.5, 11.6 to 11.10, 11.14, 12.1, 12.2, 15.1, 15.2, 16.4,
    19.1 to 19.3, 19.5, 19.6.
    """
    numbers = play(during_round, ROUNDS[name])
    during_round.refresh_from_db()
    assert tabulated(during_round, numbers) == ROUNDS[name]["expected"]


@pytest.mark.parametrize("example", EXAMPLES["seasons"], ids=lambda example: example["name"])
def test_the_site_computes_the_examples_of_seasons(example):
    """Rules 4.13, 9.7, 21.1."""
    count = len(example["rounds"])
    for number, round_ in enumerate(example["rounds"], 1):
        played = cast.a_round(number, **cast.earlier(4 * (count - number)))
        play(played, round_)
        finalise(played, played.closes_at + timedelta(hours=1))
    merge(example.get("merged_later", {}))
    with clock.set_to(cast.AFTER):
        season = seasons.season(Viewer(), "2026", cast.AFTER)
        table = seasons.table(Viewer(), season, cast.AFTER)
    assert sorted([place, tally.player.nickname, float(tally.points)] for place, tally in table) == example["expected"]


@pytest.mark.parametrize("draw", EXAMPLES["draws"])
def test_the_examples_of_draws(draw):
    dividend = beacons.mix(draw["number"], draw["value"]) if draw["value"] else draw["number"]
    assert (dividend, lucky_draw.lucky_index(dividend, draw["candidates"])) == (draw["dividend"], draw["index"])
