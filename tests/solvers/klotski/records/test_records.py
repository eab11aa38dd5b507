import re
from collections import Counter

import numpy as np
import pytest

from solvers.klotski import Goal, Mirror, solve
from solvers.klotski.numbering import CLASSES, automaton, firsts
from solvers.klotski.records import table
from solvers.klotski.records.distributions import Measure, compute, counts
from solvers.klotski.records.extremes import extremes
from solvers.klotski.records.maxima import Record
from solvers.klotski.records.minima import crossings, displacement
from solvers.klotski.records.published import PUBLISHED
from solvers.klotski.records.table import records
from solvers.klotski.searching.cover import Cover, State
from solvers.klotski.searching.graph import exit_distances, graph
from tests import sizes
from tests.solvers.klotski.layouts import XIAO_BING_TAN_LU, connected

GOALS = {"lr": Goal.MIRROR, "ud": Goal.UPSIDE_DOWN, "rot": Goal.ROTATED}
KEPT = [key for key in extremes() if "diameter" not in key and key != "classic_hardest"]


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


@pytest.mark.parametrize("key", sizes.cases(KEPT[::4], KEPT))
def test_a_stored_layout_needs_the_moves_of_its_record(key):
    kind, mirror, _most = re.fullmatch("(mirror|strict)_(lr|ud|rot)_(max|min)", key).groups()
    (record,) = extremes()[key]
    found = solve(record.layouts[-1], GOALS[mirror], is_strict=kind == "strict")
    assert len(found) == record.moves


def test_the_hardest_layouts_of_the_classic_game_need_so_many_moves():
    for record in extremes()["classic_hardest"]:
        assert {len(solve(layout)) for layout in record.layouts} == {record.moves}


@pytest.mark.exhaustive
def test_the_file_equals_a_new_computation():
    assert compute(range(5, 6)) == {measure: [rows[5]] for measure, rows in counts().items()}


def test_the_distances_to_the_exit_agree_with_the_atlas():
    for horizontals in CLASSES:
        ours = Counter(exit_distances()[slice(*firsts()[horizontals : horizontals + 2])].tolist())
        assert counts()[Measure.CLASSIC][horizontals] == [ours[at] for at in range(max(ours) + 1)]


def test_every_layout_has_a_farthest_one():
    assert [sum(row) for row in counts()["eccentricity"]] == [automaton(at).size for at in CLASSES]


@pytest.mark.exhaustive
def test_a_plain_search_from_the_record_layout_confirms_the_longest_way_of_all():
    whole = graph(3)
    first, last = whole.part_bounds[:2]
    found = Cover(whole, int(first), int(last)).distances(whole.place(XIAO_BING_TAN_LU) - int(first))
    assert (int(found.max()), int(np.count_nonzero(found >= 0))) == (287, 23_461_056)


def test_half_the_way_finds_the_distance_of_the_whole_search():
    whole = graph(5)
    cover = Cover(whole)
    place = whole.place(connected(1, 5, seed=8)[0])
    distances = cover.distances(place)
    for at, mirror in enumerate(Mirror):
        assert displacement(cover, place, mirror) == distances[cover.image(at, State(place))]
        assert displacement(cover, place, mirror, limit=10) is None


@pytest.mark.parametrize("mirror", sizes.cases([Mirror.ROTATED], Mirror))
def test_every_shortest_way_to_the_image_makes_a_crossing(mirror):
    for layout in connected(2, 5, seed=15):
        way = solve(layout, Goal(mirror.value), is_strict=True)
        whole = graph(layout.horizontals)
        met = set(crossings(whole, mirror).tolist())
        leads = [int(min(place, whole.images[:, place].min())) for place in map(whole.place, way.layouts())]
        assert met & set(leads)
