import re

import pytest
from django import forms

from contest.models import Level
from contest.web.shell.forms import LongSelect
from solvers.sokoban.formats import read_collection

CHOICES = [("", "—"), ("nl", "Netherlands"), ("a&b", "A & <B>"), (3, "three"), ("nl", "once more")]


def test_a_chosen_theme_is_rendered_by_the_server(client, db):
    answer = client.post("/theme/", {"theme": "dark", "next": "/en/rounds/?page=1"})
    assert (answer.status_code, answer.url) == (302, "/en/rounds/?page=1")
    shown = client.get("/en/")
    assert '<html lang="en" data-theme="dark">' in shown.content.decode()
    assert "Cookie" in shown["Vary"]
    client.post("/theme/", {"theme": ""})
    assert "data-theme=" not in client.get("/en/").content.decode()
    client.cookies.load({"theme": "pink"})
    assert "data-theme=" not in client.get("/en/").content.decode()


def test_choosing_a_theme_does_not_redirect_to_other_sites(client, db):
    for elsewhere in ("https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", ""):
        assert client.post("/theme/", {"theme": "dark", "next": elsewhere}).url == "/"


@pytest.mark.parametrize(("suffix", "charset"), [("txt", "utf-8"), ("gbk.txt", "gb18030")])
def test_a_text_file_has_the_line_ends_and_charset_of_its_programs(client, running, suffix, charset):
    """CR LF, UTF-8 without a byte order mark, or GB18030."""
    Level.objects.filter(round=running, slot="main").update(title="一箭十万", author="浪里白条 𠮷")
    answer = client.get(f"/rounds/7/main.{suffix}")
    assert f'filename="round-7-main.{suffix}"' in answer["Content-Disposition"]
    assert answer.charset == charset
    assert answer.content == "######\r\n#@$-.#\r\n######\r\nTitle: 一箭十万\r\nAuthor: 浪里白条 𠮷\r\n".encode(charset)
    for file in (answer, client.get("/rounds/7/main.sok")):
        assert read_collection(file.content).entries[0].title == "一箭十万"


@pytest.mark.parametrize("attrs", [None, {"id": "id_country", "required": True, "disabled": False, "title": 'a "b"'}])
def test_a_long_select_is_rendered_as_django_renders_it(attrs):
    own = {"class": "wide"}
    for value in (None, "", "nl", "a&b", 3, "3", "nowhere", ["nl"]):
        arguments = ("country", value, attrs)
        assert LongSelect(own, CHOICES).render(*arguments) == forms.Select(own, CHOICES).render(*arguments)


def test_pages_set_same_origin_and_permissions_policies(client, running):
    for address in ("/en/", "/admin/login/", "/healthz", "/nothing"):
        headers = client.get(address).headers
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin", address
        assert {"camera=()", "microphone=()", "geolocation=()"} <= set(headers["Permissions-Policy"].split(", "))
    assert re.fullmatch(r"([a-z-]+=\((self)?\)(, )?)+", headers["Permissions-Policy"])


def test_shared_content_may_be_loaded_by_other_sites(client, running):
    """A sandboxed page, which has no origin, asks for the icon too."""
    for address in ("/rounds/7/main/board.png", "/static/contest/site.css", "/api/v1/rounds/", "/rounds.ics"):
        answer = client.get(address)
        assert answer.getvalue()  # reading to the end closes a file
        assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin", address
    assert client.get("/favicon.ico").headers["Cross-Origin-Resource-Policy"] == "cross-origin"
