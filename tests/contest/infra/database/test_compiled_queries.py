from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F

from contest import judging
from contest.infra.database.compiled_queries import SOME_NUMBER, SOME_TEXT, SOME_TIME, PreparedQuery
from contest.models import Player, Round, Submission
from tests import cast

pytestmark = pytest.mark.django_db


def test_a_prepared_query_answers_as_the_query_itself_does(during_round):
    cast.a_round(2, opens_at=cast.AFTER, closes_at=cast.AFTER + timedelta(days=1))
    rounds = PreparedQuery(lambda at: Round.objects.open(at).order_by("opens_at"), SOME_TIME)
    for at in (cast.OPENS, cast.DURING, cast.CLOSES, cast.AFTER, cast.OPENS - timedelta(days=1)):
        assert rounds(at) == list(Round.objects.open(at).order_by("opens_at"))


def test_it_is_compiled_once_and_takes_each_value_where_it_belongs(during_round):
    for name in ("Ada", "Bo"):
        cast.send(name, "rR")
    built = []

    def build(nickname, most):
        built.append(nickname)
        return Player.objects.filter(pk__lte=most, nickname=nickname)

    players = PreparedQuery(build, SOME_TEXT, SOME_NUMBER)
    assert [player.nickname for name in ("Ada", "Bo", "%s") for player in players(name, 2**31 - 1)] == ["Ada", "Bo"]
    assert players("Ada", 0) == []
    assert built == [SOME_TEXT, f"{SOME_TEXT}."], "and once more by another value, to see what hangs on it"


@pytest.mark.parametrize(
    ("build", "example"),
    [
        (lambda at: Round.objects.filter(opens_at__lte=at - timedelta(hours=1)), SOME_TIME),
        (lambda number: Round.objects.filter(pk__lte=2 * number), SOME_NUMBER),
        (lambda name: Player.objects.filter(nickname=name) if "." in name else Player.objects.all(), SOME_TEXT),
    ],
    ids=["a time before it", "twice the number", "another question"],
)
def test_what_is_made_of_a_value_cannot_be_compiled(db, build, example):
    """It would stay as it is of the first one."""
    with pytest.raises(ValueError, match="as they are"):
        PreparedQuery(build, example)(example)


def test_its_instances_have_what_those_of_the_query_have(during_round):
    receipt = cast.send("Ada", "rR")
    judging.judge_until_empty()
    rows = PreparedQuery(
        lambda number: Submission.objects.filter(pk=number).annotate(name=F("player__nickname")), SOME_NUMBER
    )
    (row,) = rows(receipt.submission.pk)
    (as_django,) = Submission.objects.filter(pk=receipt.submission.pk).annotate(name=F("player__nickname"))
    told, expected = vars(row), vars(as_django)
    assert bytes(told.pop("text")) == bytes(expected.pop("text")) == b"rR"
    assert {name: value for name, value in told.items() if name != "_state"} == {
        name: value for name, value in expected.items() if name != "_state"
    }
    assert row.name == "Ada"
    assert row.received_at.tzinfo
    assert not row._state.adding


def test_what_it_does_not_read_is_read_when_somebody_asks(during_round):
    receipt = cast.send("Ada", "rR")
    (row,) = PreparedQuery(lambda number: Submission.objects.filter(pk=number).only("received_at"), SOME_NUMBER)(
        receipt.submission.pk
    )
    assert row.get_deferred_fields() >= {"text", "sha256", "lurd"}
    assert bytes(row.text) == b"rR"


def statements_prepared() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements")
        return cursor.fetchone()[0]


@pytest.mark.postgres
@pytest.mark.parametrize("address", ["/en/rounds/1/", "/en/rounds/", "/en/records/", "/en/stats/", "/api/v1/rounds/1/"])
def test_a_page_is_planned_for_its_own_values_however_often_it_is_asked(client, during_round, address):
    cast.enter_all(during_round, [(f"player {number}", 30 + number, 9) for number in range(40)])
    before = statements_prepared()
    for _ in range(15):
        assert client.get(address).status_code == 200
    assert statements_prepared() == before


@pytest.mark.postgres
def test_what_lies_between_a_submission_and_its_verdict_is_prepared_once(during_round):
    for number in range(8):
        cast.send(f"player {number}", "rR")
        judging.judge_until_empty()
    assert statements_prepared() > 5
    assert connection.connection.prepare_threshold is None


@pytest.mark.postgres
def test_no_statement_is_compiled_before_it_is_carried_out(db):
    with connection.cursor() as cursor:
        cursor.execute("SHOW jit")
        assert cursor.fetchone() == ("off",)
