"""The home page, the rounds, a round, a level, help. A view reads the clock once."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from contest import levels, results, visibility
from contest.archive import verifier
from contest.infra import clock
from contest.infra.cache import remember
from contest.levels import daily
from contest.models import Best, Disqualification, Level, Metric, Placing, Round, Slot, Submission
from contest.models.level import in_order
from contest.models.round import RoundQuerySet
from contest.rankings import personal_bests, standings, tops
from contest.rules.phases import Phase
from contest.rules.settings import RoundSettings
from contest.stats import all_rounds, records
from contest.vetting import machine
from contest.web.pages.reading import reading_language, rules_in_short
from contest.web.shell import live
from contest.web.shell.request import Request
from contest.wording import bilingual, notes, settings

LAST_ACCEPTED = 10
NEW_RECORDS = 5
RACE_PLACES = 6
PLACES = 60  # rows that the browser stores, to mark players who have moved up since
PER_PAGE = 100
ROUNDS_PER_PAGE = 60
# Columns of a submission that no list shows.
UNLISTED = ("text", "lurd", "turned", "receipt_id", "sha256", "level__text", "level__solution")


@dataclass(frozen=True)
class Card:
    """A level with the leaders of both rankings and the viewer's own bests."""

    level: Level
    by_moves: standings.Row | results.Leader | None
    by_pushes: standings.Row | results.Leader | None
    own_by_moves: Best | None = None
    own_by_pushes: Best | None = None
    is_first_try: bool = False


@require_safe
def home(request: Request) -> HttpResponse:
    at = clock.now()
    open_, last, coming = _current_rounds(visibility.rounds(request.viewer, at), at)
    running = open_[0] if open_ else None
    shown = running or last
    boards = _visible_levels(request, shown, at) if shown else []
    # One read of all best results gives both the race and the leaders of each level.
    now = results.preview(running, boards, at) if running else None
    cards = _cards(request, boards, now.leaders if now else _leaders(boards))
    if running:
        cards = _easiest_first(cards)
    return render(
        request,
        "contest/home/home.html",
        {
            "running": running,
            "others": open_[1:],
            "race": _race_rows(request, now) if now else [],
            "gain": _nearest_gain(request, now, boards) if now else None,
            "entrants": len(now.rows) if now else 0,
            "places": json.dumps({row.anchor: row.place for row in now.rows[:PLACES]}) if now else "",
            "shown": shown,
            "next": coming,
            "is_before_the_first": not coming and not shown,
            "cards": cards,
            "round": shown,
            "part": _latest_part(request, shown, cards, at) if shown else None,
            "accepted": latest_accepted(request.viewer, running, [card.level for card in cards], at) if running else [],
            "new_records": [] if running else records.newest(request.viewer, at, most=NEW_RECORDS),
            "results": _results(shown, cards, at) if shown and not running else None,
            "daily": daily.of_day(at),
        },
    )


@require_safe
def rounds(request: Request, slug: str = "") -> HttpResponse:
    """List the rounds of all tracks, or of the track *slug*."""
    at = clock.now()
    tracks = visibility.tracks(request.viewer, at)
    # `has_tracks` comes with the rounds and saves the query for tracks on most sites, which have only one.
    announced = visibility.rounds(request.viewer, at).annotate(has_tracks=Exists(tracks.beside_main()))
    announced = announced.filter(track=slug).select_related("track") if slug else announced
    chosen = Paginator(announced, ROUNDS_PER_PAGE).get_page(request.GET.get("page"))
    if slug and not chosen:
        raise Http404(slug)
    track = chosen[0].track if slug else None
    several = list(tracks) if any(vars(round_)["has_tracks"] for round_ in chosen) else []
    titled = visibility.placings(request.viewer, at).filter(Q(is_mmc=True) | Q(is_mpc=True), round__in=list(chosen))
    champions: dict[int, list[Placing]] = {}
    for placing in titled.select_related("player").order_by("-is_mmc", "place", "pk"):
        champions.setdefault(placing.round_id, []).append(placing)
    boards: dict[int, list[Level]] = {}
    for level in visibility.levels(request.viewer, at).filter(round__in=list(chosen)):
        boards.setdefault(level.round_id, []).append(level)
    players_of = all_rounds.entrants(chosen)
    # Omit track names if there is only one track or one was selected.
    names = {} if track else {track.slug: str(track) for track in several}
    listed = [
        {
            "round": round_,
            "track": names.get(round_.track_id or "", ""),
            "phase": round_.phase(at),
            "title": visibility.title(round_, at),
            "levels": in_order(boards.get(round_.pk, [])),
            "players": players_of.get(round_.pk, ""),
            "champions": champions.get(round_.pk, []),
        }
        for round_ in chosen
    ]
    context = {"rounds": listed, "chosen": chosen, "track": track, "tracks": several}
    return render(request, "contest/round/rounds.html", context)


