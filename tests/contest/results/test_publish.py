import copy
import json
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contest import results, rounds
from contest.infra import clock
from contest.models import AuditEntry, Best, League, Level, LuckyNumber, Note, Placing, Player, State, Submission
from contest.rankings import personal_bests
from contest.results import rulings
from contest.rounds import lucky_number
from contest.rules import lucky_draw, tabulation
from contest.rules.settings import RoundSettings
from contest.rules.tabulation import Lucky, Published, Result
from contest.wording.bilingual import Reason
from tests import cast

pytestmark = pytest.mark.django_db


# Rules 19.1 to 19.3, in order of receipt.
MAIN = [("A", 500, 120), ("C", 510, 110), ("B", 500, 118), ("D", 530, 125), ("E", 500, 120), ("B", 520, 110)]
EXTRA = [("D", 90, 30), ("A", 92, 28), ("F", 92, 28)]
REASON = Reason(en="because")
LATER = cast.AFTER + timedelta(days=1)


@pytest.fixture
def round_(during_round):
    """The round of the worked examples; its lucky number is 17."""
    LuckyNumber.objects.filter(round=during_round).update(number=17)
    during_round.commitment = lucky_draw.commitment(during_round.number, 17, during_round.lucky_number.salt)
    during_round.save()
    return during_round


def finalise(round_, at=cast.AFTER):
    with clock.set_to(at):
        return results.finalise(round_, at=at, by=None)


def revise(round_, at=LATER):
    with clock.set_to(at):
        return results.revise(round_, REASON, at=at, by=None)


def table(round_, at=cast.AFTER):
    shown = results.shown(results.current(round_, at))
    return [(row.player.nickname, row.total, row.titles) for row in shown.rows]


def drawn(round_, at=cast.AFTER):
    found = results.shown(results.current(round_, at)).draw
    return [row.player.nickname for row in found.rows], found.lucky and found.lucky.nickname


def refused(round_, at=cast.AFTER):
    with pytest.raises(ValidationError) as refusal:
        finalise(round_, at)
    return " ".join(refusal.value.messages)


def test_the_worked_example(round_):
    """Rules 8.1, 8.2, 9.1, 10.1, 11.6, 11.9, 19.1."""
    cast.enter_all(round_, MAIN)
    assert table(round_) == [
        ("B", "38.5", ["MMC"]),
        ("A", "36.5", []),
        ("C", "36.5", ["MPC"]),
        ("E", "34.5", []),
        ("D", "31.5", ["lucky"]),
    ]
    assert drawn(round_) == (["A", "E", "D"], "D")


def test_the_worked_example_of_a_double_winner(round_):
    """Rules 10.2, 10.3, 19.2."""
    cast.enter_all(round_, [*MAIN[:-1], ("B", 520, 109)])
    assert [(name, total) for name, total, _ in table(round_)] == [
        ("B", "39.5"),
        ("A", "36.5"),
        ("C", "35.5"),
        ("E", "34.5"),
        ("D", "31.5"),
    ]
    assert [titles for _, _, titles in table(round_)[:2]] == [["MMC", "MPC"], ["second"]]
    assert drawn(round_) == (["C", "E", "D"], "D")


def test_the_worked_example_of_two_scoring_levels(round_):
    """Rules 9.4, 10.4, 11.7, 19.3."""
    round_.settings["scoring_levels"] = ["main", "extra"]
    round_.save()
    cast.enter_all(round_, MAIN)
    cast.enter_all(round_, EXTRA, slot="extra")
    totals = {name: total for name, total, _ in table(round_)}
    assert totals == {"A": "75", "D": "69", "B": "38.5", "C": "36.5", "F": "36.5", "E": "34.5"}
    assert {name: titles for name, _, titles in table(round_) if titles and titles != ["lucky"]} == {
        "B": ["MMC"],
        "C": ["MPC"],
    }
    assert drawn(round_) == (["A", "D", "F", "E"], "D")  # 17 mod 4 = 1


