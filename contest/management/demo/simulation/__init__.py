"""A whole season, played through the real entry points and the real judge, and checked afterwards."""

from contest.management.demo.simulation.checks import problems
from contest.management.demo.simulation.season import Season, SeasonReport, first_opening

__all__ = ["Season", "SeasonReport", "first_opening", "problems"]
