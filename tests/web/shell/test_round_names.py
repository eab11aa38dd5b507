from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Round
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def round_(weekly):
    return cast.a_round(12, track=weekly, number_in_track=7)


def test_a_round_name_redirects_to_the_rounds_number(client, round_):
    """Rule 2.1."""
    for address, led_to in {
        "/zh-hans/rounds/weekly-7/results/?by=pushes": "/zh-hans/rounds/12/results/?by=pushes",
        "/rounds/weekly-7/archive.zip": "/rounds/12/archive.zip",
        "/api/v1/rounds/weekly-7/main/": "/api/v1/rounds/12/main/",
    }.items():
        answer = client.get(address)
        assert (answer.status_code, answer["Location"]) == (308, led_to)


def test_the_name_of_an_unknown_or_unannounced_round_returns_404(client, round_):
    """Rules 2.1, 2.8: its name is assigned when the announcement is scheduled, and public from that time on."""
    for name in ("weekly-8", "other-7", "weekly-07", "main-12", "weekly-99999999999999999999"):
        assert client.get(f"/en/rounds/{name}/").status_code == 404, name
    assert client.get("/api/v1/rounds/weekly-8/").status_code == 404
    Round.objects.filter(pk=round_.pk).update(announced_at=round_.opens_at - timedelta(hours=1))
    with clock.set_to(round_.opens_at - timedelta(days=1)):
        for address in ("/en/rounds/weekly-7/", "/rounds/weekly-7/archive.zip", "/api/v1/rounds/weekly-7/"):
            assert client.get(address, follow=True).status_code == 404, address


def test_pages_and_the_api_show_the_round_name(client, round_):
    """A round of the main track uses its number as its name; pages show the title of another track."""
    assert "Weekly 7" in client.get("/en/rounds/12/").text
    assert "周赛第 7 期" in client.get("/zh-hans/rounds/12/").text
    assert client.get("/api/v1/rounds/12/").json()["name"] == "weekly-7"
    cast.a_round(3, **cast.earlier(9))
    assert client.get("/api/v1/rounds/3/").json()["name"] == "3"
