"""Throttle classes (rule 5.9): requests per minute, by token, address or organiser, counted before a body is read.

`sending` counts the items of a batch, and refunds a repeated key.
"""

from django.conf import settings
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from contest.api.authentication import token_of, viewer_of
from contest.infra import client_ip, rate_limits
from contest.infra.rate_limits import Cost
from contest.submissions import limits
from contest.vetting import asking
from contest.vetting.asking import Asker


def pass_reading(request: Request, cost: Cost, *, size: int = 0, amount: int = 1) -> None:
    """Count a response whose length only the database knows against the client's address, before its rows are read.

    Raise Throttled.
    """
    try:
        rate_limits.pass_door(cost, client_ip.sender_of(request), size, amount)
    except rate_limits.Busy as busy:
        raise throttled(busy) from None


def throttled(busy: rate_limits.Busy) -> Throttled:
    return Throttled(busy.wait or rate_limits.SPAN_SECONDS)


class _Throttle(BaseThrottle):
    """Throttle of requests that `count` counts; it raises the refusal."""

    def allow_request(self, request: Request, view: object) -> bool:  # noqa: ARG002 - DRF's signature
        self.count(request)
        return True

    def count(self, request: Request) -> None:
        raise NotImplementedError


class PostThrottle(_Throttle):
    """Count each POST before its body is read: under the token, or else the address. Raise Refused.

    The default. A post that the entrance has counted already is not counted again.
    """

    def count(self, request: Request) -> None:
        if request.method == "POST" and limits.COUNTED not in request.META:
            limits.pass_post(token_of(request), client_ip.sender_of(request))


class TrialThrottle(_Throttle):
    """Count each trial: under the token, or else the address. Raise Refused."""

    def count(self, request: Request) -> None:
        if request.method == "OPTIONS":
            return
        if token := token_of(request):
            limits.pass_token(token, 1)
        else:
            limits.pass_trial(client_ip.sender_of(request))


class QuestionThrottle(_Throttle):
    """Count each question to the solver under the address. Raise asking.Refused."""

    def count(self, request: Request) -> None:
        if request.method == "POST":
            asking.count_question(Asker(viewer_of(request), client_ip.sender_of(request)))


class DeskThrottle(_Throttle):
    """Count each POST of an organiser's program under its token."""

    def count(self, request: Request) -> None:
        try:
            if request.method == "POST":
                rate_limits.pass_token(request.auth.public_id, 1, settings.TOKEN_PER_MINUTE)  # type: ignore[union-attr] # HasRole let it in
        except rate_limits.Busy as busy:
            raise throttled(busy) from None
