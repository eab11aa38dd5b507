"""The pages. Each reads, asks one module, and answers; the time is read once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contest import levels, players, results, submissions, visibility
from contest.archive import verifier
from contest.infra import client_ip, clock
from contest.infra.cache import cached
from contest.levels import daily
from contest.models import Best, Door, Level, Metric, Placing, Player, Round, Slot, Submission
from contest.models.round import RoundQuerySet
from contest.rankings import history, standings
from contest.rules.phases import Phase
from contest.stats import all_rounds
from contest.submissions import Refused
from contest.vetting import shown
from contest.web.play import entering
from contest.web.play.forms import EntryForm
from contest.web.shell import live
from contest.wording import bilingual, notes, settings

LAST_ACCEPTED = 10
RACE = 6
FIRST_OF_LEVEL = 10
PER_PAGE = 100
ROUNDS_PER_PAGE = 60
# What no list shows of a submission.
UNLISTED = ("text", "lurd", "turned", "receipt_id", "sha256", "level__text", "level__solution")


class Request(HttpRequest):
    """A request whose viewer the middleware has named."""

    viewer: visibility.Viewer


@dataclass(frozen=True)
class Card:
    """A level with the best of both rankings, and the reader's own best."""

    level: Level
    by_moves: standings.Row | results.Leader | None
    by_pushes: standings.Row | results.Leader | None
    own_by_moves: Best | None = None
    own_by_pushes: Best | None = None
    is_first_try: bool = False


@require_safe
def home(request: Request) -> HttpResponse:
    at = clock.now()
    running, last, coming = _around(visibility.rounds(request.viewer, at), at)
    shown = running or last
    boards = _levels(request, shown, at) if shown else []
    # One reading of all best results gives the race and who leads on each level.
    now = results.preview(running, boards, at) if running else None
    cards = _cards(request, boards, now.leaders if now else _leaders(boards))
    if running:
        cards = _easiest_first(cards)
    return render(
        request,
        "contest/home.html",
        {
            "running": running,
            "race": _race(request, now) if now else [],
            "shown": shown,
            "next": coming,
            "is_before_the_first": not coming and not shown,
            "cards": cards,
            "round": shown,
            "part": _latest_part(request, shown, cards, at) if shown else None,
            "accepted": latest_accepted(request.viewer, shown, [card.level for card in cards], at) if shown else [],
            "results": _results(shown, cards, at) if shown and not running else None,
            "daily": daily.of_day(at),
        },
    )


@require_safe
def rounds(request: Request) -> HttpResponse:
    at = clock.now()
    chosen = Paginator(visibility.rounds(request.viewer, at), ROUNDS_PER_PAGE).get_page(request.GET.get("page"))
    titled = visibility.placings(request.viewer, at).filter(Q(is_mmc=True) | Q(is_mpc=True), round__in=list(chosen))
    champions: dict[int, list[Placing]] = {}
    for placing in titled.select_related("player").order_by("-is_mmc", "place", "pk"):
        champions.setdefault(placing.round_id, []).append(placing)
    boards: dict[int, list[Level]] = {}
    for level in visibility.levels(request.viewer, at).filter(round__in=list(chosen)):
        boards.setdefault(level.round_id, []).append(level)
    players_of = all_rounds.entrants(chosen)
    listed = [
        {
            "round": round_,
            "phase": round_.phase(at),
            "title": visibility.title(round_, at),
            "levels": sorted(boards.get(round_.pk, []), key=_place),
            "players": players_of.get(round_.pk, ""),
            "champions": champions.get(round_.pk, []),
        }
        for round_ in chosen
    ]
    return render(request, "contest/rounds.html", {"rounds": listed, "chosen": chosen})


