"""A whole season, played through the real doors and the real judge, and looked at again afterwards."""

from contest.management.demo.simulation.checks import problems
from contest.management.demo.simulation.season import Season, SeasonReport, first_opening

__all__ = ["Season", "SeasonReport", "first_opening", "problems"]
