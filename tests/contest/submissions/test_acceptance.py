import hashlib
from base64 import b64encode, urlsafe_b64encode
from datetime import timedelta
from uuid import NAMESPACE_URL, UUID, uuid5

import pytest
from django.db import connection

from contest.infra import clock
from contest.models import Door, Player, State, Submission, Verdict
from contest.players import claims
from contest.submissions import MAX_TEXT_BYTES, Entry, Receipt, Refused, accept
from tests import cast
from tests.cast import judged, send

pytestmark = pytest.mark.django_db
KEY = "a key that nobody guesses"


def refusal_of(nickname="player", moves="rR", **fields):
    refusal = cast.refused(send, nickname, moves, **fields)
    return refusal.code, refusal.status


def test_a_submission_in_time_waits_and_only_the_first_receipt_of_a_nickname_carries_the_claim(during_round):
    """Rules 5.4, 5.10."""
    first = send("player", "rR")
    stored = judged(first)
    assert (stored.state, stored.verdict, stored.received_at) == (State.QUEUED, "", cast.DURING)
    assert len(stored.receipt_id) >= 24
    again = send("player", "rrR", claim=first.claim or "")
    assert first.claim
    assert again.claim is None


def test_a_late_or_early_submission_is_refused_with_the_missed_limit_and_logged_with_its_hash(db, caplog):
    """Rule 3.8."""
    cast.a_round()
    with clock.set_to(cast.CLOSES), caplog.at_level("INFO"), pytest.raises(Refused):
        send("player", "rR")
    with clock.set_to(cast.CLOSES), caplog.at_level("INFO"), pytest.raises(Refused) as caught:
        send("player", "rR", round=1)
    assert caplog.text.count(hashlib.sha256(b"rR").hexdigest()) == 2
    assert caught.value.reason == (
        "Round 1 closed at 2026-11-22 20:00:00 (UTC+8); this was received at 2026-11-22 20:00:00 (UTC+8)."
    )
    assert caught.value.retry_after is None
    for milliseconds, wait in ((1, 1), (1_999, 1), (90_000, 90)):
        with clock.set_to(cast.OPENS - timedelta(milliseconds=milliseconds)):
            early = [cast.refused(send, "player", "rR", round=number) for number in (1, None)]
        assert [(refusal.code, refusal.retry_after) for refusal in early] == [("early", wait), ("no_round", wait)]
    assert not Submission.objects.exists()
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({"nickname": "  \t "}, ("no_name", 400)),
        ({"nickname": "a\x00b"}, ("bad_name", 400)),
        ({"country": "Sverige utan e"}, ("bad_country", 400)),
        ({"email": "no address"}, ("bad_email", 400)),
        ({"slot": "extra9"}, ("no_level", 404)),
        ({"slot": "extra3"}, ("no_level", 404)),
        ({"round": 10**30}, ("no_round", 404)),
        ({"round": 2}, ("no_round", 404)),  # a draft
        ({"idempotency_key": "k" * 201}, ("bad_key", 400)),
    ],
)
def test_a_faulty_field_is_refused_and_nothing_is_stored(during_round, fields, outcome):
    cast.a_round(2, announced_at=None, opens_at=cast.DURING, closes_at=cast.CLOSES)
    assert refusal_of(**fields) == outcome
    assert not Submission.objects.exists()


def test_a_text_over_the_byte_limit_is_refused_and_a_text_at_the_limit_is_stored(during_round):
    assert refusal_of(moves="r" * (MAX_TEXT_BYTES + 1)) == ("too_large", 413)
    assert send("player", "r" * MAX_TEXT_BYTES).is_new


def test_the_same_text_for_another_slot_is_another_submission(during_round):
    """Rule 5.6: for the same slot, named or not, it is the first submission again."""
    first = send("player", "rR")
    claim = first.claim or ""
    again = send("player", "rR", claim=claim)
    assert (again.submission.pk, again.is_new) == (first.submission.pk, False)
    named = send("player", "rR", slot="main", claim=claim)
    again = send("player", "rR", slot="main", claim=claim)
    other = send("player", "rR", slot="extra", claim=claim)
    assert (named.is_new, again.is_new, other.is_new) == (True, False, True)
    assert again.submission.pk == named.submission.pk


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL waits for the disk unless told otherwise")
def test_on_sqlite_a_receipt_is_durable_when_it_is_returned(during_round):
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous")
        full = 2
        assert cursor.fetchone() == (full,)


