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


def test_the_levels_are_written_to_a_file_and_walls_are_read_from_one(run, tmp_path):
    (tmp_path / "walls.xsb").write_text("########\n#@-#---#\n#--#-#-#\n#------#\n#-#--.$#\n########\n")
    assert run("find", "walls.xsb", *SMALL, "-o", "found.sok")[:2] == (0, "")
    assert read_collection((tmp_path / "found.sok").read_bytes()).entries[0].level.width == 8


def test_without_room_the_command_reports_it(run):
    code, _, err = run("find", "--boxes", "9", "--width", "2", "--height", "2")
    assert code == 2
    assert err.startswith("No level can be found: there is no room for 9 boxes on")
