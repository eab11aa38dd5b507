"""A site after years: rounds, players and submissions generated inside PostgreSQL, for `bench growth`.

The database generates the rows itself; keys and constraints are checked, foreign keys are not. This costs as much as
COPY, without the transfer from a client. Rounds follow each other weekly, the last is open. A different part of the
players takes part in each round, with ten submissions each, four of five accepted.
"""

from datetime import timedelta

from bench.games import pushing_game
from bench.site.filling.seeding import BOXES, MOVES, SIDE, seed_ours

PER_PLAYER = 10
RIGHT = 5  # one in so many is wrong

ROUNDS = """
    INSERT INTO contest_round (
        track_id, number, title_zh, title_en, prizes_zh, prizes_en, announced_at, opens_at, closes_at, finalised_at,
        cancel_reason_zh, cancel_reason_en, commitment, settings, is_imported, complete_at, archive_format
    )
    SELECT
        track_id, n, '', 'Round ' || n, '', '', opens - interval '1 day', opens, opens + interval '6 days',
        opens + interval '7 days', '', '', commitment, settings, false, opens + interval '7 days', archive_format
    FROM contest_round, generate_series(1, %(rounds)s - 1) n,
        LATERAL (SELECT opens_at - (%(rounds)s - n) * interval '7 days' AS opens) AS times
    WHERE number = %(rounds)s
"""
LEVELS = """
    INSERT INTO contest_level (
        round_id, slot, title, author, text, solution, unsolved_reason, sha256, key, width, height, boxes,
        void_reason_zh, void_reason_en, board_version
    )
    SELECT
        round.id, 'main', 'Level ' || number, 'Author ' || number %% 50, text, solution, '', md5('level ' || number),
        md5('key ' || number), width, height, boxes, '', '', 1
    FROM contest_level, contest_round round
    WHERE number < %(rounds)s
"""
PLAYERS = """
    INSERT INTO contest_player (
        id, nickname, name_key, look_key, country, email, league, claim_sha256, is_imported, created_at, archive_number
    )
    SELECT
        n, 'grown ' || n, 'grown ' || n, 'grown ' || n, (ARRAY['cn', 'tw', 'jp', 'nl', 'de', 'us', ''])[1 + n %% 7],
        '', CASE WHEN n %% 50 = 0 THEN 'bot' ELSE 'human' END, md5(n::text), false, now() - interval '20 years', n
    FROM generate_series(1, %(players)s) n
"""
SUBMISSIONS = """
    INSERT INTO contest_submission (
        number, receipt_id, round_id, player_id, sent_as_id, slot_named, text, sha256, door, reader, received_at,
        is_imported, is_practice, is_hors_concours, state, attempts, verdict, level_id, lurd, moves, pushes, cut,
        case_corrected, why, why_values, judged_at, void_reason_zh, void_reason_en, void_note, is_unpublished, cost,
        turn_at
    )
    SELECT
        n, md5('receipt ' || n), round.id, player, player, '', %(lurd)s::text::bytea, md5('text ' || n), 'api', 'rle',
        at, false, false, false, 'judged', 1, CASE WHEN is_right THEN 'accepted' ELSE 'not_solved' END,
        CASE WHEN is_right THEN level.id END, CASE WHEN is_right THEN %(lurd)s::text ELSE '' END,
        CASE WHEN is_right THEN 200 + (n * 7919) %% 1001 END, CASE WHEN is_right THEN 50 + (n * 104729) %% 301 END, 0,
        false, '', '{}', at, '', '', '', false, 0, at
    FROM generate_series(%(first)s::bigint, %(last)s::bigint) n
    CROSS JOIN LATERAL (SELECT 1 + (n - 1) / %(each)s AS round_number, (n - 1) %% %(each)s AS place) AS numbers
    CROSS JOIN LATERAL (
        SELECT
            1 + (round_number * 7919 + place %% %(active)s * 31) %% %(players)s AS player,
            n %% %(right)s > 0 AS is_right
    ) AS drawn
    JOIN contest_round round ON round.number = round_number
    JOIN contest_level level ON level.round_id = round.id
    CROSS JOIN LATERAL (
        SELECT round.opens_at + (least(round.closes_at, now()) - round.opens_at) * place / %(each)s AS at
    ) AS times
"""
BESTS = """
    INSERT INTO contest_best (level_id, board, league, metric, player_id, submission_id, first, second, received_at)
    SELECT DISTINCT ON (level_id, player_id, metric)
        level_id, 'contest', league, metric, player_id, number, first, second, received_at
    FROM (
        SELECT
            submission.*, league, metric, CASE metric WHEN 'moves' THEN moves ELSE pushes END AS first,
            CASE metric WHEN 'moves' THEN pushes ELSE moves END AS second
        FROM contest_submission submission
        JOIN contest_player player ON player.id = player_id, unnest(ARRAY['moves', 'pushes']) AS metric
        WHERE verdict = 'accepted' AND number BETWEEN %(first)s AND %(last)s
    ) AS drawn
    ORDER BY level_id, player_id, metric, first, second, received_at, number
"""
BESIDE = (
    """
    INSERT INTO contest_verification (submission_id, engine_version, levels_digest, outcome, created_at)
    SELECT number, 1, md5('levels ' || round_id), '{}', judged_at FROM contest_submission
    WHERE number BETWEEN %(first)s AND %(last)s
    """,
    """
    INSERT INTO contest_chainlink (position, submission_id, nonce, leaf, link, document)
    SELECT number - 1, number, '', link, link, '' FROM contest_submission
    CROSS JOIN LATERAL (SELECT md5('link ' || number) || md5('more ' || number) AS link) AS drawn
    WHERE number BETWEEN %(first)s AND %(last)s
    """,
    """
    INSERT INTO contest_event (number, kind, key, at, round_id, submission_id, by)
    SELECT number, 'accepted', number::text, received_at, round_id, number, '' FROM contest_submission
    WHERE verdict = 'accepted' AND number BETWEEN %(first)s AND %(last)s
    """,
)
PLACINGS = """
    INSERT INTO contest_placing (
        round_id, player_id, league, place, move_half_points, push_half_points, firsts_by_moves, firsts_by_pushes,
        is_mmc, is_mpc, is_second, is_lucky
    )
    SELECT
        round_id, player_id, league, place, greatest(0, 20 - place), 0, (place = 1)::int, 0, place = 1, false,
        place = 2, false
    FROM (
        SELECT level.round_id, player_id, best.league, row_number() OVER (PARTITION BY level_id ORDER BY first) AS place
        FROM contest_best best JOIN contest_level level ON level.id = level_id
        JOIN contest_round round ON round.id = level.round_id
        WHERE metric = 'moves' AND finalised_at IS NOT NULL
    ) AS ranked
"""
RATINGS = """
    INSERT INTO contest_rating (round_id, player_id, league, mu, sigma)
    SELECT round_id, player_id, league, 25 + place %% 10, 5 FROM contest_placing
"""
AT_ONCE = 500_000  # approximate number of submissions per statement, in whole rounds


