import json
import re
import shutil
import subprocess
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from contest.models import Outage
from contest.web.pages import reading
from solvers.sokoban import formats
from solvers.sokoban.reading import readers
from solvers.sokoban.reading.readers import Outcome, Reader
from tests import cast

ROOT = Path(__file__).parents[3]
LANGUAGES = ("en", "zh-hans")
_FENCED = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_KEY = re.compile(r"`([^`]+)`")

pytestmark = pytest.mark.django_db


def text(name: str, language: str) -> str:
    return reading.file_of(name, language).read_text()


def test_both_languages_have_the_same_anchors():
    for name in reading.NAMES:
        english, chinese = (re.findall(r' id="([^"]+)"', reading.page(name, language).html) for language in LANGUAGES)
        assert english == chinese, name


@pytest.mark.django_db(transaction=True)  # some links close the connection to the database
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_of_a_page_works(client, language):
    ids = set(re.findall(r' id="([^"]+)"', reading.page("rules", language).html))
    links = {name: re.findall(r'href="([^"]+)"', reading.page(name, language).html) for name in reading.NAMES}
    assert {href[1:] for href in links["rules"] if href.startswith("#")} <= ids
    elsewhere = {href for name, found in links.items() for href in found if name != "rules" or not href.startswith("#")}
    for href in elsewhere:
        with closing(client.get(href)) as answer:
            assert answer.status_code == 200, href
    for name in set(reading.NAMES) - {"rules"}:
        assert set(re.findall(r"[(（、](\d{1,2}\.\d{1,2})(?=[)）,、])", text(name, language))) <= ids


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_of_the_formats_are_parsed(language):
    examples = _FENCED.findall(text("formats", language))
    levels = [formats.read_collection(board).entries for kind, board in examples if kind == "level"]
    assert len(levels) == 4
    assert all(len(found) == 1 and found[0].level == levels[0][0].level for found in levels)
    moves = [moves for kind, moves in examples if kind == "moves"]
    judged = [readers.judge([levels[0][0].level], verdict, Reader.LENIENT) for verdict in moves]
    assert len(moves) == 7
    assert [(verdict.outcome, verdict.moves, verdict.pushes) for verdict in judged] == [(Outcome.SOLVED, 5, 2)] * 7


def keys_in(language):
    lines = (line for line in text("keys", language).splitlines() if "`|" in line.replace(" ", ""))
    return [[_KEY.findall(cell) for cell in line.split("|")[2:5]] for line in lines]


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node")
def test_the_listed_keys_match_the_game():
    """Each row is the same command in every set, and both languages list the same keys."""
    expression = "Object.keys(module.PRESETS).map(preset => module.sheet(preset))"
    script = f"import('./keys.js').then(module => console.log(JSON.stringify({expression})))"
    folder = ROOT / "contest/static/contest/player/input"
    process = subprocess.run(["node", "-e", script], cwd=folder, capture_output=True, text=True, check=True)
    presets = json.loads(process.stdout)
    acts_of = [{key: act for act, keys in preset for key in keys} for preset in presets]
    rows = keys_in("en")
    assert len(rows) == 20
    for row in rows:
        acts = [{acts_of[place][key] for key in keys} for place, keys in enumerate(row)]
        assert acts[0] == acts[1] == acts[2]
    assert keys_in("zh-hans") == rows


def test_the_operators_details_are_shown_only_on_their_pages(client, settings):
    details = {"name": "Sokoban Society", "privacy_contact": "privacy@society.example", "icp_number": "京ICP备1号"}
    settings.OPERATOR = details
    page = client.get("/en/privacy/").content.decode()
    assert all(detail in page for detail in details.values())
    rules = client.get("/en/rules/").content.decode()
    assert "Sokoban Society" not in rules
    assert '<li id="8.4">' in rules


def test_the_public_status_shows_outages_but_no_internals(client):
    """Rule 3.10."""
    for days in (1, 91):
        ended = cast.DURING - timedelta(days=days)
        Outage.objects.create(began_at=ended - timedelta(minutes=9), ended_at=ended)
    page = client.get("/en/status/").content.decode()
    assert "Accepting submissions" in page
    assert "Judging without delay" in page
    assert "2026-11-03" in page
    assert "2026-08" not in page
    assert not any(word in page.lower() for word in ("backup", "redis", "postgres", "sqlite", "disk"))
