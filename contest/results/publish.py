"""Finalise and revise results (rule 14); `document` computes them, nobody enters them by hand."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from contest.models import Best, Board, Level, LongAct, Note, Placing, Round, SecondLook, Snapshot, State, Submission
from contest.rankings import ratings
from contest.results.document import lucky_after, lucky_number_of, players_of, tabulate
from contest.rounds import lucky_number as lucky
from contest.rules import settings as round_settings
from contest.rules import tabulation
from contest.rules.phases import Phase
from contest.rules.tabulation import Lucky
from contest.staff import audit_log
from contest.staff.audit_log import Actor
from contest.wording import times, verdicts
from contest.wording.bilingual import Reason

# A submission received in the last instant may not be committed yet (rule 3.4).
SETTLES = timedelta(minutes=1)
SENT_AGAIN = timedelta(minutes=1)  # a double click, or two organisers at once
# Moves of all ranked solutions together: the document is built in memory, and PostgreSQL stores at most 256 MB of it.
MOST_LETTERS = 64_000_000


def obstacles(round_: Round, at: datetime) -> list[str]:
    """Return the reasons that prevent finalising the round at *at*; empty if none (rule 14.2)."""
    phase = round_.phase(at)
    if phase is Phase.FINAL or round_.finalised_at:
        return [_("The round is final already.")]
    if phase is not Phase.CLOSED:
        return [_("Only a closed round can become final.")]
    messages = []
    if at < round_.reveals_at:
        messages.append(_("Results are held back after an outage."))
    elif (ends := round_.opening_ends_at) and at < ends:
        messages.append(_("Sealed answers are opened until %(time)s.") % {"time": times.format_zoned_second(ends)})
    elif at < (ends or round_.reveals_at) + SETTLES:
        messages.append(
            _("Time was up less than a minute ago. The last submissions may not be stored yet; try again in a minute.")
        )
    entered = Submission.objects.filter(round=round_).entered()
    messages += verdicts.describe_undecided(entered.waiting().count(), entered.filter(state=State.QUARANTINED).count())
    return messages + lucky.missing_for_draw(round_) + _describe_requests(round_) + _describe_long_acts(round_)


def _describe_long_acts(round_: Round) -> list[str]:
    """Return a message if a rejudging or a merge that changes the round is partly carried out."""
    if not LongAct.objects.unended().touching(round_).exists():
        return []
    return [_("A rejudging or a merge that changes this round is being carried out; wait until that is done.")]


def _describe_requests(round_: Round) -> list[str]:
    """Return a message on the requests about the round that wait for a second organiser (rule 15.7), if any."""
    waiting = SecondLook.objects.waiting().touching(round_).exclude(act="finalise")
    if not settings.FOUR_EYES or not (count := waiting.count()):
        return []
    message = ngettext(
        "%(count)s request about this round is waiting for a second organiser. Confirm it or send it back first.",
        "%(count)s requests about this round are waiting for a second organiser. Confirm them or send them back first.",
        count,
    )
    return [message % {"count": count}]


@transaction.atomic
def finalise(round_: Round, *, at: datetime, by: Actor) -> Snapshot:
    """Freeze the results and publish them (rules 14.2, 14.3); raise ValidationError with all obstacles."""
    round_ = _lock(round_)
    if messages := obstacles(round_, at):
        raise ValidationError(messages)
    _check_length(round_)
    round_.finalised_at = at
    round_.save(update_fields=["finalised_at"])
    snapshot = _publish(round_, 1, lucky_number_of(round_), None, at)
    ratings.update(round_)
    audit_log.record(by, "finalise", round_, after={"revision": 1, "sha256": snapshot.sha256})
    return snapshot


@transaction.atomic
def revise(round_: Round, reason: Reason, *, at: datetime, by: Actor, rates: bool = True) -> Snapshot:
    """Publish the results again after rulings on a final round; old revisions stay (rules 14.4, 14.5).

    A request that is sent twice publishes once. Without *rates* the caller rates the round afterwards.
    """
    round_ = _lock(round_)
    last = round_.snapshots.order_by("-revision").first()
    if round_.phase(at) is not Phase.FINAL or last is None:
        raise ValidationError(_("Only final results can be revised."))
    waiting = Submission.objects.filter(round=round_).entered().waiting().count()
    if waiting:
        raise ValidationError(_("Submissions of the round are being judged; wait until that is done."))
    if messages := _describe_long_acts(round_):
        raise ValidationError(messages)
    if last.revision > 1 and at - last.made_at < SENT_AGAIN and round_.tabulated_version == _board_version(round_):
        if (last.reason_zh, last.reason_en) == (reason.zh, reason.en):
            return last
        raise ValidationError(_("Results are being revised; wait until that is done."))
    _check_length(round_)
    snapshot = _publish(round_, last.revision + 1, lucky_after(round_), reason, at)
    if rates:
        ratings.update(round_)
    Note.objects.create(
        round=round_,
        kind=Note.Kind.REVISED,
        text_zh=reason.zh,
        text_en=reason.en,
        values={"revision": snapshot.revision},
        written_at=at,
    )
    audit_log.record(
        by,
        "revise",
        round_,
        reason=str(reason),
        before={"revision": last.revision, "sha256": last.sha256},
        after={"revision": snapshot.revision, "sha256": snapshot.sha256},
    )
    return snapshot


def _lock(round_: Round) -> Round:
    """Lock the round and its levels, so that no ruling changes a board while it is read; return the round."""
    round_ = Round.objects.select_for_update(no_key=True).get(pk=round_.pk)
    list(Level.objects.select_for_update(no_key=True).filter(round=round_).order_by("pk"))
    return round_


def _check_length(round_: Round) -> None:
    """Raise ValidationError if the ranked solutions are too long for a document."""
    if round_settings.of(round_.settings).solutions_public == "never":
        return
    bests = Best.objects.filter(level__round=round_, level__voided_at=None, board=Board.CONTEST)
    ranked = Submission.objects.filter(pk__in=bests.order_by().values("submission"))
    letters = ranked.aggregate(all=Sum("moves"))["all"] or 0
    if letters > MOST_LETTERS:
        message = _(
            "The ranked solutions have %(letters)s moves together; results can hold %(most)s. Look at the longest "
            "ones: void those that were sent to block the round."
        )
        raise ValidationError(message % {"letters": f"{letters:,}", "most": f"{MOST_LETTERS:,}"})


@transaction.atomic
def adopt(
    round_: Round,
    revision: int,
    *,
    finalised_at: datetime,
    made_at: datetime,
    reason: Reason | None = None,
    kept: int | None = None,
    kept_from: int | None = None,
) -> Snapshot:
    """Publish the results of an imported round that was final at its source, computed here (rule 3.3).

    *kept* is the lucky player kept by a revision there (rule 14.5). The caller updates the ratings, once for all rounds
    of an import.
    """
    round_.finalised_at = finalised_at
    round_.save(update_fields=["finalised_at"])
    drawn = lucky_number_of(round_)
    return _publish(
        round_, revision, drawn and replace(drawn, previous_player=kept, previous_revision=kept_from), reason, made_at
    )


def _publish(round_: Round, revision: int, drawn: Lucky | None, reason: Reason | None, at: datetime) -> Snapshot:
    published = tabulate(round_, revision, drawn, with_moves=True)
    snapshot = Snapshot.objects.create(
        round=round_,
        revision=revision,
        made_at=at,
        reason_zh=reason.zh if reason else "",
        reason_en=reason.en if reason else "",
        document=published,
        sha256=tabulation.digest(published),
    )
    Placing.objects.filter(round=round_).delete()
    Placing.objects.bulk_create(_placings(round_, published))
    round_.levels.update(board_version=F("board_version") + 1)
    round_.tabulated_version = _board_version(round_)
    round_.save(update_fields=["tabulated_version"])
    return snapshot


def _board_version(round_: Round) -> int | None:
    version: int | None = round_.levels.aggregate(version=Sum("board_version"))["version"]
    return version


def _placings(round_: Round, published: Mapping[str, Any]) -> Iterable[Placing]:
    """Yield one row for each player in the results (rule 21): place, points, first places, titles."""
    points = {row["player"]: row for row in published["points"]}
    league_of = {row["player"]: row["league"] for row in published["submissions"]}
    firsts = {metric: _firsts(published, metric) for metric in ("moves", "pushes")}
    champions, drawn = published["champions"], published["draw"] or {"lucky": None}
    for number, player in players_of(published).items():
        scored = points.get(number, {})
        yield Placing(
            round=round_,
            player=player,
            league=league_of.get(number, player.league),
            place=scored.get("place"),
            move_half_points=scored.get("move_half_points", 0),
            push_half_points=scored.get("push_half_points", 0),
            firsts_by_moves=firsts["moves"].count(number),
            firsts_by_pushes=firsts["pushes"].count(number),
            is_mmc=number == champions["moves"],
            is_mpc=number == champions["pushes"],
            is_second=number == champions["second"],
            is_lucky=number == drawn["lucky"],
        )


def _firsts(published: Mapping[str, Any], metric: str) -> list[int]:
    """Return the players ranked first on scoring levels, in the ranking that gives points (rules 16.4, 21.1)."""
    player_of = {row["number"]: row["player"] for row in published["submissions"]}
    rankings = published["rankings"]
    ranked = rankings.get(tabulation.ALL) or rankings.get(tabulation.HUMAN, {})
    scoring = published["settings"]["scoring_levels"]
    return [player_of[ranked[slot][metric][0]] for slot in scoring if slot in ranked]
