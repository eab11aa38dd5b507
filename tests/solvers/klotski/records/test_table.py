import re

import pytest

from solvers.klotski import Goal, solve
from solvers.klotski.records import table
from solvers.klotski.records.extremes import extremes
from solvers.klotski.records.maxima import Record
from solvers.klotski.records.published import PUBLISHED
from solvers.klotski.records.table import records
from tests import sizes

GOALS = {"lr": Goal.MIRROR, "ud": Goal.UPSIDE_DOWN, "rot": Goal.ROTATED}


def test_the_records_without_names_equal_the_published_ones_except_the_slip():
    found, held = records()
    figures = {key: value for key, value in found.items() if key not in ("layouts", "cpu_seconds")}
    assert figures == {key: PUBLISHED[key] for key in figures}
    assert found["layouts"] == 363_480 == 2 * found["layouts_mod_lr"] - 444
    assert {layout.cells for layout in held["diameter"][0].layouts} == {"ooHHoVHH.VHHCC.VCCoV", "ooHHoVHH.VHHCCoVCC.V"}

    assert [key for key in found if key != "cpu_seconds"] == [key for key in PUBLISHED if key in found]
    kept = extremes()
    for key, ours in held.items():
        assert [(one.value, tuple(one.layouts)) for one in ours] == [tuple(one) for one in kept[key]]


def test_strict_records_name_each_piece(monkeypatch):
    named = []
    monkeypatch.setattr(table, "maxima_of", lambda *_args, is_named, **_: named.append(is_named))
    monkeypatch.setattr(table, "minimum", lambda *_args, is_named, **_: named.append(is_named) or Record())
    records(is_strict=True)
    assert named == [False] * table.STEPS + [True] * table.STEPS


KEPT = [key for key in extremes() if "diameter" not in key and key != "classic_hardest"]


@pytest.mark.parametrize("key", sizes.cases(KEPT[::4], KEPT))
def test_a_stored_layout_needs_the_moves_of_its_record(key):
    kind, mirror, _most = re.fullmatch("(mirror|strict)_(lr|ud|rot)_(max|min)", key).groups()
    (record,) = extremes()[key]
    found = solve(record.layouts[-1], GOALS[mirror], is_strict=kind == "strict")
    assert len(found) == record.moves


def test_the_hardest_layouts_of_the_classic_game_need_so_many_moves():
    for record in extremes()["classic_hardest"]:
        assert {len(solve(layout)) for layout in record.layouts} == {record.moves}
