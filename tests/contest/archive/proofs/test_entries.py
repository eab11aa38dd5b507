"""Entries are what their leaves bind, and a beacon's value is what it signed (rules 11.14, 11.15, 24.2)."""

import json
from contextlib import suppress
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from contest import judging, results, visibility
from contest.archive import verify
from contest.archive.proofs import closings as proofs
from contest.archive.proofs import randomness
from contest.celery import tasks
from contest.infra import clock
from contest.judging import receipt_chain
from contest.models import ChainLink, LuckyNumber, Player, Round, Submission
from contest.ops import outages
from contest.players import acts, api_tokens
from contest.rounds import lucky_number
from contest.rules import beacons, merkle, move_readers
from contest.rules.phases import SETTLED
from contest.visibility import Viewer
from contest.wording.bilingual import Reason
from solvers.sokoban.reading.readers import Reader
from tests import cast
from tests.contest.archive import forger
from tests.contest.archive.conftest import differences, faults, pack
from tests.contest.archive.forger import RELINKED, TABULATED
from tests.contest.archive.test_writer import LATER, bind, packed, play, unpacked, written
from tests.contest.rules.test_beacons import SIGNATURE
from tests.contest.rules.test_beacons import SIGNED_VALUE as VALUE

pytestmark = pytest.mark.django_db


def signs(valid: bool | None):
    """Return a check of signatures with this answer; None: the package is missing."""

    def is_signed(_number, _signature) -> bool:
        if valid is None:
            raise beacons.NoCurve
        return valid

    return is_signed


def finished(entered: str) -> dict[str, bytes]:
    play(lucky_beacon="drand quicknet")
    with clock.set_to(LATER):
        round_ = Round.objects.get()
        lucky_number.enter_beacon(round_, entered, at=LATER, by=None)
        results.finalise(round_, at=LATER, by=None)
        return unpacked(packed())


@pytest.mark.parametrize(
    ("entered", "valid", "differences", "remarks"),
    [
        (SIGNATURE, True, [], []),
        (SIGNATURE, False, ["round.json: the beacon did not sign round 39352612 so"], []),
        (SIGNATURE, None, [], [randomness.UNCHECKED]),
        (VALUE, True, [], [randomness.UNSIGNED]),
    ],
)
def test_a_signature_is_checked_or_named_as_unchecked(entered, valid, differences, remarks, monkeypatch, tmp_path):
    monkeypatch.setattr(beacons, "is_signed", signs(None))
    files = finished(entered)
    monkeypatch.setattr(beacons, "is_signed", signs(valid))
    report = verify.verify(pack(tmp_path, files))
    number = forger.Forgery(files).about["lucky"]["beacon"]["round"]
    found = [str(difference).replace(str(number), "39352612") for difference in report.differences]
    assert (found, report.remarks) == (differences, remarks)


def test_a_round_that_draws_nobody_needs_no_value(tmp_path):
    """Rules 11.15, 14.2: it becomes final without one, and its archive verifies."""
    play(lucky=False, lucky_beacon="drand quicknet")
    with clock.set_to(LATER):
        results.finalise(Round.objects.get(), at=LATER, by=None)
        assert verify.verify(pack(tmp_path, unpacked(packed()))).differences == []


def test_the_value_is_entered_for_the_draw_after_a_make_up_window():
    """Rules 3.10, 11.14: also before its closing is bound; that of the regular close has bound another round."""
    play(lucky_beacon="drand quicknet")
    ends = cast.CLOSES + timedelta(hours=2)
    with clock.set_to(cast.CLOSES + timedelta(hours=1)):
        receipt_chain.append_all()
        Round.objects.update(make_up_opens_at=clock.now(), make_up_closes_at=ends)
    with clock.set_to(ends + timedelta(minutes=1)):
        lucky_number.enter_beacon(Round.objects.get(), VALUE, at=clock.now(), by=None)
    assert LuckyNumber.objects.get().beacon_round == beacons.BEACONS["drand quicknet"].round_at(ends)


