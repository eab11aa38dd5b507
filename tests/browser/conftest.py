"""A real browser beside Django's test server, in one process."""

import os
import threading
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import override_settings
from playwright.sync_api import expect, sync_playwright

from contest import submissions
from contest.infra.bundling import bundle
from contest.web.play import receipts
from contest.web.shell.static import HashedStaticFiles
from tests.browser.boards import BEND
from tests.browser.hands import move_over_boards
from tests.web.conftest import a_level, a_round

# Playwright's synchronous interface runs an event loop in this thread; Django would refuse its database there.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
expect.set_options(timeout=30_000)  # a busy machine may take that long

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Remarks of Chromium about answers that a test asks for, and about a test that looks at a board.
EXPECTED = ("Failed to load resource", "Canvas2D: Multiple readback")
HERE = ("http://localhost:", "blob:", "data:", "http://elsewhere.test/")  # the last is where links lead away


def pytest_itemcollected(item):
    """Every test of this folder drives a browser, whose requests are answered by threads that see what is committed."""
    item.add_marker("browser")
    if not item.get_closest_marker("django_db"):
        item.add_marker(pytest.mark.django_db(transaction=True))


@pytest.fixture(scope="session")
def playwright():
    """There may be one in a process."""
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def chromium(playwright):
    program = os.environ.get("CHROMIUM_SHELL") or os.environ.get("CHROMIUM", "/usr/bin/chromium")
    browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def answered(live_server):
    """Wait at the end for requests that are still being answered: the server closes their database when it stops."""
    yield
    wait_until_answered()


def wait_until_answered():
    """Let no request of a closed page meet the rows of another test: all threads share one connection to SQLite."""
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            thread.join(30)


@pytest.fixture(scope="session", autouse=True)
def static_folder(tmp_path_factory):
    """More static files: scripts with all they import in one, as an installed site has them: half the CPU of a page."""
    folder = tmp_path_factory.mktemp("static")
    for entry, name in HashedStaticFiles.bundles.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(bundle(entry, lambda path: Path(finders.find(path)).read_text()))
    with override_settings(STATICFILES_DIRS=[folder]), pytest.MonkeyPatch.context() as patch:
        patch.setattr(staticfiles_storage, "bundles", HashedStaticFiles.bundles, raising=False)
        yield folder


@pytest.fixture
def open_page(chromium, live_server, answered):
    """Open a page of the site, in a browser of its own.

    At the end a pointer moves over its boards. Then no script may have failed, nothing may have been refused by the
    content security policy or warned about, and no other host asked.
    """
    contexts, complaints = [], []

    def hear(message):
        if message.type in ("error", "warning") and not message.text.startswith(EXPECTED):
            complaints.append(message.text)

    def open_(address, **options):
        # Chromium without windows asks for no language of its own.
        options = {"locale": "en-US", "reduced_motion": "reduce", **options}
        context = chromium.new_context(base_url=live_server.url, **options)
        contexts.append(context)
        context.on("console", hear)
        context.on("weberror", lambda failure: complaints.append(str(failure.error)))
        context.on("request", lambda sent: sent.url.startswith(HERE) or complaints.append(sent.url))
        page = context.new_page()
        page.goto(address)
        return page

    yield open_
    for context in contexts:
        for page in context.pages:
            move_over_boards(page)
        context.close()
    wait_until_answered()
    assert complaints == []


@pytest.fixture
def quick_judge(monkeypatch):
    """Judge a submission before its receipt is shown: without a worker the page asks for some seconds first."""
    as_before = receipts.to_receipt

    def to_receipt(request, stored, given, claim):
        submissions.judge_now(stored)
        return as_before(request, stored, given, claim)

    monkeypatch.setattr(receipts, "to_receipt", to_receipt)


@pytest.fixture
def bend(transactional_db, cache_of_its_own, quick_judge):
    """The running round 7, whose main level is BEND."""
    round_ = a_round(7, opens_in=-1)
    a_level(round_, BEND)
    return round_
