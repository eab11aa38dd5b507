import json
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contest import results, rounds
from contest.models import AuditEntry, Best, Level, LuckyNumber, Note, Placing, Player, State, Submission
from contest.results import publish, rulings
from contest.rules import tabulation
from contest.rules.settings import NEW, RoundSettings
from contest.rules.tabulation import Lucky, Publication, Result
from contest.wording.bilingual import Reason
from tests import cast
from tests.contest.results.worked import LATER, MAIN, REASON, drawn, finalise, revise, table

pytestmark = pytest.mark.django_db


def refused(round_, at=cast.AFTER):
    return cast.refusal_of(finalise, round_, at)


def final(round_, rows=MAIN):
    round_.save()
    submissions = cast.enter_all(round_, rows)
    finalise(round_)
    round_.refresh_from_db()
    return submissions


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
    ("at", "message"),
    [
        (cast.DURING, "Only a closed round"),
        (cast.CLOSES, "less than a minute"),
        (cast.CLOSES + timedelta(seconds=59), "less than a minute"),
    ],
)
def test_a_round_is_not_final_before_it_has_closed(round_, at, message):
    """Rules 14.1, 14.2."""
    assert message in refused(round_, at)


def test_a_round_is_not_final_while_its_reveal_or_a_submission_waits_or_one_is_held(round_):
    """Rule 3.10."""
    rounds.delay_reveal(cast.CLOSES - timedelta(hours=1), cast.CLOSES)
    for nickname in ("A", "B"):
        cast.send(nickname, "rR")
    Submission.objects.filter(player__nickname="B").update(state=State.QUARANTINED)
    message = refused(round_)
    assert "held back" in message
    assert "1 submission is not judged yet." in message
    assert "1 submission is waiting for an organiser." in message
    Submission.objects.update(is_practice=True)  # practice does not block the results (rule 20.1)
    assert "Only final" in cast.refusal_of(revise, round_)
    assert finalise(round_, cast.CLOSES + timedelta(hours=24, minutes=1)).revision == 1
    assert "final already" in refused(round_, LATER)


def test_a_round_without_a_draw_is_final_without_its_number(round_):
    """Rule 17.1."""
    cast.with_settings(round_, lucky=False)
    LuckyNumber.objects.update(number=18)
    assert finalise(round_).document["draw"] is None


def test_a_final_result_stays_until_it_is_revised(round_):
    """Rules 14.4, 15.1: a ruling alone changes no published table; the old revision remains readable."""
    submissions = final(round_)
    first = round_.snapshots.get()
    before = table(round_, LATER)
    rulings.void(submissions[1], REASON, at=LATER, by=None)
    assert table(round_, LATER) == before
    second = revise(round_)
    assert "C" not in {name for name, _, _ in table(round_, LATER)}
    assert [snapshot.revision for snapshot in round_.snapshots.all()] == [1, 2]
    first.refresh_from_db()
    assert tabulation.digest(first.document) == first.sha256 != second.sha256
    assert (second.made_at, second.reason_en) == (LATER, "because")
    assert revise(round_) == second, "sent twice"
    assert "being revised" in cast.refusal_of(results.revise, round_, Reason(en="another's"), at=LATER, by=None)
    assert Note.objects.get(kind="revised").values == {"revision": 2}


@pytest.mark.parametrize(("on_revision", "kept_from", "lucky"), [("keep", 1, "D"), ("redraw", None, "G")])
def test_the_lucky_player_stays_on_a_revision_unless_the_round_draws_again(round_, on_revision, kept_from, lucky):
    """Rule 14.5: also without any results; only a disqualification or a champion's seat changes this."""
    round_.settings["lucky_on_revision"] = on_revision
    submissions = final(round_)
    for number in (0, 3, 4):
        rulings.void(submissions[number], REASON, at=LATER, by=None)
    cast.enter_all(round_, [("F", 550, 190), ("G", 600, 200)])
    document = revise(round_).document
    assert document["draw"]["kept_from"] == kept_from
    assert drawn(round_, LATER) == (["F", "G"], lucky)
    assert Placing.objects.get(is_lucky=True).player.nickname == lucky


def test_lifting_a_disqualification_restores_the_lucky_player(round_):
    """Rules 14.5, 15.2, 19.5: the earliest player ever drawn who is still eligible; otherwise the same number draws."""
    final(round_)
    ruling = rulings.disqualify(round_, Player.objects.get(nickname="D"), REASON, at=LATER, by=None)
    document = revise(round_).document
    assert (document["draw"]["kept_from"], document["draw"]["number"]) == (None, 17)
    assert drawn(round_, LATER) == (["A", "E"], "E")  # 17 mod 2 = 1
    cast.enter_all(round_, [("G", 600, 200), ("H", 601, 201)])
    document = revise(round_).document
    assert (drawn(round_, LATER)[1], document["draw"]["kept_from"]) == ("E", 2)  # 17 mod 4 would draw another
    rulings.lift(ruling, REASON, at=LATER, by=None)
    assert revise(round_).document["draw"]["kept_from"] == 1
    assert drawn(round_, LATER)[1] == "D"


def test_a_lucky_player_leaves_the_draw_on_becoming_a_champion(round_):
    submissions = final(round_, [("A", 5, 1), ("B", 6, 2), ("C", 7, 3), ("D", 8, 4)])
    assert drawn(round_)[1] == "D"  # 17 mod 2 = 1
    for submission in submissions[:2]:
        rulings.void(submission, REASON, at=LATER, by=None)
    cast.enter_all(round_, [("E", 9, 5), ("F", 10, 6)])
    revise(round_)
    assert [titles for name, _, titles in table(round_, LATER) if name == "D"] == [["second"]]
    assert drawn(round_, LATER) == (["E", "F"], "F")