@pytest.mark.parametrize(("valid", "is_stored"), [(True, True), (None, True), (False, False)])
def test_a_wrong_signature_is_refused_at_the_desk(valid, is_stored, monkeypatch):
    monkeypatch.setattr(beacons, "is_signed", signs(valid))
    with suppress(ValidationError):
        finished(SIGNATURE)
    number = Round.objects.get().lucky_number
    assert (number.beacon_signature, number.beacon_value) == ((SIGNATURE, VALUE) if is_stored else ("", ""))


def test_a_league_corrected_later_is_named(tmp_path):
    """Rule 16.3: an organiser may correct a league; the archive shows that it was another when the entry came."""
    play()
    with clock.set_to(LATER):
        acts.correct_league(Player.objects.get(nickname="Ada"), "bot", None, reason="A program")
        report = verify.verify(pack(tmp_path, unpacked(packed())))
    number = Player.objects.get(nickname="Ada").archive_number
    assert report.differences == []
    assert report.remarks == [f"Player {number} sent in the league human, and counts in bot."]


def test_a_merge_is_named_and_holds_for_everything_sent(tmp_path):
    """Rule 4.13: what is said to be one player counts as one in every row, or it is noticed."""
    play()
    ada, eve = (Player.objects.get(nickname=name) for name in ("Ada", "Eve"))
    cast.merge(ada, eve, None, reason="same person")
    files = written()
    report = verify.verify(pack(tmp_path, files))
    named = f"What player {ada.archive_number} sent counts for player {eve.archive_number}: they are said to be one."
    assert (report.differences, report.remarks) == ([], [named])
    found = faults(tmp_path, files, lambda f: f.rows[0].update(player=ada.archive_number), TABULATED)
    assert "counts for two players" in found


def rename_all(name: str) -> None:
    for player in Player.objects.filter(merged_into=None).order_by("pk"):
        other = api_tokens.make_program(f"{player.nickname} {name}", None, LATER)[0]
        Player.objects.filter(pk=other.pk).update(league=player.league)
        other.refresh_from_db()
        cast.merge(player, other, None, reason="same person")


def published() -> dict:
    return json.loads(unpacked(packed())["results.json"])


def seat_the_lucky_player() -> None:
    """Merge the lucky player into a champion, who may not be lucky."""
    document = published()
    lucky, champion = (
        Player.objects.get(archive_number=number)
        for number in (document["draw"]["lucky"], document["champions"]["moves"])
    )
    cast.merge(lucky, champion, None, reason="same person")


@pytest.mark.parametrize(
    ("merge_again", "kept_from"), [(lambda: rename_all("third"), 1), (seat_the_lucky_player, None)]
)
def test_a_lucky_player_is_followed_through_two_merges(merge_again, kept_from, tmp_path):
    """Rules 4.13, 14.5: at the draw the player has a second name, and another one at the revision."""
    play()
    with clock.set_to(LATER):
        rename_all("second")
        results.finalise(Round.objects.get(), at=LATER, by=None)
        drawn = published()["draw"]["lucky"]
        merge_again()
        results.revise(Round.objects.get(), Reason(zh="原因", en="because"), at=LATER, by=None)
        draw = published()["draw"]
        assert draw["kept_from"] == kept_from
        assert draw["lucky"] != drawn
        assert differences(tmp_path, unpacked(packed())) == []


def test_each_reader_of_a_submission_is_known_to_the_verifier():
    """Rule 24.2: a new reader is one row of the table."""
    from contest.models.submission import Reader as Stored

    assert set(Stored.values) == set(move_readers.READERS)
    assert {entry.reader for entry in move_readers.READERS.values()} <= set(Reader)


def test_a_submission_of_the_sealed_reader_needs_a_sealed_answer(archive_files, tmp_path):
    """Rules 5.13, 24.2: the row of the answer cannot be dropped while the submission stays."""
    found = faults(tmp_path, archive_files, lambda f: f.rows[0].update(reader="sealed"), RELINKED)
    assert "by its reader sealed it is no opened sealed answer" in found


def closings() -> list[dict]:
    links = ChainLink.objects.exclude(closing_of=None).order_by("position")
    return [json.loads(link.document) for link in links]