def fill(rounds: int, submissions: int) -> None:
    """Create the tables and *submissions* in *rounds*, ten submissions per player."""
    from django.core.management import call_command
    from django.db import connection

    from contest.judging import receipt_chain
    from contest.models import ChainLink, Round

    call_command("migrate", verbosity=0, interactive=False)
    seed_ours()
    now = Round.objects.get().opens_at
    Round.objects.update(number=rounds, closes_at=now + timedelta(days=6))
    _level, lurd = pushing_game(SIDE, BOXES, MOVES)
    each, players = submissions // rounds, submissions // PER_PLAYER
    parameters: dict[str, int | str] = {
        "rounds": rounds,
        "players": players,
        "each": each,
        "active": max(each // PER_PLAYER, 1),
    }
    parameters |= {"right": RIGHT, "lurd": lurd}
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # skips the foreign key checks for each row
        cursor.execute("SET synchronous_commit = off")
        cursor.execute("SET work_mem = '256MB'")
        for statement in (ROUNDS, LEVELS, PLAYERS):
            cursor.execute(statement, parameters)
        cursor.execute("ANALYZE")
        at_once = max(AT_ONCE // each, 1) * each
        for first in range(1, rounds * each + 1, at_once):
            last = min(first + at_once - 1, rounds * each)
            part = parameters | {"first": first, "last": last}
            for statement in (SUBMISSIONS, BESTS, *BESIDE):
                cursor.execute(statement, part)
            receipt_chain.grow_tree([ChainLink(position=number - 1) for number in (first, last)])
        for statement in (PLACINGS, RATINGS):
            cursor.execute(statement, parameters)
        for table, column in (("player", "id"), ("submission", "number")):
            name = f"contest_{table}"
            cursor.execute(f"SELECT setval(pg_get_serial_sequence('{name}', '{column}'), max({column})) FROM {name}")
        cursor.execute("RESET ALL")
