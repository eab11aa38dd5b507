import csv
import html
import io
import json
import lzma
import re
from datetime import timedelta

import pytest

from contest import judging
from contest.api.feeds import nightly
from contest.infra import clock
from contest.models import Certificate, Level, Player, Round, Search, SearchKind, SeenSolutions, Submission
from contest.vetting import certificates, shown
from tests import cast

pytestmark = pytest.mark.django_db

# Steps to and fro that occur in no other text of the site.
SENTINEL = "rl" * 9
PACKED = lzma.compress(b"a certificate")


@pytest.fixture
def round_(during_round):
    cast.send("Ann", f"{SENTINEL}rR", round=1)
    cast.send("Ben", "rR", round=1)
    judging.judge_until_empty()
    return during_round


def number_of(nickname):
    return Submission.objects.get(player__nickname=nickname).number


def test_moves_are_hidden_until_the_close(round_, page):
    """Rules 7.2, 7.3, 7.8: before that the gallery says when it opens."""
    number = number_of("Ann")
    gallery = page("/en/rounds/1/replays/", cast.DURING)
    assert ("Replays appear here" in gallery, "2026-11-22 20:00" in gallery, "Ann" in gallery) == (True, True, False)
    assert f"{SENTINEL}rR" in page(f"/en/rounds/1/replays/{number}/", cast.AFTER)
    assert page(f"/rounds/1/replays/{number}.txt", cast.AFTER) == f"{SENTINEL}rR"
    assert f"{SENTINEL}rR" in page(f"/rounds/1/replays/{number}.sok", cast.AFTER)


def test_the_gallery_shows_the_front_from_fewest_moves_to_fewest_pushes(during_round, page):
    """Rules 7.3, 12.1, 12.2: unless the round never shows solutions."""
    rows = [("A", 500, 120), ("B", 510, 110), ("C", 505, 125), ("D", 530, 100)]
    cast.enter_all(during_round, rows)
    text = page("/en/rounds/1/replays/", cast.AFTER)
    assert [name for name in "ABCD" if f'<span class="by">{name}</span>' in text] == ["A", "B", "D"]
    assert text.index(">A</span>") < text.index(">B</span>") < text.index(">D</span>")
    Round.objects.update(settings=during_round.settings | {"solutions_public": "never"})
    assert ">A</span>" not in page("/en/rounds/1/replays/", cast.AFTER)
    page(f"/en/rounds/1/replays/{number_of('A')}/", cast.AFTER, 404)


def test_a_replay_belongs_to_its_round_and_rejected_submissions_have_none(round_, page):
    """Rules 6.14, 7.4, 7.5."""
    with clock.set_to(cast.DURING):
        cast.submit("Cat", "u", round=1)
        cast.a_round(2, announced_at=None, **cast.earlier(9))
    page(f"/en/rounds/1/replays/{number_of('Cat')}/", cast.AFTER, 404)
    page("/en/rounds/2/replays/", cast.AFTER, 404)
    Round.objects.filter(number=2).update(announced_at=cast.OPENS - timedelta(weeks=10))
    page("/en/rounds/2/replays/", cast.AFTER)
    page(f"/en/rounds/2/replays/{number_of('Ann')}/", cast.AFTER, 404)


def test_two_solutions_of_the_same_level_are_shown_side_by_side(round_, page):
    """The frame for other sites supports any nickname."""
    cast.submit("Cat", cast.SOLUTIONS["extra"], round=1)
    ann, ben = number_of("Ann"), number_of("Ben")
    Player.objects.filter(nickname="Ann").update(nickname='"><b>Ann')
    text = page(f"/en/rounds/1/replays/{ann}/?with={ben}", cast.AFTER)
    assert f'data-other-moves="/rounds/1/replays/{ben}.txt"' in text
    copied = html.unescape(re.search(r'<textarea\s+id="embed"[^>]*>(.*?)</textarea>', text)[1])
    assert re.fullmatch(r'<iframe src="[^"<>]+" width="480" height="420" title="[^"<>]+"></iframe>', copied)
    for other in (number_of("Cat"), "99", "x", "9" * 5000):
        page(f"/en/rounds/1/replays/{ann}/?with={other}", cast.AFTER, 404)


def test_watching_a_solution_is_recorded(round_, client):
    """Rule 20.3."""
    with clock.set_to(cast.DURING):
        posted = client.post("/en/submit/", {"moves": "rlrR", "nickname": "Dan", "round": 1})
        assert posted.status_code == 302
    with clock.set_to(cast.AFTER):
        client.get(f"/en/rounds/1/replays/{number_of('Ann')}/")
    assert SeenSolutions.objects.get().player == Player.objects.get(nickname="Dan")