def test_an_entry_behind_the_closing_entered_late(tmp_path):
    """Rules 3.3, 24.2: whatever time it names; here that of the first hour, stored 30 hours after the close."""
    play()
    with clock.set_to(LATER):
        receipt_chain.append_all()
    with clock.set_to(cast.OPENS + timedelta(hours=1)):
        cast.send("Late", "rR")
    with clock.set_to(cast.CLOSES + timedelta(hours=30)):
        judging.judge_until_empty()
        bind()
        path = pack(tmp_path, unpacked(packed()))
    number = Submission.objects.get(player__nickname="Late").number
    found = [str(difference) for difference in verify.verify(path).differences]
    assert f"chain.jsonl: submission {number} entered late: it stands behind the closing of {instant()}" in found


def instant(at=cast.CLOSES) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@pytest.mark.parametrize("look", [tasks.keep_watch, packed])
def test_the_first_look_after_the_close_binds_the_closing(look):
    """Rule 24.2: a worker's turn, or somebody's look at the archive."""
    play()
    with clock.set_to(LATER):
        for _ in range(2):
            look()
    (closing,) = closings()
    leaves = ChainLink.objects.filter(closing_of=None).order_by("position").values_list("leaf", "link")
    root = merkle.root([merkle.leaf_hash(bytes.fromhex(leaf)) for leaf, _ in leaves])
    assert (closing["closes_at"], closing["at"]) == (instant(), instant(LATER))
    assert (closing["size"], closing["root"], closing["link"]) == (len(leaves), root.hex(), list(leaves)[-1][1])


def test_a_closing_waits_until_nothing_received_in_time_can_be_under_way():
    """Rules 3.4, 24.2."""
    play()
    for at, expected in ((SETTLED - timedelta(seconds=1), 0), (SETTLED, 1)):
        with clock.set_to(cast.CLOSES + at):
            receipt_chain.append_all()
            assert (len(closings()), visibility.archived_rounds(Viewer(), clock.now()).exists()) == (expected, expected)


def test_a_closing_waits_for_entries_that_are_not_in_the_chain(monkeypatch):
    """Rule 24.2: on PostgreSQL one may wait for a gap."""
    play()
    with clock.set_to(cast.DURING):
        cast.send("Zoe", "rR")
    with clock.set_to(LATER):
        assert receipt_chain.append_closings() == 0
        bind()
        assert receipt_chain.append_closings() == 1


def test_an_outage_over_the_close_is_recorded_before_the_closing_is_bound(tmp_path):
    """Rules 3.10, 11.14: it delays the draw, and so the beacon's round that the closing binds; `verify` says so."""
    play()
    with clock.set_to(cast.CLOSES - timedelta(minutes=10)):
        outages.beat()
    with clock.set_to(cast.CLOSES + timedelta(hours=1)):
        tasks.keep_watch()
    assert [closing["draws_at"] for closing in closings()] == [instant(cast.CLOSES + timedelta(hours=24))]
    with clock.set_to(cast.CLOSES + timedelta(hours=25)):
        report = verify.verify(pack(tmp_path, unpacked(packed())))
    assert (report.differences, report.remarks) == ([], [proofs.DELAYED])


def cut(forgery) -> None:
    forgery.links.pop()
    forgery.closings.clear()


FORGED = {
    "cut off": (cut, "does not bind each close of the round once"),
    "link left out": (lambda f: f.links.pop(), "its leaf is not in the chain"),
    "twice": (lambda f: f.closings.append(f.closings[0]), "does not bind each close"),
    "bound before the close": (lambda f: f.closings[0].update(at=instant(cast.DURING)), "before the close"),
    "drawn later": (lambda f: f.closings[0].update(draws_at=instant(LATER + timedelta(days=9))), "at none of"),
    "another round": (lambda f: f.closings[0].update(round=7), "is of round 7"),
    "a sealed answer more": (lambda f: f.closings[0].update(sealed=1), "binds 1 sealed answers"),
    "a beacon's round": (lambda f: f.closings[0].update(beacon=5), "another round of the beacon"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_closing_is_detected(name, archive_files, tmp_path):
    """Rule 24.2: even with rebuilt leaves and links."""
    change, why = FORGED[name]
    assert why in faults(tmp_path, archive_files, change, RELINKED)
