"""The frame of every page: theme, navigation, size."""

import pytest

from contest.models import Level
from solvers.sokoban.formats import read_collection


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