@pytest.mark.parametrize(
    ("rows", "titles", "candidates"),
    [
        ([], [], 0),
        ([("A", 5, 2)], [["MMC", "MPC"]], 0),
        ([("A", 5, 2), ("B", 6, 3)], [["MMC", "MPC"], ["second"]], 0),
        ([(f"P{n}", 5, 2) for n in range(5)], [["MMC", "MPC"], ["second"], [], [], []], 3),
        ([(f"P{n}", 50 + n, 20 + n) for n in range(30)], [["MMC", "MPC"], ["second"]] + [[]] * 18, 18),
        ([(f"P{n}", 50 + n, 90 - n) for n in range(45)], None, 38),
    ],
    ids=["nobody", "one", "two", "all tied", "30", "45"],
)
def test_the_borders_of_a_round(round_, rows, titles, candidates):
    """Rules 9.1, 10.4, 11.6, 11.8, 11.10, 19.5: of 45, ranks 21 to 45 score nothing and are no candidates."""
    cast.enter_all(round_, rows)
    finalise(round_)
    found = table(round_)
    if titles is not None:
        assert [[title for title in held if title != "lucky"] for _, _, held in found] == titles
    names, lucky_player = drawn(round_)
    assert (len(names), bool(lucky_player)) == (candidates, bool(candidates))
    assert len(found) <= 40


def test_all_tied_are_ranked_by_the_time_they_came(round_):
    """Rule 3.9."""
    cast.enter_all(round_, [("first", 5, 2), ("second", 5, 2), ("third", 5, 2)])
    assert [name for name, _, _ in table(round_)] == ["first", "second", "third"]


def test_before_the_reveal_nobody_is_drawn(round_):
    """Rules 11.4, 11.5."""
    cast.enter_all(round_, MAIN)
    assert results.live(round_, cast.CLOSES - timedelta(microseconds=1))["draw"] is None
    assert results.live(round_, cast.CLOSES)["draw"]["number"] == 17


def test_a_preview_has_points_and_no_titles(round_):
    """Rules 7.4, 8.7."""
    cast.enter_all(round_, MAIN)
    preview = results.preview(round_, round_.levels.all(), cast.DURING)
    assert [row.total for row in preview.rows] == ["38.5", "36.5", "36.5", "34.5", "31.5"]
    assert not any(row.titles for row in preview.rows)
    assert preview.draw is None


def test_a_round_without_a_draw_has_neither_candidates_nor_a_lucky_player(round_):
    """Rule 17."""
    round_.settings["lucky"] = False
    round_.save()
    cast.enter_all(round_, MAIN)
    assert finalise(round_).document["draw"] is None
    assert not Placing.objects.filter(is_lucky=True).exists()


def test_bots_have_rankings_of_their_own_and_no_points(round_):
    """Rules 16.2, 16.4."""
    cast.enter_all(round_, MAIN)
    Player.objects.filter(nickname="B").update(league=League.BOT)
    personal_bests.recount(round_.levels.get(slot="main"), [Player.objects.get(nickname="B")])
    document = results.live(round_, cast.AFTER)
    assert len(document["rankings"]["bot"]["main"]["moves"]) == 1
    assert len(document["rankings"]["human"]["main"]["moves"]) == 4
    assert "B" not in {name for name, _, _ in table(round_)}


def test_together_bots_and_humans_share_one_ranking(round_):
    """Rule 16.4."""
    round_.settings["leagues"] = "together"
    round_.save()
    cast.enter_all(round_, MAIN)
    Player.objects.filter(nickname="B").update(league=League.BOT)
    personal_bests.recount(round_.levels.get(slot="main"), [Player.objects.get(nickname="B")])
    assert list(results.live(round_, cast.AFTER)["rankings"]) == ["all"]
    assert table(round_)[0][0] == "B"


def test_a_void_level_is_not_ranked_and_scores_nothing(round_):
    """Rule 2.10."""
    round_.settings["scoring_levels"] = ["main", "extra"]
    round_.save()
    cast.enter_all(round_, MAIN)
    cast.enter_all(round_, EXTRA, slot="extra")
    rounds.void_slot(round_.levels.get(slot="extra"), REASON, at=cast.DURING, by=None)
    document = finalise(round_).document
    assert list(document["rankings"]["human"]) == ["main"]
    assert [level["void"] for level in document["levels"]] == [False, True]
    assert table(round_)[0][:2] == ("B", "38.5")
    assert Submission.objects.filter(level__slot="extra").count() == 3


