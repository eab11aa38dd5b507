"""Charts of the pages' figures, drawn by `contest.rendering`; beside each is a table with the same numbers."""

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from contest.infra import identity
from contest.models import Metric, Rating, Submission
from contest.rankings import rating_levels, ratings
from contest.rankings.pareto import Point
from contest.rankings.standings import NextRank
from contest.rendering import charts, world_map
from contest.rendering.charts import Band, Bar, Dot, Mark
from contest.rendering.world_map import Shade
from contest.results import Gain
from contest.stats.all_rounds import RoundLine
from contest.stats.head_to_head import Comparison
from contest.stats.statistics import Day, Milestone, Spread
from contest.stats.totals import RoundResult
from contest.stats.visitors import Visitors, in_words
from contest.wording.verdicts import describe_counts

register = template.Library()
ROOM = 100  # rating points shown above and below a line, so that the next level is visible


@register.simple_tag
def front_plot(points: Sequence[Point], own: Collection[int], others: Sequence[tuple[int, int, int]]) -> SafeString:
    """Draw the Pareto front among all results: pushes to the right, moves upwards. Its ends have names."""
    ends = {points[0].holder.pk, points[-1].holder.pk}
    dots = [
        Dot(
            point.holder.pushes or 0,
            point.holder.moves or 0,
            _("%(counts)s: %(name)s")
            % {
                "counts": describe_counts(point.holder.moves, point.holder.pushes),
                "name": point.holder.player,
            },
            point.holder.player.get_absolute_url(),
            point.holder.player_id in own,
            label=f"{point.holder.moves} / {point.holder.pushes} {point.holder.player}" * (point.holder.pk in ends),
        )
        for point in points
    ]
    name = _("Pareto front: moves upwards, pushes to the right")
    behind = [Dot(pushes, moves, "", is_own=player in own) for moves, pushes, player in sorted(others)]
    return charts.draw_stair(dots, name=name, upwards=_("Moves"), across=_("Pushes"), behind=behind, is_front=True)


@register.simple_tag
def progress_plot(progress: Sequence[Submission], metric: str) -> SafeString:
    """Draw the best count over time: time to the right, the count upwards."""
    milestones = [
        Milestone(submission.received_at, getattr(submission, metric), submission.player) for submission in progress
    ]
    return milestones_plot(milestones, metric)


@register.simple_tag
def milestones_plot(milestones: Sequence[Milestone], metric: str) -> SafeString:
    """Draw the same chart from stored milestones."""
    dots = [
        Dot(
            milestone.at.timestamp(),
            milestone.count,
            f"{milestone.count}: {milestone.player}",
            milestone.player.get_absolute_url(),
        )
        for milestone in milestones
    ]
    marks = charts.days([dot.x for dot in dots], identity.zone())
    return charts.draw_stair(dots, name=_("The best count over time"), upwards=_unit(metric), marks=marks)


@register.simple_tag
def days_plot(days: Sequence[Day]) -> SafeString:
    """Draw the number of accepted submissions per day, in the site's time zone."""
    bars = [
        Bar(
            day.day.strftime("%m-%d"),
            day.accepted,
            f"{day.day:%Y-%m-%d}: "
            + ngettext("%(count)s submission", "%(count)s submissions", day.accepted) % {"count": day.accepted},
        )
        for day in days
    ]
    return charts.draw_bars(bars, name=_("Accepted submissions a day"), upwards=_("Submissions"))


@register.simple_tag
def spread_plot(spread: Spread) -> SafeString:
    """Draw the distribution of the players' best results."""
    bars = [
        Bar(
            str(bin_.least),
            bin_.players,
            (str(bin_.least) if bin_.least == bin_.most else f"{bin_.least} – {bin_.most}")
            + ": "
            + ngettext("%(count)s player", "%(count)s players", bin_.players) % {"count": bin_.players},
        )
        for bin_ in spread.bins
    ]
    name = _("Distribution of moves")
    if spread.metric == Metric.PUSHES:
        name = _("Distribution of pushes")
    return charts.draw_bars(bars, name=name, upwards=_("Players"), across=_unit(spread.metric))


@register.simple_tag
def rounds_plot(rounds: Sequence[RoundLine], field: str) -> SafeString:
    """Draw one count of every round, oldest first: "accepted" or "players"."""
    bars = [
        Bar(
            str(line.round.number),
            getattr(line, field),
            f"{line.round}: {getattr(line, field)}",
            reverse("round-stats", args=[line.round.number]),
        )
        for line in reversed(rounds)
    ]
    names = {
        "accepted": (_("Accepted submissions in each round"), _("Submissions")),
        "players": (_("Players in each round"), _("Players")),
    }
    name, upwards = names[field]
    return charts.draw_bars(bars, name=name, upwards=upwards, across=_("Round"), most_labels=10)


