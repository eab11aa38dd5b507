from contest.rules.scoring import Rankings, totals


def scored(moves, pushes, tables):
    ranked = totals({"main": Rankings(moves, pushes)}, tables[0], tables[1], ["main"])
    return {total.player: total.half_points for total in ranked}


def test_a_rank_with_the_number_0_holds_no_points():
    """Rules 9.4 to 9.6: nor does a rank beyond the table."""
    assert scored([1, 2, 3], [1, 2, 3], ((4, 0), (2,))) == {1: 6}
    assert scored([1, 2], [2, 1], ((4,), (3,))) == {1: 4, 2: 3}
