"""The four endpoints. No redirect, no cookie, no CSRF token; 200 for every verdict; ASCII wherever a program reads."""

import json
import logging
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db.models import Min
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import override
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import conditional_page, require_http_methods

from contest import submissions
from contest.infra import client_ip, clock
from contest.infra.rate_limits import LISTS, OLD_FORM, SPAN_SECONDS, Busy, costs, pass_door
from contest.legacy import answers, bodies, lists
from contest.models import MAIN, Door, Round, Slot, Submission
from contest.players.email_addresses import canonical_or_none
from contest.submissions import Entry, Receipt, Refused

log = logging.getLogger(__name__)

View = Callable[[HttpRequest], HttpResponse]
TABLE_ROWS, ROWS_PER_PASS = 500, 200
PATIENCE = 4.5
_reading = require_http_methods(["GET", "HEAD"])
_sending = require_http_methods(["POST"])


def _endpoint(view: View) -> View:
    """Wrap an endpoint: on an internal error respond with a plain 503, not a page with 200; caches must revalidate."""

    @csrf_exempt
    @gzip_page
    @conditional_page
    @cache_control(no_cache=True)
    @wraps(view)
    def answer(request: HttpRequest) -> HttpResponse:
        try:
            with override("en"):
                response = view(request)
        except Busy as busy:
            response = _plain(answers.wait_and_send_again(busy.wait), status=429)
            response.headers["Retry-After"] = str(busy.wait or SPAN_SECONDS)
        except Exception:
            log.exception("The older programs' protocol failed")
            response = _plain(answers.TROUBLE, status=503)
            response.headers["Retry-After"] = "10"
        if request.method != "POST":
            response["Access-Control-Allow-Origin"] = "*"
        return response

    return answer


def _count_rows(request: HttpRequest, rows: int) -> None:
    """Count a list of *rows* against the client's address (rule 5.9). Raise Busy."""
    pass_door(LISTS, client_ip.sender_of(request), amount=1 + rows // ROWS_PER_PASS)


def _plain(text: str, status: int = 200) -> HttpResponse:
    return HttpResponse(text, content_type="text/plain; charset=utf-8", status=status)


def _json(shown: dict[str, Any]) -> HttpResponse:
    return HttpResponse(json.dumps(shown), content_type="application/json; charset=utf-8")


@_endpoint
@_reading
def competition(request: HttpRequest) -> HttpResponse:
    at = clock.now()
    number, round_ = lists.requested_round(request.GET.get("id"), at)
    return _json(lists.competition(number, round_, at))


@_endpoint
@_reading
def submission_list(request: HttpRequest) -> HttpResponse:
    at = clock.now()
    number, round_ = lists.requested_round(request.GET.get("id"), at)
    slot = request.GET.get("t", Slot.MAIN)
    rows = lists.counted_submissions(round_, slot, at) if round_ and slot in Slot.values else None
    _count_rows(request, 0 if rows is None else rows.count())
    return _json(lists.submissions(number, slot, rows or ()))


@_endpoint
@_reading
def solution_table(request: HttpRequest) -> HttpResponse:
    """Render a page for the embedded browser of one program: HTML 4, no script, no style."""
    at = clock.now()
    _number, round_ = lists.requested_round(request.GET.get("id"), at)
    chosen = request.GET.get("t")
    slots = [chosen] if chosen in Slot.values else Slot.values
    tables = [_table(round_, slot, at) for slot in slots] if round_ else []
    _count_rows(request, sum(len(table["rows"]) for table in tables))
    return render(request, "contest/legacy/solution_table.html", {"round": round_, "tables": tables})


def _table(round_: Round, slot: str, at: datetime) -> dict[str, Any]:
    rows = lists.counted_submissions(round_, slot, at)
    best = rows.aggregate(moves=Min("moves"), pushes=Min("pushes"))
    newest = rows.reverse()[:TABLE_ROWS]
    return {"slot": slot, "rows": [(answers.format_beijing(row["received_at"]), row) for row in newest], **best}


def _refuse_busy(_request: HttpRequest, busy: Busy) -> HttpResponse:
    return _plain(answers.wait_and_send_again(busy.wait))


@costs(OLD_FORM, refuse=_refuse_busy)
@_endpoint
@_sending
def submit(request: HttpRequest) -> HttpResponse:
    at = clock.now()
    round_ = lists.current_round(at)
    if round_ is None:
        return _plain(answers.ENDED)
    try:
        body = request.body
        if len(body) > settings.MAX_SUBMISSION_BODY:
            raise RequestDataTooBig
    except RequestDataTooBig:
        return _plain(answers.too_long(round_.max_moves))
    sent = bodies.parse_form(body, bodies.charset_of(request.headers.get("Content-Type", "")))
    try:
        receipt = submissions.accept(_entry(sent), door=Door.LEGACY, address=client_ip.sender_of(request))
    except Refused as refusal:
        return _plain(answers.sentence_for_refusal(refusal, round_, at))
    return _plain(answers.sentence_for_receipt(receipt, _verdict_of(receipt), sent.get("nickname", "")))


def _entry(sent: dict[str, str]) -> Entry:
    """Build the entry; drop an invalid country or e-mail address, because these programs cannot show such an error."""
    country, email = sent.get("country", "").strip(), sent.get("email", "").strip()
    if not (country.isascii() and country.isalnum() and len(country) <= 8):
        country = ""
    address = canonical_or_none(email) or ""
    return Entry(sent.get("nickname", ""), sent.get("lurd", ""), country, address, track=MAIN)


def _verdict_of(receipt: Receipt) -> Submission:
    """Return the submission, judged by a worker or else here; it stays stored even if judging fails."""
    submission = receipt.submission
    try:
        submission = submissions.wait_for_verdict(submission, settings.LEGACY_WAIT_SECONDS)
        if submission.is_pending:
            submission = submissions.judge_now(submission)
        # A worker may have claimed it; these programs time out after eight seconds.
        return submissions.wait_for_verdict(submission, PATIENCE) if submission.is_pending else submission
    except Exception:
        log.exception("Submission %s is stored; its verdict comes later", submission.number)
        return submission
