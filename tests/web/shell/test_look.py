"""The frame of every page: theme, navigation, size."""

import re
from pathlib import Path

import pytest
from django.test import Client

from contest.models import Level, Submission
from solvers.sokoban.drawing.sprites import DARK, LIGHT
from solvers.sokoban.formats import read_collection

SHEET = Path(__file__).parents[3] / "contest/static/contest/site.css"


def colours(theme):
    """Return the first value of each property in `site.css`, in the light or the dark theme."""
    found = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", SHEET.read_text())
    return {name: (light, dark)[theme == "dark"] for name, light, dark in reversed(found)}


def test_the_style_sheet_and_the_pictures_use_the_same_colours():
    """The library draws thumbnails, cards and films; the style sheet colours boards on pages."""
    names = dict(
        re.findall(r"^:is\(.board, symbol\) \.(\w+) \{ fill: var\(--([\w-]+)\); \}$", SHEET.read_text(), re.MULTILINE)
    )
    assert len(names) == 15
    for theme, drawn in (("light", LIGHT), ("dark", DARK)):
        found = colours(theme)
        assert {paint: found[name] for paint, name in names.items()} == {paint: drawn.paints[paint] for paint in names}


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


def test_the_navigation_marks_the_current_section(client, running):
    for address, section in {
        "rounds/7/": "Rounds",
        "records/": "Rankings",
        "help/": "Learn",
        "submit/": "Submit",
    }.items():
        page = client.get(f"/en/{address}").content.decode()
        assert f'aria-current="true" >{section}</a>' in " ".join(page.split())


def test_the_tabs_of_a_round_link_only_to_existing_pages(client, running, closed, coming):
    pages = (client.get(f"/en/rounds/{number}/").content.decode() for number in (6, 7, 8))
    over, opened, to_come = (" ".join(page.split()) for page in pages)
    assert '"/en/rounds/6/results/" >Results<' in over
    assert '"/en/rounds/6/replays/" >Replays<' in over
    assert "/en/rounds/7/submissions/" in opened
    assert '"/en/rounds/7/results/" >Results<' not in opened
    assert "/en/rounds/8/submissions/" not in to_come
    assert 'rel="prev" href="/en/rounds/6/"' in opened
    assert 'rel="next" href="/en/rounds/8/"' in opened
    assert 'rel="next"' not in to_come


def test_only_the_viewers_own_rows_are_marked(client, running, send):
    send("RR")
    client.get(f"/en/s/{Submission.objects.get().receipt_id}/?wait=1")
    own = {
        "": "Yours",
        **dict.fromkeys(("rounds/7/main/", "rounds/7/main/moves/", "rounds/7/submissions/"), "mark you"),
    }
    for address, mark in own.items():
        assert mark in client.get(f"/en/{address}").content.decode(), address
        assert mark not in Client().get(f"/en/{address}").content.decode(), address


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


def test_a_level_page_shows_a_lower_bound_of_pushes(client, running, monkeypatch):
    """Unless the bound is too expensive to compute; and the polled part does not compute it."""
    text = client.get("/en/rounds/7/main/").content.decode()
    assert "at least 2, proven" in " ".join(text.split())
    assert 'href="/en/help/beginners/#numbers"' in text
    monkeypatch.setattr("contest.levels.least_pushes", lambda _level: None)
    assert "proven" not in client.get("/en/rounds/7/main/").content.decode()
    monkeypatch.setattr("contest.levels.least_pushes", lambda _level: pytest.fail("counted"))
    assert client.get("/en/rounds/7/main/?part=1").status_code == 200