def test_finalising_stores_places_points_and_titles(round_):
    """Rules 14.2, 14.3, 21.1."""
    cast.enter_all(round_, MAIN)
    cast.enter_all(round_, [("X", 9, 9)], slot="extra")
    finalise(round_)
    placings = {placing.player.nickname: placing for placing in Placing.objects.select_related("player")}
    assert {name: placing.place for name, placing in placings.items()} == {
        "B": 1, "A": 2, "C": 3, "E": 4, "D": 5, "X": None,
    }  # fmt: skip
    best = placings["B"]
    assert (best.move_half_points, best.push_half_points, best.firsts_by_moves, best.firsts_by_pushes) == (40, 37, 1, 0)
    assert (best.is_mmc, placings["C"].is_mpc, placings["D"].is_lucky) == (True, True, True)
    assert AuditEntry.objects.filter(act="finalise").exists()


@pytest.mark.parametrize(
    ("at", "said"),
    [
        (cast.DURING, "Only a closed round"),
        (cast.CLOSES, "less than a minute"),
        (cast.CLOSES + timedelta(seconds=59), "less than a minute"),
    ],
)
def test_a_round_is_not_final_before_it_has_closed(round_, at, said):
    """Rules 14.1, 14.2."""
    assert said in refused(round_, at)


def test_a_round_is_not_final_while_a_submission_waits_or_is_held(round_):
    """Rule 14.2."""
    for nickname in ("A", "B"):
        cast.send(nickname, "rR")
    Submission.objects.filter(player__nickname="B").update(state=State.QUARANTINED)
    said = refused(round_)
    assert "1 submission is not judged yet." in said
    assert "1 submission is held for staff." in said


def test_practice_that_waits_holds_no_round_up(round_):
    """Rule 20.1."""
    cast.send("A", "rR")
    Submission.objects.update(is_practice=True)
    assert finalise(round_).revision == 1


def test_a_round_is_not_final_while_its_reveal_waits(round_):
    """Rule 3.10."""
    rounds.hold_reveal(cast.CLOSES - timedelta(hours=1), cast.CLOSES)
    assert "waits" in refused(round_)
    assert finalise(round_, cast.CLOSES + timedelta(hours=24, minutes=1)).revision == 1


def test_a_lucky_number_that_does_not_match_its_commitment_stops_everything(round_):
    """Rule 14.2."""
    LuckyNumber.objects.filter(round=round_).update(number=18)
    assert "does not match" in refused(round_)
    assert not round_.snapshots.exists()


def test_a_round_becomes_final_once(round_):
    """Rule 14.4."""
    finalise(round_)
    assert "final already" in refused(round_, LATER)


def test_a_final_result_stays_until_it_is_revised(round_):
    """Rules 14.4, 15.1: a ruling alone changes no published table; the old revision stays readable."""
    submissions = cast.enter_all(round_, MAIN)
    first = finalise(round_)
    round_.refresh_from_db()
    before = table(round_, LATER)
    rulings.void(submissions[1], REASON, at=LATER, by=None)
    assert table(round_, LATER) == before
    second = revise(round_)
    assert "C" not in {name for name, _, _ in table(round_, LATER)}
    assert [snapshot.revision for snapshot in round_.snapshots.all()] == [1, 2]
    first.refresh_from_db()
    assert tabulation.digest(first.document) == first.sha256 != second.sha256
    assert Note.objects.get(kind="revised").values == {"revision": 2}
    assert (second.made_at, second.reason_en) == (LATER, "because")


def test_only_a_final_round_is_revised(round_):
    """Rule 14.4."""
    with pytest.raises(ValidationError):
        revise(round_)


def test_the_lucky_player_stays_on_a_revision(round_):
    """Rule 14.5: though G would be drawn from the new candidates."""
    submissions = cast.enter_all(round_, MAIN)
    finalise(round_)
    round_.refresh_from_db()
    for number in (0, 4):
        rulings.void(submissions[number], REASON, at=LATER, by=None)
    cast.enter(round_, "G", 600, 200, at=cast.DURING)
    document = revise(round_).document
    assert document["draw"]["kept_from"] == 1
    assert drawn(round_, LATER)[1] == "D"
    assert lucky_draw.lucky_index(17, len(document["draw"]["candidates"])) == 1  # G, had it been drawn
    assert Placing.objects.get(is_lucky=True).player.nickname == "D"


