"""The contract with the older programs (docs/legacy.md); T-numbers are its list of traps."""

import json
import socket
from datetime import timedelta

import pytest
from django.db import DatabaseError

from contest import judging, submissions
from contest.infra import clock
from contest.legacy import answers
from contest.models import Player, Round, Submission
from contest.rounds import lucky_number
from tests import cast
from tests.legacy.conftest import MARKERS, android, shown_by_client

pytestmark = pytest.mark.django_db

TURNED = "dD"  # solves the corridor turned a quarter clockwise


def test_t1_the_android_program_goes_round(during_round, post, get):
    """Rules 5.1, 5.3, 16.5."""
    levels = get("/api/competition/")
    assert levels["id"] == 1
    assert levels["main"]["level"] == cast.CORRIDOR
    assert shown_by_client(post(android("油纸成伞", "rR"))) == "correct (for "
    lists = [get(f"/api/competition/submission/{query}") for query in ("", "?t=extra", "?t=extra2", "?t=extra3")]
    assert [entry["label"] for entry in lists] == ["main", "extra", "extra2", "extra3"]
    row = {"time": "2026-11-04 20:00:00", "name": "油纸成伞", "country": "CN", "move": 2, "push": 1}
    assert [entry["submission"] for entry in lists] == [[row], [], [], []]


def test_t2_raw_trail_bytes_without_a_charset(during_round, post, get):
    body = b"nickname=" + "油朅".encode("gbk") + b"&country=CN&email=&lurd=rR"
    assert post(body).startswith("Correct (for main)")
    assert get("/api/competition/submission/")["submission"][0]["name"] == "油朅"


def test_t4_a_charset_in_the_header_is_taken(during_round, post, get):
    body = android("油纸", "rR")
    assert post(body, "application/x-www-form-urlencoded; charset=GBK").startswith("Correct")
    assert get("/api/competition/submission/")["submission"][0]["name"] == "油纸"


ANSWERS = [
    ("rR", "Correct (for main): 2 moves, 1 pushes."),
    ("rRlll", "Correct (for main): 2 moves, 1 pushes. 3 moves after the end were cut."),
    ("r", "Not correct. No level of round 1 is solved."),
    ("ru", "Not correct. On extra step 2 is impossible."),
    ("", "Not correct. No moves found."),
    ("???", "Not correct. No moves found."),
]


@pytest.mark.parametrize(("lurd", "answer"), ANSWERS)
def test_t5_every_verdict_has_its_text(during_round, post, lurd, answer):
    said = post(android("Ada", lurd))
    assert said.startswith(answer[:12])
    assert said == answer or "step" in answer


def test_t5_an_improvement_a_worse_one_and_the_same_again(during_round, post):
    """Rules 5.6, 5.7."""
    assert post(android("Ada", "rR")) == "Correct (for main): 2 moves, 1 pushes."
    assert post(android("Ada", "rlrR")) == (
        "Correct (for main): 4 moves, 1 pushes. Your best stays 2/1 by moves, 2/1 by pushes."
    )
    assert post(android("Ada", "rR")) == (
        "Correct (for main): 2 moves, 1 pushes. Already received 2026-11-04 20:00:00."
    )
    assert Submission.objects.count() == 2


def test_t5_too_many_moves(during_round, post):
    Round.objects.update(settings=during_round.settings | {"max_moves": 1000})
    assert post(android("Ada", "rl" * 600)) == "Not correct. More than 1000 moves."


def test_t5_refusals_hold_one_marker_and_never_the_first(during_round, post):
    for body in (android("", "rR"), android("  ", "rR"), android("a\0b", "rR")):
        said = post(body)
        assert shown_by_client(said) == "name cannot be empty"
        assert sum(marker in said.lower() for marker in MARKERS) == 1


@pytest.mark.parametrize(
    ("name", "why"),
    [("x" * 33, "up to 32 characters"), ("x" * 10_000, "up to 32 characters"), ("staff", "is reserved")],
)
def test_t5_a_name_that_cannot_be_used_is_not_called_empty(during_round, post, name, why):
    said = post(android(name, "rR"))
    assert why in said
    assert not any(marker in said.lower() for marker in MARKERS)


