import json
import subprocess
import sys
from pathlib import Path

import pytest

from contest.rules import lucky_draw

SALT = "5f0c3a9be47d21866b0e9d4fa2c7310d"
COMMITMENT = "28968aff8c1e0e33e4f4b99de5692a80ea79b9f872d238f2a45162e654e1af65"
ROOT = Path(__file__).parents[3]


def test_a_drawn_number_is_within_its_bounds_and_a_salt_has_32_digits():
    """Rules 11.2, 11.3, 19.4."""
    assert all(0 <= lucky_draw.new_number() < lucky_draw.DRAWN_BELOW <= lucky_draw.LARGEST for _ in range(50))
    salt = lucky_draw.new_salt()
    assert len(salt) == 32
    assert set(salt) <= set("0123456789abcdef")


def published(**changes):
    drawn = {
        "commitment": COMMITMENT,
        "number": 17,
        "salt": SALT,
        "is_typed": False,
        "formula": "L mod N",
        "candidates": [41, 45, 44],
        "lucky": 44,
        "kept_from": None,
    } | changes
    return {"results": {"round": 219, "draw": drawn}, "players": {"44": {"name": "D"}}}


def run_checker(tmp_path, capsys, document):
    file = tmp_path / "results.json"
    file.write_text(json.dumps(document))
    return lucky_draw.main([str(file)]), capsys.readouterr().out


def test_anybody_can_draw_again_from_the_published_results(tmp_path, capsys):
    """Rules 11.5, 14.5, 17: one carried over by a revision is not drawn again, and a round may have no draw."""
    failed, printed = run_checker(tmp_path, capsys, published())
    assert (failed, COMMITMENT in printed, "2, D." in printed) == (0, True, True)
    failed, printed = run_checker(tmp_path, capsys, published(lucky=41, kept_from=1))
    assert (failed, "kept from revision 1" in printed) == (0, True)
    assert run_checker(tmp_path, capsys, {"round": 1, "draw": None}) == (0, "This round had no lucky draw.\n")


@pytest.mark.parametrize("changes", [{"number": 18}, {"commitment": "0" * 64}, {"lucky": 41}])
def test_a_wrong_draw_is_reported(tmp_path, capsys, changes):
    """Rules 11.2, 11.9."""
    failed, printed = run_checker(tmp_path, capsys, published(**changes))
    assert failed
    assert "WRONG" in printed


def test_the_command_needs_no_settings_and_no_database():
    arguments = ["219", "17", SALT, "--commitment", COMMITMENT, "--candidates", "A", "E", "D"]
    command = [sys.executable, "-m", "contest.rules.lucky_draw", *arguments]
    ran = subprocess.run(command, cwd=ROOT, env={}, capture_output=True, text=True, check=True)
    assert ran.stdout.endswith("L mod N: 17 and 3 candidates give 2, D.\n")