def test_a_retry_with_the_same_key_returns_the_lost_receipt_and_claim(during_round):
    """Rules 4.11, 5.5, 5.10: as long as it still proves the nickname."""
    first = send("player", "rR", idempotency_key=KEY)
    again = send("player", "rR", idempotency_key=KEY)
    assert (again.submission, again.claim, again.is_new) == (first.submission, first.claim, False)
    others = [send("rival", "rR", idempotency_key=KEY), send("third", "r", idempotency_key="a key that nobody finds")]
    assert len({receipt.claim for receipt in (first, *others)}) == 3
    claims.renew(first.submission.player, None)
    assert send("player", "rR", idempotency_key=KEY).claim is None


def test_a_claim_is_repeated_for_ten_minutes_and_only_to_the_same_network(during_round):
    """Rule 5.10: the receipt alone is repeated later and elsewhere."""
    entry = Entry("player", "rR", idempotency_key=KEY)

    def sent(address: str, minutes: int) -> Receipt:
        with clock.set_to(cast.DURING + timedelta(minutes=minutes)):
            return accept(entry, door=Door.API, address=address)

    first = sent("192.0.2.7", 0)
    assert sent("192.0.2.7", 10).claim == first.claim
    later, elsewhere = sent("192.0.2.7", 11), sent("198.51.100.7", 1)
    assert (later.claim, elsewhere.claim) == (None, None)
    assert later.submission == elsewhere.submission == first.submission


def _digests_of(text: bytes) -> list[str]:
    made = [hashlib.new(name, text) for name in ("md5", "sha1", "sha256")]
    encoded = [(encode(digest.digest()).decode()) for digest in made for encode in (b64encode, urlsafe_b64encode)]
    return [*(digest.hexdigest() for digest in made), *encoded]


GUESSABLE = [
    *("1", "a-key-of-19-letters", *_digests_of(b"rR"), _digests_of(b"rR")[1].upper(), _digests_of(b"rR")[2][:32]),
    *(f"leitai-{_digests_of(b'rR')[0]}", str(UUID(_digests_of(b"rR")[0])), _digests_of(b"rR")[3].rstrip("=")),
    *(str(uuid5(NAMESPACE_URL, "rR")), hashlib.blake2b(b"rR").hexdigest(), str(UUID(int=0)), "1234567 1234567 1234567"),
]


@pytest.mark.parametrize("key", GUESSABLE)
def test_a_key_that_others_can_guess_gives_no_claim_again(during_round, key):
    """Rule 5.10: a short one, one of few characters, and a digest of the text in any form."""
    assert send("player", "rR", idempotency_key=key).claim
    assert refusal_of("player", "rR", idempotency_key=key) == ("name_taken", 409)


@pytest.mark.parametrize(("key", "moves", "again"), [(KEY, "rrR", KEY), ("", "rR", "")])
def test_a_key_proves_a_nickname_only_with_its_text_and_if_unguessable(during_round, key, moves, again):
    send("player", "rR", idempotency_key=key)
    assert refusal_of("player", moves, idempotency_key=again) == ("name_taken", 409)


def test_the_eleventh_submission_within_a_minute_has_to_wait(during_round):
    """Rules 5.2, 5.9: submissions held for staff do not count."""
    claim = send("player", "rR").claim or ""
    for extra in range(2, 11):
        send("player", "r" * extra, claim=claim)
    caught = cast.refused(send, "player", "l", claim=claim)
    assert (caught.code, caught.status, caught.retry_after) == ("quota", 429, 61)
    with clock.set_to(cast.DURING + timedelta(seconds=61)):
        assert send("player", "ll", claim=claim).is_new
    assert send("rival", "rR").is_new
    Submission.objects.update(state=State.QUARANTINED)
    assert send("player", "l", claim=claim).is_new


@pytest.mark.parametrize(
    ("moves", "verdict", "index"),
    [
        ("rR", Verdict.ACCEPTED, None),
        ("r", Verdict.NOT_SOLVED, None),
        ("ru", Verdict.ILLEGAL, 1),
        ("", Verdict.EMPTY, None),
        ("r\x00R", Verdict.ACCEPTED, None),
        ("r\ud800", Verdict.MALFORMED, 1),
        ("9(9(9(9(9(9(9(9(9(9(9(9(u))))))))))))", Verdict.TOO_LONG, None),
    ],
)
def test_every_text_sent_in_time_is_stored_and_judged(during_round, moves, verdict, index):
    """Rule 5.8: these are verdicts, not refusals."""
    row = cast.submit("player", moves)
    assert (row.verdict, row.index) == (verdict, index)
