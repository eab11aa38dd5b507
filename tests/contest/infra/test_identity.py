"""The site's own name, logo, time zone and default language come from settings."""

from datetime import datetime
from io import BytesIO

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.template.loader import render_to_string
from django.utils.translation import override
from PIL import Image

from contest import apps
from contest.desk.forms import SeriesForm
from contest.desk.writing.forms import PostForm
from contest.infra import identity
from contest.models import AuditEntry
from contest.organising.round_forms import RoundForm
from contest.players import names
from contest.templatetags.once import OnceNode
from contest.wording import record, times

LYON, LYON_ZH = "Club Sokoban Lyon", "里昂推箱子"
AT = datetime.fromisoformat("2026-07-22T19:30:59Z")


@pytest.fixture
def lyon(settings, monkeypatch):
    """Rename the site; a part of a page that is cached per process must not come from another test."""
    monkeypatch.setattr(OnceNode, "render", lambda node, context: node.nodelist.render(context))
    settings.SITE_NAME, settings.SITE_NAME_ZH_HANS, settings.TIME_ZONE = LYON, LYON_ZH, "Europe/Paris"
    return settings


def test_the_software_gives_its_name_to_a_site_without_one():
    for language, name in (("en", "Leitai"), ("zh-hans", "擂台")):
        with override(language):
            assert (identity.name(), identity.short_name(), identity.full_name()) == (name, "Leitai", "擂台 Leitai")


def test_a_site_has_its_own_name_in_each_language(lyon):
    for language, name in (("en", LYON), ("zh-hans", LYON_ZH)):
        with override(language):
            assert (identity.name(), identity.short_name()) == (name, name)
    assert identity.full_name() == f"{LYON_ZH} {LYON}"
    lyon.SITE_NAME_ZH_HANS = LYON
    assert identity.full_name() == LYON


def test_no_page_names_the_software_as_the_site(lyon, client, during_round):
    addresses = ["/", "/rounds/", f"/rounds/{during_round.number}/", "/levels/", "/seasons/"]
    for language, name in (("en", LYON), ("zh-hans", LYON_ZH)):
        for address in addresses:
            page = client.get(f"/{language}{address}")
            assert page.status_code == 200, address
            text = page.content.decode()
            assert name in text, address
            assert "Leitai" not in text, address
            assert "擂台" not in text, address


def test_the_manifest_and_the_feeds_have_the_name(lyon, client, during_round):
    assert client.get("/en/app.webmanifest").json()["short_name"] == f"{LYON_ZH} {LYON}"
    assert client.get("/en/feeds/rounds.json").json()["title"].startswith(f"{LYON} · ")
    assert f"SUMMARY:{LYON_ZH} · " in client.get("/rounds.ics", headers={"Accept-Language": "zh-CN"}).content.decode()


def test_the_page_about_the_site_names_the_software_only_as_its_software(lyon, client, db):
    for language in ("en", "zh-hans"):
        about, _anchor, software = client.get(f"/{language}/about/").content.decode().partition('id="source"')
        assert "Leitai" not in about
        assert "擂台" not in about
        assert "Leitai" in software


@pytest.mark.parametrize("name", ["400.html", "408.html", "500.html", "503.html"])
def test_pages_of_errors_have_the_name_without_a_request(lyon, name):
    page = render_to_string(name)
    assert f"{LYON_ZH} {LYON}</a>" in page
    assert "Leitai" not in page


def test_nobody_may_take_the_name_of_the_site(lyon):
    for name in (LYON, LYON_ZH, f"{LYON_ZH} {LYON}"):
        with pytest.raises(names.BadName):
            names.check_new(name)


def test_the_default_zone_is_beijings():
    with override("en"):
        assert (identity.zone_name(), identity.zone_label()) == ("Beijing time", "Beijing time (UTC+8)")
    assert times.format_zoned_second(AT) == "2026-07-23 03:30:59 (UTC+8)"


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("Europe/Paris", "2026-07-22 21:30 (UTC+2)"),
        ("America/St_Johns", "2026-07-22 17:00 (UTC-2:30)"),
        ("Etc/UTC", "2026-07-22 19:30 (UTC+0)"),
    ],
)
def test_times_are_in_the_zone_of_the_site(settings, zone, shown):
    settings.TIME_ZONE = zone
    assert times.format_zoned_minute(AT) == shown


def test_texts_name_the_zone_of_the_site(lyon, client, db):
    with override("zh-hans"):
        assert RoundForm.Meta.help_texts["opens_at"] == "Europe/Paris 时间。"
        assert PostForm().fields["published_at"].label == "发布时间（Europe/Paris 时间）"
    with override("en"):
        assert RoundForm.Meta.help_texts["opens_at"] == "Europe/Paris time."
        assert SeriesForm().fields["first_opens_at"].help_text == "Europe/Paris time."
        entry = AuditEntry(target="post 1", before={}, after={"published_at": AT.isoformat()})
        assert record.sentences(entry) == ["Shown from: 2026-07-22 21:30 (UTC+2)."]
    page = client.get("/en/seasons/").content.decode()
    assert "by the close of its rounds in Europe/Paris time." in " ".join(page.split())
    assert "Times are Europe/Paris time</span>" in page
    assert '<meta name="time-zone" content="Europe/Paris">' in page
    assert "Beijing" not in page


def test_the_default_language_is_for_readers_of_other_languages(settings, client, db):
    asked = {"Accept-Language": "xx"}
    assert client.get("/", headers=asked).url == "/zh-hans/"
    settings.LANGUAGE_CODE = "en"
    assert client.get("/", headers=asked).url == "/en/"
    assert client.get("/", headers={"Accept-Language": "zh-CN"}).url == "/zh-hans/"


@pytest.fixture
def logo(tmp_path):
    path = tmp_path / "logo.png"
    Image.new("RGB", (600, 600), "#123456").save(path)
    return str(path)


def test_a_logo_replaces_the_mark(lyon, logo, client, db):
    lyon.SITE_LOGO = logo
    page = client.get("/en/").content.decode()
    assert "mark.svg" not in page
    assert '<link rel="icon" href="/app/icon-192.png" type="image/png">' in page
    assert client.get("/favicon.ico").url == "/app/icon-192.png"
    icons = client.get("/en/app.webmanifest").json()["icons"]
    assert "image/svg+xml" not in [icon["type"] for icon in icons]
    for icon in icons:
        with Image.open(BytesIO(client.get(icon["src"]).content)) as drawn:
            assert f"{drawn.width}x{drawn.height}" == icon["sizes"]
            assert drawn.getpixel((drawn.width // 2, drawn.height // 2)) == (0x12, 0x34, 0x56, 255)


@pytest.mark.parametrize(("size", "message"), [((600, 500), "600 × 500 pixels"), ((64, 64), "64 × 64 pixels")])
def test_a_logo_that_is_not_square_or_small_is_named_at_start(settings, logo, size, message):
    Image.new("RGB", size).save(logo)
    settings.SITE_LOGO = logo
    with pytest.raises(ImproperlyConfigured, match=f"^SITE_LOGO: .*{message}"):
        apps._check_logo()
