"""A printable certificate for a player with a place or a title in a final round."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import clock
from contest.infra.site_address import absolute_url
from contest.models import Player
from contest.stats import profiles
from contest.visibility import Viewer
from contest.web.pages.screen import qr_code
from contest.web.shell.request import Request
from contest.wording.chain import describe_chain


@require_safe
def certificate(request: Request, number: int, player: int) -> HttpResponse:
    """Show a certificate, only of final results (rule 14.2); its QR code links to the current results."""
    at, nobody = clock.now(), Viewer()
    round_ = get_object_or_404(visibility.rounds(nobody, at), number=number)
    try:
        holder = profiles.player(nobody, player, at)
    except Player.DoesNotExist:
        raise Http404(str(player)) from None
    earned = next(
        (entered for entered in profiles.rounds_entered(nobody, holder, at) if entered.placing.round_id == round_.pk),
        None,
    )
    if earned is None or not (earned.placing.place or earned.titles) or holder.erased_at:
        raise Http404
    address = absolute_url(request, reverse("results", args=[number]))
    context = {"round": round_, "holder": holder, "earned": earned, "address": address, "code": qr_code(address)}
    context["chain"] = describe_chain(visibility.chain_link(round_, at))
    return render(request, "contest/results/certificate.html", context)