@register.simple_tag
def places_plot(entered: Sequence[RoundResult]) -> SafeString:
    """Draw a player's places in final rounds, oldest first; the first place is on top.

    The line breaks at rounds without a place.
    """
    placed = [result.placing for result in reversed(entered) if result.placing.place]
    numbers = [placing.round.number for placing in placed]
    dots = [
        Dot(
            placing.round.number,
            placing.place or 0,
            _("%(round)s: rank %(place)s") % {"round": placing.round, "place": placing.place},
            placing.round.get_absolute_url(),
            is_apart=placing.round.number - before > 1,
        )
        for placing, before in zip(placed, [*numbers[:1], *numbers], strict=False)
    ]
    every = max(1, -(-(numbers[-1] - numbers[0]) // 7)) if numbers else 1
    marks = [Mark(number, str(number)) for number in range(numbers[0], numbers[-1] + 1, every)] if numbers else []
    return charts.draw_line(
        dots, name=_("Rank in each round"), upwards=_("Rank"), across=_("Round"), marks=marks, best_is_least=True
    )


@register.simple_tag
def courses_plot(comparison: Comparison) -> SafeString:
    """Draw the places of two players in all rounds that either entered, by round number."""
    placed = [[placing for placing in course if placing.place] for course in comparison.courses]
    rounds = sorted({placing.round.number for course in placed for placing in course})
    at = {number: place for place, number in enumerate(rounds)}
    courses = [
        [
            Dot(
                at[placing.round.number],
                placing.place or 0,
                f"{player}: " + _("%(round)s: rank %(place)s") % {"round": placing.round, "place": placing.place},
                placing.round.get_absolute_url(),
                is_own=player == comparison.other,
            )
            for placing in course
        ]
        for player, course in zip((comparison.one, comparison.other), placed, strict=True)
    ]
    if not rounds:
        return SafeString("")
    every = max(1, -(-len(rounds) // 8))
    marks = [Mark(place, str(number)) for number, place in at.items() if place % every == 0]
    name = _("Rank in each round")
    return charts.draw_line(
        courses[0], courses[1], name=name, upwards=_("Rank"), across=_("Round"), marks=marks, best_is_least=True
    )


@register.simple_tag
def rating_line(history: Sequence[Rating]) -> SafeString:
    """Draw the rating after every round."""
    shown = [ratings.display(rated.mu, rated.sigma) for rated in history]
    dots = [
        Dot(at, number, f"{rated.round}: {number}", rated.round.get_absolute_url())
        for at, (rated, number) in enumerate(zip(history, shown, strict=True))
    ]
    every = max(1, -(-len(history) // 8))
    marks = [Mark(at, str(rated.round.number)) for at, rated in enumerate(history) if at % every == 0]
    name = _("Rating after each round, from %(first)s to %(last)s") % {"first": shown[0], "last": shown[-1]}
    levels = [*rating_levels.LEVELS, None]
    bands = [
        Band(rating_level.least, after.least if after else math.inf, str(rating_level.name), f"r{rating_level.number}")
        for rating_level, after in pairwise(levels)
        if rating_level
    ]
    return charts.draw_line(
        dots, name=name, upwards=_("Rating"), across=_("Round"), marks=marks, bands=bands, room=ROOM
    )


@register.simple_tag
def share_bar(value: float, most: float) -> SafeString:
    """Draw a bar for a table cell, beside its number."""
    return charts.draw_share(value, most)


@register.simple_tag
def visitors_map(visitors: Visitors) -> SafeString:
    """Draw the visitors' countries in five shades, by the logarithm of their number."""
    top = math.log(max(visitors.most, 2))
    shades = {
        line.code: Shade(1 + min(4, int(5 * math.log(line.shown or 1) / top)), f"{line.name}: {in_words(line.shown)}")
        for line in visitors.lines
    }
    return world_map.draw_map(shades, name=_("Visitors by country or region"))


def _unit(metric: str) -> str:
    return _("Moves") if metric == Metric.MOVES else _("Pushes")


@register.simple_tag
def needed_words(needed: NextRank, metric: Metric, least: Mapping[str, int]) -> str:
    """Return the improvements that gain ranks, computed only from public counts (rule 7.7).

    *least* are the proved bounds: a count below them is never named.
    """
    by_moves = metric == Metric.MOVES
    sentences = [fewer_words(needed, metric)] if needed.first > least[metric] else []
    # Every solution has at least one push, and at least as many moves as pushes.
    if needed.second >= (max(1, least["pushes"]) if by_moves else max(needed.first, least["moves"])):
        values = {"rank": needed.rank_by_second, "first": needed.first, "second": needed.second}
        sentences.append(_at_most(needed.second, by_moves=by_moves) % values)
    return " ".join(sentences)


@register.simple_tag
def fewer_words(needed: NextRank | Gain, metric: Metric) -> str:
    """Return the improvement of the ranking's own count that gains a rank."""
    message = _fewer(needed.fewer, by_moves=metric == Metric.MOVES)
    return message % {"rank": needed.rank, "fewer": needed.fewer}


def _fewer(count: int, *, by_moves: bool) -> str:
    if by_moves:
        return ngettext("For rank %(rank)s: %(fewer)s fewer move.", "For rank %(rank)s: %(fewer)s fewer moves.", count)
    return ngettext("For rank %(rank)s: %(fewer)s fewer push.", "For rank %(rank)s: %(fewer)s fewer pushes.", count)


def _at_most(count: int, *, by_moves: bool) -> str:
    if by_moves:
        return ngettext(
            "For rank %(rank)s: %(first)s moves with at most %(second)s push.",
            "For rank %(rank)s: %(first)s moves with at most %(second)s pushes.",
            count,
        )
    return _("For rank %(rank)s: %(first)s pushes with at most %(second)s moves.")


_LEAGUES = {
    "human": pgettext_lazy("league", "people"),
    "bot": pgettext_lazy("league", "programs"),
    "all": pgettext_lazy("league", "all"),
}
_BOARDS = {
    "contest": pgettext_lazy("board", "Contest"),
    "spectator": gettext_lazy("Spectator answers"),
    "all_time": gettext_lazy("All time, with practice"),
}


@register.filter
def league_words(league: str) -> str:
    return str(_LEAGUES[league])


@register.filter
def board_words(board: str) -> str:
    return str(_BOARDS[board])
