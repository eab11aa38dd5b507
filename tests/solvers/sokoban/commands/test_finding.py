from solvers.sokoban.formats import read_collection

SMALL = ("--boxes", "2", "--width", "5", "--height", "4", "--boards", "15", "--levels", "3")


def test_levels_are_written_as_a_collection_with_their_solutions_and_tags(run):
    code, out, err = run("find", *SMALL)
    entries = read_collection(out).entries
    assert (code, err, len(entries)) == (0, "", 3)
    for entry in entries:
        (solution,) = entry.solutions
        lines = entry.comments.splitlines()
        assert f"Optimum: {solution.pushes} pushes (proved), {solution.moves} moves" in lines
        assert "Boxes: 2" in lines
        assert lines[-1].split()[1] in ("easy", "medium", "hard", "expert")
