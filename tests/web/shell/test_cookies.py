import ast
import importlib
import re

import pytest
from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage

from contest.web.pages import reading
from tooling.folders import ROOT

ATTRIBUTES = {"max_age", "secure", "httponly", "samesite"}


def calls_that_set_cookies():
    for file in (ROOT / "contest").rglob("*.py"):
        if "set_cookie(" in (text := file.read_text()) or "set_signed_cookie(" in text:
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("set_cookie", "set_signed_cookie"):
                    yield ".".join(file.relative_to(ROOT).with_suffix("").parts), node


def names_of_cookies():
    """Return the cookies that the site's code sets, and those that Django sets for it."""
    own = {
        eval(ast.unparse(call.args[0]), vars(importlib.import_module(module)))
        for module, call in calls_that_set_cookies()
    }
    return own | {getattr(settings, name) for name in dir(settings) if name.endswith("_COOKIE_NAME")}


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_privacy_page_names_each_cookie(language):
    part = reading.file_of("privacy", language).read_text().partition("{#cookies}")[2].partition("\n## ")[0]
    named = re.findall(r"^- `(\w+)`", part, re.MULTILINE)
    assert sorted(named) == sorted(names_of_cookies() | {CookieStorage.cookie_name})


def test_each_cookie_ends_and_is_hidden_from_scripts_and_other_sites():
    missing = {
        module: names
        for module, call in calls_that_set_cookies()
        if (names := ATTRIBUTES - {keyword.arg for keyword in call.keywords})
    }
    assert missing == {}


def test_no_script_sets_a_cookie():
    scripts = [file for file in (ROOT / "contest/static").rglob("*.js") if "vendor" not in file.parts]
    assert scripts
    assert [file.name for file in scripts if "document.cookie" in file.read_text()] == []
