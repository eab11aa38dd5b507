from datetime import datetime
from io import BytesIO

import pytest
from django.utils.translation import override
from PIL import Image

from contest.infra import identity
from contest.players import names
from contest.templatetags.once import OnceNode
from contest.wording import times

LYON, LYON_ZH = "Club Sokoban Lyon", "里昂推箱子"


@pytest.fixture
def lyon(settings, monkeypatch):
    """Rename the site; a part of a page that is cached per process must not come from another test."""
    monkeypatch.setattr(OnceNode, "render", lambda node, context: node.nodelist.render(context))
    settings.SITE_NAME, settings.SITE_NAME_ZH_HANS, settings.TIME_ZONE = LYON, LYON_ZH, "Europe/Paris"
    return settings


def test_a_site_has_its_own_name_in_each_language_which_nobody_may_take(lyon):
    for name in (LYON, LYON_ZH, f"{LYON_ZH} {LYON}"):
        with pytest.raises(names.BadName):
            names.check_new(name)
    for language, name in (("en", LYON), ("zh-hans", LYON_ZH)):
        with override(language):
            assert (identity.name(), identity.short_name()) == (name, name)
    assert identity.full_name() == f"{LYON_ZH} {LYON}"
    lyon.SITE_NAME_ZH_HANS = LYON
    assert identity.full_name() == LYON


def test_times_are_in_the_zone_of_the_site(settings):
    settings.TIME_ZONE = "America/St_Johns"
    at = datetime.fromisoformat("2026-07-22T19:30:59Z")
    assert times.format_zoned_minute(at) == "2026-07-22 17:00 (UTC-2:30)"


def test_a_logo_replaces_the_mark(lyon, tmp_path, client, db):
    lyon.SITE_LOGO = str(tmp_path / "logo.png")
    Image.new("RGB", (600, 600), "#123456").save(lyon.SITE_LOGO)
    assert "mark.svg" not in client.get("/en/").content.decode()
    icons = client.get("/en/app.webmanifest").json()["icons"]
    assert "image/svg+xml" not in [icon["type"] for icon in icons]
    for icon in icons:
        with Image.open(BytesIO(client.get(icon["src"]).content)) as drawn:
            assert f"{drawn.width}x{drawn.height}" == icon["sizes"]
            assert drawn.getpixel((drawn.width // 2, drawn.height // 2)) == (0x12, 0x34, 0x56, 255)
