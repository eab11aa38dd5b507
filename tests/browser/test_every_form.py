"""Send every form of the site once in a browser, as each role that has it: no answer is a refusal or an error."""

import signal
import sqlite3
from contextlib import contextmanager
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from django.core.cache import cache
from django.db import connection
from django.urls import resolve
from django.utils import translation
from playwright.sync_api import TimeoutError as TooLong

from tests.browser import whole_site
from tests.browser.conftest import wait_until_answered

ROLES = (whole_site.STRANGER, whole_site.PLAYER, whole_site.ACCOUNT, whole_site.ORGANISER)
# In the short run: one form of each of these pages.
MOST_USED = (
    ("submit/", whole_site.STRANGER, "submit"),
    ("account/login/", whole_site.STRANGER, "account_login"),
    ("account/login/", whole_site.STRANGER, "theme"),
    ("check/", whole_site.STRANGER, "check"),
    ("claim/", whole_site.STRANGER, "claim"),
    ("me/news/", whole_site.PLAYER, "news-read"),
    ("rounds/{open}/questions/", whole_site.PLAYER, "questions"),
    ("desk/levels/new/", whole_site.ORGANISER, "desk-level-new"),
    ("desk/rounds/{open}/do/extend/", whole_site.ORGANISER, "desk-act"),
    ("desk/second-looks/{second_look}/", whole_site.ORGANISER, "desk-second-look"),
)
MOST_SECONDS = 120  # for one form, on a busy machine
# Fills the empty fields of a form and sends it by a button; returns whether a script has taken it over.
SEND = """([action, names, button]) => {
  const same = (form) => (form.getAttribute("action") ?? "") === action
    && names.every((name) => form.elements.namedItem(name));
  const buttonOf = (form) => [...form.elements].find((one) => one.type === "submit"
    && one.name === button[0] && one.value === button[1]);
  const form = [...document.forms].find((one) => same(one) && buttonOf(one))
    ?? [...document.forms].find(same);
  if (!form) return "missing";
  const texts = { email: "someone@example.org", number: "1", url: "https://example.org/", date: "2036-01-01",
    "datetime-local": "2036-01-01T00:00", color: "#123456" };
  for (const one of form.elements) {
    if (one.type === "file") {
      const chosen = new DataTransfer();
      chosen.items.add(new File(["#####\\n#@$.#\\n#####\\n"], "level.xsb", { type: "text/plain" }));
      one.files = chosen.files;
    } else if (one.type === "checkbox") one.checked ||= one.required;
    else if (one.type === "radio") one.checked ||= one.required;
    else if (one.tagName === "SELECT") {
      if (!one.value && one.options.length) one.selectedIndex = one.options.length - 1;
    } else if (!["hidden", "submit", "button"].includes(one.type) && !one.value)
      one.value = one.name === "moves" ? "R" : texts[one.type] ?? "Some words";
  }
  form.noValidate = true;
  let isTaken = "";
  addEventListener("submit", (event) => { isTaken = event.defaultPrevented ? "taken" : ""; }, { once: true });
  form.requestSubmit(buttonOf(form) ?? null);
  return isTaken;
}"""


@dataclass(frozen=True)
class Form:
    page: whole_site.Page
    method: str
    action: str
    names: tuple[str, ...]
    button: tuple[str, str]

    def __str__(self):
        return f"{self.page.role} at {self.page.address('en')}: {self.method} {self.view} {self.names} {self.button}"

    @property
    def view(self):
        path = urlsplit(self.action).path or self.page.address("en")
        # Pages without a language have forms of the site's own one.
        with translation.override("zh-hans" if path.startswith("/zh-hans/") else "en"):
            return resolve(path).view_name


