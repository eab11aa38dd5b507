from io import BytesIO

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from PIL import Image

from contest.infra import clock, identity
from contest.models import AuditEntry, Banner, Picture, Series, SiteIdentity
from contest.outreach import pictures
from contest.rendering import colours
from contest.rendering.pictures import reencode
from tests import cast
from tests.desk.conftest import DESK, signed_in

pytestmark = pytest.mark.django_db
SITE = f"{DESK}site/"
PARIS = {
    "name_zh": "里昂推箱子", "name_en": "Club de Lyon", "mark": "里", "time_zone": "Europe/Paris", "language": "en",
    "accent_light": "#1D5A9E", "accent_dark": "#7db8ff", "contact": "club@lyon.example",
    "text_en": "We meet **on Mondays**.", "version": "0",
}  # fmt: skip


@pytest.fixture
def chief(db):
    return signed_in(User.objects.create_superuser("chief"))


@pytest.fixture
def save(chief, django_capture_on_commit_callbacks):
    def post(**changes):
        with django_capture_on_commit_callbacks(execute=True):
            return chief.post(SITE, PARIS | {"do": "save"} | changes)

    return post


def test_a_preview_shows_what_changes_and_stores_nothing(chief, during_round):
    shown = chief.post(SITE, PARIS | {"do": "look"})
    before = {label: (old, new) for label, old, new in shown.context["changes"]}
    assert before["Name in English"] == ("Leitai", "Club de Lyon")
    old, new = before[f"{during_round} closes"]
    assert (old[-7:], new[-7:]) == ("(UTC+8)", "(UTC+1)")
    assert "<strong>on Mondays</strong>" in shown.context["sample"]
    assert (SiteIdentity.objects.exists(), identity.names()[1]) == (False, "Leitai")


def test_what_is_saved_is_on_every_page_at_once(save, client, during_round):
    client.get("/en/")
    assert save().status_code == 302
    page = client.get("/en/").text
    for part in ("Club de Lyon", "on Mondays", "Europe/Paris", "/app/accent-1d5a9e-7db8ff.css"):
        assert part in page, part
    assert "Leitai" not in page
    assert "club@lyon.example" in client.get("/en/about/").text
    assert client.get("/", headers={"Accept-Language": "xx"}).url == "/en/"
    assert client.get("/api/").json()["site"] == {"zh-hans": "里昂推箱子", "en": "Club de Lyon"}
    assert client.get("/app/accent-1d5a9e-red.css").status_code == 404
    assert identity.sender() == "Club de Lyon <leitai@localhost>"
    entry = AuditEntry.objects.get(act="change site")
    assert (entry.before["time_zone"], entry.after["time_zone"]) == ("", "Europe/Paris")
    assert "club@lyon.example" not in str(entry.after)


def test_a_form_reads_local_times_in_the_zone_that_the_desk_sets(save, chief):
    save()
    chief.post(f"{DESK}banner/", {"text_en": "A break.", "shown_from": "2026-07-01T12:00"})
    assert Banner.objects.get().shown_from.isoformat() == "2026-07-01T10:00:00+00:00"


def test_another_zone_moves_no_stored_time_and_keeps_the_first_opening_of_a_series(save):
    series = Series(first_opens_at=cast.OPENS, every_weeks=26)
    before = [series.opening(number) for number in (1, 2)]
    save()
    after = [series.opening(number) for number in (1, 2)]
    assert before[0] == after[0] == cast.OPENS
    assert [time.hour for time in after] == [after[0].hour] * 2
    assert before[1] != after[1], "summer time has ended"


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("accent_light", "#ffcc00", "contrast of 1.26 on the background #f1eadc"),
        ("accent_dark", "red", "six digits"),
        ("time_zone", "Mars/Olympus", "Mars/Olympus"),
        ("contact", "javascript://x", "neither an email address nor a link"),
        ("version", "7", "meanwhile"),
    ],
)
def test_a_bad_value_is_refused_with_its_reason_and_nothing_is_lost(save, field, value, message):
    refused = save(**{field: value})
    assert refused.status_code == 422
    assert message in refused.text
    assert "Club de Lyon" in refused.text
    assert not SiteIdentity.objects.filter(version__gt=0).exists()


def test_a_square_picture_is_the_mark_and_stays_while_it_is(save, client):
    file = BytesIO()
    Image.new("RGB", (600, 600), "#123456").save(file, "PNG")
    stored = pictures.store_picture(reencode(file.getvalue()), alt_zh="徽标", alt_en="Logo", at=clock.now(), by=None)
    assert save(logo=stored.pk).status_code == 302
    with Image.open(BytesIO(client.get("/app/icon-192.png").content)) as icon:
        assert icon.getpixel((96, 96)) == (0x12, 0x34, 0x56, 255)
    with pytest.raises(pictures.ValidationError, match="mark of the site"):
        pictures.remove(Picture.objects.get(), by=None)


@pytest.mark.django_db(transaction=True)
def test_a_process_reads_what_another_one_saved(monkeypatch, client):
    SiteIdentity.objects.create(pk=1, name_en="Club de Lyon", time_zone="Europe/Paris", version=1)
    assert identity.names()[1] == "Leitai"
    monkeypatch.setattr(identity._Reading, "until", 0.0)
    client.get("/healthz")
    assert (identity.names(), timezone.get_current_timezone_name()) == (("Club de Lyon",) * 2, "Europe/Paris")


def test_contrast_is_checked_on_the_backgrounds_of_the_style_sheet(settings):
    sheet = (settings.BASE_DIR / "contest/static/contest/site.css").read_text()
    for name, *pair in zip(("paper", "raised", "sunk", "hover"), *colours.GROUNDS, strict=True):
        assert f"--{name}: light-dark({', '.join(pair)});" in sheet
    assert f"--accent: light-dark({', '.join(identity.ACCENTS)});" in sheet
