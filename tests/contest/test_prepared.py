from datetime import timedelta

import pytest

from contest.models import Player, Round
from contest.prepared import SOME_NUMBER, SOME_TEXT, SOME_TIME, Prepared
from tests import cast

pytestmark = pytest.mark.django_db


def test_a_prepared_query_answers_as_the_query_itself_does(during_round):
    cast.a_round(2, opens_at=cast.AFTER, closes_at=cast.AFTER + timedelta(days=1))
    rounds = Prepared(lambda at: Round.objects.open(at).order_by("opens_at"), SOME_TIME)
    for at in (cast.OPENS, cast.DURING, cast.CLOSES, cast.AFTER, cast.OPENS - timedelta(days=1)):
        assert rounds(at) == list(Round.objects.open(at).order_by("opens_at"))


def test_it_is_compiled_once_and_takes_each_value_where_it_belongs(during_round):
    for name in ("Ada", "Bo"):
        cast.send(name, "rR")
    built = []

    def build(nickname, most):
        built.append(nickname)
        return Player.objects.filter(pk__lte=most, nickname=nickname)

    players = Prepared(build, SOME_TEXT, SOME_NUMBER)
    assert [player.nickname for name in ("Ada", "Bo", "%s") for player in players(name, 2**31 - 1)] == ["Ada", "Bo"]
    assert players("Ada", 0) == []
    assert built == [SOME_TEXT]
