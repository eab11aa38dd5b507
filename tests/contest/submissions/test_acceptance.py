import hashlib
from datetime import timedelta

import pytest
from django.db import connection
from django.utils.translation import override

from contest import judging
from contest.infra import clock
from contest.models import Door, Player, State, Submission, Verdict
from contest.players import claims, merging
from contest.submissions import MAX_TEXT_BYTES, Refused
from contest.visibility import Viewer
from tests import cast
from tests.cast import judged, send

pytestmark = pytest.mark.django_db


def refused(nickname="player", moves="rR", **fields):
    with pytest.raises(Refused) as caught:
        send(nickname, moves, **fields)
    return caught.value.code, caught.value.status


def test_a_submission_in_time_gets_a_receipt_and_waits(during_round):
    """Rules 5.4, 5.10."""
    receipt = send("player", "rR")
    stored = judged(receipt)
    assert (stored.state, stored.verdict, stored.received_at) == (State.QUEUED, "", cast.DURING)
    assert len(stored.receipt_id) >= 24


def test_only_the_first_receipt_of_a_nickname_carries_the_claim(during_round):
    first = send("player", "rR")
    again = send("player", "rrR", claim=first.claim or "")
    assert first.claim
    assert again.claim is None


@pytest.mark.parametrize(
    ("at", "outcome"),
    [
        (cast.OPENS, None),
        (cast.OPENS - timedelta(microseconds=1), ("early", 409)),
        (cast.CLOSES - timedelta(microseconds=1), None),
        (cast.CLOSES, ("late", 409)),
    ],
)
def test_the_opening_instant_is_in_time_and_the_closing_instant_is_late(at, outcome):
    """Rule 3.2."""
    cast.a_round()
    with clock.set_to(at):
        if outcome:
            assert refused(round=1) == outcome
        else:
            send("player", "rR", round=1)


def test_a_late_submission_is_told_when_it_was_received_and_which_limit_it_missed(db):
    cast.a_round()
    with clock.set_to(cast.CLOSES), override("en"), pytest.raises(Refused) as caught:
        send("player", "rR", round=1)
    assert caught.value.reason == (
        "Round 1 closed at 2026-11-22 20:00:00 (UTC+8); this was received at 2026-11-22 20:00:00 (UTC+8)."
    )
    assert not Submission.objects.exists()
    assert not Player.objects.exists()


@pytest.mark.parametrize("named", [1, None])
def test_what_came_out_of_time_is_logged_with_its_hash(db, caplog, named):
    """Rule 3.8."""
    cast.a_round()
    with clock.set_to(cast.CLOSES), caplog.at_level("INFO"), pytest.raises(Refused):
        send("player", "rR", round=named)
    assert hashlib.sha256(b"rR").hexdigest() in caplog.text


def test_a_draft_looks_like_no_round(db):
    cast.a_round(announced_at=None)
    with clock.set_to(cast.DURING):
        assert refused(round=1) == refused(round=99) == ("no_round", 404)


@pytest.mark.parametrize(
    ("nickname", "outcome"),
    [
        ("", ("no_name", 400)),
        ("  \t ", ("no_name", 400)),
        ("x" * 33, ("bad_name", 400)),
        ("a\x00b", ("bad_name", 400)),
        ("a\u202eb", ("bad_name", 400)),
        ("a\u200bb", ("bad_name", 400)),
        ("\ud800", ("bad_name", 400)),
    ],
)
def test_a_bad_nickname_is_refused(during_round, nickname, outcome):
    assert refused(nickname) == outcome


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({"country": "Sverige utan e"}, ("bad_country", 400)),
        ({"email": "no address"}, ("bad_email", 400)),
        ({"slot": "extra9"}, ("no_level", 404)),
        ({"slot": "extra3"}, ("no_level", 404)),
        ({"round": 10**30}, ("no_round", 404)),
        ({"idempotency_key": "k" * 201}, ("bad_key", 400)),
    ],
)
def test_a_faulty_field_is_refused_and_nothing_is_stored(during_round, fields, outcome):
    assert refused(**fields) == outcome
    assert not Submission.objects.exists()


def test_a_text_over_the_byte_limit_is_refused_and_one_at_it_is_stored(during_round):
    assert refused(moves="r" * (MAX_TEXT_BYTES + 1)) == ("too_large", 413)
    assert send("player", "r" * MAX_TEXT_BYTES).is_new


@pytest.mark.parametrize("spelling", ["player", " PLAYER ", "Рlаyеr", "ｐｌａｙｅｒ"])
def test_somebody_elses_nickname_is_refused_however_it_is_spelt(during_round, spelling):
    """Rules 1.3, 4.5, 4.11."""
    send("player", "rR")
    assert refused(spelling) == ("name_taken", 409)


@pytest.mark.parametrize("proof", ["claim", "cookie"])
def test_the_claim_or_the_browser_proves_a_nickname_and_a_receipt_does_not(during_round, proof):
    """Rule 4.11."""
    first = send("player", "rR")
    player = first.submission.player
    with pytest.raises(Refused):
        send("player", "rrR", claim="wrong")
    with pytest.raises(Refused):
        send("player", "rrR", claim=first.submission.receipt_id)
    viewer = Viewer({player.pk: first.claim}) if proof == "cookie" else None
    claim = first.claim if proof == "claim" else ""
    again = cast.accept(cast.Entry("player", "rrR", claim=claim), door=Door.API, viewer=viewer)
    assert again.submission.player == player


