"""Parts of pages that keep up to date, and the filters of the list of submissions."""

from datetime import timedelta

import pytest

from contest import judging
from contest.infra import clock
from contest.models import Best, Level, Player, Submission
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
    answer = get(client, path)
    text = answer.content.decode()
    assert "<html" not in text
    assert ">Ann<" in text
    assert answer["Live-Every"] == str(live.SECONDS)
    assert "private" in answer["Cache-Control"]


@pytest.mark.parametrize("path", PARTS)
def test_who_has_what_stands_now_is_told_so_for_two_questions_to_the_database(
    client, solved, django_assert_max_num_queries, path
):
    etag = get(client, path)["ETag"]
    with django_assert_max_num_queries(2):
        answer = get(client, path, etag)
    assert (answer.status_code, answer.content, answer["Live-Every"]) == (304, b"", str(live.SECONDS))


@pytest.mark.parametrize("path", PARTS)
def test_a_verdict_brings_new_content_and_a_rejection_none(client, solved, path):
    """Rule 7.9."""
    etag = get(client, path)["ETag"]
    cast.send("Dee", "U")
    judging.judge_until_empty()
    assert get(client, path, etag).status_code == 304
    cast.send("Eve", "rR", slot="main")
    judging.judge_until_empty()
    answer = get(client, path, etag)
    assert answer.status_code == 200
    assert ">Eve<" in answer.content.decode()


@pytest.mark.parametrize("path", PARTS)
def test_a_new_name_brings_new_content(client, solved, path):
    etag = get(client, path)["ETag"]
    Player.objects.filter(nickname="Ann").update(nickname="Anna")
    personal_bests.show_anew(Player.objects.get(nickname="Anna"))
    assert ">Anna<" in get(client, path, etag).content.decode()


@pytest.mark.parametrize("path", PARTS[:2])
def test_a_new_name_brings_new_content_where_all_it_has_is_void(client, solved, path):
    result = Submission.objects.get(player__nickname="Ann")
    rulings.void(result, Reason(en="Void."), at=cast.DURING, by=None)
    assert not Best.objects.filter(player=result.player).exists()
    etag = get(client, path)["ETag"]
    Player.objects.filter(nickname="Ann").update(nickname="Anna")
    personal_bests.show_anew(result.player)
    assert get(client, path, etag).status_code == 200


@pytest.mark.parametrize("path", PARTS)
def test_each_language_has_its_own_etag(client, solved, path):
    assert get(client, path)["ETag"] != get(client, path, language="zh-hans")["ETag"]


def test_a_reader_who_stands_in_the_ranking_has_an_etag_of_their_own(client, during_round):
    """Rule 7.8."""
    client.post("/en/submit/", {"moves": "rR", "nickname": "Ann"})
    judging.judge_until_empty()
    own = get(client, "main/moves/?part=1")["ETag"]
    client.cookies.clear()
    assert get(client, "main/moves/?part=1", own).status_code == 200


@pytest.mark.parametrize(
    ("after", "seconds"),
    [(timedelta(seconds=-1), live.SECONDS), (timedelta(), live.SECONDS), (live.LINGERS, 0), (timedelta(days=9), 0)],
)
def test_after_the_close_nobody_is_told_to_ask_again(client, solved, after, seconds):
    with clock.set_to(solved.closes_at + after):
        assert get(client, "submissions/?part=1")["Live-Every"] == str(seconds)
        assert ("data-live" in get(client, "submissions/").content.decode()) == bool(seconds)


@pytest.mark.parametrize("path", PARTS[2:])
def test_before_the_opening_there_is_no_part(client, solved, path):
    """Rule 7.4."""
    with clock.set_to(cast.OPENS - timedelta(microseconds=1)):
        assert get(client, path).status_code == 404


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


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["Dee", "Cy", "Bo", "Ann"]),
        ("name=AN", ["Ann"]),
        ("country=cn", ["Bo"]),
        ("slot=extra", ["Dee"]),
        ("slot=main&by=moves", ["Bo", "Cy", "Ann"]),
        ("slot=main&by=pushes", ["Bo", "Ann", "Cy"]),
        ("name=nobody", []),
    ],
)
def test_the_list_is_narrowed_and_sorted_by_its_address(client, solved, query, names):
    cast.enter(solved, "Dee", 9, 3, slot="extra", at=cast.DURING + timedelta(hours=1))
    Player.objects.filter(nickname="Bo").update(country="CN")
    assert shown(client, query) == names


@pytest.mark.parametrize("query", ["slot=main2", "by=luck"])
def test_a_level_or_an_order_that_there_is_not_is_404(client, solved, query):
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
