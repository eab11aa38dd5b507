"""Pages of sealed answers (rules 5.11 to 5.13): the list, the form to seal, the form to open."""

from collections.abc import Sequence
from datetime import datetime

from django import forms
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contest import visibility
from contest.infra import client_ip, clock
from contest.infra.rate_limits import TRIAL, costs
from contest.models import Door, Level, Player, Round, SealedAnswer, SealedState
from contest.models.level import in_order
from contest.players import accounts
from contest.rules.phases import Phase
from contest.submissions import Refused, sealed_answers
from contest.submissions.sealed_answers import SealedEntry
from contest.web.shell.request import Request

PER_PAGE = 100
_AS_TYPED = {"spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}


class SealForm(forms.Form):
    """The declared counts and the hash of a sealed text. The moves are in no submitted field."""

    player = forms.ChoiceField(label=_("Nickname"))
    slot = forms.ChoiceField(label=_("Level"))
    moves = forms.IntegerField(label=_("Moves"), min_value=1)
    pushes = forms.IntegerField(label=_("Pushes"), min_value=1)
    sha256 = forms.CharField(
        label=_("SHA-256 of the sealed text"), max_length=64, widget=forms.TextInput(_AS_TYPED | {"class": "hash"})
    )

    def __init__(self, players: Sequence[Player], levels: Sequence[Level], data: object = None) -> None:
        super().__init__(data, label_suffix="")  # type: ignore[arg-type]  # what was posted, or nothing
        self.fields["player"].choices = [(player.pk, player.nickname) for player in players]  # type: ignore[attr-defined]  # of a ChoiceField
        self.fields["slot"].choices = [(level.slot, level.get_slot_display()) for level in levels]  # type: ignore[attr-defined]


class OpenForm(forms.Form):
    """The sealed text that the player stored."""

    text = forms.CharField(
        label=_("Sealed text"),
        strip=False,
        help_text=_("The five lines that you kept, with the salt and the moves."),
        error_messages={"required": _("Paste the sealed text here, or choose its file.")},
        widget=forms.Textarea(_AS_TYPED | {"class": "moves", "rows": 7}),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sealed_page(request: Request, number: int) -> HttpResponse:
    """Show the list and the applicable form: to seal while the round is open, to open in the day after it."""
    at = clock.now()
    round_ = _round(request, number, at)
    players, levels = _own_players(request), _levels(request, round_, at)
    form = SealForm(players, levels, request.POST if request.method == "POST" else None)
    status = 200
    if form.is_bound:
        status = 422
        if form.is_valid():
            try:
                sealed_answers.pass_network(request)
                return redirect(_seal(request, round_, form, players))
            except Refused as refusal:
                form.add_error(refusal.field if refusal.field in form.fields else None, refusal.reason)
                status = refusal.status
    return _render_list(request, round_, at, seal=form, players=players, levels=levels, status=status)


@costs(TRIAL)
@never_cache
@require_POST
def open_sealed(request: Request, number: int) -> HttpResponse:
    """Accept a sealed text (rule 5.13) and redirect to the receipt; any client that has the text may open it."""
    at = clock.now()
    round_ = _round(request, number, at)
    form, status = OpenForm(request.POST, label_suffix=""), 422
    if form.is_valid():
        address = client_ip.sender_of(request)
        try:
            receipt = sealed_answers.open_answer(number, form.cleaned_data["text"], door=Door.WEB, address=address)
        except Refused as refusal:
            form.add_error("text", refusal.reason)
            status = refusal.status
        else:
            return redirect(receipt.submission)
    return _render_list(request, round_, at, opening=form, status=status)


@never_cache
@require_safe
def sealed_answer(request: Request, number: int, answer: int) -> HttpResponse:
    """Show the receipt of a sealed answer; all of it is public (rule 5.12)."""
    at = clock.now()
    round_ = _round(request, number, at)
    answers = visibility.sealed_answers(request.viewer, at).filter(level__round=round_).select_related("submission")
    row = get_object_or_404(answers, number=answer)
    context = {"round": round_, "answer": row, "state": row.state(at), "link": getattr(row, "chain_link", None)}
    context["is_to_open"] = row.player_id in request.viewer.players and row.state(at) is SealedState.SEALED
    return render(request, "contest/round/sealed_answer.html", context)


def _round(request: Request, number: int, at: datetime) -> Round:
    return get_object_or_404(visibility.sealing_rounds(request.viewer, at), number=number)


def _own_players(request: Request) -> list[Player]:
    return list(accounts.offered_players(request.viewer)) if request.viewer.players else []


def _levels(request: Request, round_: Round, at: datetime) -> list[Level]:
    return in_order(visibility.levels(request.viewer, at).filter(round=round_, voided_at=None))


def _seal(request: Request, round_: Round, form: SealForm, players: Sequence[Player]) -> SealedAnswer:
    given = form.cleaned_data
    (player,) = (candidate for candidate in players if str(candidate.pk) == given["player"])
    entry = SealedEntry(round_.number, given["slot"], given["moves"], given["pushes"], given["sha256"])
    return sealed_answers.seal(entry, player, door=Door.WEB, viewer=request.viewer).answer


def _render_list(
    request: Request,
    round_: Round,
    at: datetime,
    *,
    seal: SealForm | None = None,
    opening: OpenForm | None = None,
    players: Sequence[Player] = (),
    levels: Sequence[Level] = (),
    status: int = 200,
) -> HttpResponse:
    answers = visibility.sealed_answers(request.viewer, at).filter(level__round=round_).order_by("-number")
    chosen = Paginator(answers, PER_PAGE).get_page(request.GET.get("page"))
    phase, ends = round_.phase(at), round_.opening_ends_at
    is_opening = phase is Phase.CLOSED and ends is not None and round_.reveals_at <= at < ends
    is_sealing = phase is Phase.OPEN or (seal is not None and seal.is_bound)
    context = {
        "round": round_,
        "rows": [(row, row.state(at)) for row in chosen],
        "chosen": chosen,
        "opened": answers.opened().count() if visibility.is_revealed(round_, at) else None,
        "is_open": phase is Phase.OPEN,
        "is_opening": is_opening,
        "ends": ends,
        "seal": seal if players and levels and is_sealing else None,
        "opening": (opening or OpenForm(label_suffix="")) if is_opening or opening else None,
        "own_players": request.viewer.players,
        "void": SealedState.VOID,
        "facts": {
            "round": round_.number,
            "players": {player.pk: player.archive_number for player in players},
            "levels": {level.slot: level.text for level in levels},
        },
        "players": players,
        "needs_nickname": phase is Phase.OPEN and not players,
    }
    context["has_form"] = bool(context["seal"] or context["opening"])
    return render(request, "contest/round/sealed.html", context, status=status)
