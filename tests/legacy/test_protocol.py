"""The contract with the older programs (docs/reference/legacy.md); T-numbers are its list of traps."""

import json
import socket
from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.db import DatabaseError

from contest import submissions
from contest.infra import clock, rate_limits
from contest.legacy import answers, views
from contest.models import Player, Round, Submission
from contest.rounds import lucky_number
from tests import cast
from tests.legacy.conftest import MARKERS, android, shown_by_client

pytestmark = pytest.mark.django_db

TURNED = "dD"  # solves the corridor turned a quarter clockwise
LISTS = "/api/competition/submission/"


@pytest.mark.parametrize("path", [LISTS, "/solution_table.php"])
def test_each_row_of_a_list_counts_against_the_address(during_round, client, monkeypatch, path):
    """Rule 5.9: a list of 600 rows took a quarter of a second, without limit."""
    monkeypatch.setattr(views, "ROWS_PER_PASS", 1)
    cast.enter_all(during_round, [("Bo", 2, 1), ("Cy", 2, 1), ("Di", 4, 1)])
    passes = []
    monkeypatch.setattr(rate_limits, "_pass", lambda _gate, amount: passes.append(amount))
    assert b"Di" in client.get(path).content
    assert passes == [4]
    monkeypatch.setattr(rate_limits, "_pass", Mock(side_effect=rate_limits.Busy(600, 7)))
    refusal = client.get(path)
    assert (refusal.status_code, refusal["Retry-After"]) == (429, "7")


def test_the_android_program_completes_a_visit(during_round, post, get):
    """Rules 5.1, 5.3, 6.12, 16.5."""
    levels = get("/api/competition/")
    assert levels["id"] == 1
    assert levels["main"]["level"] == cast.CORRIDOR
    assert shown_by_client(post(android("油纸成伞", "rR"))) == "correct (for "
    assert Submission.objects.get().verifications.count() == 1  # without worker and broker
    lists = [get(f"{LISTS}{query}") for query in ("", "?t=extra", "?t=extra2", "?t=extra3", "?t=zzz", "?id=7")]
    assert [(list_["id"], list_["label"]) for list_ in lists] == [
        *((1, slot) for slot in ("main", "extra", "extra2", "extra3")),
        (1, ""),
        (7, "main"),
    ]
    row = {"time": "2026-11-04 20:00:00", "name": "油纸成伞", "country": "CN", "move": 2, "push": 1}
    assert [list_["submission"] for list_ in lists] == [[row], [], [], [], [], []]


