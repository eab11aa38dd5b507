"""One archive of each kind of round: what a test asks of all archives it asks of these."""

from datetime import timedelta
from unittest import mock

from contest import results, rounds
from contest.infra import clock
from contest.judging import receipt_chain
from contest.models import Level, Player, Round, Slot
from contest.ops import outages
from contest.rounds import lucky_number
from contest.rules import beacons
from contest.wording.bilingual import Reason
from tests import cast
from tests.contest.archive.test_sealed import sealed
from tests.contest.archive.test_writer import LATER, bind, play, written
from tests.contest.rules.test_beacons import SIGNATURE

HOUR = timedelta(hours=1)
BECAUSE = Reason(zh="原因", en="because")


def is_signed(_round: int, signature: str) -> bool:
    """Stand in for the beacon's check: no real signature is of the round that these times give."""
    return signature == SIGNATURE


def final() -> dict[str, bytes]:
    play()
    with clock.set_to(LATER):
        results.finalise(Round.objects.get(), at=LATER, by=None)
    return written()


def withheld() -> dict[str, bytes]:
    play(solutions_public="never")
    return written()


def cancelled() -> dict[str, bytes]:
    play()
    with clock.set_to(LATER):
        rounds.cancel(Round.objects.get(), BECAUSE, at=LATER, by=None)
    return written()


def eventful() -> dict[str, bytes]:
    """A round with a beacon, a make-up window, a void level, a merged player and a revision after the merge."""
    play(lucky_beacon="drand quicknet")
    begins, ends = cast.CLOSES + 2 * HOUR, cast.CLOSES + 4 * HOUR
    with clock.set_to(cast.CLOSES + HOUR):
        outages.record(cast.CLOSES - HOUR, cast.CLOSES)
        receipt_chain.append_all()
        rounds.grant_make_up(Round.objects.get(), begins, ends, BECAUSE, at=cast.CLOSES + HOUR, by=None)
    with clock.set_to(begins):
        cast.submit("Fay", "rR")
        bind()
    with clock.set_to(LATER):
        round_ = Round.objects.get()
        with mock.patch.object(beacons, "is_signed", is_signed):
            lucky_number.enter_beacon(round_, SIGNATURE, at=LATER, by=None)
        results.finalise(round_, at=LATER, by=None)
        rounds.void_slot(Level.objects.get(slot=Slot.EXTRA), BECAUSE, at=LATER, by=None)
        fay, eve = (Player.objects.get(nickname=name) for name in ("Fay", "Eve"))
        cast.merge(fay, eve, None, reason="same person")
        results.revise(Round.objects.get(), BECAUSE, at=LATER, by=None)
    return written()


MAKERS = {maker.__name__: maker for maker in (final, withheld, sealed, cancelled, eventful)}
