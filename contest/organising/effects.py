"""Effects of an act on a round beyond its tables, as sentences: champions, letters, ratings, series, levels."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from contest import results
from contest.library import clashes
from contest.models import LibraryLevel, Player, Rating, Round, Subscriber, Topic
from contest.wording.verdicts import TITLE_WORDS


def of_final_results(round_: Round, _given: dict[str, Any], at: datetime) -> Iterator[str]:
    """Yield what final results bring; the act has run."""
    document = results.current(round_, at)
    champions, draw = document["champions"], document["draw"]
    holders = {"MMC": champions["moves"], "MPC": champions["pushes"], "second": champions["second"]}
    holders["lucky"] = draw["lucky"] if draw else None
    players = Player.objects.in_bulk([number for number in holders.values() if number], field_name="archive_number")
    named = [f"{TITLE_WORDS[title]}: {players[number]}" for title, number in holders.items() if number]
    yield _("Titles: %(titles)s.") % {"titles": ", ".join(named)} if named else _("Nobody gets a title.")
    if draw and not draw["lucky"]:
        yield _("The draw finds no lucky player.")
    count = Subscriber.objects.wanting(Topic.RESULTS).count()
    letters = ngettext(
        "%(count)s email about the results is sent.", "%(count)s emails about the results are sent.", count
    )
    yield letters % {"count": count} if count else _("No email is sent: nobody has subscribed to results.")
    rated = Rating.objects.filter(round=round_).count()
    ratings = ngettext("The rating of %(count)s player changes.", "The ratings of %(count)s players change.", rated)
    yield ratings % {"count": rated} if rated else _("No rating changes.")


def of_later_close(round_: Round, _given: dict[str, Any], at: datetime) -> Iterator[str]:
    """Yield the rounds of series that a later close keeps from opening; *round_* is as before the act."""
    closes_at = Round.objects.values_list("closes_at", flat=True).get(pk=round_.pk)
    return clashes.messages(round_.track_id, round_.opens_at, closes_at, at, but=(round_.opens_at, round_.closes_at))


def of_cancelling(round_: Round, _given: dict[str, Any], at: datetime) -> Iterator[str]:
    """Yield where the levels go, and what the series does."""
    count = round_.levels.count()
    if round_.opens_at <= at:
        yield ngettext(
            "Its level stays public, with all that is public about it now. No series takes it again.",
            "Its levels stay public, with all that is public about them now. No series takes them again.",
            count,
        )
    else:
        yield ngettext(
            "Its level stays secret: players never see it in this round. Another round may use it.",
            "Its levels stay secret: players never see them in this round. Another round may use them.",
            count,
        )
        if own := LibraryLevel.objects.filter(used_in=round_).count():
            in_library = ngettext(
                "%(count)s of them is in the library, where you can add it to another round.",
                "%(count)s of them are in the library, where you can add them to another round.",
                own,
            )
            yield in_library % {"count": own}
    if turn := getattr(round_, "turn", None):
        yield _("%(series)s makes no other round for this time.") % {"series": turn.series}
