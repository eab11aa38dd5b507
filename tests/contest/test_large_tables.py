"""No public list scans a large table: checked by PostgreSQL's query plans and the number of queries."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from contest import visibility
from contest.infra import cache, clock
from contest.infra.database.prepared import among
from contest.judging import judge, receipt_chain
from contest.models import Player
from contest.outreach import events
from contest.players import entering
from contest.players.names import keys, name_key
from contest.rankings import tops
from contest.rankings.records import of_levels
from contest.stats import records
from contest.visibility import Viewer
from tests import cast, chain

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


def test_many_events_take_as_many_queries_as_a_single_event(during_round, monkeypatch):
    monkeypatch.setattr(cache, "is_first", lambda *_: False)  # all events have been recorded before
    counts, hits = [], []
    for names in (["player"], ["rival", "stranger", "bot"]):
        for name in names:
            cast.send(name, "rR")
        judge.judge_until_empty()
        events.record_events(cast.DURING)
        with CaptureQueriesContext(connection) as asked:
            found = events.read_events(0, cast.DURING)
            rounds = {event.submission.round.number for event in found if event.submission}
            rounds |= {event.submission.level.round.number for event in found if event.submission}
        assert rounds == {1}
        counts.append(len(asked))
        hits.append(len(found))
    # One query for the events, and one each for the rounds and levels that they share.
    assert counts[0] == counts[1] <= 5
    assert hits[0] < hits[1]


def test_the_last_link_of_a_closed_round_is_found_without_scanning_the_chain(during_round):
    later = cast.a_round(2, opens_at=cast.AFTER, closes_at=cast.AFTER + timedelta(days=7))
    cast.send("player", "rR")
    cast.send("rival", "rR")
    chain.append_all()
    own = receipt_chain.newest()
    end = later.opens_at + timedelta(days=1)
    with clock.set_to(end):
        cast.send("stranger", "rR")
        chain.append_all()
        assert receipt_chain.newest() != own
        with CaptureQueriesContext(connection) as asked:
            assert visibility.chain_link(during_round, end) == own
        assert visibility.chain_link(later, end) == receipt_chain.newest()
    assert not any('ORDER BY "contest_chainlink"."position" DESC' in row["sql"] for row in asked)


def test_a_round_that_nobody_entered_shows_its_opening(during_round):
    chain.append_all()
    opening = receipt_chain.newest()
    assert opening is not None
    assert opening.round == during_round
    assert visibility.chain_link(during_round, cast.AFTER) == opening


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
