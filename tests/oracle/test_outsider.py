"""An outsider recomputes a round from its archive and the rules alone, and finds what the site published."""

import json

import pytest

from tests.contest.archive import kinds
from tests.contest.archive.conftest import build_once, pack
from tests.contest.archive.forger import RELINKED, TABULATED, Forgery
from tests.oracle import outsider

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def read(name):
    return build_once(f"outsider {name}", kinds.MAKERS[name])


def faults(files, tmp_path):
    return list(outsider.faults(outsider.Archive(pack(tmp_path, files))))


@pytest.mark.parametrize("name", kinds.MAKERS)
def test_an_outsider_recomputes_every_table_and_the_chain_of_an_archive(name, tmp_path):
    """Rules 8 to 11, 16, 24.1, 24.2: ranks, points, leagues, champions, the draw, links, closings."""
    files = read(name)
    assert faults(files, tmp_path) == []
    has_points = bool(json.loads(files["results.json"])["points"])
    assert has_points == (name != "cancelled")


def slower(f):
    f.row("rR", "=Bo").update(received_at="2026-11-05T12:00:00.000000Z")


@pytest.mark.parametrize(
    ("change", "depth", "fault"),
    [
        (lambda f: f.row("rlrR").update(lurd="rrrR"), RELINKED, "submission 1 plays otherwise"),
        (lambda f: f.results["points"].pop(), 1, "points: "),
        (lambda f: f.results["champions"].update(second=None), 1, "champions: "),
        (lambda f: f.boards["contest"]["human"]["main"]["moves"].pop(), 1, "the contest board is another"),
        (lambda f: f.links[3].update(link="0" * 64), 1, "link 3 does not follow"),
        (lambda f: f.closings[0].update(sealed=1), RELINKED, "another number of sealed answers"),
        (slower, TABULATED, "entered late"),
    ],
)
def test_an_outsider_finds_a_forgery(change, depth, fault, tmp_path):
    """Rule 24.2."""
    forgery = Forgery(read("final"))
    change(forgery)
    assert fault in " ".join(faults(forgery.files(depth), tmp_path))