def test_the_same_text_again_returns_the_first_receipt(during_round):
    """Rule 5.6."""
    first = send("player", "rR")
    again = send("player", "rR", claim=first.claim or "")
    assert (again.submission.pk, again.is_new) == (first.submission.pk, False)
    assert Submission.objects.count() == 1


def test_the_same_text_for_another_slot_is_another_submission(during_round):
    """Rule 5.6: and for the same named slot it is the first one again."""
    first = send("player", "rR")
    claim = first.claim or ""
    named = send("player", "rR", slot="main", claim=claim)
    again = send("player", "rR", slot="main", claim=claim)
    other = send("player", "rR", slot="extra", claim=claim)
    assert (named.is_new, again.is_new, other.is_new) == (True, False, True)
    assert again.submission.pk == named.submission.pk


def test_the_same_text_of_a_merged_player_is_the_first_of_all_their_names(during_round):
    """Rules 4.13, 5.6."""
    first, second = send("player", "rR"), send("rival", "rR")
    merging.merge(first.submission.player, second.submission.player, None, reason="same person")
    again = send("rival", "rR", claim=second.claim or "")
    assert (again.submission.pk, again.is_new) == (first.submission.pk, False)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL waits for the disk unless told otherwise")
def test_on_one_box_a_receipt_is_on_the_disk_when_it_is_given(during_round):
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous")
        full = 2
        assert cursor.fetchone() == (full,)


def test_who_lost_the_first_answer_and_its_claim_gets_the_receipt_by_the_same_key(during_round):
    """Rules 5.5, 5.10."""
    key = "a key that nobody guesses"
    first = send("player", "rR", idempotency_key=key)
    again = send("player", "rR", idempotency_key=key)
    assert (again.submission, again.claim, again.is_new) == (first.submission, first.claim, False)
    assert send("player", "rrR", claim=again.claim).is_new


def test_a_claim_that_was_renewed_is_not_given_again(during_round):
    """Rules 4.11, 5.10."""
    key = "a key that nobody guesses"
    first = send("player", "rR", idempotency_key=key)
    claims.renew(first.submission.player, None)
    assert send("player", "rR", idempotency_key=key).claim is None


def test_the_secret_of_one_nickname_and_key_is_that_of_no_other(during_round):
    """Rule 5.10."""
    keys = ["a key that nobody guesses", "a key that nobody finds"]
    made = {send(key[-8:] + moves, moves, idempotency_key=key).claim for key in keys for moves in ("rR", "r")}
    assert len(made | {send("another", "rR", idempotency_key=keys[0]).claim}) == 5


@pytest.mark.parametrize(("moves", "key"), [("rrR", "a key that nobody guesses"), ("rR", "1"), ("rR", "")])
def test_a_key_proves_a_nickname_only_with_its_text_and_where_nobody_guesses_it(during_round, moves, key):
    send("player", "rR", idempotency_key="a key that nobody guesses" if len(key) > 1 else key)
    assert refused("player", moves, idempotency_key=key) == ("name_taken", 409)


def test_an_idempotency_key_with_another_text_is_an_error(during_round):
    """Rules 5.5, 5.9."""
    first = send("player", "rR", idempotency_key="k1")
    same = send("player", "rR", claim=first.claim or "", idempotency_key="k1")
    assert same.submission.pk == first.submission.pk
    assert refused(moves="rrR", claim=first.claim, idempotency_key="k1") == ("key_reused", 422)


def test_the_eleventh_submission_within_a_minute_has_to_wait(during_round):
    """Rules 5.2, 5.9."""
    claim = send("player", "rR").claim or ""
    for extra in range(2, 11):
        send("player", "r" * extra, claim=claim)
    with pytest.raises(Refused) as caught:
        send("player", "l", claim=claim)
    assert (caught.value.code, caught.value.status, caught.value.retry_after) == ("quota", 429, 61)
    with clock.set_to(cast.DURING + timedelta(seconds=61)):
        assert send("player", "l", claim=claim).is_new
    assert send("rival", "rR").is_new


def test_what_is_held_for_staff_costs_no_quota(during_round):
    claim = send("player", "rR").claim or ""
    for extra in range(2, 11):
        send("player", "r" * extra, claim=claim)
    Submission.objects.filter(sha256__isnull=False).update(state=State.QUARANTINED)
    assert send("player", "l", claim=claim).is_new


@pytest.mark.parametrize(
    ("moves", "verdict", "index"),
    [
        ("rR", Verdict.ACCEPTED, None),
        ("2r", Verdict.ACCEPTED, None),
        ("rRlll", Verdict.ACCEPTED, None),
        ("r", Verdict.NOT_SOLVED, None),
        ("ru", Verdict.ILLEGAL, 1),
        ("", Verdict.EMPTY, None),
        (" \n", Verdict.EMPTY, None),
        ("rX", Verdict.MALFORMED, 1),
        ("r\x00R", Verdict.MALFORMED, 1),
        ("r\ud800", Verdict.MALFORMED, 1),
        ("3", Verdict.MALFORMED, 0),
        ("9999999r", Verdict.TOO_LONG, None),
        ("9(9(9(9(9(9(9(9(9(9(9(9(u))))))))))))", Verdict.TOO_LONG, None),
    ],
)
def test_whatever_is_sent_in_time_is_stored_and_judged(during_round, moves, verdict, index):
    """Rule 5.8: these are verdicts, not refusals."""
    receipt = send("player", moves)
    judging.judge_until_empty()
    assert (judged(receipt).verdict, judged(receipt).index) == (verdict, index)
