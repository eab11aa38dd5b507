import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from solvers.sokoban.making.series import ladder
from tests import sizes

ROOT = Path(__file__).parents[4]
PATIENCE = 60  # seconds after which a process is assumed to never end


def ends(process_descriptor):
    """Wait until the process has ended; it need not be a child of this one."""
    return bool(select.select([process_descriptor], [], [], PATIENCE)[0])


@pytest.fixture
def searching(tmp_path):
    """A command that has answered one level, with two workers that would search two other levels for days."""
    hard = ladder(14).level
    (tmp_path / "three.xsb").write_text(f"#####\n#@$.#\n#####\n\n{hard}\n\n{hard}\n")
    words = ["prove", "three.xsb", "--jobs", "2", "--jsonl", "--cpu-seconds", "200000"]
    process = subprocess.Popen(
        [sys.executable, "-m", "solvers.sokoban", *words],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    try:
        assert json.loads(process.stdout.readline())["answer"] == "solved"
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.mark.parametrize(
    ("sent", "code"),
    sizes.cases([(signal.SIGKILL, -signal.SIGKILL)], [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)]),
)
def test_workers_end_with_the_command_however_it_ends(searching, sent, code):
    children = Path(f"/proc/{searching.pid}/task/{searching.pid}/children").read_text().split()
    descriptors = [os.pidfd_open(int(child)) for child in children]
    searching.send_signal(sent)
    assert searching.wait(PATIENCE) == code
    assert len(descriptors) >= 2
    assert all(map(ends, descriptors))
