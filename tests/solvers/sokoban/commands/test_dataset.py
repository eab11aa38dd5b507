from importlib.resources import files

import pytest

from solvers.sokoban import dataset
from tests import sizes

SHIPPED = files(dataset).joinpath(dataset.FILE).read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize(("jobs", "written"), sizes.cases([("1", 400)], [("2", 3), ("2", 0)]))
def test_an_interrupted_run_goes_on_and_writes_the_levels_of_the_package(run, tmp_path, jobs, written):
    file = tmp_path / "levels.jsonl"
    file.write_bytes(SHIPPED[0] + SHIPPED[1][:written][:-1])
    code, _out, _err = run("dataset", "-o", str(tmp_path), "--count", "5", "--jobs", jobs)
    assert (code, file.read_bytes()) == (0, b"".join(SHIPPED[:5]))
    assert (tmp_path / "DATASHEET.md").read_text() == files(dataset).joinpath("DATASHEET.md").read_text()


def test_a_level_made_before_is_made_again(run, tmp_path):
    file = tmp_path / "levels.jsonl"
    key = dataset.DatasetLevel.from_json(SHIPPED[1].decode()).key
    file.write_bytes(SHIPPED[0].replace(dataset.load_levels()[0].key.encode(), key.encode()))
    run("dataset", "-o", str(tmp_path), "--count", "2")
    again = dataset.DatasetLevel.from_json(file.read_text().splitlines()[1])
    assert (again.seed, again.key != key) == ("1/1/1/1", True)


@pytest.mark.parametrize("text", ["my own notes", "my own notes\n", SHIPPED[3].decode(), "[]\n"])
def test_another_file_of_that_name_is_refused_and_unchanged(run, tmp_path, text):
    file = tmp_path / "levels.jsonl"
    file.write_text(text)
    code, _out, err = run("dataset", "-o", str(tmp_path), "--count", "5")
    assert (code, file.read_text()) == (2, text)
    assert f"{file}, line 1, is not level 0 of seed 1, version 1, so nothing is written there" in err
