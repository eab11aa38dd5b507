"""Browsers can install the site as an app."""

import itertools
import math
import re
from io import BytesIO
from urllib.parse import urljoin

import pytest
from PIL import Image

pytestmark = pytest.mark.django_db


def manifest(client, language):
    page = client.get(f"/{language}/").content.decode()
    address = re.search(r'<link rel="manifest" href="(.+?)">', page)[1]
    answer = client.get(address)
    assert answer["Content-Type"] == "application/manifest+json"
    return answer.json(), address


def picture(client, icon):
    answer = client.get(icon["src"])
    assert answer["Content-Type"] == icon["type"] == "image/png"
    return Image.open(BytesIO(answer.content)).convert("RGBA")


def test_the_manifest_is_in_the_pages_language_and_its_id_is_shared(client):
    ids = set()
    for language, name in (("en", "Sokoban contest"), ("zh-hans", "推箱子比赛")):
        content, address = manifest(client, language)
        assert (content["lang"], content["start_url"], content["scope"]) == (language, f"/{language}/", "/")
        assert name in content["name"]
        shortcuts = [urljoin(address, shortcut["url"]) for shortcut in content["shortcuts"]]
        assert all(url.startswith(f"/{language}/") for url in shortcuts)
        assert [client.get(url).status_code for url in shortcuts] == [200] * 4
        ids.add(content["id"])
    assert ids == {"/"}


def test_icons_have_the_declared_sizes(client):
    vector, *drawn = manifest(client, "en")[0]["icons"]
    assert vector["src"].endswith(".svg")
    sizes = {(icon["sizes"], icon["purpose"]) for icon in drawn}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= sizes
    for icon in drawn:
        image = picture(client, icon)
        assert "{}x{}".format(*image.size) == icon["sizes"]
        assert (image.getpixel((0, 0))[3] == 0) == (icon["purpose"] == "any"), "only a whole icon has round corners"
    assert client.get("/app/icon-9999.png").status_code == 404


def test_a_maskable_icon_is_plain_outside_the_safe_zone(client):
    """Only the middle circle, 80 % of the width across, is always visible."""
    drawn = next(icon for icon in manifest(client, "en")[0]["icons"] if icon["purpose"] == "maskable")
    image = picture(client, drawn)
    red, middle = image.getpixel((0, 0)), image.width / 2
    assert red[3] == 255
    places = itertools.product(range(0, image.width, 4), repeat=2)
    outside = [place for place in places if math.dist(place, (middle, middle)) > 0.4 * image.width]
    assert {image.getpixel(place) for place in outside} == {red}
