def test_a_level_is_rebuilt_from_moves(run):
    assert run("rebuild", "-m", "R") == (0, "#####\n#@$.#\n#####\n", "")
    assert run("rebuild", stdin="R\n")[1] == "#####\n#@$.#\n#####\n"
