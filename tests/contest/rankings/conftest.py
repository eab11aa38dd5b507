import pytest

from tests import cast

# Rule 19.1, in order of receipt.
WORKED_EXAMPLE = [("A", 500, 120), ("C", 510, 110), ("B", 500, 118), ("D", 530, 125), ("E", 500, 120), ("B", 520, 110)]


@pytest.fixture
def example(during_round):
    """The worked example, created as rows: the tests need its results, not its moves."""
    cast.enter_all(during_round, WORKED_EXAMPLE)
    return during_round.levels.get(slot="main")


def names(rows):
    return [row.player.nickname for row in rows]