class Forms(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found, self.is_open = [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.is_open = True
            self.found.append((given.get("method", "get").lower(), given.get("action") or "", [], []))
        elif self.is_open and (tag == "button" or given.get("type") == "submit"):
            if given.get("type", "submit") == "submit":
                self.found[-1][3].append((given.get("name") or "", given.get("value") or ""))
        elif self.is_open and given.get("name") and tag in ("input", "textarea", "select"):
            self.found[-1][2].append(given["name"])

    def handle_endtag(self, tag):
        self.is_open = self.is_open and tag != "form"


def forms_of(site, pages):
    """Return the forms of *pages*: each view, set of fields and button once."""
    found = {}
    for page in pages:
        answer = site.client(page.role).get(page.address("en"), headers={"Accept-Language": "en"})
        if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
            for method, action, names, buttons in Forms(answer.text).found:
                for button in buttons or [("", "")]:
                    form = Form(page, method, action, tuple(dict.fromkeys(names)), button)
                    if method in ("get", "post"):
                        found.setdefault((form.view, frozenset(names), button), form)
    return list(found.values())


@contextmanager
def within(seconds, step):
    """Fail with the name of a *step* that does not end: neither a copy of the database nor a script has a limit."""

    def stop(_signal, _frame):
        raise TimeoutError(f"{step}: no end within {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def allow_signals(_status, _left, _total):
    """Let Python run: a request that is still writing would have SQLite wait for ever."""


@contextmanager
def as_before():
    """Restore the database at the end: a form may delete what the next one needs."""
    copy = sqlite3.connect(":memory:")
    connection.connection.backup(copy, progress=allow_signals)
    yield
    cache.clear()
    copy.backup(connection.connection, progress=allow_signals)
    copy.close()


@pytest.fixture
def site(transactional_db, cache_of_its_own, answered, settings):
    settings.FOUR_EYES = True
    return whole_site.load()


def fault_of(form, site, chromium, base):
    context = chromium.new_context(base_url=base, locale="en")
    context.add_cookies([{"name": n, "value": v, "url": base} for n, v in site.cookies(form.page.role).items()])
    page, errors, answers = context.new_page(), [], []

    def record(answer):
        answers.append(answer)

    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("dialog", lambda dialog: dialog.accept())
    try:
        page.goto(form.page.address("en"), wait_until="load")
        page.on("response", record)
        names = [name for name in form.names if name]
        try:
            with page.expect_response(lambda answer: answer.request.method == form.method.upper(), timeout=10_000):
                state = page.evaluate(SEND, [form.action, names, list(form.button)])
                if state:
                    page.wait_for_timeout(500)
                    raise TooLong(state)
            page.wait_for_load_state("load")
        except TooLong as reason:
            errors += {"taken": [], "missing": ["is not on the page"]}.get(reason.message, ["sends nothing"])
        statuses = [answer.status for answer in answers if answer.request.resource_type in ("document", "fetch")]
        errors += [f"status {status}" for status in statuses if status >= 500 or status in (400, 403, 404, 405)]
    finally:
        context.close()
        wait_until_answered()
    return f"{form}: {', '.join(errors)}" if errors else ""


def send_all(forms, site, chromium, base):
    faults = []
    for form in forms:
        with within(MOST_SECONDS, form), as_before():
            faults.append(fault_of(form, site, chromium, base))
    assert not any(faults), "\n".join(filter(None, faults))


@pytest.mark.exhaustive
@pytest.mark.parametrize("role", ROLES)
def test_every_form_is_answered(site, chromium, live_server, role):
    paths = [path for _address, path in whole_site.paths(site, None)]
    pages = [whole_site.Page(path.removeprefix("zh-hans/"), role, path.startswith("zh-hans/")) for path in paths]
    forms = forms_of(site, pages)
    assert len(forms) > 10
    send_all(forms, site, chromium, live_server.url)


def test_the_forms_most_used_are_answered(site, chromium, live_server):
    chosen = []
    for path, role, view in MOST_USED:
        page = whole_site.Page(path.format(**vars(site)), role)
        forms = [form for form in forms_of(site, [page]) if form.view == view]
        assert forms, (path, view)
        chosen.append(forms[0])
    send_all(chosen, site, chromium, live_server.url)