def test_the_draw_is_repeated_where_the_round_says_so(round_):
    """Rule 14.5."""
    round_.settings["lucky_on_revision"] = "redraw"
    round_.save()
    submissions = cast.enter_all(round_, MAIN)
    finalise(round_)
    round_.refresh_from_db()
    for number in (0, 4):
        rulings.void(submissions[number], REASON, at=LATER, by=None)
    cast.enter(round_, "G", 600, 200, at=cast.DURING)
    revise(round_)
    assert drawn(round_, LATER) == (["D", "G"], "G")


def test_a_disqualified_lucky_player_loses_the_draw_to_the_same_number(round_):
    """Rules 14.5, 15.2, 19.5."""
    cast.enter_all(round_, MAIN)
    finalise(round_)
    round_.refresh_from_db()
    rulings.disqualify(round_, Player.objects.get(nickname="D"), REASON, at=LATER, by=None)
    document = revise(round_).document
    assert document["draw"]["kept_from"] is None
    assert document["draw"]["number"] == 17
    assert drawn(round_, LATER) == (["A", "E"], "E")  # 17 mod 2 = 1


def test_a_lucky_player_who_becomes_a_champion_leaves_the_draw(round_):
    """Rule 14.5."""
    submissions = cast.enter_all(round_, [("A", 5, 1), ("B", 6, 2), ("C", 7, 3), ("D", 8, 4)])
    finalise(round_)
    round_.refresh_from_db()
    assert drawn(round_)[1] == "D"  # 17 mod 2 = 1
    for submission in submissions[:2]:
        rulings.void(submission, REASON, at=LATER, by=None)
    cast.enter_all(round_, [("E", 9, 5), ("F", 10, 6)])
    revise(round_)
    assert [titles for name, _, titles in table(round_, LATER) if name == "D"] == [["second"]]
    assert drawn(round_, LATER) == (["E", "F"], "F")


def test_a_lucky_player_without_results_stays_lucky(round_):
    """Rule 14.5: only a disqualification or a champion's seat ends it."""
    submissions = cast.enter_all(round_, MAIN)
    finalise(round_)
    round_.refresh_from_db()
    rulings.void(submissions[3], REASON, at=LATER, by=None)
    revise(round_)
    assert drawn(round_, LATER) == (["A", "E"], "D")
    assert Placing.objects.get(is_lucky=True).place is None


def test_a_merged_lucky_player_stays_lucky_under_the_new_name(round_):
    """Rules 4.13, 14.5."""
    cast.enter_all(round_, [*MAIN, ("G", 700, 300)])
    finalise(round_)
    round_.refresh_from_db()
    before = Placing.objects.get(is_lucky=True).player
    other = Player.objects.get(nickname="E")
    Submission.objects.of(before).update(player=other)
    Player.objects.filter(pk=before.pk).update(merged_into=other)
    personal_bests.recount(round_.levels.get(slot="main"), [before, other])
    document = revise(round_).document
    assert document["draw"]["lucky"] == other.archive_number


def test_the_snapshot_holds_everything_to_recompute_it(round_):
    """Rules 2.9, 14.3: and nobody's name (rule 15.6)."""
    cast.enter_all(round_, MAIN)
    document = finalise(round_).document
    assert set(document) == {
        "format", "round", "revision", "engine", "settings", "levels", "submissions", "rankings", "points",
        "champions", "draw",
    }  # fmt: skip
    assert [level["sha256"] for level in document["levels"]] == [
        Level.objects.get(slot=slot).sha256 for slot in ("main", "extra")
    ]
    assert document["settings"] == RoundSettings().as_json()
    assert all(len(row["lurd"]) == row["moves"] for row in document["submissions"])
    numbers = set(Player.objects.values_list("archive_number", flat=True))
    assert {row["player"] for row in document["submissions"]} <= numbers