@require_safe
def round_page(request: Request, number: int, at: datetime | None = None) -> HttpResponse:
    at = at or clock.now()
    announced = visibility.rounds(request.viewer, at)
    round_ = get_object_or_404(_with_talk(_with_neighbours(announced), request.viewer, at), number=number)
    boards = _levels(request, round_, at)
    cards = _cards(request, boards, _leaders(boards))
    shown, rulings = _results(round_, cards, at), visibility.disqualifications(round_, at)
    phase, may_preview = round_.phase(at), visibility.may_preview_points(round_, at)
    talk = visibility.public_questions(round_, at) if round_.has_questions else []
    return render(
        request,
        "contest/round.html",
        {
            "round": round_,
            "phase": phase,
            "title": visibility.title(round_, at),
            "cards": cards,
            "part": _latest_part(request, round_, cards, at),
            "results": shown,
            "chain": visibility.chain_link(round_, at),
            "has_archive": round_.has_archive,
            "verifier_sha256": verifier.sha256() if round_.has_archive else "",
            "questions": talk,
            "asks": bool(talk) or phase is Phase.OPEN,
            "commitment": visibility.commitment(round_, at),
            "prizes": bilingual.chosen(*visibility.prizes(round_, at)),
            "draw": shown.draw if shown else None,
            "settings": settings.described(rules) if (rules := visibility.settings(round_, at)) else [],
            "notes": [notes.note(note) for note in visibility.notes(round_, at)] if round_.has_notes else [],
            "rulings": [notes.ruling(row) for row in rulings] if round_.has_rulings else [],
            "may_preview": may_preview,
            "is_waiting": may_preview and phase is not Phase.OPEN,
            "accepted": latest_accepted(request.viewer, round_, [card.level for card in cards], at),
        },
    )


