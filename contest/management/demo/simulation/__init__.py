"""A whole season, played through the real doors and the real judge, and looked at again afterwards."""

from contest.management.demo.simulation.checks import problems
from contest.management.demo.simulation.season import Played, Season, first_opening

__all__ = ["Played", "Season", "first_opening", "problems"]