def test_a_snapshot_takes_results_and_moves_from_one_reading(round_, monkeypatch):
    """Rule 14.3: a ruling that comes in between must not leave a ranked row without its moves."""
    main = round_.levels.get(slot="main")
    cast.enter(round_, "A", 500, 120, at=cast.DURING)
    Submission.objects.update(lurd="rR")
    reckon = tabulation.reckon

    def reckon_while_somebody_rules(*args):
        Best.objects.filter(level=main).delete()
        return reckon(*args)

    monkeypatch.setattr(tabulation, "reckon", reckon_while_somebody_rules)
    (row,) = finalise(round_).document["submissions"]
    assert row["lurd"] == "rR"


def test_a_draw_recomputes_from_the_snapshot(round_):
    """Rules 11.5, 14.3."""
    cast.enter_all(round_, MAIN)
    document = finalise(round_).document
    drawn_ = document["draw"]
    assert lucky_draw.commitment(document["round"], drawn_["number"], drawn_["salt"]) == drawn_["commitment"]
    assert drawn_["candidates"][lucky_draw.lucky_index(17, 3)] == drawn_["lucky"]


def test_a_snapshot_keeps_back_the_moves_that_never_become_public(round_):
    """Rules 7.3, 15.4."""
    round_.settings["solutions_public"] = "never"
    round_.save()
    cast.enter_all(round_, MAIN)
    document = finalise(round_).document
    assert {row["lurd"] for row in document["submissions"]} == {None}
    assert tabulation.differences(document) == []


def test_imported_submissions_go_by_the_number_they_had(round_):
    """Rule 24.1."""
    submission = cast.enter(round_, "A", 5, 2, at=cast.DURING)
    Submission.objects.filter(pk=submission.pk).update(original_number=987_654)
    document = finalise(round_).document
    assert [(row["number"], row["lurd"]) for row in document["submissions"]] == [(987_654, "rrrRR")]


@pytest.mark.parametrize(
    ("path", "value", "table_"),
    [
        (("points", 0, "move_half_points"), 39, "points"),
        (("points", 0, "place"), 2, "points"),
        (("champions", "moves"), 1, "champions"),
        (("draw", "lucky"), 1, "draw"),
        (("rankings", "human", "main", "moves", 0), 1, "rankings"),
    ],
)
def test_a_table_that_was_tampered_with_is_found(round_, path, value, table_):
    """Rule 14.3."""
    cast.enter_all(round_, MAIN)
    document = copy.deepcopy(finalise(round_).document)
    assert tabulation.differences(document) == []
    *way, last = path
    at = document
    for step in way:
        at = at[step]
    at[last] = value
    assert tabulation.differences(document) == [table_]


def test_the_hash_is_of_one_spelling_only():
    """Rule 14.3."""
    assert tabulation.canonical({"b": 1, "a": [1.5, None]}) == b'{"a":[1.5,null],"b":1}'
    assert tabulation.digest({"b": 1, "a": 2}) == tabulation.digest(json.loads('{"a": 2, "b": 1}'))


def test_the_number_is_the_typed_one_where_one_was_typed(during_round):
    """Rule 11.13."""
    lucky_number.type_number(during_round, 5, at=cast.OPENS - timedelta(hours=1), by=None)
    during_round.refresh_from_db()
    shown = results.shown(results.live(during_round, cast.AFTER))
    assert (shown.draw.number, shown.draw.is_typed) == (5, True)


# Rules as properties, over any round


RESULTS = st.lists(
    st.tuples(st.integers(1, 12), st.sampled_from(["human", "bot"]), st.sampled_from(["main", "extra"]),
              st.integers(1, 9), st.integers(1, 9), st.integers(0, 9)),
    max_size=40,
)  # fmt: skip
SETTINGS = st.builds(
    RoundSettings,
    scoring_levels=st.sampled_from([("main",), ("main", "extra"), ("extra",), ()]),
    second_champion=st.sampled_from(["move_rank_2", "push_rank_2", "none"]),
    leagues=st.sampled_from(["separate", "together"]),
    lucky=st.booleans(),
)
LUCKY = Lucky("0" * 64, 17, "0" * 32, is_typed=False)