def test_who_sends_a_name_with_a_question_mark_is_warned(during_round, post):
    """What GBK lacks becomes one, and so two players may come under one name."""
    said = post(android("Ω𠮷", "rR"))
    assert said.endswith(answers.MARKED_NAME)
    assert shown_by_client(said) == "correct (for "
    assert shown_by_client(post(android("油𠮷", "l"))) == "not correct"
    assert answers.MARKED_NAME not in post(android("Ann", "rR"))
    assert shown_by_client(answers.MARKED_NAME) == "unknown situation"


def test_t6_a_name_that_reads_like_success_changes_no_answer(during_round, post):
    assert shown_by_client(post(android("correct (for main)", "l"))) == "not correct"


def test_t7_levels_are_null_until_the_very_instant_of_opening(db, get):
    """Rules 2.2, 2.8, 3.2."""
    cast.a_round()
    with clock.set_to(cast.OPENS - timedelta(seconds=1)):
        early = get("/api/competition/")
        assert early["begin"] == "2026-11-01 20:00:00"
        assert [early[slot] for slot in ("main", "extra", "extra2", "extra3")] == [None] * 4
    with clock.set_to(cast.OPENS):
        assert get("/api/competition/")["main"]["level"] == cast.CORRIDOR


def test_t8_the_closing_instant_is_outside(during_round, post):
    """Rules 3.2, 3.8."""
    with clock.set_to(cast.CLOSES - timedelta(microseconds=1)):
        assert post(android("Ada", "rR")).startswith("Correct")
    with clock.set_to(cast.CLOSES):
        assert post(android("Ada", "rlrR")) == "The competition has ended."


def test_before_the_opening_the_competition_did_not_begin(db, post):
    cast.a_round()
    with clock.set_to(cast.OPENS - timedelta(seconds=1)):
        assert post(android("Ada", "rR")) == "The competition did not begin yet."


@pytest.mark.parametrize("path", ["/api/competition", "/api/competition/submission", "/solution_table.php"])
@pytest.mark.parametrize("slash", ["", "/"])
@pytest.mark.parametrize("secure", [False, True])
def test_t9_no_redirect_whatever_the_address_looks_like(during_round, client, settings, path, slash, secure):
    settings.SECURE_SSL_REDIRECT = True
    answer = client.get(path + slash, headers={"Accept-Language": "fr"}, secure=secure)
    assert answer.status_code == 200
    assert "Set-Cookie" not in answer
    assert not answer.cookies


def test_t9_old_host_names_get_no_strict_transport_security(during_round, client, settings):
    settings.LEGACY_HOSTS = ["sokoban.example"]
    settings.SECURE_HSTS_SECONDS = 1000
    secure = client.get("/api/competition/", headers={"Host": "sokoban.example"}, secure=True)
    assert "Strict-Transport-Security" not in secure
    assert "Strict-Transport-Security" in client.get("/api/competition/", secure=True)


def test_t10_nothing_is_null_where_the_programs_take_a_string(during_round, get):
    level = during_round.levels.get(slot="main")
    level.title, level.author = "一 | 二", ""
    level.save()
    shown = get("/api/competition/")
    assert shown["main"] == {"title": "一 二", "author": "", "level": cast.CORRIDOR}


@pytest.mark.parametrize("asked", ["abc", "-1", "1" * 20, "", "0x1"])
def test_t11_what_is_no_number_is_nothing(during_round, get, asked):
    nothing = {"id": 0, "begin": "", "end": "", "main": None, "extra": None, "extra2": None, "extra3": None}
    assert get(f"/api/competition/?id={asked}") == nothing


def test_t11_a_draft_looks_like_an_unknown_number(during_round, client):
    """Rule 7.5."""
    lucky_number.save_committed(Round(number=5, opens_at=cast.CLOSES, closes_at=cast.CLOSES + timedelta(days=1)))
    draft, unknown = (client.get(f"/api/competition/?id={number}").content for number in (5, 6))
    assert draft.replace(b"5", b"6") == unknown


def test_t11_a_past_round_by_its_number(after_the_round, get):
    assert get("/api/competition/?id=1")["main"]["level"] == cast.CORRIDOR


def test_t12_what_solves_two_levels_goes_to_main(during_round, post):
    """Rule 6.8."""
    extra = during_round.levels.get(slot="extra")
    extra.text = cast.CORRIDOR
    extra.save()
    assert "(for main)" in post(android("Ada", "rR"))


@pytest.mark.parametrize(("sent", "shown"), [("UK", "UK"), ("00", "00"), ("", "00"), ("TP", "TP"), ("ZZ", "ZZ")])
def test_t13_countries_are_kept_as_sent(during_round, post, get, sent, shown):
    """Rule 4.6."""
    post(android("Ada", "rR", country=sent))
    assert get("/api/competition/submission/")["submission"][0]["country"] == shown


