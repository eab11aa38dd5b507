"""Views for moves: one submission or a batch, the verdict, sealed answers, and a trial that enters nothing."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from threading import BoundedSemaphore
from typing import Any

from django.db import DatabaseError
from django.db.models import QuerySet
from django.db.models.functions import Length
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_view
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from contest import submissions, visibility
from contest.api.authentication import required_token, token_of
from contest.api.base import ListView, View, count_fitting_texts
from contest.api.exceptions import problem_of
from contest.api.filters import (
    PracticeFilter,
    RoundFilter,
    SlotFilter,
    VerdictFilter,
    read_choice,
    read_row_number,
    read_whole_number,
)
from contest.api.permissions import HasScope, HasToken
from contest.api.schema import ROUND, TEXTS, WAIT, reads, takes
from contest.api.serializers import submissions as objects
from contest.api.serializers.base import Wrapper
from contest.api.serializers.bodies import read
from contest.api.serializers.problems import Invalid, ProblemSerializer
from contest.api.serializers.rounds import SealedAnswerSerializer, SealedEntrySerializer, SealedTextSerializer
from contest.api.serializers.site import LARGEST_PAGE, LONGEST_WAIT, MOST_TEXTS
from contest.api.serializers.submissions import LARGEST_BATCH
from contest.api.throttling import TrialThrottle
from contest.front.slots import resting
from contest.infra import client_ip, clock, rate_limits
from contest.infra.site_address import absolute_url
from contest.models import Door, Round, Scope, SealedAnswer, Submission, Token
from contest.models.level import by_slot
from contest.players import api_tokens
from contest.submissions import Entry, Postponed, Receipt, Refused, Sent, at_once, limits, sealed_answers
from contest.submissions.sealed_answers import SealedEntry

# A wait holds one of the web process's 32 threads (tooling/site.py); the others stay free for other requests.
MOST_WAITS = 12
_waits = BoundedSemaphore(MOST_WAITS)

# Key in request.META: the exception of an attempt to accept the request before Django (contest.entrance.posts).
FAILED = "leitai.failed"


@extend_schema_view(
    get=reads(
        objects.SentSerializer(many=True), "What the token's player has sent, newest first.", TEXTS, refusals=[429]
    )
)
class Submissions(ListView):
    serializer_class = objects.SentSerializer
    filter_backends = [RoundFilter, SlotFilter, VerdictFilter, PracticeFilter]
    scopes = {"GET": Scope.READ, "POST": Scope.SUBMIT}

    def get_permissions(self) -> Sequence[Any]:
        return [HasScope() if self.request.method == "POST" else HasToken()]

    @property
    def with_text(self) -> bool:
        return read_choice(self.request, "texts", ["false", "true"]) == "true"

    @property
    def largest_page(self) -> int:  # type: ignore[override] # it depends on the query
        return MOST_TEXTS if self.with_text else LARGEST_PAGE

    def get_queryset(self) -> QuerySet[Submission]:
        sent = visibility.own_submissions(self.viewer)
        return sent.defer(None).defer("lurd", "turned") if self.with_text else sent

    def count_fitting(self, rows: QuerySet[Submission]) -> int:
        if not self.with_text:
            return super().count_fitting(rows)
        return count_fitting_texts(self.request, list(rows.values_list(Length("text"), flat=True)))

    def present(self, rows: Sequence[Submission]) -> list[Wrapper]:
        with_text = self.with_text
        return [
            Wrapper(row, url=_url_of(self.request, row), text=_decode_text(row) if with_text else None) for row in rows
        ]

    @takes(
        objects.EntryOrBatch,
        {202: objects.ReceiptSerializer, 207: objects.BatchAnswerSerializer},
        "Send a submission, or up to 100 of them.",
        [400, 401, 403, 404, 409, 413, 415, 422, 429],
        has_key=True,
        name="sendEntry",
    )
    def post(self, request: Request) -> Response:
        if failed := request.META.get(FAILED):
            raise failed
        token = token_of(request)
        key = request.headers.get("Idempotency-Key", "")
        if isinstance(request.data, dict) and "submissions" in request.data:
            return self._batch(request, token, request.data["submissions"], key)
        receipt = accept_entry(objects.read_entry(request.data, key), token, client_ip.sender_of(request))
        shown = _render_receipt(request, receipt)
        return Response(shown, status=202, headers=headers_for(receipt, shown["url"]))

    def _batch(self, request: Request, token: Token | None, items: Any, key: str) -> Response:
        """Answer every item separately, in order: a receipt or a problem."""
        if key:
            message = _("In a batch, give every submission its own idempotency_key and omit the header.")
            raise Invalid("Idempotency-Key", "bad_key", message)
        if not isinstance(items, list) or not 1 <= len(items) <= LARGEST_BATCH:
            message = _("A batch is a list of 1 to %(most)s submissions.") % {"most": LARGEST_BATCH}
            raise Invalid("submissions", "bad_batch", message)
        if token:
            rate_limits.give_back(token.public_id, 1)  # The throttle counted the batch as one.
            limits.pass_token(token, len(items))
        elif len(items) > 1:
            limits.pass_post(None, client_ip.sender_of(request), len(items) - 1)  # The throttle counted one.
        answers = objects.BatchAnswerSerializer({"results": _answer_items(request, token, items)})
        return Response(answers.data, status=207)


class Bests(View):
    permission_classes = [HasToken]
    scopes = {"GET": Scope.READ}

    @reads(objects.BestListSerializer, "The best results of the token's player on every level.", ROUND)
    def get(self, request: Request) -> Response:
        bests = visibility.own_bests(self.viewer)
        if number := read_row_number(request, "round"):
            bests = bests.filter(level__round__number=number)
        listed = bests.order_by("-level__round__number", *by_slot("level__"), "board", "metric")
        return Response(objects.BestListSerializer({"results": listed}).data)


def _answer_items(request: Request, token: Token | None, items: Sequence[Any]) -> list[dict[str, Any]]:
    read = [_read(token, item) for item in items]
    entries = [entry for entry in read if isinstance(entry, Entry)]
    accepted = iter(_accept_all(entries, token, client_ip.sender_of(request)))
    answers = [next(accepted) if isinstance(entry, Entry) else entry for entry in read]
    return [_render_receipt(request, answer) if isinstance(answer, Receipt) else _refusal(answer) for answer in answers]


def _read(token: Token | None, item: Any) -> Entry | Refused | ValidationError:
    try:
        return _name_entry(token, objects.read_entry(item, ""))
    except (Refused, ValidationError) as refusal:
        return refusal


def _refusal(refusal: Refused | ValidationError) -> dict[str, Any]:
    problem = problem_of(refusal)
    assert problem is not None  # noqa: S101 - both have words for the sender
    return dict(ProblemSerializer(problem).data)


def _name_entry(token: Token | None, entry: Entry) -> Entry:
    """Return the entry with the nickname that *token* allows. Raise Refused."""
    if token is None:
        return entry
    try:
        return replace(entry, nickname=api_tokens.nickname(token, entry.nickname))
    except api_tokens.NotYours as why:
        raise Refused("not_allowed", str(why), status=403, field="nickname") from None


def accept_entry(entry: Entry, token: Token | None, address: str) -> Receipt:
    """Accept the one *entry* of a request from *address*, and return its receipt. Raise Refused."""
    (answer,) = accept_entries([(Sent(entry, address=address, ago=clock.seconds_waited()), token)])
    if isinstance(answer, Exception):
        raise answer
    return answer


def accept_entries(requests: Sequence[tuple[Sent, Token | None]]) -> list[Receipt | Exception]:
    """Do `accept_entry` for several requests with their tokens; return an exception as the answer to its request."""
    checked = [_authorise(sent, token) for sent, token in requests]
    sent = [entry for entry in checked if isinstance(entry, Sent)]
    accepted = iter(submissions.accept_batch(sent, door=Door.API) if sent else ())
    answers = [next(accepted) if isinstance(entry, Sent) else entry for entry in checked]
    for (_sent, token), answer in zip(requests, answers, strict=True):
        if token and (isinstance(answer, Postponed) or (isinstance(answer, Receipt) and not answer.is_new)):
            rate_limits.give_back(token.public_id, 1)
    return answers


def _authorise(sent: Sent, token: Token | None) -> Sent | Exception:
    """Return *sent* with the nickname and viewer of *token*, or the exception that refuses it."""
    if token is None:
        return sent
    with override(sent.language or get_language()):
        try:
            return replace(sent, entry=_name_entry(token, sent.entry), viewer=api_tokens.viewer(token))
        except (Refused, DatabaseError) as error:
            return error


def headers_for(receipt: Receipt, url: str) -> dict[str, str]:
    """Return the response headers for *receipt*."""
    return {"Location": url, **({} if receipt.is_new else {"Idempotency-Replayed": "true"})}


def _accept_all(entries: Sequence[Entry], token: Token | None, address: str) -> list[Receipt | Refused]:
    viewer = api_tokens.viewer(token) if token else None
    answers = submissions.accept_all(entries, door=Door.API, viewer=viewer, address=address)
    again = sum(isinstance(answer, Receipt) and not answer.is_new for answer in answers)
    if token and again:
        rate_limits.give_back(token.public_id, again)
    return answers


def _render_receipt(request: Request, receipt: Receipt) -> dict[str, Any]:
    url = _url_of(request, receipt.submission)
    return dict(objects.ReceiptSerializer(objects.ReceiptRow(receipt, url)).data)


def _decode_text(row: Submission) -> str:
    """Decode the text leniently, because a submission through another door may not be UTF-8."""
    return bytes(row.text).decode("utf-8", "replace")


def _url_of(request: Request, submission: Submission) -> str:
    return absolute_url(request, reverse("api-submission", args=[submission.receipt_id]))


class SubmissionDetail(View):
    @reads(objects.SubmissionSerializer, "A submission, by its receipt.", WAIT)
    def get(self, request: Request, receipt_id: str) -> Response:
        seconds = read_whole_number(request, "wait", default=0, most=LONGEST_WAIT)
        try:
            submission = visibility.by_receipt(receipt_id)
        except Submission.DoesNotExist:
            raise Http404 from None
        if seconds and submission.is_pending:
            submission = _wait_for(submission, seconds)
        headers = {"Retry-After": "1"} if submission.is_pending else {}
        return Response(objects.SubmissionSerializer(submission).data, headers=headers)


def _wait_for(submission: Submission, seconds: int) -> Submission:
    """Return the submission once it is judged, after *seconds* at most; at once if too many requests wait already."""
    if not _waits.acquire(blocking=False):
        return submission
    try:
        with resting():
            return submissions.wait_for_verdict(submission, seconds)
    finally:
        _waits.release()


class SealingRoundMixin:
    @cached_property
    def round(self: Any) -> Round:
        """The round in the URL, if it takes sealed answers."""
        rounds = visibility.sealing_rounds(self.viewer, self.at)
        found: Round = get_object_or_404(rounds, number=self.kwargs["number"])
        return found


@extend_schema_view(
    get=reads(SealedAnswerSerializer(many=True), "What players vouch for in a round with a hash, newest first.")
)
class SealedAnswers(SealingRoundMixin, ListView):
    """Rules 5.11, 5.12."""

    serializer_class = SealedAnswerSerializer
    scopes = {"POST": Scope.SUBMIT}

    def get_permissions(self) -> Sequence[Any]:
        return [HasToken() if self.request.method == "POST" else HasScope()]

    def get_queryset(self) -> QuerySet[SealedAnswer]:
        return visibility.sealed_answers(self.viewer, self.at).filter(level__round=self.round)

    def present(self, rows: Sequence[SealedAnswer]) -> list[Wrapper]:
        return [Wrapper(row, state=row.state(self.at)) for row in rows]

    @takes(
        SealedEntrySerializer,
        {201: SealedAnswerSerializer},
        "Vouch for a solution with a hash, without its moves.",
        [400, 401, 403, 404, 409, 413, 415, 422, 429],
    )
    def post(self, request: Request, number: int) -> Response:
        token = required_token(request)
        entry = SealedEntry(number, **read(SealedEntrySerializer, request.data))
        sealed_answers.pass_network(request)
        sealed = sealed_answers.seal(entry, token.player, door=Door.API, viewer=self.viewer)
        if not sealed.is_new:
            rate_limits.give_back(token.public_id, 1)
        shown = Wrapper(sealed.answer, state=sealed.answer.state(clock.now()))
        return Response(SealedAnswerSerializer(shown).data, status=201)


class OpenSealed(SealingRoundMixin, View):
    throttle_classes = [TrialThrottle]

    @takes(
        SealedTextSerializer,
        {202: objects.ReceiptSerializer},
        "Open a sealed answer, within a day after the close.",
        [400, 401, 404, 409, 413, 415, 422, 429],
    )
    def post(self, request: Request, number: int) -> Response:
        """Rule 5.13."""
        text = read(SealedTextSerializer, request.data)["text"] if self.round else ""
        receipt = sealed_answers.open_answer(number, text, door=Door.API, address=client_ip.sender_of(request))
        shown = _render_receipt(request, receipt)
        return Response(shown, status=202, headers={"Location": shown["url"]})


class Check(View):
    throttle_classes = [TrialThrottle]

    @takes(
        objects.TrialSerializer,
        {200: objects.TriedSerializer},
        "Judge without entering.",
        [400, 401, 404, 413, 415, 429],
    )
    def post(self, request: Request) -> Response:
        trial = objects.read_trial(request.data)
        token = token_of(request)
        address = client_ip.sender_of(request)
        tried = at_once.judge(trial, viewer=self.viewer, at=self.at, address=address)
        ranks = at_once.ranks(tried, token.player if token else None)
        return Response(objects.TriedSerializer(Wrapper(tried, ranks=ranks)).data)
