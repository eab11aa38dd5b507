"""Small pictures of the levels of rounds."""

import pytest
from django.test import Client

from contest.infra import clock
from tests import cast

pytestmark = pytest.mark.django_db


def picture(at, look="light"):
    with clock.set_to(at):
        return Client().get(f"/rounds/1/main/{look}.svg")


def test_a_level_has_a_picture_from_the_opening_on():
    """Rule 7.4."""
    cast.a_round()
    assert picture(cast.OPENS - cast.timedelta(seconds=1)).status_code == 404
    assert picture(cast.OPENS).status_code == 200


def test_it_follows_the_theme_and_no_cache_keeps_it_for_others():
    cast.a_round()
    light, dark = picture(cast.DURING), picture(cast.DURING, "dark")
    assert light["Content-Type"] == "image/svg+xml"
    assert light.content != dark.content
    assert "private" in light["Cache-Control"]
    assert picture(cast.DURING, "purple").status_code == 404
