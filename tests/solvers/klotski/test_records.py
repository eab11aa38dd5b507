from solvers.klotski.published import PUBLISHED
from solvers.klotski.records import records


def test_the_records_without_names_are_those_published_but_for_the_slip():
    found, longest = records()
    figures = {key: value for key, value in found.items() if key not in ("layouts", "cpu_seconds")}
    assert figures == {key: PUBLISHED[key] for key in figures}
    assert found["layouts"] == 363_480 == 2 * found["layouts_mod_lr"] - 444
    assert {layout.cells for layout in longest} == {"ooHHoVHH.VHHCC.VCCoV", "ooHHoVHH.VHHCCoVCC.V"}

    assert [key for key in found if key != "cpu_seconds"] == [key for key in PUBLISHED if key in found]
