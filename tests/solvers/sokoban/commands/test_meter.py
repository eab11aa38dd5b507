"""Progress of long-running commands."""

import io
import sys
from types import SimpleNamespace

from solvers.sokoban.commands import meter
from solvers.sokoban.commands.meter import Meter


def at(monkeypatch, *times):
    """Return these *times* in turn to the meter only, not to others in the process."""
    monkeypatch.setattr(meter, "time", SimpleNamespace(monotonic=iter(times).__next__))


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_shows_progress_at_most_five_times_a_second(monkeypatch):
    at(monkeypatch, 0.0, 0.1, 0.3, 0.3, 0.4, 0.6, 0.6)
    monkeypatch.setattr(sys, "stderr", Terminal())
    shown = Meter("frames")
    for done in (1, 2, 3, 4):
        shown.show(done, 9)
    shown.end()
    assert sys.stderr.getvalue() == "\r2 of 9 frames\r4 of 9 frames\r\x1b[K"


def test_a_file_receives_no_progress(monkeypatch):
    at(monkeypatch, *range(100))
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert list(Meter("lines").count("abc")) == ["a", "b", "c"]
    assert sys.stderr.getvalue() == ""
