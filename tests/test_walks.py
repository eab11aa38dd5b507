"""docs/walks.md: every file that a walk comes by is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WALKS = re.split(r"^## ", (ROOT / "docs" / "walks.md").read_text("utf-8"), flags=re.MULTILINE)[1:]


def test_there_are_six():
    assert len(WALKS) == 6


@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk.partition("\n")[0])
def test_a_walk_comes_by_files_that_are_there(walk):
    folder, missing, count = ROOT / "contest", [], 0
    for name in re.findall(r"`([\w/-]+\.(?:py|js))`", walk):
        file = (ROOT / "contest" if "/" in name else folder) / name
        folder, count = file.parent, count + 1
        if not file.is_file():
            missing.append(name)
    assert not missing
    assert count
