"""Benches of the puzzle library, of its JavaScript counterparts in browsers, and of gym/."""

import sys

from tooling.folders import ROOT

sys.path.append(str(ROOT / "gym"))  # leitai_gym of this checkout
