"""No public list scans a large table: checked by PostgreSQL's query plans and the number of queries."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from contest import visibility
from contest.infra.database.prepared import among
from contest.models import Player
from contest.players import entering
from contest.players.names import keys, name_key
from contest.rankings import tops
from contest.rankings.records import of_levels
from contest.stats import records
from contest.visibility import Viewer
from tests import cast

pytestmark = pytest.mark.django_db
on_postgres = pytest.mark.skipif(connection.vendor != "postgresql", reason="the plans of PostgreSQL")
ANYBODY = Viewer()


# Plan as if every table were large: use an index wherever possible.
BY_INDEX = "SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off"


AT_ONCE = {
    "players": (visibility.players(ANYBODY, cast.DURING).order_by("pk")[:30], "contest_player_pkey", "hashed SubPlan"),
    "the last players": (
        visibility.players(ANYBODY, cast.DURING).order_by("-pk")[:30], "contest_player_pkey", "hashed SubPlan"
    ),
    "rounds with archives": (visibility.archived_rounds(ANYBODY, cast.DURING), "contest_round", "hashed SubPlan"),
    "submissions of all rounds": (
        visibility.counted_submissions(ANYBODY, cast.DURING)[:50], "Index Scan using submission_newest", "Sort"
    ),
}  # fmt: skip


@pytest.mark.postgres
@on_postgres
@pytest.mark.parametrize(("rows", "plan", "other"), AT_ONCE.values(), ids=AT_ONCE)
def test_a_page_is_read_by_an_index_without_a_table_scan(rows, plan, other):
    """As if every table were large."""
    with connection.cursor() as cursor:
        cursor.execute(BY_INDEX)
    found = rows.explain()
    assert plan in found
    assert other not in found


@pytest.mark.postgres
@on_postgres
@pytest.mark.parametrize(
    ("least_moves", "rankings"),
    [
        (lambda levels: [row.by_moves.moves for row in of_levels(levels) if row.by_moves], 4),
        (lambda levels: [top.moves for (_pk, by), (top,) in tops.top_rows(levels, 1).items() if by == "moves"], 2),
    ],
    ids=["records, in the contest and in practice", "leaders"],
)
def test_only_the_first_row_of_a_ranking_is_read(during_round, least_moves, rankings):
    cast.enter_all(during_round, [(f"player {number}", 30 + number, 9) for number in range(40)])
    levels = list(records.levels(ANYBODY, cast.DURING).select_related("round"))
    with CaptureQueriesContext(connection) as asked:
        assert least_moves(levels) == [30]
    (sql,) = [row["sql"] for row in asked]
    with connection.cursor() as cursor:
        cursor.execute(BY_INDEX)
        cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF) {sql}")
        found = "\n".join(line for (line,) in cursor.fetchall())
    firsts = [line for line in found.splitlines() if "Scan using best_ranking" in line]
    assert len(firsts) == rankings
    assert all(re.search(r"actual rows=[01]\b", line) for line in firsts), found


@pytest.mark.postgres
@on_postgres
def test_exact_names_do_not_use_the_trigram_index():
    """Every sender is looked up; for thousands of similar names, the trigram index is the slowest way."""
    Player.objects.bulk_create(Player(nickname=name, created_at=cast.DURING, **keys(name)) for name in crowd())
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE contest_player")
    condition, names = among([name_key(name) for name in crowd()[7:4_000:300]])
    assert "player_letters" not in explained(entering._HELD.format(columns="id", among=condition, lock=""), names)
    assert "player_letters" not in explained(entering._NEAR.format(among=condition, resting=condition), *[names] * 4)
    part = Player.objects.filter(name_key__icontains=name_key("er 26"))
    assert part.count() == sum("er 26" in name for name in crowd())
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    assert "player_letters" in part.explain()


def explained(sql, *values):
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {sql}", values)
        return "\n".join(line for (line,) in cursor.fetchall())


def crowd():
    return [f"Somebody of a crowd, player {number}" for number in range(4_000)]
