import pytest

from solvers.sokoban.__main__ import main
from tests.solvers.running import runner

run = runner(main)


@pytest.fixture
def levels(tmp_path):
    (tmp_path / "two.xsb").write_text(
        """Title: Corridor
Author: Somebody

#####
#@$.#
#####

Bend

######
#@$-.#
######

Solution
RR
"""
    )
    return "two.xsb"
