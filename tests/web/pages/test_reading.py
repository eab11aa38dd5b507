"""The pages that are read, in both languages."""

import json
import re
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from contest.infra import clock
from contest.models import Outage
from contest.web.pages import reading
from solvers.sokoban import formats
from solvers.sokoban.reading import readers
from solvers.sokoban.reading.readers import Outcome, Reader
from tests import cast

ROOT = Path(__file__).parents[3]
LANGUAGES = ("en", "zh-hans")
ADDRESSES = {
    "rules": "rules/",
    "formats": "help/formats/",
    "keys": "help/keys/",
    "beginners": "help/beginners/",
    "programs": "help/programs/",
    "about": "about/",
    "licences": "about/licences/",
    "privacy": "privacy/",
    "terms": "terms/",
}
_FENCED = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_KEY = re.compile(r"`([^`]+)`")

pytestmark = pytest.mark.django_db


def text(name: str, language: str) -> str:
    return reading.file_of(name, language).read_text()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", reading.NAMES)
def test_every_page_stands_in_both_languages(client, django_assert_max_num_queries, name, language):
    with django_assert_max_num_queries(8):
        response = client.get(f"/{language}/{ADDRESSES[name]}")
    assert response.status_code == 200
    assert f"<h1>{reading.page(name, language).title}</h1>" in response.content.decode()


@pytest.mark.parametrize("name", reading.NAMES)
def test_both_languages_have_the_same_places_to_link_to(name):
    ids = [re.findall(r' id="([^"]+)"', reading.page(name, language).html) for language in LANGUAGES]
    assert ids[0] == ids[1]


def test_the_chinese_rules_are_the_english_ones():
    numbers = [re.findall(r"^- \*\*(\d+\.\d+)\*\*", text("rules", language), re.MULTILINE) for language in LANGUAGES]
    assert numbers[0] == numbers[1]
    constants = [sorted(re.findall(r"`[a-z_]+`|[0-9a-f]{32,}", text("rules", language))) for language in LANGUAGES]
    assert set(constants[0]) == set(constants[1])


def test_a_rule_has_an_address(client):
    assert '<li id="8.4">' in client.get("/en/rules/").content.decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_link_of_a_page_leads_nowhere(client, language):
    ids = set(re.findall(r' id="([^"]+)"', reading.page("rules", language).html))
    for name in reading.NAMES:
        for href in re.findall(r'href="([^"]+)"', reading.page(name, language).html):
            assert href[1:] in ids if href.startswith("#") and name == "rules" else client.get(href).status_code == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_named_on_the_other_pages_exist(language):
    ids = set(re.findall(r' id="([^"]+)"', reading.page("rules", language).html))
    for name in set(reading.NAMES) - {"rules"}:
        assert set(re.findall(r"[(（、](\d{1,2}\.\d{1,2})(?=[)）,、])", text(name, language))) <= ids


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_of_the_formats_are_read(language):
    examples = _FENCED.findall(text("formats", language))
    levels = [formats.read_collection(board).entries for kind, board in examples if kind == "level"]
    assert len(levels) == 4
    assert all(len(found) == 1 and found[0].level == levels[0][0].level for found in levels)
    moves = [moves for kind, moves in examples if kind == "moves"]
    judged = [readers.judge([levels[0][0].level], one, Reader.LENIENT) for one in moves]
    assert len(moves) == 7
    assert [(one.outcome, one.moves, one.pushes) for one in judged] == [(Outcome.SOLVED, 5, 2)] * 7


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node")
def test_the_keys_are_those_of_the_player():
    """What stands in one row is one act in every set, and both languages say the same keys."""
    script = "import('./keys.js').then(k => console.log(JSON.stringify(Object.keys(k.PRESETS).map(p => k.sheet(p)))))"
    folder = ROOT / "contest/static/contest/player/input"
    made = subprocess.run(["node", "-e", script], cwd=folder, capture_output=True, text=True, check=True)
    acts_of = [{key: act for act, keys in preset for key in keys} for preset in json.loads(made.stdout)]
    rows = [
        [_KEY.findall(cell) for cell in line.split("|")[2:5]]
        for line in text("keys", "en").splitlines()
        if "`|" in line.replace(" ", "")
    ]
    assert len(rows) == 19
    for row in rows:
        acts = [{acts_of[place][key] for key in keys} for place, keys in enumerate(row)]
        assert acts[0] == acts[1] == acts[2]
    zh = [
        [_KEY.findall(cell) for cell in line.split("|")[2:5]]
        for line in text("keys", "zh-hans").splitlines()
        if "`|" in line.replace(" ", "")
    ]
    assert zh == rows


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_buttons_of_a_controller_are_those_of_the_player(language):
    script = "import('./gamepad.js').then(pad => console.log(JSON.stringify(pad.padSheet())))"
    folder = ROOT / "contest/static/contest/player/input"
    made = subprocess.run(["node", "-e", script], cwd=folder, capture_output=True, text=True, check=True)
    part = text("keys", language).partition("{#controller}")[2].partition("\n## ")[0]
    named = {button for _act, buttons in json.loads(made.stdout) for button in buttons}
    assert {*re.findall("`(.+?)`", part), "←", "↑", "→", "↓"} == named


def test_the_operator_says_who_they_are_where_they_are_asked(client, settings):
    settings.OPERATOR = {
        "name": "Sokoban Society",
        "privacy_contact": "privacy@society.example",
        "icp_number": "京ICP备1号",
    }
    page = client.get("/en/privacy/").content.decode()
    assert "Sokoban Society" in page
    assert "privacy@society.example" in page
    assert "京ICP备1号" in page
    assert "Sokoban Society" not in client.get("/en/rules/").content.decode()


def test_the_licences_of_what_the_site_runs_on_are_named_without_versions(client):
    page = client.get("/en/about/licences/").content.decode()
    assert re.search(r"<li>Django <span[^>]*>BSD-3-Clause", page)
    assert not re.search(r"Django[^<]*\d\.\d", page)


def test_everybody_sees_what_works_and_when_it_did_not(client, django_assert_max_num_queries):
    """Rule 3.10."""
    with clock.set_to(cast.DURING):
        for days in (1, 91):
            ended = cast.DURING - timedelta(days=days)
            Outage.objects.create(began_at=ended - timedelta(minutes=9), ended_at=ended)
        with django_assert_max_num_queries(8):
            page = client.get("/en/status/").content.decode()
    assert "Accepting submissions" in page
    assert "Judging without delay" in page
    assert page.count("2026-11-03")
    assert "2026-08" not in page


def test_the_status_tells_a_stranger_nothing_of_backups_and_addresses(client):
    page = client.get("/en/status/").content.decode().lower()
    assert not any(word in page for word in ("backup", "redis", "postgres", "sqlite", "disk"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_program_has_a_drawing_that_is_there_and_says_what_it_shows(client, language):
    page = client.get(f"/{language}/help/programs/").content.decode()
    shown = re.findall(r'<img src="([^"]+)" alt="([^"]+)" ', page)
    names = {re.search(r"programs/(\w+)\.", source)[1] for source, words in shown if len(words) > 10}
    assert names >= {"boxman", "jsoko", "ysokoban", "sokoplayer", "yasc"}
    for source in re.findall(r"\]\((\S+\.svg)\)", text("programs", language)):
        drawing = (reading.file_of("programs", language).parent / source).read_text()
        assert drawing.startswith("<svg")
        assert f".{language}.svg" in source
        assert "<script" not in drawing
        assert "prefers-color-scheme:dark" in drawing
        size = re.search(r'width="440" height="170"', drawing)
        assert size, "its words are read on a phone"
        assert size[0] in page
