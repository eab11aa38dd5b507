"""A real browser beside Django's test server, in one process."""

import os
import threading

import pytest
from playwright.sync_api import sync_playwright

from contest import submissions
from contest.web.play import receipts
from tests.browser.hands import move_over_boards

# Playwright's synchronous interface runs an event loop in this thread; Django would refuse its database there.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


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
    """Wait at the end for whoever is still being answered: the server takes the database from them when it stops."""
    yield
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            thread.join(30)


@pytest.fixture
def open_page(chromium, live_server, answered):
    """Open a page of the site; whatever it complains of or asks of other places is in `page.complaints`.

    At the end the mouse moves over its boards, and no script may have failed.
    """
    contexts, failures = [], []

    def open_(address, **options):
        # Chromium without windows asks for no language of its own.
        context = chromium.new_context(base_url=live_server.url, **{"locale": "en-US", **options})
        contexts.append(context)
        page = context.new_page()
        page.complaints = []
        page.on(
            "console", lambda said: page.complaints.append(said.text) if said.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.on("request", lambda sent: sent.url.startswith(live_server.url) or page.complaints.append(sent.url))
        page.goto(address)
        return page

    yield open_
    for context in contexts:
        for page in context.pages:
            move_over_boards(page)
        context.close()
    assert not failures


@pytest.fixture
def quick_judge(monkeypatch):
    """A worker who has judged before the receipt is there: its page asks for some seconds first where nobody has."""
    as_before = receipts.to_receipt

    def to_receipt(request, stored, given, claim):
        submissions.judge_now(stored)
        return as_before(request, stored, given, claim)

    monkeypatch.setattr(receipts, "to_receipt", to_receipt)
