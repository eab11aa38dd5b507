"""The steps of docs/tutorials/first-round.md, followed on a phone; with PICTURES=<folder> it takes the pictures."""

import io
import os
import re
from datetime import timedelta
from pathlib import Path

import pytest
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth.models import User
from PIL import Image
from playwright.sync_api import expect

from contest import players
from contest.infra import clock
from contest.library import shelf
from contest.management.demo import demo
from contest.models import Heartbeat, LibraryLevel, NameReport, Part, Player, Question, Round
from contest.rules.phases import Phase
from solvers.sokoban import Level as Board
from tests import cast
from tests.authenticator import SECRET, code
from tests.browser.hands import wait_until
from tests.browser.people import give_password, sign_in
from tests.desk.conftest import PASSWORD, member

PHONE = {"width": 360, "height": 640}
TUTORIAL = Path(__file__).parents[2] / "docs/tutorials/first-round.md"
(CLIPBOARD,) = re.findall(r"```text\n(.*?)```", TUTORIAL.read_text("utf-8"), re.DOTALL)
# A page needs few colours, and its picture is then a third of the size.
COLOURS = 48


@pytest.fixture(autouse=True)
def _beating(staffed):
    for part in Part:
        Heartbeat.objects.create(part=part, beat_at=clock.now())


@pytest.fixture
def open_phone(open_page):
    return lambda: open_page("/en/desk/", viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=1)


@pytest.fixture
def phone(open_phone):
    member("organiser", "Lin")
    page = open_phone()
    sign_in(page, "Lin")
    return page


def picture(page, name: str, *, at: str = "main") -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url
    if not (folder := os.environ.get("PICTURES")):
        return
    page.locator(at).first.evaluate("place => place.scrollIntoView()")
    save_picture(page, Path(folder) / f"organising-{name}.png")


def save_picture(page, file: Path) -> None:
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    few = shot.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    few.save(file, optimize=True)


def test_the_first_round_is_published_in_fifteen_taps(open_phone, settings, codes_stand_still):
    settings.SECOND_FACTOR_FOR_STAFF = True
    totp.TOTP.activate(member("organiser", "Lin"), SECRET)
    phone = open_phone()
    sign_in(phone, "Lin", code())
    navigations = []
    phone.on("request", lambda sent: navigations.append(sent.url) if sent.is_navigation_request() else None)
    taps = 1  # "Paste" on the keyboard

    def tap(place):
        nonlocal taps
        taps += 1
        place.tap()

    def button(name):
        return phone.get_by_role("button", name=name)

    tap(phone.get_by_role("main").get_by_role("link", name="Add a level").last)
    tap(phone.get_by_label("Level, with its solution if you have one"))
    phone.keyboard.insert_text(CLIPBOARD)
    picture(phone, "1-bring", at="h1")
    tap(phone.get_by_role("button", name="Read", exact=True))
    expect(phone.get_by_text("Your solution solves it:")).to_be_visible()
    picture(phone, "2-look", at="h1")
    tap(button("Add it to a round"))
    expect(phone.get_by_role("heading", name="Step by step")).to_be_visible()
    picture(phone, "3-steps", at="h1")
    tap(phone.get_by_role("link", name="Look at the preview"))
    expect(phone.get_by_text("as everybody will see Round 1 when it opens.")).to_be_visible()
    # A visitor's page: its head shows nothing of the staff.
    expect(phone.get_by_role("banner").get_by_role("link", name="Desk")).to_have_count(0)
    picture(phone, "4-preview")
    tap(button("Publish"))
    expect(phone.get_by_text("Round 1 is published.")).to_be_visible()
    assert Round.objects.get().phase(clock.now()) is Phase.SCHEDULED
    assert max(taps, len(navigations)) <= 15


def test_a_weekly_series_is_made_and_a_second_organiser_invited(open_phone):
    """From the desk's first page, on a phone: where one is stays in view, settings are folded, the link is copied."""
    User.objects.create_superuser("Lin", password=PASSWORD)
    phone = open_phone()
    sign_in(phone, "Lin")
    phone.get_by_role("main").get_by_role("link", name="A new series").tap()
    expect(phone.get_by_role("heading", name="A new series")).to_be_visible()
    wait_until(phone, "() => document.querySelector('.strip').scrollLeft > 0")
    expect(phone.locator("[name=max_moves]")).to_be_hidden()
    for label, value in (("Name in Chinese", "周赛"), ("Name in English", "Weekly"), ("New track", "weekly")):
        phone.get_by_label(label).fill(value)
    phone.get_by_label("First opening").fill(f"{clock.now() + timedelta(days=5):%Y-%m-%dT20:00}")
    picture(phone, "6-new-series", at="h1")
    phone.get_by_role("button", name="Create").tap()
    expect(phone.get_by_role("heading", name="Weekly", exact=True)).to_be_visible()
    phone.goto("/en/desk/")
    phone.get_by_role("main").get_by_role("link", name="Invite somebody").tap()
    phone.get_by_label("User name").fill("Mei")
    phone.get_by_label("organiser: ", exact=False).first.check()
    phone.get_by_role("button", name="Create the link").tap()
    expect(phone.get_by_label("Link")).to_have_value(re.compile("/desk/invitation/"))
    phone.get_by_role("button", name="Copy").tap()
    expect(phone.get_by_role("button", name="Copied")).to_be_visible()


