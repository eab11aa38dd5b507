from datetime import timedelta

import pytest

from contest.models import Player, Submission
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
def test_a_part_is_a_fragment_with_a_polling_interval(client, solved, path):
    answer = get(client, path)
    text = answer.content.decode()
    assert "<html" not in text
    assert ">Ann<" in text
    assert "private" in answer["Cache-Control"]
    again = get(client, path, answer["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    assert answer["Live-Every"] == again["Live-Every"] == str(live.SECONDS)
    assert get(client, path, answer["ETag"], language="zh-hans").status_code == 200


def test_only_an_accepted_submission_changes_the_parts(client, solved):
    """Rule 7.9."""
    etags = {path: get(client, path)["ETag"] for path in PARTS}
    cast.submit("Dee", "U")
    assert {get(client, path, etag).status_code for path, etag in etags.items()} == {304}
    cast.submit("Eve", "rR", slot="main")
    for path, etag in etags.items():
        assert ">Eve<" in get(client, path, etag).content.decode(), path


def test_a_new_name_changes_the_parts(client, solved):
    """Also for a player with only void results."""
    bo = Submission.objects.get(player__nickname="Bo")
    rulings.void(bo, Reason(en="Void."), at=cast.DURING, by=None)
    for player, paths in ((bo.player, PARTS[:2]), (Player.objects.get(nickname="Ann"), PARTS)):
        etags = {path: get(client, path)["ETag"] for path in paths}
        Player.objects.filter(pk=player.pk).update(nickname=f"{player.nickname}na")
        personal_bests.refresh_display(player)
        for path, etag in etags.items():
            assert f">{player.nickname}na<" in get(client, path, etag).content.decode(), path


def listed_names(client, query):
    text = get(client, f"submissions/?{query}").content.decode()
    rows = text[text.index("<tbody>") : text.index("</tbody>")]
    return sorted(
        (name for name in ("Ann", "Bo", "Cy", "Dee") if f">{name}<" in rows), key=lambda name: rows.index(f">{name}<")
    )


def test_the_list_is_filtered_and_sorted_by_its_query(client, solved):
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
        assert listed_names(client, query) == names, query
    for query in ("slot=main2", "by=luck"):
        assert get(client, f"submissions/?{query}").status_code == 404
