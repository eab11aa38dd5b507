import pytest

from solvers.logic.landscape import classes_svg, main, routes_svg


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_classes_are_nested_in_this_order(language):
    svg = classes_svg(language)
    places = [svg.index(f">{name}</text>") for name in ("EXPTIME", "PSPACE", "NP", "P")]
    assert places == sorted(places)
    assert svg.count('class="area') == 4


@pytest.mark.parametrize(("language", "end"), [("en", "Sokoban is PSPACE-hard"), ("zh", "推箱子是 PSPACE 难的")])
def test_both_routes_end_at_the_theorem(language, end):
    svg = routes_svg(language)
    assert (svg.count("<desc>"), svg.count('class="node"'), svg.count(end)) == (1, 7, 1)


def test_a_picture_is_written_as_a_file_with_its_style(capsys):
    assert main(["classes", "zh"]) == 0
    assert "<style>" in capsys.readouterr().out
    assert main([]) == 2
