"""Views for organisers' programs (docs/reference/api.md): programs prepare a round, a person on the desk decides."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from contest import rounds
from contest.api.authentication import DeskBearer
from contest.api.base import View
from contest.api.permissions import HasRole
from contest.api.schema import NOTHING, reads, takes
from contest.api.serializers import desk
from contest.api.serializers.base import Wrapper
from contest.api.serializers.bodies import NothingSerializer, read
from contest.api.serializers.problems import Invalid
from contest.api.throttling import DeskThrottle
from contest.infra.site_address import absolute_url
from contest.library import shelf, standing
from contest.models import MAIN, DeskToken, LibraryLevel, Round, Series, Slot, Track
from contest.models.round import check_year
from contest.ops import health
from contest.organising import checklist, desk_tokens
from contest.submissions import Refused

_SHOWN = 50
_REFUSALS = [400, 401, 413, 415, 422, 429]


class DeskView(View):
    authentication_classes = [DeskBearer]
    permission_classes = [HasRole]
    throttle_classes = [DeskThrottle]


def _user(request: Request) -> Any:
    """Return the owner of the request's token."""
    return cast(DeskToken, request.auth).user


def _refusal(error: ValidationError) -> Refused:
    named = getattr(error, "message_dict", {})
    field = next((name for name in named if name != NON_FIELD_ERRORS), "")
    return Refused("not_possible", " ".join(error.messages), status=422, field=field)


class Health(DeskView):
    permissions = {"GET": "view_heartbeat"}

    @reads(desk.HealthSerializer, "How the site is.")
    def get(self, _request: Request) -> Response:
        ages = health.ages()
        parts = [{"part": part, "seconds": seconds} for part, seconds in sorted(ages.items())]
        return Response(desk.HealthSerializer({"trouble": health.trouble(ages), "parts": parts}).data)


class Drafts(DeskView):
    permissions = {"GET": "view_round", "POST": "add_round"}

    @reads(desk.DraftListSerializer, "Rounds that are not final, with what they lack.")
    def get(self, request: Request) -> Response:
        at = self.at
        unfinished = Round.objects.filter(finalised_at=None, cancelled_at=None).select_related("prepared")
        drafts = [_draft(request, round_, at) for round_ in unfinished.order_by("-opens_at", "-number")[:_SHOWN]]
        return Response(desk.DraftListSerializer({"count": len(drafts), "results": drafts}).data)

    @takes(desk.NewDraftSerializer, {201: desk.DraftSerializer}, "Make a draft.", _REFUSALS, name="makeDraft")
    def post(self, request: Request) -> Response:
        at = self.at
        draft = read(desk.NewDraftSerializer, request.data)
        track = _track(draft.pop("track", MAIN))
        named = [name for name in ("opens_at", "closes_at") if name in draft]
        times: dict[str, Any] = {name: _moment(name, draft.pop(name)) for name in named}
        suggested = rounds.suggest_round(at, track.slug)
        if "opens_at" in times:
            times.setdefault("closes_at", times["opens_at"] + (suggested["closes_at"] - suggested["opens_at"]))
        round_ = Round(track=track, **{**dict(suggested), **times, **draft})
        try:
            rounds.save(round_, at=at, by=_user(request))
        except ValidationError as error:
            raise _refusal(error) from None
        return Response(desk.DraftSerializer(_draft(request, round_, at)).data, status=201)


class Prepare(DeskView):
    permissions = {"POST": "change_round"}

    @takes(
        NOTHING,
        {202: desk.DraftSerializer},
        "Ask the organisers to publish a draft: a person confirms it on the desk.",
        [*_REFUSALS, 404], name="prepareRound"
    )  # fmt: skip
    def post(self, request: Request, number: int) -> Response:
        at = self.at
        read(NothingSerializer, request.data)
        round_ = get_object_or_404(Round, number=number if number < 2**31 else 0)
        try:
            desk_tokens.prepare_round(round_, at=at, by=_user(request))
        except ValidationError as error:
            raise _refusal(error) from None
        return Response(desk.DraftSerializer(_draft(request, Round.objects.get(pk=round_.pk), at)).data, status=202)


class Levels(DeskView):
    permissions = {"GET": "view_librarylevel"}

    @reads(desk.WaitingLevelsSerializer, "Levels of the library that are ready and wait in no queue.")
    def get(self, _request: Request) -> Response:
        found = LibraryLevel.objects.ready().filter(queued=None).defer("text", "solution")
        levels = list(found[: shelf.MOST_AT_ONCE])
        return Response(desk.WaitingLevelsSerializer({"count": len(levels), "results": levels}).data)


class AllSeries(DeskView):
    permissions = {"GET": "view_series"}

    @reads(desk.SeriesListSerializer, "The series.")
    def get(self, _request: Request) -> Response:
        found = list(Series.objects.order_by("pk"))
        return Response(desk.SeriesListSerializer({"count": len(found), "results": found}).data)


class Queue(DeskView):
    permissions = {"POST": "change_series"}

    @takes(desk.QueueSerializer, {200: desk.QueuedSerializer}, "Queue levels.", [*_REFUSALS, 404], name="queueLevels")
    def post(self, request: Request, number: int) -> Response:
        series = get_object_or_404(Series, pk=number)
        wanted = read(desk.QueueSerializer, request.data)
        levels: Sequence[str] = wanted["levels"]
        slots: Sequence[str] = list(dict.fromkeys(wanted.get("slots") or [Slot.MAIN.value]))
        if not all(key.isascii() and key.isdigit() and len(key) < 16 for key in levels):
            raise Invalid("levels", "not_a_number", _("These must be level IDs."))
        if set(slots) - set(Slot.values):
            raise Invalid("slots", "unknown_choice", _("This must be main, extra, extra2 or extra3."))
        done = shelf.enqueue_all([int(key) for key in levels], series, slots, by=_user(request))
        refusal, public = done.refusal(_user(request), self.at), standing.public_message(done.public)
        answer = {"queued": done.count, "refused": refusal, "public": public}
        return Response(desk.QueuedSerializer(answer).data)


def _track(slug: str) -> Track:
    track = Track.objects.filter(slug=slug).first()
    if track is None:
        raise Refused("unknown_choice", _("There is no such track."), status=422, field="track")
    return track


def _draft(request: Request, round_: Round, at: datetime) -> Wrapper:
    """Return a round with what it still lacks."""
    return Wrapper(
        round_,
        phase=round_.phase(at),
        missing=[requirement for step in checklist.steps(round_, at) for requirement in step.missing],
        is_prepared=hasattr(round_, "prepared"),
        desk=absolute_url(request, reverse("desk-round", args=[round_])),
    )


def _moment(name: str, text: str) -> datetime:
    """Parse a time with its zone, in a permitted year. Raise Invalid or Refused."""
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    if moment is None or timezone.is_naive(moment):
        raise Invalid(name, "bad_time", _("Use an RFC 3339 time with its time zone."))
    try:
        check_year(moment)
    except ValidationError as error:
        raise Refused("not_possible", " ".join(error.messages), status=422, field=name) from None
    return moment
