"""Comparison of two players."""

from datetime import UTC, datetime

import pytest

from contest.infra import clock
from contest.models import Player
from tests.contest.outcomes import a_final_round, a_player


@pytest.fixture
def history(db):
    with clock.set_to(datetime(2026, 12, 1, tzinfo=UTC)):
        a_final_round(1, "Ann", "Bo", "Anna")
        a_final_round(2, "Bo", "Ann")
        yield


def pick(client, **names):
    return client.get("/en/compare/", names)


def test_two_names_redirect_to_the_comparison(client, history):
    """Rule 4.5."""
    assert pick(client, first="ANN", second=" bo ").url == f"/en/compare/{a_player('Ann').pk}/{a_player('Bo').pk}/"


def test_candidates_are_shown_for_an_ambiguous_name(client, history):
    for first, second, message in (
        ("", "", "Compare two players"),
        ("An", "Bo", 'href="?first=Anna&amp;second=Bo"'),
        ("Zed", "Bo", "No player with public results"),
        ("Ann", "ann", "Both names are one player."),
        ("\u0001", "<b>", "Who is “&lt;b&gt;”?"),
    ):
        answer = pick(client, first=first, second=second)
        assert answer.status_code == 200
        assert message in answer.content.decode()


def test_an_erased_player_is_not_found_by_the_former_name(client, history):
    """Rule 15.6."""
    Player.objects.filter(nickname="Ann").update(erased_at=clock.now())
    assert pick(client, first="Ann", second="Bo").status_code == 200


def test_unknown_equal_and_merged_players_are_handled(client, history):
    ann, bo = a_player("Ann"), a_player("Bo")
    assert client.get(f"/en/compare/{ann.pk}/{10**30}/").status_code == 404
    assert client.get(f"/en/compare/{ann.pk}/{ann.pk}/").url == f"/en/players/{ann.pk}-ann/"
    Player.objects.filter(nickname="Anna").update(merged_into=ann)
    merged = Player.objects.get(nickname="Anna")
    assert client.get(f"/en/compare/{merged.pk}/{bo.pk}/").url == f"/en/compare/{ann.pk}/{bo.pk}/"
