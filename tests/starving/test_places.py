"""Places for what waits are counted one request after another, so that concurrent requests cannot pass together."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import OperationalError, connection, transaction

from contest.infra import rate_limits
from contest.infra.database import locks
from contest.models import Film, NameReport, Search
from contest.outreach.newsletter import subscriptions
from contest.players import reports
from contest.replays import animations
from contest.vetting import asking, worker
from contest.vetting.asking import Asker, Question
from contest.visibility import Viewer
from tests import cast
from tests.contest import test_at_once

pytestmark = test_at_once.pytestmark
OTHER = "#######|#@--$.#|#-----#|#######"


def a_film(round_, number):
    submission = cast.enter(round_, "Ada", 2 + number, 1, at=cast.DURING + timedelta(minutes=number))
    return lambda: animations.order_film(submission, "gif", address="192.0.2.1", at=cast.AFTER)


def a_question(_round, _number):
    return lambda: asking.ask(Question(OTHER), Asker(Viewer(), "192.0.2.1"), at=cast.DURING)


def a_report(round_, number):
    player = cast.enter(round_, f"Ada {number}", 2, 1, at=cast.DURING).player
    return lambda: reports.report(player, "offensive", text="", email="", address="192.0.2.1")


def a_subscription(_round, number):
    return lambda: subscriptions.subscribe(f"{number}@example.org", ["news"], "en", cast.DURING, address="192.0.2.1")


@pytest.mark.parametrize("prepare", [a_film, a_question, a_report, a_subscription])
def test_a_request_waits_for_the_place_that_another_one_is_taking(during_round, prepare):
    """Without the lock both would count the same rows, and both would take the last place."""
    first, second = prepare(during_round, 1), prepare(during_round, 2)

    @test_at_once.of_a_thread
    def take_second():
        with transaction.atomic():
            locks.do_not_wait()
            second()

    with transaction.atomic(), ThreadPoolExecutor(1) as beside:
        first()
        with pytest.raises(OperationalError) as refused:
            beside.submit(take_second).result()
    assert locks.is_locked(refused.value)
    second()
    assert Film.objects.count() + Search.objects.count() + NameReport.objects.count() in (0, 2)


def test_a_place_is_counted_only_in_a_transaction():
    with pytest.raises(transaction.TransactionManagementError):
        rate_limits.has_room(Film.objects.waiting(), "", most=1, most_of_network=1)


@pytest.mark.parametrize(
    ("rows", "index"), [(animations.in_turn, "film_of_network"), (worker.in_turn, "search_of_network")]
)
def test_a_claim_reads_only_the_rows_of_the_same_network(rows, index):
    """As if the tables were large."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        assert index in rows().explain()
