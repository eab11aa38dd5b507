from datetime import timedelta

import pytest

from contest import judging, results, rounds, visibility
from contest.infra import clock
from contest.models import AuditEntry, League, LuckyNumber, Metric, Player
from contest.rankings import pareto, personal_bests, standings
from contest.results import rulings
from contest.rounds import lucky_number
from contest.rules import beacons, lucky_draw
from contest.stats import seasons
from contest.visibility import Viewer
from contest.wording.bilingual import Reason
from tests import cast
from tests.contest.results.worked import EXAMPLES, REASON, ROUNDS, finalise

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
    """Rules 4.13, 8.1 to 8.6, 9.1 to 9.5, 10.1 to 10.5, 11.6 to 11.10, 11.14, 12.1, 12.2, 15.1, 15.2, 16.4.

    Rules 19.1 to 19.3, 19.5 to 19.7.
    """
    numbers = play(during_round, ROUNDS[name])
    during_round.refresh_from_db()
    assert tabulated(during_round, numbers) == ROUNDS[name]["expected"]


@pytest.mark.parametrize("example", EXAMPLES["seasons"], ids=lambda example: example["name"])
def test_the_site_computes_the_examples_of_seasons(example):
    """Rules 4.13, 9.7, 19.7, 21.1."""
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


TAKEN_BACK = Reason(en="revoked")


@pytest.fixture
def submissions(during_round):
    return cast.enter_all(during_round, [("Ada", 5, 2), ("Ada", 9, 4), ("Bo", 7, 3)])


def ranking(round_, metric=Metric.MOVES):
    level = round_.levels.get(slot="main")
    return [(row.rank, row.player.nickname, row.moves) for row in standings.standings(level, metric)]


def test_a_void_submission_stays_in_the_list_with_its_reason(during_round, submissions):
    """Rules 7.4, 15.1, 15.4, 15.6: and is published unless the organiser says no."""
    rulings.void(submissions[0], REASON, at=cast.DURING, by=None, note="told us by mail")
    rulings.void(submissions[1], REASON, at=cast.DURING, by=None, is_unpublished=True)
    shown = set(visibility.replays(Viewer(), during_round, cast.CLOSES))
    assert [submission in shown for submission in submissions] == [True, False, True]
    rulings.unvoid(submissions[1], TAKEN_BACK, by=None)
    assert submissions[1] in visibility.replays(Viewer(), during_round, cast.CLOSES)
    listed = visibility.accepted_submissions(Viewer(), cast.DURING).get(pk=submissions[0].pk)
    assert (listed.voided_at, listed.void_reason_zh, listed.void_reason_en) == (cast.DURING, "原因", "because")
    assert (listed.moves, listed.void_note) == (5, "told us by mail")


def test_only_an_accepted_submission_can_be_voided_and_only_once(during_round, submissions):
    """Rules 1.6, 15.1."""
    receipt = cast.send("Cy", "r")
    judging.judge_until_empty()
    for submission in (receipt.submission, submissions[0]):
        assert cast.refusal_of(rulings.unvoid, submission, TAKEN_BACK, by=None)
    assert "accepted" in cast.refusal_of(rulings.void, receipt.submission, REASON, at=cast.DURING, by=None)
    rulings.void(submissions[0], REASON, at=cast.DURING, by=None)
    assert "already" in cast.refusal_of(rulings.void, submissions[0], REASON, at=cast.DURING, by=None)


def test_nothing_of_a_disqualified_player_counts(during_round, submissions):
    """Rules 1.7, 15.2: in this round only."""
    ada = Player.objects.get(nickname="Ada")
    other = cast.a_round(2, opens_at=cast.CLOSES, closes_at=cast.CLOSES + (cast.CLOSES - cast.OPENS))
    cast.enter(other, "Ada", 5, 2, at=cast.CLOSES)
    rulings.disqualify(during_round, ada, REASON, at=cast.DURING, by=None)
    assert ranking(during_round) == ranking(during_round, Metric.PUSHES) == [(1, "Bo", 7)]
    (ruling,) = visibility.disqualifications(during_round, cast.DURING)
    assert (ruling.player, ruling.reason_en) == (ada, "because")
    assert ranking(other) == [(1, "Ada", 5)]
    assert "already" in cast.refusal_of(rulings.disqualify, during_round, ada, REASON, at=cast.DURING, by=None)


def test_submissions_during_a_disqualification_count_once_it_is_lifted(during_round):
    """Rules 15.2, 15.3."""
    receipt = cast.send("Ada", "rlrR")
    judging.judge_until_empty()
    ruling = rulings.disqualify(during_round, receipt.submission.player, REASON, at=cast.DURING, by=None)
    cast.submit("Ada", "rR", claim=receipt.claim)
    assert ranking(during_round) == []
    rulings.lift(ruling, TAKEN_BACK, at=cast.DURING, by=None)
    assert ranking(during_round) == [(1, "Ada", 2)]
    assert "already" in cast.refusal_of(rulings.lift, ruling, TAKEN_BACK, at=cast.DURING, by=None)


def test_every_ruling_is_recorded_with_its_reason(during_round, submissions):
    ada = Player.objects.get(nickname="Ada")
    rulings.void(submissions[0], REASON, at=cast.DURING, by=None)
    rulings.unvoid(submissions[0], TAKEN_BACK, by=None)
    ruling = rulings.disqualify(during_round, ada, REASON, at=cast.DURING, by=None)
    rulings.lift(ruling, TAKEN_BACK, at=cast.DURING, by=None)
    entries = AuditEntry.objects.order_by("pk")
    assert [entry.act for entry in entries] == ["void", "unvoid", "disqualify", "lift disqualification"]
    assert [entry.reason for entry in entries] == ["原因 / because", "revoked"] * 2
    assert entries[1].before["reason"] == "because"
    assert entries[3].before == {"player": ada.pk}
