import pytest

from solvers.logic.landscape import main, routes_svg


@pytest.mark.parametrize(("language", "end"), [("en", "Sokoban is PSPACE-hard"), ("zh", "推箱子是 PSPACE 难的")])
def test_both_routes_end_at_the_theorem(language, end):
    svg = routes_svg(language)
    assert (svg.count("<desc>"), svg.count('class="node"'), svg.count(end)) == (1, 7, 1)


def test_a_picture_is_written_as_a_file_with_its_style(capsys):
    assert main(["classes", "zh"]) == 0
    assert "<style>" in capsys.readouterr().out
    assert main([]) == 2