def test_the_queue_of_a_series_is_reordered_by_hand(phone):
    weekly = cast.a_series(clock.now() + timedelta(days=9))
    for length, title in enumerate(("Corridor", "Long corridor", "Longer corridor"), 2):
        board = Board.parse(f"{'#' * (length + 4)}|#@$.{'-' * (length - 1)}#|{'#' * (length + 4)}")
        level = LibraryLevel(title=title, author="Ann")
        stored = shelf.store_level(level, board, "R", at=clock.now(), by=None, is_confirmed=True)
        shelf.enqueue(stored, weekly, "main", by=None)
    phone.goto(f"/en/desk/series/{weekly.pk}/")
    expect(phone.get_by_text("Longer corridor")).to_be_visible()
    picture(phone, "5-series", at="h1")
    rows = phone.locator("[data-slot=main] li")
    rows.nth(2).locator(".handle").hover()
    phone.mouse.down()
    target = rows.nth(0).bounding_box()
    phone.mouse.move(target["x"] + 60, target["y"] + 3, steps=4)
    with phone.expect_navigation():
        phone.mouse.up()
    expect(rows).to_contain_text(["Longer corridor", "Corridor", "Long corridor"])
    assert [queued.level.title for queued in weekly.queue.all()] == ["Longer corridor", "Corridor", "Long corridor"]


def test_actions_are_previewed_and_players_and_the_site_are_administered(phone):
    now = clock.now()
    round_ = cast.a_round(opens_at=now - timedelta(days=3), closes_at=now + timedelta(days=18))
    for name, moves, pushes in (("Ada", 41, 12), ("Bao", 43, 11), ("Chen", 47, 13)):
        cast.enter(round_, name, moves, pushes, at=now - timedelta(days=2))
    asker = Player.objects.get(nickname="Bao")
    Question.objects.create(round=round_, player=asker, text="Does a solution sent at 20:00:00 count?", asked_at=now)
    NameReport.objects.create(player=asker, kind="claim", text="That is my name since 2010.", reported_at=now)
    for name in ("Martin", "Martn"):
        players.create(name, country="", email="", at=now)
    phone.goto("/en/desk/rounds/1/do/disqualify/")
    phone.get_by_label("Player", exact=True).select_option(label="Ada")
    phone.get_by_label("Public reason in Chinese").fill("使用了别人的答案。")
    phone.get_by_label("Public reason in English").fill("Another player's solution was sent.")
    phone.get_by_role("button", name="Preview the changes").tap()
    expect(phone.get_by_role("heading", name="What it would change")).to_be_visible()
    picture(phone, "6-consequences", at=".expected")
    phone.get_by_role("button", name="Disqualify a player").tap()
    expect(phone.get_by_role("heading", name="Round 1")).to_be_visible()
    phone.goto("/en/desk/people/")
    expect(phone.get_by_text("Similar nicknames")).to_be_visible()
    picture(phone, "7-people", at=".case")
    phone.goto("/en/desk/health/")
    expect(phone.get_by_text("Last worker activity")).to_be_visible()
    picture(phone, "8-health", at="h1")


def test_a_weekly_level_is_published_wholly_in_the_admin(phone):
    phone.goto("/admin/contest/round/add/")
    text = phone.locator("[name=levels-0-text]")
    text.fill("#####\n#@$.#\n###x#")
    drawing = phone.locator(".level-drawing")
    expect(drawing).to_contain_text("line 3, column 4")
    text.fill("#####\n#@$.#\n#####")
    expect(drawing.locator("svg")).to_be_visible()
    expect(drawing).to_contain_text("solution")
    phone.locator("[name=levels-0-solution]").fill("R")
    expect(drawing.locator("svg")).to_be_visible()
    expect(drawing.locator(".errorlist")).to_have_count(0)
    phone.locator("[name=levels-0-title]").fill("One push")
    phone.locator("[name=levels-0-author]").fill("Lin")
    phone.locator("[name=levels-0-confirmed]").check()
    phone.locator("[name=title_en]").fill("Weekly")
    for shortcut in ("Today", "Now"):
        phone.locator(".field-announced_at").get_by_role("link", name=shortcut).tap()
    phone.get_by_role("button", name="Save", exact=True).tap()
    if phone.get_by_label("Password").count():
        give_password(phone, "Lin")
    expect(phone.locator(".messagelist")).to_contain_text("was added successfully")
    assert Round.objects.get().levels.get().solution == "R"


@pytest.mark.skipif("PICTURES" not in os.environ, reason="takes a picture of README.md; others test the page")
def test_the_front_page_has_a_picture(open_page):
    demo.load(clock.now())
    page = open_page("/en/", viewport={"width": 1000, "height": 760})
    save_picture(page, Path(os.environ["PICTURES"]) / "home.png")
