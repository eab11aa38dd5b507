"""A real browser with Django's test server, in one process."""

import os
import threading
import time

import pytest
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.db.backends.signals import connection_created
from django.dispatch import receiver
from playwright.sync_api import expect, sync_playwright

from contest import submissions
from contest.staff.roles import make_groups
from contest.web.play import receipts
from tests.browser.boards import BEND
from tests.browser.hands import move_over_boards
from tests.web.conftest import a_level, a_round

# Playwright's synchronous API runs an event loop in this thread; without this Django refuses database access.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
PATIENCE = 120_000  # milliseconds; a busy machine may take that long
expect.set_options(timeout=PATIENCE)

# Chromium's messages about error responses that tests provoke, and about tests that read the canvas.
EXPECTED = ("Failed to load resource", "Canvas2D: Multiple readback")
HERE = ("http://localhost:", "blob:", "data:", "http://elsewhere.test/")  # the last is the target of external links


@receiver(connection_created)
def read_without_locks(connection, **_signal):
    """Let no reader lock a table of SQLite in memory: a solution would be refused while a page is read."""
    if connection.vendor == "sqlite":
        connection.cursor().execute("PRAGMA read_uncommitted = 1")


FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]


def pytest_itemcollected(item):
    """Mark every test of this folder: it drives a browser, and the server's threads only see committed rows."""
    item.add_marker("browser")
    if not item.get_closest_marker("django_db"):
        item.add_marker(pytest.mark.django_db(transaction=True))


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def chromium(playwright):
    program = os.environ.get("CHROMIUM_SHELL") or os.environ.get("CHROMIUM", "/usr/bin/chromium")
    browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="session", autouse=True)
def static_files_for_sandboxes():
    """Send static files to sandboxed frames, whose origin is `null`, as WhiteNoise does on a running site."""
    serve = StaticFilesHandler.serve

    def serve_to_all(handler, request):
        answer = serve(handler, request)
        answer["Access-Control-Allow-Origin"] = "*"
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFilesHandler, "serve", serve_to_all)
        yield


@pytest.fixture(scope="session")
def answered(live_server):
    """Wait at the end for unfinished requests: the server closes their database connection when it stops."""
    yield
    wait_until_answered()


def wait_until_answered():
    """Let no request of a closed page run during another test: all threads share one SQLite connection."""
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            while not thread.is_alive() and thread in threading.enumerate():
                time.sleep(0.001)  # it is created and not started yet
            thread.join(30)


@pytest.fixture
def open_page(chromium, live_server, answered):
    """Open a page of the site in a new browser.

    At the end a pointer moves over its boards. Then fail if a script raised an error, the content security policy
    blocked something, the console has warnings, or another host was requested.
    """
    contexts, complaints = [], []

    def record_console_message(message):
        if message.type in ("error", "warning") and not message.text.startswith(EXPECTED):
            complaints.append(message.text)

    def open_(address, **options):
        # Headless Chromium has no default language.
        options = {"locale": "en-US", "reduced_motion": "reduce", **options}
        context = chromium.new_context(base_url=live_server.url, **options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        context.on("console", record_console_message)
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
    """Judge a submission before its receipt is shown: without a worker the page would poll for some seconds first."""
    as_before = receipts.to_receipt

    def to_receipt(request, stored, given, secret):
        submissions.judge_now(stored)
        return as_before(request, stored, given, secret)

    monkeypatch.setattr(receipts, "to_receipt", to_receipt)


@pytest.fixture
def staffed(transactional_db, cache_of_its_own):
    make_groups()


@pytest.fixture
def bend(transactional_db, cache_of_its_own, quick_judge):
    round_ = a_round(7, opens_in=-1)
    a_level(round_, BEND)
    return round_