@pytest.mark.parametrize("lurd", ["RR", "r r", "r,R\r\n", "rRK", "2r", "1r1R"])
def test_t15_sloppy_moves_are_taken(during_round, post, lurd):
    """Rule 6.5."""
    assert post(android("Ada", lurd)).startswith("Correct (for main): 2 moves, 1 pushes.")


def test_t16_a_turned_solution_is_refused_in_words(during_round, post):
    """Rule 6.10."""
    said = post(android("Ada", TURNED))
    assert said == "Not correct. This solves main turned or reflected; please send it for the board as published."
    assert not Submission.objects.accepted().exists()


def test_t17_a_million_moves_are_taken_and_one_more_is_not(during_round, post):
    walk = "rl" * 499_999
    assert post(android("Ada", walk + "rR")).startswith("Correct (for main): 1000000 moves")
    assert post(android("Ada", walk + "rlrR")[:-3] + b"rlR") == "Not correct. More than 1000000 moves."


def test_t17_a_body_over_the_limit_is_too_long(during_round, post, settings):
    body = android("Ada", "r" * settings.MAX_SUBMISSION_BODY)
    assert post(body) == "Not correct. More than 1000000 moves."


def test_t19_without_worker_and_broker_there_is_an_answer_and_one_verdict(during_round, post):
    """Rule 6.12."""
    assert post(android("Ada", "rR")).startswith("Correct")
    assert judging.judge_until_empty() == 0
    assert Submission.objects.get().verifications.count() == 1


def test_t19_a_verdict_that_does_not_come_in_time_says_so(during_round, post, monkeypatch):
    monkeypatch.setattr(submissions, "judge_now", lambda submission: submission)
    monkeypatch.setattr("contest.legacy.views.PATIENCE", 0)
    said = post(android("Ada", "rR"))
    assert said == f"Received as {Submission.objects.get().number}, still being checked. See the submission table."
    assert shown_by_client(said) == "unknown situation"


def test_t21_no_moves_and_no_address_on_any_of_the_paths(during_round, post, client):
    """Rules 4.7, 7.2."""
    said = post(android("Ada", "rlrlrR", email="ada@hidden.example"))
    pages = [client.get(path).content.decode() for path in ("/api/competition/", "/api/competition/submission/")]
    pages += [said, client.get("/solution_table.php").content.decode()]
    assert not any("rlrl" in page.lower() or "hidden.example" in page for page in pages)


def test_t22_the_table_is_a_plain_page(during_round, post, client):
    post(android("<b>油", "rR"))
    page = client.get("/solution_table.php").content.decode()
    assert page.startswith('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN"')
    assert "<script" not in page
    assert "&lt;b&gt;油" in page
    assert len(page) < 100_000


def test_t23_too_often_is_told_with_the_seconds(during_round, post, settings):
    """Rule 5.9."""
    settings.QUOTA_PER_SECONDS = {60: 2}
    email = "ada@hidden.example"
    for moves in ("rR", "rlrR"):
        post(android("Ada", moves, email=email))
    said = post(android("Ada", "rlrlrR", email=email))
    assert said.startswith("Please wait ")
    assert shown_by_client(said) == "unknown situation"


def test_t24_the_address_given_first_proves_the_name(during_round, post):
    """Rule 4.11."""
    post(android("Ada", "rR", email="Ada@Hidden.example"))
    assert post(android("Ada", "rlrR", email=" ada@hidden.EXAMPLE ")).startswith("Correct")
    for wrong in ("", "eda@hidden.example"):
        said = post(android("Ada", "rlrlrR", email=wrong))
        assert said == "This name has an owner. Give the e-mail address used with it, or another name."


def test_t24_a_name_without_an_address_stays_open_here(during_round, post):
    """Rule 4.12."""
    post(android("Bo", "rR"))
    assert post(android("Bo", "rlrR", email="bo@hidden.example")).startswith("Correct")
    assert post(android("Bo", "rlrlrR")).startswith("Correct")
    assert Player.objects.get().is_open


def test_t24_an_open_name_is_refused_at_other_doors(during_round, post):
    """Rule 4.12."""
    post(android("Bo", "rR"))
    with pytest.raises(submissions.Refused) as refused:
        cast.send("Bo", "rlrR")
    assert refused.value.code == "name_taken"


