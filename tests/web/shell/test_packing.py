"""What a page costs on a slow network: one box packs by itself, and scripts come all at once, after the text."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.template import Context, Template

from contest.templatetags.modules import imports_of

SCRIPTS = Path(finders.find("contest/player/page/main.js")).parents[2]


@pytest.mark.parametrize("address", ["/static/contest/site.css", "/en/rounds/7/main/"])
def test_pages_and_files_come_packed_to_who_can_unpack_them(client, running, address):
    packed, plain = client.get(address, headers={"Accept-Encoding": "gzip"}), client.get(address)
    assert len(packed.getvalue()) < len(plain.getvalue())  # reading to the end closes a file
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers


def test_an_unchanged_part_is_still_no_answer_when_packed(client, running):
    packed = {"Accept-Encoding": "gzip"}
    etag = client.get("/en/rounds/7/main/?part=1", headers=packed).headers["ETag"]
    assert client.get("/en/rounds/7/main/?part=1", headers={**packed, "If-None-Match": etag}).status_code == 304


def test_a_page_to_play_on_names_every_file_that_its_script_will_ask_for(client, running):
    page = client.get("/en/rounds/7/main/play/").content.decode()
    named = re.findall(r'<link rel="modulepreload" fetchpriority="low" href="/static/(.*?)">', page)
    assert "contest/player/rules/paths.js" in named
    assert "contest/rounds/sha256.js" in named
    assert len(named) == len(set(named))
    assert all(finders.find(name) for name in named)


@pytest.mark.parametrize("script", sorted(SCRIPTS.glob("**/main.js")))
def test_what_a_script_imports_is_all_that_its_imports_import(script):
    path = f"contest/{script.relative_to(SCRIPTS).as_posix()}"
    found = {path, *imports_of(path)}
    for name in found:
        assert set(imports_of(name)) <= found


@pytest.mark.parametrize(
    "script", sorted(SCRIPTS.glob("**/*.js")), ids=lambda script: script.relative_to(SCRIPTS).as_posix()
)
def test_every_name_that_a_script_imports_is_exported_there(script):
    """A name that moved breaks a page only when that is opened."""
    for names, path in re.findall(r'^import \{([^}]*)\} from "(.*?)";$', script.read_text(), re.MULTILINE):
        exported = re.findall(
            r"^export (?:async )?(?:function\*?|class|const) (\w+)", (script.parent / path).read_text(), re.MULTILINE
        )
        assert {name.split(" as ")[0].strip() for name in names.split(",") if name.strip()} <= set(exported), path


def test_no_script_delays_the_text(client, running):
    for address in ("/en/", "/en/rounds/7/main/", "/en/rounds/7/main/play/"):
        head = client.get(address).content.decode().partition("</head>")[0]
        assert all('fetchpriority="low"' in script for script in re.findall(r"<script [^>]*src=[^>]*>", head))


def test_a_script_that_imports_nothing_stands_alone():
    words = Template('{% load modules %}{% module "contest/shell/copy.js" %}').render(Context())
    assert words.strip() == '<script type="module" src="/static/contest/shell/copy.js" fetchpriority="low"></script>'


def test_a_part_of_a_file_is_sent_as_it_stands_in_it(client, db):
    asked = {"Accept-Encoding": "gzip", "Range": "bytes=0-399"}
    part = client.get("/static/contest/site.css", headers=asked)
    assert (part.status_code, len(part.getvalue())) == (206, 400)
    assert "Content-Encoding" not in part.headers
