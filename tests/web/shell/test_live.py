"""Parts of pages that keep up to date, and the filters of the list of submissions."""

from datetime import timedelta

import pytest

from contest import judging
from contest.infra import clock
from contest.models import Level, Player, Submission
from contest.rankings import personal_bests
from contest.results import rulings
from contest.web.shell import live
from contest.wording.bilingual import Reason
from tests import cast

pytestmark = pytest.mark.django_db
PARTS = ["submissions/?part=1", "submissions/latest/?part=1", "main/?part=1", "main/moves/?part=1"]


@pytest.fixture
def solved(during_round):
    cast.enter_all(during_round, [("Ann", 500, 120), ("Bo", 498, 118), ("Cy", 499, 130)])
    return during_round


def get(client, path, etag="", language="en"):
    return client.get(f"/{language}/rounds/1/{path}", headers={"If-None-Match": etag} if etag else {})


@pytest.mark.parametrize("path", PARTS)
def test_a_part_comes_alone_and_says_when_to_ask_again(client, solved, path):
    """Each language has its own."""
    answer = get(client, path)
    text = answer.content.decode()
    assert "<html" not in text
    assert ">Ann<" in text
    assert "private" in answer["Cache-Control"]
    again = get(client, path, answer["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    assert answer["Live-Every"] == again["Live-Every"] == str(live.SECONDS)
    assert get(client, path, answer["ETag"], language="zh-hans").status_code == 200


def test_a_verdict_brings_new_content_and_a_rejection_none(client, solved):
    """Rule 7.9."""
    etags = {path: get(client, path)["ETag"] for path in PARTS}
    cast.send("Dee", "U")
    judging.judge_until_empty()
    assert {get(client, path, etag).status_code for path, etag in etags.items()} == {304}
    cast.send("Eve", "rR", slot="main")
    judging.judge_until_empty()
    for path, etag in etags.items():
        assert ">Eve<" in get(client, path, etag).content.decode(), path


def test_a_new_name_brings_new_content(client, solved):
    """Where all that it has is void, too."""
    bo = Submission.objects.get(player__nickname="Bo")
    rulings.void(bo, Reason(en="Void."), at=cast.DURING, by=None)
    for player, paths in ((bo.player, PARTS[:2]), (Player.objects.get(nickname="Ann"), PARTS)):
        etags = {path: get(client, path)["ETag"] for path in paths}
        Player.objects.filter(pk=player.pk).update(nickname=f"{player.nickname}na")
        personal_bests.show_anew(player)
        for path, etag in etags.items():
            assert f">{player.nickname}na<" in get(client, path, etag).content.decode(), path


def test_a_reader_who_stands_in_the_ranking_has_an_etag_of_their_own(client, during_round):
    """Rule 7.8."""
    client.post("/en/submit/", {"moves": "rR", "nickname": "Ann"})
    judging.judge_until_empty()
    own = get(client, "main/moves/?part=1")["ETag"]
    client.cookies.clear()
    assert get(client, "main/moves/?part=1", own).status_code == 200


@pytest.mark.parametrize(
    ("after", "seconds"),
    [(timedelta(), live.SECONDS), (live.LINGERS - timedelta(seconds=1), live.SECONDS), (live.LINGERS, 0)],
)
def test_after_the_close_nobody_is_told_to_ask_again(client, solved, after, seconds):
    with clock.set_to(solved.closes_at + after):
        assert get(client, "submissions/?part=1")["Live-Every"] == str(seconds)
        assert ("data-live" in get(client, "submissions/").content.decode()) == bool(seconds)


def test_before_the_opening_there_is_no_part(client, solved):
    """Rule 7.4."""
    with clock.set_to(cast.OPENS - timedelta(microseconds=1)):
        assert [get(client, path).status_code for path in PARTS[2:]] == [404, 404]


def test_a_page_hands_its_part_the_etag_that_stands(client, solved):
    for page, path in (("", PARTS[1]), ("submissions/", PARTS[0]), ("main/", PARTS[2]), ("main/moves/", PARTS[3])):
        etag = get(client, path)["ETag"].replace('"', "&quot;")
        assert f'data-etag="{etag}"' in get(client, page).content.decode()


def test_the_newest_rows_have_no_page_of_their_own(client, solved):
    assert get(client, "submissions/latest/").url == "/en/rounds/1/submissions/"


def shown(client, query):
    text = get(client, f"submissions/?{query}").content.decode()
    rows = text[text.index("<tbody>") : text.index("</tbody>")]
    return sorted(
        (name for name in ("Ann", "Bo", "Cy", "Dee") if f">{name}<" in rows), key=lambda name: rows.index(f">{name}<")
    )


def test_the_list_is_narrowed_and_sorted_by_its_address(client, solved):
    cast.enter(solved, "Dee", 9, 3, slot="extra", at=cast.DURING + timedelta(hours=1))
    Player.objects.filter(nickname="Bo").update(country="CN")
    for query, names in {
        "": ["Dee", "Cy", "Bo", "Ann"],
        "name=AN": ["Ann"],
        "country=cn": ["Bo"],
        "slot=extra": ["Dee"],
        "slot=main&by=moves": ["Bo", "Cy", "Ann"],
        "slot=main&by=pushes": ["Bo", "Ann", "Cy"],
        "name=nobody": [],
    }.items():
        assert shown(client, query) == names, query
    for query in ("slot=main2", "by=luck"):
        assert get(client, f"submissions/?{query}").status_code == 404


def test_an_erased_player_is_not_found_by_what_their_name_was(client, solved):
    """Rule 15.6."""
    Player.objects.filter(nickname="Ann").update(erased_at=cast.DURING)
    assert "No accepted submission matches." in get(client, "submissions/?name=Ann").content.decode()


def test_a_void_level_brings_new_content(client, solved):
    """Rule 2.10."""
    etag = get(client, "main/moves/?part=1")["ETag"]
    level = Level.objects.get(round=solved, slot="main")
    Level.objects.filter(pk=level.pk).update(voided_at=cast.DURING, board_version=level.board_version + 1)
    assert ">Ann<" not in get(client, "main/moves/?part=1", etag).content.decode()
