"""Cookies: the privacy page names each, each ends and is hidden from scripts and other sites; no script sets one."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage

from contest.web.pages import reading
from tooling.folders import ROOT
from tooling.terminal import print_line

ATTRIBUTES = {"max_age", "secure", "httponly", "samesite"}


def find_breaches() -> Iterator[str]:
    names = {getattr(settings, name) for name in dir(settings) if name.endswith("_COOKIE_NAME")}  # set by Django
    names.add(CookieStorage.cookie_name)
    for module, call in calls_that_set_cookies():
        names.add(eval(ast.unparse(call.args[0]), vars(import_module(module))))
        for missing in ATTRIBUTES - {keyword.arg for keyword in call.keywords}:
            yield f"{module}:{call.lineno}: a cookie is set without {missing}"
    for language in ("en", "zh-hans"):
        page = reading.file_of("privacy", language)
        part = page.read_text("utf-8").partition("{#cookies}")[2].partition("\n## ")[0]
        for name in names ^ set(re.findall(r"^- `(\w+)`", part, re.MULTILINE)):
            yield f"{page.name}: the cookie {name} is {'not named' if name in names else 'set nowhere'}"
    for file in (ROOT / "contest/static").rglob("*.js"):
        if "vendor" not in file.parts and "document.cookie" in file.read_text("utf-8"):
            yield f"{file.relative_to(ROOT)}: a script sets a cookie"


def calls_that_set_cookies() -> Iterator[tuple[str, ast.Call]]:
    """Yield the module and the node of each call that sets a cookie."""
    for file in (ROOT / "contest").rglob("*.py"):
        if "set_cookie(" in (text := file.read_text("utf-8")) or "set_signed_cookie(" in text:
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("set_cookie", "set_signed_cookie"):
                    yield ".".join(file.relative_to(ROOT).with_suffix("").parts), node


def main() -> int:
    breaches = list(find_breaches())
    for line in breaches:
        print_line(line)
    return 1 if breaches else 0
