"""Every picture that a page names for shared links is there, without a font installed on the machine."""

import re
from collections.abc import Iterator
from io import BytesIO
from urllib.parse import urlsplit

import pytest
from django.test import Client
from PIL import Image

from contest.models import Level
from tests import cast

MIXED = "七箱 Seven boxes, Κουτιά, Ящики"
LANGUAGES = ("en", "zh-hans")
SIZES = {"og:image": (1200, 630), "image": (300, 300)}
_NAMED = re.compile(r'<meta (?:property|itemprop)="(og:image|image)" content="([^"]+)"')


@pytest.fixture(autouse=True)
def _no_fonts(monkeypatch, tmp_path):
    monkeypatch.setenv("FONT_FOLDERS", str(tmp_path))


def named_pictures(client: Client, addresses: list[str]) -> dict[str, str]:
    """Return each URL of a picture on the pages, with its kind."""
    texts = (client.get(address, follow=True).content.decode() for address in addresses)
    return {urlsplit(url).path: kind for text in texts for kind, url in _NAMED.findall(text)}


def faults(client: Client, pictures: dict[str, str]) -> Iterator[str]:
    for address, kind in pictures.items():
        answer = client.get(address)
        if (answer.status_code, answer.headers["Content-Type"]) != (200, "image/png"):
            yield f"{address}: {answer.status_code} {answer.headers['Content-Type']}"
            continue
        with Image.open(BytesIO(answer.content)) as image:
            if image.size != SIZES[kind] or not 1_000 < len(answer.content) < 200_000:
                yield f"{address}: {image.size}, {len(answer.content)} bytes"


def test_the_pictures_of_a_running_round_are_drawn_with_any_names(client, during_round):
    Level.objects.update(title=MIXED)
    ada = cast.enter(during_round, "Ωmega 阿达 Ёж", 12, 8, at=cast.DURING).player
    paths = ("rounds/1/", "rounds/1/main/", "rounds/1/main/moves/", f"players/{ada.pk}/")
    pictures = named_pictures(client, [f"/{language}/{path}" for language in LANGUAGES for path in paths])
    assert len(pictures) == 2 * 2 * 3
    assert list(faults(client, pictures)) == []
