import pytest
from leitai_gym import by_difficulty, by_optimum, find, from_site, shipped, with_optimum
from leitai_gym.puzzles import Puzzle, read_levels

from contest.library.own import graded
from contest.library.publishing import LevelFacts
from solvers.sokoban import Level
from solvers.sokoban.dataset import load_levels
from tests import cast


def test_a_file_gives_what_can_be_played_and_names_the_rest(tmp_path):
    file = tmp_path / "two.sok"
    file.write_text("One\n\n#####\n#@$.#\n#####\n\nOpen\n\n#####\n#@$. \n#####\n")
    with pytest.warns(UserWarning, match=r"two\.sok:9: Level 'Open' cannot be played: open"):
        assert [(puzzle.title, puzzle.optimum) for puzzle in read_levels(str(file))] == [("One", {})]


def test_a_file_of_a_dataset_keeps_what_it_proves(tmp_path):
    file = tmp_path / "levels.jsonl"
    file.write_text("".join(row.as_json() + "\n" for row in load_levels("test")))
    assert [(one.optimum, one.grade) for one in read_levels(file)] == [
        (one.optimum, one.grade) for one in shipped(split="test")
    ]
    file.write_text("{}\n")
    with pytest.raises(ValueError, match=r"levels\.jsonl:1: this is no level"):
        read_levels(file)


def test_found_levels_depend_on_the_seed_alone_and_are_proved():
    one, other = (find(1, width=3, height=3, boards=4, count=2, seed=3) for _ in range(2))
    assert one == other
    assert [puzzle.optimum for puzzle in with_optimum(one)] == [
        {"pushes": puzzle.pushes, "moves": with_optimum([Puzzle(puzzle.level)])[0].moves} for puzzle in one
    ]


@pytest.mark.django_db(transaction=True)
def test_a_site_gives_its_published_levels_with_their_proved_optima(live_server):
    levels = [(entry.level, "", LevelFacts(2, 30 + place, 10)) for place, entry in enumerate(graded.read()[:3])]
    names = {"title_zh": "三关", "title_en": "Three", "remarks": "", "path_length": 0}
    graded.publish_once(levels, cast.OPENS, slug="three", **names)
    found = {puzzle.level: puzzle for puzzle in from_site(live_server.url, grade=2)}
    for level, _, facts in levels:
        assert found[level].optimum == {"pushes": facts.least_pushes, "moves": facts.least_moves}
        assert (found[level].grade, found[level].source[:16]) == (2, "http://localhost")


def test_curricula_order_by_what_is_known_and_refuse_what_is_not():
    by_moves = by_optimum(shipped(), metric="moves")
    moves = [puzzle.moves or 0 for puzzle in by_moves.puzzles]
    assert (moves, by_moves.ends) == (sorted(moves), [40, 80, 120, 160, 200])
    assert by_difficulty(shipped()).ends == [40, 80, 120, 160, 200]
    for order in (by_optimum, by_difficulty):
        with pytest.raises(ValueError, match=r"has no .*: use with_optimum"):
            order(Level.parse("#######|#@$-.-#|#######"))
