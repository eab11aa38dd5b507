import sqlite3

import pytest
from django.db import connection

from contest.celery import tasks
from contest.infra import clock
from contest.models import Round
from contest.stats import all_rounds
from contest.visibility import Viewer
from tests import cast

NOBODY = Viewer()


def two_rounds():
    cast.enter(cast.a_round(1, **cast.earlier(4)), "Ann", 5, 2, at=cast.earlier(4)["opens_at"])
    round_ = cast.a_round(2)
    cast.enter(round_, "Ann", 6, 2, at=cast.DURING)
    return round_


def test_only_changed_rounds_are_counted_again(db, cache_of_its_own, monkeypatch):
    round_, counted = two_rounds(), []
    as_before = all_rounds._parts

    def parts(viewer, at, rounds):
        counted.append(list(rounds))
        return as_before(viewer, at, rounds)

    monkeypatch.setattr(all_rounds, "_parts", parts)
    with clock.set_to(cast.DURING):
        tasks.count_visitors()  # so that no reader waits after a restart
    assert [len(rounds_) for rounds_ in counted] == [2]
    first = all_rounds.of_site(NOBODY, cast.DURING)
    cast.enter(round_, "Bo", 7, 2, at=cast.DURING)
    second = all_rounds.of_site(NOBODY, cast.DURING)
    assert [len(rounds_) for rounds_ in counted] == [2, 1]
    assert ((first.accepted, first.players), (second.accepted, second.players)) == ((2, 1), (3, 2))
    assert first.rounds[0].round.title_en == "Round"
    Round.objects.update(title_en="Corridors")
    assert all_rounds.of_site(NOBODY, cast.DURING).rounds[0].round.title_en == "Corridors"


@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite lets itself be told how many")
def test_more_players_than_statement_parameters_are_possible(db, cache_of_its_own, monkeypatch):
    round_ = cast.a_round(2)
    for number in range(25):
        cast.enter(round_, f"player {number}", 5 + number, 2, at=cast.DURING)
    monkeypatch.setattr(type(connection.features), "max_query_params", 20)
    connection.connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 20)
    try:
        assert all_rounds.of_site(NOBODY, cast.DURING).players == 25
    finally:
        connection.connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 32_766)