@pytest.mark.django_db(transaction=True)
def test_a_raw_request_of_http_1_0_with_unescaped_bytes_is_answered(live_server):
    """As the Windows program sends it: no Host, no charset, raw GBK bytes."""
    body = "nickname=油朅&country=CN&email=&lurd=rR".encode("gbk")
    head = (
        "POST /submit_result.php HTTP/1.0\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    address = (live_server.thread.host, live_server.thread.port)
    with clock.set_to(cast.DURING), socket.create_connection(address, timeout=60) as line:
        cast.a_round()
        line.sendall(head.encode() + body)
        with line.makefile("rb") as file:
            answer = file.read()
    status, _, rest = answer.partition(b"\r\n")
    assert b" 200 " in status
    assert rest.endswith(b"Correct (for main): 2 moves, 1 push.")
    assert b"transfer-encoding" not in rest.lower()
    assert Player.objects.get().nickname == "油朅"


def test_a_charset_in_the_header_is_taken(during_round, post, get):
    body = b"nickname=Z%C3%ADka&lurd=rR"  # which would be Chinese in GBK
    assert post(body, "application/x-www-form-urlencoded; charset=utf-8").startswith("Correct")
    assert get(LISTS)["submission"][0]["name"] == "Zíka"


@pytest.mark.parametrize(
    ("lurd", "answer"),
    [
        *((sloppy, "Correct (for main): 2 moves, 1 push.") for sloppy in ("RR", "r,R\r\n", "rRK", "1r1R")),
        ("rRlll", "Correct (for main): 2 moves, 1 push. 3 moves after the end were cut."),
        ("r", "Not correct. No level of round 1 is solved."),
        (
            "Bob:\nto me\nruuu",
            "Not correct. On main step 2 is impossible. Parts of the text were not read as moves, in line 1, 2.",
        ),
        ("???", "Not correct. No moves found."),
        (TURNED, "Not correct. This solves main turned or reflected; please send it for the board as published."),
    ],
)
def test_every_verdict_has_its_text(during_round, post, lurd, answer):
    """Rules 6.5, 6.10: moves in the wrong case are accepted; solutions of a turned board are refused."""
    assert post(android("Ada", lurd)) == answer


def test_a_worse_or_repeated_solution_is_answered_with_the_best(during_round, post):
    """Rules 5.6, 5.7."""
    assert post(android("Ada", "rR")) == "Correct (for main): 2 moves, 1 push."
    assert post(android("Ada", "rlrR")) == (
        "Correct (for main): 4 moves, 1 push. Your best stays 2/1 by moves, 2/1 by pushes."
    )
    assert post(android("Ada", "rR")) == ("Correct (for main): 2 moves, 1 push. Already received 2026-11-04 20:00:00.")
    assert Submission.objects.count() == 2


@pytest.mark.parametrize(
    ("name", "shown", "why"),
    [
        ("", "name cannot be empty", ""),
        ("a\0b", "name cannot be empty", "control characters"),
        ("x" * 33, "unknown situation", "up to 32 characters"),
        ("staff", "unknown situation", "is reserved"),
    ],
)
def test_an_invalid_name_is_reported_with_at_most_a_single_marker(during_round, post, name, shown, why):
    message = post(android(name, "rR"))
    assert shown_by_client(message) == shown
    assert sum(marker in message.lower() for marker in MARKERS) == (shown in MARKERS)
    assert why in message


def test_a_name_with_a_question_mark_gets_a_warning(during_round, post):
    """Characters outside GBK become a question mark, so two players may appear under one name."""
    message = post(android("Ω𠮷", "rR"))
    assert message.endswith(answers.MARKED_NAME)
    assert shown_by_client(message) == "correct (for "
    assert shown_by_client(post(android("油𠮷", "l"))) == "not correct"
    assert shown_by_client(answers.MARKED_NAME) == "unknown situation"
    assert shown_by_client(post(android("correct (for main)", "l"))) == "not correct"


def test_levels_are_null_until_the_opening_and_the_closing_instant_is_late(db, get, post):
    """Rules 2.2, 2.8, 3.2, 3.8."""
    cast.a_round()
    with clock.set_to(cast.OPENS - timedelta(seconds=1)):
        early = get("/api/competition/")
        assert early["begin"] == "2026-11-01 20:00:00"
        assert [early[slot] for slot in ("main", "extra", "extra2", "extra3")] == [None] * 4
        assert post(android("Ada", "rR")) == "The competition did not begin yet."
    with clock.set_to(cast.OPENS):
        assert get("/api/competition/")["main"]["level"] == cast.CORRIDOR
    with clock.set_to(cast.CLOSES - timedelta(microseconds=1)):
        assert post(android("Ada", "rR")).startswith("Correct")
    with clock.set_to(cast.CLOSES):
        assert post(android("Ada", "rlrR")) == "The competition has ended."


@pytest.mark.parametrize("secure", [False, True])
def test_no_url_variant_redirects(during_round, client, settings, secure):
    settings.SECURE_SSL_REDIRECT = True
    for path in ("/api/competition", "/api/competition/submission", "/solution_table.php"):
        for slash in ("", "/"):
            answer = client.get(path + slash, headers={"Accept-Language": "fr"}, secure=secure)
            assert (answer.status_code, len(answer.cookies)) == (200, 0)


def test_old_host_names_get_no_strict_transport_security(during_round, client, settings):
    settings.LEGACY_HOSTS = ["sokoban.example"]
    settings.SECURE_HSTS_SECONDS = 1000
    secure = client.get("/api/competition/", headers={"Host": "sokoban.example"}, secure=True)
    assert "Strict-Transport-Security" not in secure
    assert "Strict-Transport-Security" in client.get("/api/competition/", secure=True)


def test_strings_are_never_null(during_round, get):
    during_round.levels.filter(slot="main").update(title="一 | 二", author="")
    assert get("/api/competition/")["main"] == {"title": "一 二", "author": "", "level": cast.CORRIDOR}


def test_an_invalid_number_and_a_draft_look_like_an_unknown_round(during_round, weekly, get):
    """Rule 7.5."""
    nothing = {"id": 0, "begin": "", "end": "", "main": None, "extra": None, "extra2": None, "extra3": None}
    for asked in ("abc", "-1", "1" * 20, "", "٣"):
        assert get(f"/api/competition/?id={asked}") == nothing
    cast.a_round(7, track=weekly)
    lucky_number.save_committed(Round(number=5, opens_at=cast.CLOSES, closes_at=cast.CLOSES + timedelta(days=1)))
    for number in (5, 6, 7):
        assert get(f"/api/competition/?id={number}") == {**nothing, "id": number}


@pytest.mark.parametrize(("sent", "shown"), [("UK", "UK"), ("", "00"), ("ZZ", "ZZ"), ("123456789", "00"), ("中", "00")])
def test_countries_are_stored_as_sent(during_round, post, get, sent, shown):
    """Rule 4.6."""
    post(android("Ada", "rR", country=sent))
    assert get(LISTS)["submission"][0]["country"] == shown


def test_moves_up_to_the_limit_are_accepted_and_more_are_refused(during_round, post, settings):
    Round.objects.update(settings=during_round.settings | {"max_moves": 1000})
    walk = "rl" * 499
    assert post(android("Ada", walk + "rR")).startswith("Correct (for main): 1000 moves")
    assert post(android("Ada", walk + "rlr")) == "Not correct. More than 1000 moves."
    assert post(android("Ada", "r" * settings.MAX_SUBMISSION_BODY)) == "Not correct. More than 1000 moves."
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    assert post(android("Ada", "r")) == "Not correct. More than 1000 moves."


def test_a_new_row_is_listed_immediately(during_round, client, post):
    before = client.get(LISTS)
    post(android("Ada", "rR"))
    after = client.get(LISTS, headers={"If-None-Match": before["ETag"]})
    assert len(json.loads(after.content)["submission"]) == 1
    assert client.get(LISTS, headers={"If-None-Match": after["ETag"]}).status_code == 304


def test_a_late_verdict_is_reported_as_pending(during_round, post, monkeypatch):
    monkeypatch.setattr(submissions, "judge_now", lambda submission: submission)
    monkeypatch.setattr("contest.legacy.views.PATIENCE", 0)
    message = post(android("Ada", "rR"))
    assert message == f"Received as {Submission.objects.get().number}, still being checked. See the submission table."
    assert shown_by_client(message) == "unknown situation"


def test_the_table_is_a_plain_page(during_round, post, client):
    post(android("<b>油", "rR"))
    page = client.get("/solution_table.php").content.decode()
    assert page.startswith('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN"')
    assert "<script" not in page
    assert "&lt;b&gt;油" in page
    assert "油" not in client.get("/solution_table.php?t=extra").content.decode()


def test_a_rate_limited_request_is_answered_with_the_seconds_to_wait(during_round, post, settings):
    """Rule 5.9."""
    settings.QUOTA_PER_SECONDS = {60: 1}
    email = "ada@hidden.example"
    post(android("Ada", "rR", email=email))
    message = post(android("Ada", "rlrR", email=email))
    assert message == "Please wait 61 seconds and send again."
    assert shown_by_client(message) == "unknown situation"


def test_the_first_email_address_proves_the_name(during_round, post):
    """Rule 4.11."""
    cast.send("Cem", "rR")  # over another protocol, without an address
    assert post(android("Di", "rR", email="no address")).startswith("Correct")
    post(android("Ada", "rR", email="Ada@Hidden.example"))
    assert post(android("Ada", "rlrR", email=" ada@hidden.EXAMPLE ")).startswith("Correct")
    for name, wrong in (("Ada", ""), ("Ada", "eda@hidden.example"), ("Cem", "cem@hidden.example")):
        message = post(android(name, "rlrlrR", email=wrong))
        assert message == "This name has an owner. Give the e-mail address used with it, or another name."


def test_a_name_without_an_email_address_stays_open_only_in_this_protocol(during_round, post):
    """Rule 4.12."""
    post(android("Bo", "rR"))
    assert post(android("Bo", "rlrR", email="bo@hidden.example")).startswith("Correct")
    assert post(android("Bo", "rlrlrR")).startswith("Correct")
    player = Player.objects.get()
    assert (player.is_open, player.email) == (True, "")
    assert cast.refused(cast.send, "Bo", "r").code == "name_taken"


def test_during_a_database_outage_nothing_is_stored_and_the_answer_is_plain(during_round, client, monkeypatch):
    monkeypatch.setattr(submissions, "accept", Mock(side_effect=DatabaseError("gone")))
    answer = client.post("/submit_result.php", android("Ada", "rR"), content_type="application/x-www-form-urlencoded")
    assert (answer.status_code, answer["Content-Type"]) == (503, "text/plain; charset=utf-8")
    assert (answer.content, answer["Retry-After"]) == (b"Temporary trouble. Nothing was stored.", "10")


def test_lists_are_compressed_on_request_and_open_to_other_sites(during_round, client):
    plain = client.get("/api/competition/")
    packed = client.get("/api/competition/", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in plain
    assert packed["Content-Encoding"] == "gzip"
    for answer in (plain, packed):
        assert int(answer["Content-Length"]) == len(answer.content)
        assert answer["Access-Control-Allow-Origin"] == "*"
    assert client.head("/api/competition/").status_code == 200


@pytest.mark.parametrize(
    ("after_close", "has_next", "shown"),
    [
        (timedelta(hours=23, minutes=59), True, 1),
        (timedelta(hours=24, minutes=1), True, 2),
        (timedelta(hours=24, minutes=1), False, 1),
    ],
)
def test_the_current_round_follows_the_schedule(db, get, after_close, has_next, shown):
    cast.a_round()
    if has_next:
        opens_at = cast.CLOSES + timedelta(days=7)
        cast.a_round(2, opens_at=opens_at, closes_at=opens_at + timedelta(days=7), announced_at=cast.OPENS)
    with clock.set_to(cast.CLOSES + after_close):
        assert get("/api/competition/")["id"] == shown
        assert get("/api/competition/?id=1")["main"]["level"] == cast.CORRIDOR  # a past round by its number


def test_an_empty_database_has_no_round(db, get, post):
    assert get("/api/competition/")["id"] == 0
    assert get(LISTS) == {"id": 0, "label": "main", "submission": []}
    assert post(android("Ada", "rR")) == "The competition has ended."


def test_the_list_holds_every_counted_submission_oldest_first(during_round, post, get):
    """Rules 1.7, 15.1, 16.5."""
    for moves in ("rlrR", "rR", "rlrlrR"):
        post(android("Ada", moves))
    Submission.objects.filter(moves=6).update(voided_at=cast.DURING)
    assert [row["move"] for row in get(LISTS)["submission"]] == [4, 2]
    Player.objects.update(league="bot")
    assert get(LISTS)["submission"] == []
    Player.objects.update(league="human")
    during_round.levels.update(voided_at=cast.DURING)
    assert get(LISTS)["submission"] == []