# The rules that matter in a phase.
_SECTIONS = {Phase.SCHEDULED: "taking-part", Phase.OPEN: "sending", Phase.CLOSED: "results"}


@require_safe
def round_page(request: Request, number: int) -> HttpResponse:
    at = clock.now()
    announced = visibility.rounds(request.viewer, at)
    round_ = get_object_or_404(with_context(announced, request.viewer, at), number=number)
    return render_round(request, round_, _visible_levels(request, round_, at), at)


def render_round(request: Request, round_: Any, boards: list[Level], at: datetime) -> HttpResponse:
    """Render the page of *round_*, a row of `with_context`, with its levels; the desk previews drafts with it."""
    cards = _cards(request, boards, _leaders(boards))
    shown, rulings = _results(round_, cards, at), visibility.rulings(round_, at)
    phase, may_preview = round_.phase(at), visibility.may_preview_points(round_, at)
    rules = visibility.settings(round_, at)
    talk = visibility.public_questions(round_, at) if round_.has_questions else []
    has_archive = visibility.has_archive(request.viewer, round_, at)
    return render(
        request,
        "contest/round/round.html",
        {
            "round": round_,
            "phase": phase,
            "title": visibility.title(round_, at),
            "cards": cards,
            "part": _latest_part(request, round_, cards, at),
            "results": shown,
            "chain": visibility.chain_link(round_, at),
            "has_archive": has_archive,
            "verifier_sha256": verifier.sha256() if has_archive else "",
            "questions": talk,
            "asks": bool(talk) or phase is Phase.OPEN,
            "commitment": visibility.commitment(round_, at),
            "prizes": bilingual.in_language(*visibility.prizes(round_, at)),
            "draw": shown.draw if shown else None,
            "settings": settings.describe(rules, round_.draws_at) if rules else [],
            "machine": _machine_part(round_, boards, rules, at),
            "notes": [notes.note(note) for note in visibility.notes(round_, at)] if round_.has_notes else [],
            "rulings": [notes.ruling(row) for row in rulings] if round_.has_rulings else [],
            "in_short": rules_in_short(_SECTIONS[phase], reading_language()) if phase in _SECTIONS else None,
            "may_preview": may_preview,
            "is_waiting": may_preview and phase is not Phase.OPEN,
            "accepted": latest_accepted(request.viewer, round_, [card.level for card in cards], at),
        },
    )


@require_safe
def help_page(request: Request) -> HttpResponse:
    return render(request, "contest/reading/help.html", {"origin": f"{request.scheme}://{request.get_host()}"})


def _current_rounds(announced: RoundQuerySet, at: datetime) -> tuple[list[Round], Round | None, Round | None]:
    """Return the open rounds (main track first), the last closed or final one, and the next to open. One query."""
    standing = announced.exclude(cancelled_at__lte=at)
    opened = standing.opened(at).values("pk")[:1]
    coming = standing.filter(opens_at__gt=at).order_by("opens_at", "number").values("pk")[:1]
    is_wanted = Q(pk__in=announced.open(at).values("pk")) | Q(pk=Subquery(opened)) | Q(pk=Subquery(coming))
    found = list(announced.filter(is_wanted).select_related("track"))

    def first(*phases: Phase) -> Round | None:
        return next((round_ for round_ in found if round_.phase(at) in phases), None)

    open_ = [round_ for round_ in found if round_.phase(at) is Phase.OPEN]
    open_.sort(key=lambda round_: (round_.track.order, round_.track_id))
    return open_, first(Phase.CLOSED, Phase.FINAL), first(Phase.SCHEDULED)


def _visible_levels(request: Request, round_: Round, at: datetime) -> list[Level]:
    """Return the levels of *round_* that the viewer may see, in order."""
    return in_order(visibility.levels(request.viewer, at).filter(round=round_))


def _leaders(levels: list[Level]) -> dict[tuple[str, str], standings.Row]:
    """Return the first row of each ranking of *levels*, by slot and metric."""
    slot_of = {level.pk: level.slot for level in levels}
    return {(slot_of[pk], metric): rows[0] for (pk, metric), rows in tops.top_rows(levels, 1).items() if rows}


