"""Cost of a page on a slow network: the one-box site compresses itself; scripts load in parallel, after the text."""

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

RANGES = [
    "bytes=0-0", "bytes=0-399", "bytes=5-1", "bytes=-1", "bytes=-0", "bytes=--1", "bytes=400-", "bytes=999999999-",
    "bytes=0-9,20-29", "bytes=" + "0-0," * 500, "bytes=" + "9" * 4_000 + "-", "bytes=a-b", "bytes=٣-٤", "lines=1-2",
    "bytes", "",
]  # fmt: skip


@pytest.mark.parametrize("address", ["/static/contest/site.css", "/en/rounds/7/main/"])
def test_pages_and_files_are_compressed_for_clients_that_accept_gzip(client, running, address):
    packed, plain = client.get(address, headers={"Accept-Encoding": "gzip"}), client.get(address)
    assert len(packed.getvalue()) < len(plain.getvalue())  # reading to the end closes a file
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers


def test_the_game_is_a_single_script(client, running):
    page = client.get("/en/rounds/7/main/play/").content.decode()
    scripts = re.findall(r'(?:src|href)="/static/([^"]*\.js)"', page)
    assert [name for name in scripts if "/player/" in name] == ["contest/player/page/main.bundle.js"]
    assert len(set(re.findall(r'(?:src|href)="(/static/[^"#]*)', page))) < 15
    assert len(gzip.compress(Path(finders.find("contest/player/page/main.bundle.js")).read_bytes())) < 70 * 1_024


def test_every_imported_name_is_exported():
    """A name that was moved would break a page only when it is opened."""
    imported = re.compile(r'^import \{([^}]*)\} from "(.*?)";$', re.MULTILINE)
    exported = re.compile(r"^export (?:async )?(?:function\*?|class|const) (\w+)", re.MULTILINE)
    for script in Path(finders.find("contest/player/page/main.js")).parents[2].glob("**/*.js"):
        for names, path in imported.findall(script.read_text()):
            given = {name.split(" as ")[0].strip() for name in names.split(",") if name.strip()}
            assert given <= set(exported.findall((script.parent / path).read_text())), (script, path)


@pytest.mark.parametrize("method", ["get", "head"])
def test_a_range_request_returns_the_declared_bytes_or_the_whole_file(client, db, method):
    """With If-Range the whole, or the client would join two versions (RFC 9110, 13.1.5)."""
    address = "/static/contest/site.css"
    whole = client.get(address).getvalue()
    for asked in RANGES:
        answer, expected = getattr(client, method)(address, headers={"Range": asked}), whole
        assert answer.status_code in (200, 206, 416), asked
        if answer.status_code == 206:
            first, last, size = map(int, re.fullmatch(r"bytes (\d+)-(\d+)/(\d+)", answer["Content-Range"]).groups())
            assert (int(answer["Content-Length"]), size) == (last - first + 1, len(whole))
            expected = whole[first : last + 1]
        if answer.status_code != 416:
            assert answer.getvalue() == (expected if method == "get" else b""), asked
    for known in ('"of yesterday"', 'W/"weak"', "Wed, 21 Oct 2015 07:28:00 GMT", "*"):
        answer = getattr(client, method)(address, headers={"Range": "bytes=400-", "If-Range": known})
        assert (answer.status_code, answer.getvalue()) == (200, whole if method == "get" else b""), known