def test_a_void_result_gives_its_reason_and_one_with_withheld_moves_says_so(round_, page):
    """Rules 3.3, 15.4: also for results imported without their moves."""
    ben = Submission.objects.filter(player__nickname="Ben")
    address = f"/en/rounds/1/replays/{number_of('Ben')}/"
    ben.update(voided_at=cast.AFTER, void_reason_en="Sent by two hands")
    assert "Sent by two hands" in page(address, cast.AFTER)
    ben.update(voided_at=None, is_unpublished=True)
    assert address not in page("/en/rounds/1/submissions/", cast.AFTER)
    assert "are not published" not in page(address, cast.DURING, 404)
    shown = page(address, cast.AFTER, 404)
    assert ("The moves of this result are not published" in shown, "rR" in shown) == (True, False)
    page(f"/en/rounds/1/replays/{2**63}/", cast.AFTER, 404)
    ben.update(is_unpublished=False, lurd="", why="not_replayed", is_imported=True)
    shown = page(address, cast.AFTER)
    assert ("nothing to watch" in shown, "data-board" in shown) == (True, False)


@pytest.fixture
def proved(db):
    cast.a_round()
    level = Level.objects.get(slot="extra")
    collected = cast.a_collection(boards=(cast.CORRIDOR,)).levels.get()
    type(collected).objects.update(least_moves=2, least_pushes=1)
    study = shown._new_study(level, cast.AFTER)
    study.found = {name: {"moves": 5, "pushes": 2} for name in ("moves", "pushes")}
    study.state, study.answer, study.least_moves, study.least_pushes = "done", "solved", 5, 2
    study.save()
    certificates.queue_due(cast.AFTER)
    of_collection = Search.objects.get(kind=SearchKind.PROOF, collected=collected)
    for search, kind, number, size in (
        (study, "moves", 5, 1),
        (study, "pushes", 2, 0),
        (of_collection, "moves", 2, 2),
    ):
        content = PACKED + bytes(size) if size else b""
        facts = {"size": len(content), "sha256": f"{number:064x}" if size else "", "engine": "1", "made_at": cast.AFTER}
        Certificate.objects.create(search=search, kind=kind, number=number, content=content, **facts)
    with clock.set_to(cast.AFTER):
        yield level


def test_the_level_page_offers_a_certificate_in_both_languages_and_the_download_is_recorded(proved, client):
    """Rules 7.3, 20.3."""
    for language, words in (("en", "Proved optimal: 5 moves"), ("zh-hans", "已证明最优：5 次移动")):
        page = client.get(f"/{language}/rounds/1/extra/").content.decode()
        assert words in page
        assert f'href="/certificates/{5:064x}.xz"' in page
        assert "Proved optimal: 2 pushes" not in page
    with clock.set_to(cast.DURING):
        cast.send("Ann", "rR", slot="main", round=1)
    assert cast.browser_of("Ann").get(f"/certificates/{5:064x}.xz").content == PACKED + bytes(1)
    assert SeenSolutions.objects.get().player.nickname == "Ann"
    assert client.get("/check_certificate.py").content.startswith(b"#!/usr/bin/env python3")
    with clock.set_to(cast.DURING):
        assert "certificates/" not in client.get("/en/rounds/1/extra/").content.decode()


def test_the_page_of_a_collections_level_offers_its_certificate_unless_the_board_is_in_play(proved, client):
    address = "/en/collections/corridors/1/"
    assert f'href="/certificates/{2:064x}.xz"' in client.get(address).content.decode()
    cast.a_round(2, opens_at=cast.AFTER, closes_at=cast.AFTER + timedelta(days=7))
    page = client.get(address).content.decode()
    assert "no solution has fewer than 2 moves" in page
    assert "certificates/" not in page


def test_the_table_is_the_same_as_page_csv_lines_and_dump(proved, client):
    page = client.get("/en/levels/optima/").content.decode()
    assert page.count("/certificates/") == 2
    lines = [json.loads(line) for line in client.get("/api/v1/optima.ndjson").content.splitlines()]
    assert [
        (line["round"], line["collection"], line["by"], line["number"], bool(line["certificate"])) for line in lines
    ] == [
        (1, None, "moves", 5, True),
        (1, None, "pushes", 2, False),
        (None, "corridors", "moves", 2, True),
    ]
    rows = list(csv.DictReader(io.StringIO(client.get("/en/levels/optima.csv").content.decode("utf-8-sig"))))
    assert [row["number"] for row in rows] == ["5", "2", "2"]
    with clock.set_to(cast.DURING):
        assert client.get("/api/v1/optima.ndjson").content == b"", "the collection's board is in play, too"


def test_a_certificate_that_is_hidden_again_withdraws_the_dumps(proved, client):
    nightly.make_due(clock.now())
    dumps = "/api/v1/dumps/"
    assert len(client.get(dumps).json()["results"]) == 1
    Level.objects.filter(pk=proved.pk).update(sha256="0" * 64)
    assert client.get(dumps).json()["results"] == []