def test_the_snapshot_contains_everything_needed_to_recompute_it(round_):
    """Rules 2.9, 14.3, 24.1: without names (rule 15.6); imported submissions have their original numbers."""
    submissions = cast.enter_all(round_, MAIN)
    Submission.objects.filter(pk=submissions[0].pk).update(original_number=987_654)
    document = finalise(round_).document
    assert set(document) == {
        "format", "round", "revision", "engine", "settings", "levels", "submissions", "rankings", "points",
        "champions", "draw",
    }  # fmt: skip
    assert [level["sha256"] for level in document["levels"]] == [
        Level.objects.get(slot=slot).sha256 for slot in ("main", "extra")
    ]
    assert document["settings"] == {**RoundSettings().as_published(), **NEW}
    assert all(len(row["lurd"]) == row["moves"] for row in document["submissions"])
    assert 987_654 in {row["number"] for row in document["submissions"]}
    numbers = set(Player.objects.values_list("archive_number", flat=True))
    assert {row["player"] for row in document["submissions"]} <= numbers


def test_a_snapshot_has_results_and_moves_from_one_database_state(round_, monkeypatch):
    """Rule 14.3: otherwise a ruling in between could leave a ranked row without its moves."""
    main = round_.levels.get(slot="main")
    cast.enter(round_, "A", 500, 120, at=cast.DURING)
    Submission.objects.update(lurd="rR")
    compute = tabulation.compute_tables

    def compute_during_a_ruling(*args):
        Best.objects.filter(level=main).delete()
        return compute(*args)

    monkeypatch.setattr(tabulation, "compute_tables", compute_during_a_ruling)
    (row,) = finalise(round_).document["submissions"]
    assert row["lurd"] == "rR"


def test_a_snapshot_omits_moves_that_never_become_public(round_):
    """Rules 7.3, 15.4."""
    round_.settings["solutions_public"] = "never"
    final(round_)
    document = round_.snapshots.get().document
    assert {row["lurd"] for row in document["submissions"]} == {None}
    assert tabulation.differences(document) == []


def test_the_points_of_every_rank_are_shown_and_add_up(during_round):
    """Rules 9.1, 9.2, 9.4: the parts of a row, level by level."""
    cast.with_settings(during_round, scoring_levels=["main", "extra"], push_points=[19.5, 18.5])
    cast.enter_all(during_round, [("Ann", 50, 20), ("Bo", 40, 22), ("Cy", 60, 21)])
    cast.enter_all(during_round, [("Dee", 9, 3), ("Ann", 10, 2)], slot="extra")
    rows = results.table(results.live(during_round, cast.AFTER)).rows
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


def outcome(settings_, rows):
    tabulated = tabulation.compute_tables(settings_, rows, LUCKY)
    return tabulation.document(settings_, tabulated, LUCKY, Publication(1, 1, 1, [], {}))


@given(SETTINGS, RESULTS, st.data())
def test_a_snapshot_does_not_depend_on_order_or_worse_results(settings_, rows, data):
    """Rules 5.7, 8.3, 8.5, 14.3, 17: for any results and settings; a round may have no draw."""
    leagues = {player: league for player, league, *_ in rows}
    created = [
        Result(number, player, leagues[player], slot, moves, pushes, cast.DURING + timedelta(seconds=second))
        for number, (player, _league, slot, moves, pushes, second) in enumerate(rows, 1)
    ]
    document = outcome(settings_, created)
    assert (document["draw"] is not None) == settings_.lucky
    assert tabulation.differences(json.loads(tabulation.canonical(document))) == []
    if created:
        best = data.draw(st.sampled_from(created))
        moves, pushes = best.moves + data.draw(st.integers(0, 3)), best.pushes + 1
        worse = Result(10_000, best.player, best.league, best.slot, moves, pushes, cast.AFTER)
        assert outcome(settings_, data.draw(st.permutations([*created, worse]))) == document


def test_solutions_too_long_for_a_document_are_refused_until_the_longest_is_void(round_, monkeypatch):
    """Rule 14.3: otherwise building the document would need gigabytes, or the database would refuse it."""
    longest, _other = cast.enter_all(round_, [("Ann", 90, 1), ("Bo", 4, 1)])
    monkeypatch.setattr(publish, "MOST_LETTERS", 93)
    assert refused(round_).startswith("The ranked solutions have 94 moves together; results can hold 93.")
    rulings.void(longest, REASON, at=cast.AFTER, by=None)
    assert finalise(round_).revision == 1


def nearest(round_, *names, least=None):
    rows = results.preview(round_, round_.levels.all(), cast.DURING).rows
    players = Player.objects.filter(nickname__in=names).values_list("pk", flat=True)
    gain = results.nearest_gain(rows, set(players), least or {})
    return gain and (gain.slot, gain.metric, gain.fewer, gain.rank)


def test_the_smallest_improvement_that_gains_a_rank_is_named(during_round):
    """Rule 7.7."""
    cast.enter_all(during_round, [("Ann", 50, 20), ("Bo", 40, 22), ("Cy", 60, 24)])
    cast.enter_all(during_round, [("Dee", 9, 3), ("Cy", 30, 8)], slot="extra")
    assert nearest(during_round, "Cy") == ("main", "pushes", 3, 2)
    assert nearest(during_round, "Ann", "Cy") == ("main", "pushes", 3, 2)
    assert nearest(during_round, "Dee") is None
    assert nearest(during_round, "Nobody") is None
    assert nearest(during_round, "Cy", least={"main": 22}) == ("main", "moves", 11, 2)