@require_safe
def level_page(request: Request, number: int, slot: str, at: datetime | None = None) -> HttpResponseBase:
    at = at or clock.now()
    public = visibility.levels(request.viewer, at)
    among = public if "part" in request.GET else shown.with_study(public, at)
    level = get_object_or_404(among, round__number=number, slot=slot)
    part = live.part(request.path, request.viewer, level.round, at, level.board_version)
    if unchanged := part.unchanged(request):
        return unchanged
    all_time = _all_time(level) if visibility.is_revealed(level.round, at) else []
    return part.render(
        request,
        "contest/level.html",
        "contest/_level_part.html",
        {
            "level": level,
            "least_pushes": lambda: levels.least_pushes(level),  # not for the part alone
            "round": level.round,
            "phase": level.round.phase(at),
            "by_moves": standings.standings(level, Metric.MOVES, limit=FIRST_OF_LEVEL),
            "by_pushes": standings.standings(level, Metric.PUSHES, limit=FIRST_OF_LEVEL),
            "own": sorted(standings.own_bests([level], request.viewer.players).values(), key=lambda best: best.metric),
            "count": standings.count(level, Metric.MOVES),
            "all_time": all_time,
            "program": lambda: shown.facts(level, at, _fewest(all_time)),  # not for the part alone
        },
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def submit(request: Request) -> HttpResponse:
    at = clock.now()
    announced = visibility.rounds(request.viewer, at)
    status, retry_after = 200, None
    form = EntryForm(request.POST) if request.method == "POST" else EntryForm(initial=remembered(request))
    if form.is_bound:
        status = 422
        if form.is_valid():
            try:
                address = client_ip.sender_of(request)
                receipt_ = submissions.accept(form.entry(), door=Door.WEB, viewer=request.viewer, address=address)
            except Refused as refusal:
                visible = {field.name for field in form.visible_fields()}
                form.add_error(refusal.field if refusal.field in visible else None, refusal.reason)
                status, retry_after = refusal.status, refusal.retry_after
            else:
                return _to_receipt(request, receipt_, form.cleaned_data["claim"].strip())
        if _is_asked_by_script(request):
            return _with_retry(JsonResponse({"errors": form.errors}, status=status), retry_after)
        form.mark_wrong_fields()
    running = list(announced.open(at))
    next_ = _next(announced, at)
    practised = _practised(form, announced, at)
    words = {
        "form": form,
        "running": running,
        "next": next_,
        "practised": practised,
        "facts": entering.facts([practised] if practised else running, request.viewer, at, is_practice=bool(practised)),
    }
    return _with_retry(render(request, "contest/submit.html", words, status=status), retry_after)


@never_cache
@require_safe
def receipt(request: Request, receipt_id: str) -> HttpResponse:
    """Whoever holds the link sees the submission (rule 7.5). It asks for the verdict again until there is one."""
    try:
        submission = visibility.by_receipt(receipt_id)
        if submission.is_pending and "wait" in request.GET:
            submission = _judged_soon(submission)
    except Submission.DoesNotExist:
        raise Http404 from None
    ranks = standings.ranks(submission) if submission.is_accepted else {}
    words = {
        "submission": submission,
        "ranks": ranks,
        "before": _ranks_before(submission, ranks),
        "is_own": bool(submission.turned) and request.viewer.owns(submission),  # asked where something is offered
    }
    if "fragment" in request.GET:
        return render(request, "contest/_verdict.html", words)
    words["claim"] = _claim_to_show(request, submission)
    return render(request, "contest/receipt.html", words)


@never_cache
@require_POST
def send_offer(request: Request, receipt_id: str) -> HttpResponse:
    """Send what a receipt offers; it counts from now on (rules 6.9, 6.10, 13.4). The link alone proves no nickname."""
    try:
        submission = visibility.by_receipt(receipt_id)
    except Submission.DoesNotExist:
        raise Http404 from None
    offered = submissions.offered(submission, request.POST.get("claim", "").strip())
    if offered is None:
        raise Http404
    try:
        return redirect(submissions.accept(offered, door=Door.WEB, viewer=request.viewer).submission)
    except Refused as refusal:
        is_own = request.viewer.owns(submission)
        words = {"submission": submission, "ranks": {}, "refused": refusal.reason, "is_own": is_own}
        return render(request, "contest/receipt.html", words, status=refusal.status)


@require_safe
def help_page(request: Request) -> HttpResponse:
    return render(request, "contest/help.html", {"origin": f"{request.scheme}://{request.get_host()}"})


def _ranks_before(submission: Submission, ranks: Mapping[str, int | None]) -> dict[str, int | None]:
    """Where the player stood before, in the rankings that *submission* stands in now; practice gains no places."""
    held = [] if submission.is_practice else [metric for metric, rank in ranks.items() if rank]
    return history.ranks_before(submission, held)


def _around(announced: RoundQuerySet, at: datetime) -> tuple[Round | None, Round | None, Round | None]:
    """The round that is open, the last one that has opened, and the one that opens next. One query."""
    standing = announced.exclude(cancelled_at__lte=at)
    opened = standing.opened(at).values("pk")[:1]
    coming = standing.filter(opens_at__gt=at).order_by("opens_at", "number").values("pk")[:1]
    is_wanted = Q(pk__in=announced.open(at).values("pk")) | Q(pk=Subquery(opened)) | Q(pk=Subquery(coming))
    found = list(announced.filter(is_wanted))

    def first(*phases: Phase) -> Round | None:
        return next((round_ for round_ in found if round_.phase(at) in phases), None)

    return first(Phase.OPEN), first(Phase.CLOSED, Phase.FINAL), first(Phase.SCHEDULED)


def _next(announced: RoundQuerySet, at: datetime) -> Round | None:
    """The round that opens next."""
    return announced.filter(opens_at__gt=at).exclude(cancelled_at__lte=at).order_by("opens_at", "number").first()


def _levels(request: Request, round_: Round, at: datetime) -> list[Level]:
    """The levels of *round_* that the reader may see, in their order."""
    return sorted(visibility.levels(request.viewer, at).filter(round=round_), key=_place)


def _leaders(levels: list[Level]) -> dict[tuple[str, str], standings.Row]:
    """Who is first on each of *levels*, by slot and metric."""
    slot_of = {level.pk: level.slot for level in levels}
    return {(slot_of[pk], metric): rows[0] for (pk, metric), rows in standings.tops(levels, 1).items() if rows}


def _cards(
    request: Request, levels: list[Level], best: Mapping[tuple[str, str], standings.Row | results.Leader]
) -> list[Card]:
    own = standings.own_bests(levels, request.viewer.players)
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


def _place(level: Level) -> int:
    """Where a level stands among those of its round."""
    return Slot.values.index(level.slot)


def _easiest_first(cards: list[Card]) -> list[Card]:
    """For who has solved none of a round: the level with the fewest boxes first, and said to be a good first try."""
    if any(card.own_by_moves for card in cards) or len(cards) < 2:
        return cards
    first, *rest = sorted(cards, key=lambda card: (card.level.boxes, card.level.width * card.level.height))
    return [replace(first, is_first_try=True), *rest]


def _race(request: Request, now: results.Results) -> list[results.ResultRow]:
    """Who leads by the points as they would be now, and the reader's own rows wherever they are (rule 7.4)."""
    return [row for row in now.rows if row.place <= RACE or row.player.pk in request.viewer.players]


def _latest_part(request: Request, round_: Round, cards: Iterable[Card], at: datetime) -> live.Part:
    return live.latest(request.viewer, round_, at, live.versions(card.level for card in cards))


def _all_time(level: Level) -> list[tuple[Metric, list[standings.Row]]]:
    """Rule 20.1: contest and practice together, people and programs."""
    return [
        (
            metric,
            standings.all_time(level, metric),
        )
        for metric in Metric
    ]


def _fewest(all_time: Iterable[tuple[Metric, list[standings.Row]]]) -> dict[str, int]:
    """The fewest moves and pushes of an all-time board."""
    return {metric: getattr(rows[0], metric) for metric, rows in all_time if rows}


def _with_neighbours(announced: QuerySet[Round]) -> QuerySet[Round]:
    """Each with the numbers of the rounds *before* and *after* it."""
    before = announced.filter(number__lt=OuterRef("number")).order_by("-number").values("number")
    after = announced.filter(number__gt=OuterRef("number")).order_by("number").values("number")
    return announced.annotate(before=Subquery(before[:1]), after=Subquery(after[:1]))


def _with_talk(announced: QuerySet[Round], viewer: visibility.Viewer, at: datetime) -> QuerySet[Any]:
    """Each with whether there are notes, rulings and questions, which most rounds have none of, and an archive."""
    of_round = {"round": OuterRef("pk")}
    return announced.annotate(
        has_notes=Exists(visibility.all_notes(at).filter(**of_round)),
        has_rulings=Exists(visibility.all_disqualifications(at).filter(**of_round)),
        has_questions=Exists(visibility.all_public_questions(at).filter(**of_round)),
        has_archive=Exists(visibility.archived(viewer, at).filter(pk=OuterRef("pk"))),
    )


def _results(round_: Round, cards: Iterable[Card], at: datetime) -> results.Results | None:
    return (
        results.standing(round_, [card.level for card in cards], at) if visibility.may_see_results(round_, at) else None
    )


def latest_accepted(
    viewer: visibility.Viewer, round_: Round, levels: Iterable[Level], at: datetime
) -> list[Submission]:
    """The newest accepted submissions, made once for each version of the boards of *levels*, all of the round."""

    def make() -> list[Submission]:
        rows = visibility.accepted(viewer, at).filter(round=round_).defer(*UNLISTED)[:LAST_ACCEPTED]
        for row in rows:
            row.player.kept()
        return list(rows)

    listed = cached(("latest", round_.pk, standings.versions(levels)), make)
    for row in listed:
        row.round = round_  # whose times may have changed since
    return listed


def remembered(request: Request) -> dict[str, object]:
    """The player who last sent from this browser, and the level that the link came from."""
    known = {name: request.GET[name] for name in ("round", "slot", "practice") if name in request.GET}
    mine = Player.objects.filter(pk__in=request.viewer.players, merged_into=None)
    player = mine.order_by("-submissions__number").first() if request.viewer.players else None
    return {"nickname": player.nickname, "country": player.country, **known} if player else {**known}


def _practised(form: EntryForm, announced: QuerySet[Round], at: datetime) -> Round | None:
    """The closed round that the form is for, where it says that it is practice (rule 20.1)."""
    number = str(form["round"].value() or "")
    if not form["practice"].value() or not (number.isascii() and number.isdigit() and len(number) < 9):
        return None
    round_ = announced.filter(number=int(number)).first()
    return round_ if round_ and visibility.is_revealed(round_, at) else None


def _to_receipt(request: Request, given: submissions.Receipt, claim: str) -> HttpResponse:
    """Send the browser to the receipt, and let it prove the nickname from now on (rule 5.10)."""
    where = given.submission.get_absolute_url()
    response = JsonResponse({"receipt": where}, status=201) if _is_asked_by_script(request) else redirect(where)
    if given.claim:
        request.session["claim"] = [given.submission.receipt_id, given.claim]
    if given.claim or claim:
        players.remember_claim(response, request.viewer, given.submission.player_id, given.claim or claim)
    return response


def _is_asked_by_script(request: Request) -> bool:
    """Whether the player sent the form: it shows errors and goes to the receipt by itself."""
    return request.headers.get("Accept") == "application/json"


def _with_retry(response: HttpResponse, seconds: int | None) -> HttpResponse:
    if seconds is not None:
        response["Retry-After"] = str(seconds)
    return response


def _claim_to_show(request: Request, submission: Submission) -> str:
    """A new nickname's secret, for the one receipt that brought it; gone once it was shown beside the verdict."""
    receipt_id, claim = request.session.get("claim", ["", ""])
    if receipt_id != submission.receipt_id:
        return ""
    if not submission.is_pending:
        del request.session["claim"]
    return str(claim)


def _judged_soon(submission: Submission) -> Submission:
    """Give the worker a second, then judge in its place: no reader waits for ever (docs/judging.md)."""
    submission = submissions.verdict_soon(submission, 1)
    if submission.is_pending:
        submissions.judge_now(submission)
        submission = visibility.by_receipt(submission.receipt_id)
    return submission
