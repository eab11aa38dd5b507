"""Responses to a submitted solution, of a round or a collection: the receipt, or error messages."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect

from contest import players
from contest.archive.witnesses import checkpoints
from contest.models import ChainLink, LevelResult, Run, Submission
from contest.rules import canonical
from contest.submissions import Refused
from contest.web.play.forms import EntryForm
from contest.web.shell.request import Request

# The stored row, and the claim secret of a new nickname.
StoredResult = tuple[Submission | LevelResult | Run, str | None]


def send_form(
    request: Request, form: EntryForm, accept: Callable[[], StoredResult]
) -> HttpResponse | tuple[int, int | None]:
    """Validate a posted *form*, call *accept*, and return the response.

    If the page must show the form again with its errors, return the status and the seconds for Retry-After.
    """
    status, retry_after = 422, None
    if form.is_valid():
        try:
            stored, new_claim = accept()
        except Refused as refusal:
            visible = {field.name for field in form.visible_fields()}
            form.add_error(refusal.field if refusal.field in visible else None, refusal.reason)
            status, retry_after = refusal.status, refusal.retry_after
        else:
            return to_receipt(request, stored, new_claim, form.cleaned_data["claim"].strip())
    if is_asked_by_script(request):
        return with_retry(JsonResponse({"errors": form.errors}, status=status), retry_after)
    form.mark_wrong_fields()
    return status, retry_after


def to_receipt(
    request: Request, stored: Submission | LevelResult | Run, new_claim: str | None, claim: str
) -> HttpResponse:
    """Redirect to the receipt of *stored*, and store the claim in the browser's cookie (rule 5.10).

    *new_claim* is the claim of a new nickname, *claim* the one from the form.
    """
    where = stored.get_absolute_url()
    # The receipt of a new nickname shows its secret, so the game must open it.
    answer = {"receipt": where, "isNew": new_claim is not None}
    response = JsonResponse(answer, status=201) if is_asked_by_script(request) else redirect(where)
    if new_claim:
        request.session["claim"] = [stored.receipt_id, new_claim]
    if new_claim or claim:
        players.remember_claim(response, request.viewer, stored.player_id, new_claim or claim)
    return response


def is_asked_by_script(request: HttpRequest) -> bool:
    """Return True if the game's script sent the request: it shows errors and verdicts on the page itself."""
    return request.headers.get("Accept") == "application/json"


def with_retry(response: HttpResponse, seconds: int | None) -> HttpResponse:
    """Return *response* with Retry-After set to *seconds*, if given."""
    if seconds is not None:
        response["Retry-After"] = str(seconds)
    return response


def claim_to_show(request: HttpRequest, receipt_id: str, *, again: bool = False) -> str:
    """Return a new nickname's secret for the receipt that created it; remove it from the session unless *again*."""
    stored_id, claim = request.session.get("claim", ["", ""])
    if stored_id != receipt_id:
        return ""
    if not again:
        del request.session["claim"]
    return str(claim)


def proof_of(submission: Submission) -> dict[str, Any] | None:
    """Return an inclusion proof in the newest checkpoint's tree, for the browser to verify; None until included."""
    link = getattr(submission, "chain_link", None)
    proved = checkpoints.inclusion(link) if link else None
    if link is None or proved is None:
        return None
    checkpoint, hashes = proved
    return {"checkpoint": checkpoint, "hashes": " ".join(hashes), "preimage": _preimage_of(link, submission)}


def _preimage_of(link: ChainLink, submission: Submission) -> str:
    """Return the text whose SHA-256 is the leaf (rule 24.2); empty if the link is its own leaf."""
    if link.document:
        return f"entry|{link.document}"
    at, player = canonical.instant(submission.received_at), submission.sent_as.archive_number
    parts = (link.nonce, submission.round.number, submission.number, at, submission.sha256, player)
    return "|".join(map(str, parts)) if link.nonce else ""
