import json

import pytest

from tests.contest.archive import kinds
from tests.contest.archive.conftest import build_once, pack
from tests.oracle import outsider

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.mark.parametrize("name", kinds.MAKERS)
def test_an_outsider_recomputes_every_table_and_the_chain_of_an_archive(name, tmp_path):
    """Rules 8 to 11, 16, 24.1, 24.2: ranks, points, leagues, champions, the draw, links."""
    files = build_once(f"outsider {name}", kinds.MAKERS[name])
    assert list(outsider.faults(outsider.Archive(pack(tmp_path, files)))) == []
    has_points = bool(json.loads(files["results.json"])["points"])
    assert has_points == (name != "cancelled")
