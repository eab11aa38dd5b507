import re
from datetime import UTC, datetime

import pytest
from django.utils import translation

from contest.infra import clock
from contest.models import Player
from contest.rankings import ratings
from contest.templatetags.people import country_flag
from tests.contest.outcomes import a_final_round, a_player

NOW = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.fixture
def history(db):
    with clock.set_to(NOW):
        a_player("Ann", country="cn")
        for number, names in ((1, ("Ann", "Bo", "Cy", "Anna")), (2, ("Bo", "Ann"))):
            ratings.update(a_final_round(number, *names))
        yield


def test_the_number_in_the_url_identifies_the_player(client, history):
    """Rule 4.13: a merged name leads to the player."""
    ann, cy = a_player("Ann"), a_player("Cy")
    Player.objects.filter(pk=cy.pk).update(merged_into=ann)
    for wrong in (f"{ann.pk}/", f"{ann.pk}-bo/", f"{cy.pk}-cy/"):
        assert client.get(f"/en/players/{wrong}").url == f"/en/players/{ann.pk}-ann/"
    assert client.get(f"/en/players/{ann.pk}-ann/").status_code == 200
    unknown = [f"players/{number}-x/" for number in (0, 4_711, 10**30)]
    for address in (*unknown, "hall/?by=luck", "hall/?league=cat"):
        assert client.get(f"/en/{address}").status_code == 404, address


def test_two_names_of_a_player_share_a_line_per_round(client, history):
    """Rule 4.13: the better result scores, and the certificate lists the titles of both."""
    ann, bo = a_player("Ann"), a_player("Bo")
    Player.objects.filter(pk=bo.pk).update(merged_into=ann)
    text = client.get(ann.get_absolute_url()).content.decode()
    assert text.count(">Round 1</a>") == text.count(">Round 2</a>") == 1
    assert "<dd><strong>79</strong></dd>" in text
    won = client.get(f"/en/rounds/1/results/certificates/{ann.pk}/").content.decode()
    for text in ("Rank 1 with 39.5 points", "Moves champion", "Pushes champion"):
        assert text in won


def test_two_names_redirect_to_the_comparison(client, history):
    """Rule 4.5."""
    answer = client.get("/en/compare/?first=ANN&second=+bo+")
    assert answer.url == f"/en/compare/{a_player('Ann').pk}/{a_player('Bo').pk}/"


def test_candidates_are_shown_for_an_ambiguous_name(client, history):
    for first, second, message in (
        ("", "", "Compare two players"),
        ("An", "Bo", 'href="?first=Anna&amp;second=Bo"'),
        ("Zed", "Bo", "No player with public results"),
        ("Ann", "ann", "Both names are one player."),
        ("\u0001", "<b>", "Who is “&lt;b&gt;”?"),
    ):
        answer = client.get("/en/compare/", {"first": first, "second": second})
        assert answer.status_code == 200
        assert message in answer.content.decode()


def test_unknown_equal_merged_and_erased_players_are_handled(client, history):
    """Rule 15.6."""
    ann, bo = a_player("Ann"), a_player("Bo")
    assert client.get(f"/en/compare/{ann.pk}/{10**30}/").status_code == 404
    assert client.get(f"/en/compare/{ann.pk}/{ann.pk}/").url == f"/en/players/{ann.pk}-ann/"
    Player.objects.filter(nickname="Anna").update(merged_into=ann)
    merged = Player.objects.get(nickname="Anna")
    assert client.get(f"/en/compare/{merged.pk}/{bo.pk}/").url == f"/en/compare/{ann.pk}/{bo.pk}/"
    Player.objects.filter(nickname="Ann").update(erased_at=clock.now())
    assert client.get("/en/compare/?first=Ann&second=Bo").status_code == 200


def test_a_flag_without_a_name_beside_it_names_the_country():
    with translation.override("en"):
        picture = country_flag(Player(country="FR"))
    assert re.search(r'src="[^"]*/fr\.svg" [^>]*alt="France"', picture)
    assert country_flag(Player(country="")) == ""
