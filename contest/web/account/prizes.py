"""A player's prizes and their shipping contacts, visible only to the player and the organisers (rule 14.8)."""

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from contest.infra import clock
from contest.infra.integers import whole_number
from contest.models import Prize
from contest.models.outreach.prize import LONGEST_CONTACT
from contest.outreach import prizes
from contest.players import accounts
from contest.web.account.adapter import require_fresh_factor
from contest.web.shell.request import Request


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@require_fresh_factor
def my_prizes(request: Request, number: int) -> HttpResponse:
    """List the prizes of one of the viewer's own players with their contacts; 404 for unknown and foreign alike."""
    player = get_object_or_404(accounts.own_players(request.viewer), pk=number)
    typed, refusal, pk = request.POST.get("contact", ""), "", whole_number(request.POST.get("prize", "")) or 0
    if request.method == "POST":
        prize = get_object_or_404(Prize.objects.filter(player=player), pk=pk)
        text = "" if request.POST.get("do") == "erase" else typed
        try:
            by = request.user if isinstance(request.user, User) else None
            prizes.give_contact(prize, player, text, at=clock.now(), by=by)
        except ValidationError as error:
            refusal = " ".join(error.messages)
        else:
            messages.success(request, _("Saved.") if text.strip() else _("Deleted."))
            return redirect("my_prizes", player.pk)
    won = Prize.objects.filter(player=player).select_related("round", "sponsor").order_by("-round__number", "pk")
    listed = [(prize, typed if prize.pk == pk else prize.contact, refusal if prize.pk == pk else "") for prize in won]
    context = {"player": player, "listed": listed, "days": prizes.KEPT_DAYS, "most": LONGEST_CONTACT}
    return render(request, "contest/account/my_prizes.html", context, status=422 if refusal else 200)