def made(rows):
    """Results with one league for each player, numbered in order."""
    leagues = {player: league for player, league, *_ in rows}
    return [
        Result(number, player, leagues[player], slot, moves, pushes, cast.DURING + timedelta(seconds=second))
        for number, (player, _league, slot, moves, pushes, second) in enumerate(rows, 1)
    ]


def outcome(settings_, rows):
    reckoned = tabulation.reckon(settings_, rows, LUCKY)
    return tabulation.document(settings_, reckoned, LUCKY, Published(1, 1, 1, [], {}))


@given(SETTINGS, RESULTS)
def test_the_snapshot_gives_back_what_was_computed(settings_, rows):
    """Rule 14.3: for any results and settings."""
    document = json.loads(tabulation.canonical(outcome(settings_, made(rows))))
    assert tabulation.differences(document) == []


@given(SETTINGS, RESULTS, st.data())
def test_a_worse_result_never_changes_anything(settings_, rows, data):
    """Rules 5.7, 8.3: what is no better than the player's best in either ranking leaves every table alone."""
    found = made(rows)
    if not found:
        return
    best = data.draw(st.sampled_from(found))
    worse = Result(
        10_000, best.player, best.league, best.slot, best.moves + data.draw(st.integers(0, 3)), best.pushes + 1,
        cast.AFTER,
    )  # fmt: skip
    assert outcome(settings_, [*found, worse]) == outcome(settings_, found)


@given(SETTINGS, RESULTS, st.randoms())
def test_the_order_in_which_results_are_read_does_not_matter(settings_, rows, random):
    """Rule 8.5: the key is total."""
    found = made(rows)
    shuffled = random.sample(found, len(found))
    assert outcome(settings_, shuffled) == outcome(settings_, found)


@contextmanager
def undone():
    """Leave nothing behind of one example."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(st.sampled_from("ABCD"), st.integers(5, 9), st.integers(1, 5)), min_size=1, max_size=8),
    gone=st.integers(0, 7),
)
def test_a_void_submission_is_as_if_it_had_never_come(db, rows, gone):
    """Rules 8.8, 15.1: and taken back it is as if it had never been void (rule 15.3)."""
    gone %= len(rows)
    with undone():
        round_ = cast.a_round()
        submissions = cast.enter_all(round_, rows)
        rulings.void(submissions[gone], REASON, at=cast.DURING, by=None)
        without = results.live(round_, cast.AFTER)
        Submission.objects.filter(pk=submissions[gone].pk).delete()
        personal_bests.recount(round_.levels.get(slot="main"), [submissions[gone].player])
        assert results.live(round_, cast.AFTER) == without
    with undone():
        round_ = cast.a_round()
        submissions = cast.enter_all(round_, rows)
        kept = results.live(round_, cast.AFTER)
        rulings.void(submissions[gone], REASON, at=cast.DURING, by=None)
        rulings.unvoid(submissions[gone], REASON, by=None)
        assert results.live(round_, cast.AFTER) == kept


def test_every_ranks_points_are_shown_and_add_up(during_round):
    """Rules 9.1, 9.2, 9.4: what a row is made of, level by level."""
    during_round.settings |= {"scoring_levels": ["main", "extra"], "push_points": [19.5, 18.5]}
    during_round.save()
    cast.enter_all(during_round, [("Ann", 50, 20), ("Bo", 40, 22), ("Cy", 60, 21)])
    cast.enter_all(during_round, [("Dee", 9, 3), ("Ann", 10, 2)], slot="extra")
    rows = results.shown(results.live(during_round, cast.AFTER)).rows
    for row in rows:
        assert sum(score.half_points for score in row.scores if score.metric == "moves") == row.by_moves
        assert sum(score.half_points for score in row.scores if score.metric == "pushes") == row.by_pushes
    assert [(score.slot, score.metric, score.rank, score.points) for score in rows[0].scores] == [
        ("main", "moves", 2, "19"),
        ("main", "pushes", 1, "19.5"),
        ("extra", "moves", 2, "19"),
        ("extra", "pushes", 1, "19.5"),
    ]
    bo = next(row for row in rows if row.player.nickname == "Bo")
    assert [(score.rank, score.points) for score in bo.scores] == [(1, "20"), (3, "0"), (None, "0"), (None, "0")]