def test_t24_a_name_owned_on_the_web_without_address_is_refused_here(during_round, post):
    cast.send("Cem", "rR")
    assert post(android("Cem", "rlrR", email="cem@hidden.example")).startswith("This name has an owner.")


def test_t25_with_the_database_down_nothing_is_stored_and_the_answer_is_plain(during_round, client, monkeypatch):
    def fail(*_args, **_kwargs):
        raise DatabaseError("gone")

    monkeypatch.setattr(submissions, "accept", fail)
    answer = client.post("/submit_result.php", android("Ada", "rR"), content_type="application/x-www-form-urlencoded")
    assert (answer.status_code, answer["Content-Type"]) == (503, "text/plain; charset=utf-8")
    assert answer.content == b"Temporary trouble. Nothing was stored."


def test_t26_compressed_only_for_who_asks(during_round, client):
    plain = client.get("/api/competition/")
    packed = client.get("/api/competition/", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in plain
    assert packed["Content-Encoding"] == "gzip"
    for answer in (plain, packed):
        assert int(answer["Content-Length"]) == len(answer.content)


@pytest.mark.parametrize(
    ("after_close", "has_next", "shown"),
    [
        (timedelta(hours=23, minutes=59), True, 1),
        (timedelta(hours=24, minutes=1), True, 2),
        (timedelta(hours=24, minutes=1), False, 1),
    ],
)
def test_t27_which_round_is_the_current_one(db, get, after_close, has_next, shown):
    cast.a_round()
    if has_next:
        opens_at = cast.CLOSES + timedelta(days=7)
        cast.a_round(2, opens_at=opens_at, closes_at=opens_at + timedelta(days=7), announced_at=cast.OPENS)
    with clock.set_to(cast.CLOSES + after_close):
        assert get("/api/competition/")["id"] == shown


def test_t27_an_empty_database_has_no_round(db, get, post):
    assert get("/api/competition/")["id"] == 0
    assert get("/api/competition/submission/") == {"id": 0, "label": "main", "submission": []}
    assert post(android("Ada", "rR")) == "The competition has ended."


def test_an_unknown_slot_has_no_label(during_round, get):
    assert get("/api/competition/submission/?t=zzz") == {"id": 1, "label": "", "submission": []}


def test_the_list_holds_every_counted_submission_oldest_first(during_round, post, get):
    """Rules 1.7, 15.1, 16.5."""
    for moves in ("rlrR", "rR", "rlrlrR"):
        post(android("Ada", moves))
    Submission.objects.filter(moves=6).update(voided_at=cast.DURING)
    assert [row["move"] for row in get("/api/competition/submission/")["submission"]] == [4, 2]


def test_other_methods_are_not_allowed_and_lists_are_open_to_other_sites(during_round, client):
    assert client.get("/submit_result.php").status_code == 405
    assert client.post("/api/competition/").status_code == 405
    assert client.get("/api/competition/")["Access-Control-Allow-Origin"] == "*"
    assert client.head("/api/competition/").status_code == 200


def test_t18_the_row_is_there_when_the_program_looks_at_once(during_round, client, post):
    before = client.get("/api/competition/submission/")
    post(android("Ada", "rR"))
    after = client.get("/api/competition/submission/", headers={"If-None-Match": before["ETag"]})
    assert len(json.loads(after.content)["submission"]) == 1
    again = client.get("/api/competition/submission/", headers={"If-None-Match": after["ETag"]})
    assert again.status_code == 304


@pytest.mark.django_db(transaction=True)
def test_t2_a_raw_request_of_http_1_0_with_unescaped_bytes_is_answered(live_server):
    """As the Windows program sends it: no Host, no charset, GBK bytes as they are."""
    now = clock.now()
    cast.a_round(opens_at=now - timedelta(days=1), closes_at=now + timedelta(days=1))
    body = "nickname=油纸&country=CN&email=&lurd=rR".encode("gbk")
    head = (
        "POST /submit_result.php HTTP/1.0\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection((live_server.thread.host, live_server.thread.port), timeout=20) as line:
        line.sendall(head.encode() + body)
        with line.makefile("rb") as file:
            answer = file.read()
    status, _, rest = answer.partition(b"\r\n")
    assert b" 200 " in status
    assert rest.endswith(b"Correct (for main): 2 moves, 1 pushes.")
    assert b"transfer-encoding" not in rest.lower()
    assert Player.objects.get().nickname == "油纸"
