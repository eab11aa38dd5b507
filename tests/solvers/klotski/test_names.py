import pytest

from solvers.klotski import Mirror
from solvers.klotski.names import CLASSICS, classic, name_of


@pytest.mark.parametrize("known", CLASSICS, ids=lambda known: known.chinese)
def test_a_layout_is_found_by_both_names_and_named_by_its_cells(known):
    assert classic(known.chinese) == classic(known.english.upper()) == known
    assert name_of(known.layout.reflect(Mirror.LEFT_RIGHT)) == known
