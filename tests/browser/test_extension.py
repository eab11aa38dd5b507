import json
import os

import pytest
from playwright.sync_api import expect

from tests import cast, sizes
from tests.browser.conftest import FLAGS, wait_until_answered
from tests.browser.hands import press
from tooling import extension

POST = """<!doctype html><meta charset=utf-8><title>A forum</title><p>Look at this one:</p>
<pre id=xsb>######\n#@ $.#\n######</pre><pre id=mf8>HHHHHH\nHa_$.H\nHHHHHH</pre>
<pre id=lurd>drUluRR</pre><pre id=both>######\n#@ $.#\n######\n\nSolution: rR</pre><p id=none>Nothing but words.</p>"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The unpacked extension, allowed to read local pages; the real one waits for the user to choose its menu."""
    folder = extension.build_extension(tmp_path_factory.mktemp("extension"))
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["host_permissions"] = ["http://localhost/*"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


class Browser:
    """A Chromium with the extension, configured for the site under test."""

    def __init__(self, context, site):
        self.context, self.site = context, site
        self.worker = context.service_workers[0] if context.service_workers else context.wait_for_event("serviceworker")
        self.base = self.worker.url.removesuffix("background.js")
        self.worker.evaluate("host => chrome.storage.local.set({ host })", site)

    def forum(self, part):
        page = self.context.new_page()
        page.route("**/forum/", lambda route: route.fulfill(body=POST, content_type="text/html"))
        page.goto(f"{self.site}/forum/")
        page.evaluate("id => getSelection().selectAllChildren(document.getElementById(id))", part)
        return page

    def choose(self, act, page):
        with self.context.expect_page() as opened:
            self.worker.evaluate(
                """async ([act, title]) => {
                  const [tab] = await chrome.tabs.query({ title, currentWindow: true });
                  await carryOut(act, tab);
                }""",
                [act, page.title()],
            )
        page.close()
        return opened.value

    def popup(self, name="page.html"):
        page = self.context.new_page()
        page.goto(self.base + name)
        return page


@pytest.fixture(params=sizes.cases(["zh-CN"], ["en"]))
def browser(request, built, live_server, answered, tmp_path, playwright):
    context = playwright.chromium.launch_persistent_context(
        tmp_path / "profile",
        executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
        headless=False,
        args=[*FLAGS, "--headless=new", f"--lang={request.param}", f"--load-extension={built}"],
        env={**os.environ, "LANGUAGE": request.param.replace("-", "_")},
        ignore_default_args=["--disable-extensions"],
    )
    yield Browser(context, live_server.url)
    context.close()
    wait_until_answered()


def test_a_selection_is_played_rebuilt_saved_or_checked_without_sending_it(browser):
    cast.a_round()
    for part in ("xsb", "mf8"):
        page = browser.choose("play", browser.forum(part))
        expect(page.locator("[data-board]")).to_be_focused()
        press(page, "ArrowRight", "ArrowRight")
        expect(page.locator("[data-solved]")).to_be_visible()
    page = browser.choose("rebuild", browser.forum("lurd"))
    expect(page).to_have_url(f"{browser.site}/lurd2xsb/drUluRR")
    page = browser.choose("check", browser.forum("both"))
    expect(page.locator("[name=moves]")).to_have_value("rR")
    expect(page.locator("[name=board]")).to_have_value("######\n#@-$.#\n######")
    sent, _, fragment = page.url.partition("#")
    assert ("rR" in sent, "rR" in fragment) == (False, True)
    saved = browser.choose("keep", browser.forum("xsb"))
    expect(saved.locator("#kept pre")).to_have_text("######\n#@-$.#\n######")
    expect(saved.locator("#kept small")).to_have_text("A forum")
    explanation = browser.choose("play", browser.forum("none"))  # an explanation is shown, and nothing is lost
    expect(explanation.locator("#text")).to_have_value("Nothing but words.")
    expect(explanation.locator("#says")).not_to_be_empty()
    expect(explanation.locator("#acts button")).to_have_count(0)


@pytest.mark.exhaustive
def test_the_popup_accepts_pasted_text_and_the_settings_a_site_address(browser):
    page = browser.popup()
    expect(page.locator("#host")).to_have_text(browser.site.removeprefix("http://"))  # its script has started
    page.fill("#text", "#####\n#@$.#\n#####")
    expect(page.locator("#acts button")).to_have_count(2)
    page.click("[data-act=keep]")
    page.fill("#text", "")
    page.click("[data-act=take]")
    expect(page.locator("#text")).to_have_value("#####\n#@$.#\n#####")
    page.click("[data-act=drop]")
    expect(page.locator("#kept")).to_be_hidden()
    options = browser.popup("options.html")
    expect(options.locator("#host")).to_have_value(browser.site)
    options.fill("#host", "leitai.example/en/")
    options.click("button")
    expect(options.locator("#host")).to_have_value("https://leitai.example")
    options.fill("#host", "ftp://leitai.example")
    options.click("button")
    expect(options.locator("#says")).to_have_class("error")


def test_every_message_exists_in_both_languages(built):
    messages = {path.parent.name: json.loads(path.read_text()) for path in built.glob("_locales/*/messages.json")}
    assert set(messages) == {"en", "zh_CN"}
    assert messages["en"].keys() == messages["zh_CN"].keys()
    assert not [name for name, entry in messages["zh_CN"].items() if entry == messages["en"][name]]
