from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F

from contest import judging
from contest.infra.database.compiled_queries import SOME_NUMBER, SOME_TEXT, SOME_TIME, PreparedQuery
from contest.judging import claims
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


def statements_prepared() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements")
        return cursor.fetchone()[0]


@pytest.mark.postgres
@pytest.mark.skipif(connection.vendor != "postgresql", reason="what PostgreSQL prepares")
def test_what_lies_between_a_submission_and_its_verdict_is_prepared_and_a_page_is_not(client, during_round):
    """A page is planned for its own values, however often it is asked for."""
    for number in range(8):
        cast.send(f"player {number}", "rR")
        judging.judge_until_empty()
    prepared = statements_prepared()
    assert prepared > 5
    for _ in range(8):
        assert client.get("/en/rounds/1/").status_code == 200
    assert statements_prepared() == prepared
    assert connection.connection.prepare_threshold is None


@pytest.mark.postgres
@pytest.mark.skipif(connection.vendor != "postgresql", reason="the settings of PostgreSQL")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("jit", "off"),  # no statement is compiled before it is carried out
        ("random_page_cost", "1.1"),  # else the hundred players of a ranking are looked for among all
        # A process that stalls in a transaction loses its locks with its claims.
        ("idle_in_transaction_session_timeout", f"{claims.LEASE.total_seconds() * 1000:.0f}"),
    ],
)
def test_a_session_has_the_settings_of_the_site(db, name, value):
    with connection.cursor() as cursor:
        cursor.execute("SELECT setting FROM pg_settings WHERE name = %s", [name])
        assert cursor.fetchone() == (value,)
