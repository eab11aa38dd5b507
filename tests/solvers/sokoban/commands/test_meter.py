import io
import sys
from types import SimpleNamespace

from solvers.sokoban.commands import meter
from solvers.sokoban.commands.meter import Meter


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_shows_progress_at_most_five_times_a_second(monkeypatch):
    times = iter((0.0, 0.1, 0.3, 0.3, 0.4, 0.6, 0.6))
    monkeypatch.setattr(meter, "time", SimpleNamespace(monotonic=times.__next__))
    monkeypatch.setattr(sys, "stderr", Terminal())
    shown = Meter("frames")
    for done in (1, 2, 3, 4):
        shown.show(done, 9)
    shown.end()
    assert sys.stderr.getvalue() == "\r2 of 9 frames\r4 of 9 frames\r\x1b[K"