def _cards(
    request: Request, levels: list[Level], best: Mapping[tuple[str, str], standings.Row | results.Leader]
) -> list[Card]:
    own = personal_bests.own_bests(levels, request.viewer.players)
    return [
        Card(
            level,
            best.get((level.slot, Metric.MOVES)),
            best.get((level.slot, Metric.PUSHES)),
            own.get((level.pk, Metric.MOVES)),
            own.get((level.pk, Metric.PUSHES)),
        )
        for level in levels
    ]


def _easiest_first(cards: list[Card]) -> list[Card]:
    """Put the level with the fewest boxes first and mark it as a first try, if the viewer has solved none."""
    if any(card.own_by_moves for card in cards) or len(cards) < 2:
        return cards
    first, *rest = sorted(cards, key=lambda card: (card.level.boxes, card.level.width * card.level.height))
    return [replace(first, is_first_try=True), *rest]


def _race_rows(request: Request, now: results.Results) -> list[results.ResultRow]:
    """Return the leading rows by the current points, plus the viewer's own rows at any place (rule 7.4)."""
    return [row for row in now.rows if row.place <= RACE_PLACES or row.player.pk in request.viewer.players]


def _nearest_gain(request: Request, now: results.Results, boards: list[Level]) -> results.Gain | None:
    players = request.viewer.players
    least = {level.slot: levels.least_pushes(level) or 0 for level in boards} if players else {}
    return results.nearest_gain(now.rows, players, least)


def _machine_part(round_: Any, boards: list[Level], rules: RoundSettings | None, at: datetime) -> dict[str, Any] | None:
    """Return the challenge to the machine: its announcement, and from the reveal on the outcomes; None without one."""
    is_revealed = visibility.is_revealed(round_, at)
    slots = rules.machine_levels if rules and not round_.is_imported and not round_.cancelled_at else ()
    if not slots and not (is_revealed and round_.has_attempts):
        return None
    return {
        "slots": [Slot(slot).label for slot in slots],
        "seconds": rules.machine_seconds if rules else 0,
        "is_revealed": is_revealed,
        "outcomes": machine.find_outcomes(boards, at) if is_revealed else [],
        "may_watch": is_revealed and visibility.are_solutions_public(round_, at),
    }


def _latest_part(request: Request, round_: Round, cards: Iterable[Card], at: datetime) -> live.Part:
    return live.latest(request.viewer, round_, at, live.versions(card.level for card in cards)).on(request)


def with_context(shown_rounds: QuerySet[Round], viewer: visibility.Viewer, at: datetime) -> QuerySet[Any]:
    """Annotate rounds with the numbers of the announced rounds *before* and *after* them, and with flags for notes,
    rulings, questions, attempts of the machine and awards. Most rounds have none, so the flags save queries.
    """
    announced, of_round = visibility.rounds(viewer, at), {"round": OuterRef("pk")}
    before = announced.filter(number__lt=OuterRef("number")).order_by("-number").values("number")
    after = announced.filter(number__gt=OuterRef("number")).order_by("number").values("number")
    return shown_rounds.annotate(
        before=Subquery(before[:1]),
        after=Subquery(after[:1]),
        has_notes=Exists(visibility.all_notes(at).filter(**of_round)),
        has_rulings=Exists(Disqualification.objects.filter(**of_round, ruled_at__lte=at)),
        has_questions=Exists(visibility.all_public_questions(at).filter(**of_round)),
        has_attempts=Exists(machine.of_rounds().filter(level__round=OuterRef("pk"))),
        has_awards=Exists(visibility.awards(viewer, at).filter(**of_round)),
    )


def _results(round_: Round, cards: Iterable[Card], at: datetime) -> results.Results | None:
    return (
        results.standing(round_, [card.level for card in cards], at) if visibility.may_see_results(round_, at) else None
    )


def latest_accepted(
    viewer: visibility.Viewer, round_: Round, levels: Iterable[Level], at: datetime
) -> list[Submission]:
    """Return the newest accepted submissions, cached per version of the boards of *levels* (all of one round)."""
    of_round = {level.pk: level for level in levels}

    def read_rows() -> list[Submission]:
        # Round and levels are already loaded; planning their joins takes longer than finding the rows.
        accepted = visibility.accepted_submissions(viewer, at).select_related(None).select_related("player")
        rows = accepted.filter(round=round_).defer(*UNLISTED)[:LAST_ACCEPTED]
        for row in rows:
            row.player.for_keeping()
        return [row for row in rows if row.level_id in of_round]

    listed = remember(("latest", round_.pk, standings.versions(of_round.values())), read_rows)
    for row in listed:
        row.round = round_  # The cached row's round may have outdated times.
        row.level = of_round.get(row.level_id or 0)
    return listed
