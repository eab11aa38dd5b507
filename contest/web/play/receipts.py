"""What is answered to a form that sent a solution, of a round or of a collection: the receipt, or what is wrong."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect

from contest import players
from contest.archive.witnesses import checkpoints
from contest.models import LevelResult, Submission
from contest.rules import canonical
from contest.submissions import Refused
from contest.web.play.forms import EntryForm
from contest.web.shell.request import Request

# What was stored, and the claim of a new nickname.
StoredResult = tuple[Submission | LevelResult, str | None]


def send_form(
    request: Request, form: EntryForm, accept: Callable[[], StoredResult]
) -> HttpResponse | tuple[int, int | None]:
    """Have what a posted *form* holds accepted, and answer the browser.

    Where the page has to show the form again, with what is wrong in it, return the page's status and after how many
    seconds to come again.
    """
    status, retry_after = 422, None
    if form.is_valid():
        try:
            stored, given = accept()
        except Refused as refusal:
            visible = {field.name for field in form.visible_fields()}
            form.add_error(refusal.field if refusal.field in visible else None, refusal.reason)
            status, retry_after = refusal.status, refusal.retry_after
        else:
            return to_receipt(request, stored, given, form.cleaned_data["claim"].strip())
    if is_asked_by_script(request):
        return with_retry(JsonResponse({"errors": form.errors}, status=status), retry_after)
    form.mark_wrong_fields()
    return status, retry_after


def to_receipt(request: Request, stored: Submission | LevelResult, given: str | None, claim: str) -> HttpResponse:
    """Send the browser to the receipt of what was *stored*, and let it prove the nickname from now on (rule 5.10).

    *given* is the claim of a new nickname, *claim* the one that came with the form.
    """
    where = stored.get_absolute_url()
    response = JsonResponse({"receipt": where}, status=201) if is_asked_by_script(request) else redirect(where)
    if given:
        request.session["claim"] = [stored.receipt_id, given]
    if given or claim:
        players.remember_claim(response, request.viewer, stored.player_id, given or claim)
    return response


def is_asked_by_script(request: HttpRequest) -> bool:
    """Whether the player sent the form: it shows errors and goes to the receipt by itself."""
    return request.headers.get("Accept") == "application/json"


def with_retry(response: HttpResponse, seconds: int | None) -> HttpResponse:
    """*response*, saying after how many *seconds* to ask again."""
    if seconds is not None:
        response["Retry-After"] = str(seconds)
    return response


def claim_to_show(request: HttpRequest, receipt_id: str, *, again: bool = False) -> str:
    """A new nickname's secret, for the one receipt that brought it; gone once it was shown, unless *again*."""
    kept, claim = request.session.get("claim", ["", ""])
    if kept != receipt_id:
        return ""
    if not again:
        del request.session["claim"]
    return str(claim)


def proof_of(submission: Submission) -> dict[str, Any] | None:
    """That its leaf is in the newest checkpoint's tree, for the browser to check; None until one reaches it."""
    link = getattr(submission, "chain_link", None)
    proved = checkpoints.inclusion(link) if link else None
    if link is None or proved is None:
        return None
    at, player = canonical.instant(submission.received_at), submission.sent_as.archive_number
    parts = (link.nonce, submission.round.number, submission.number, at, submission.sha256, player)
    checkpoint, hashes = proved
    return {
        "checkpoint": checkpoint,
        "hashes": " ".join(hashes),
        "parts": "|".join(map(str, parts)) if link.nonce else "",
    }
