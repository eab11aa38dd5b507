"""Download of everything the site stores about a player, written while it is read: it may be gigabytes."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Sum
from django.db.models.functions import Length
from django.http import Http404, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import client_ip, rate_limits
from contest.outreach.newsletter import subscriptions
from contest.players import accounts
from contest.web.account.adapter import require_fresh_factor
from contest.web.account.me import verified_addresses
from contest.web.shell.request import Request


@never_cache
@require_safe
@require_fresh_factor
def export(request: Request) -> HttpResponseBase:
    """Download everything the site stores about the viewer's nicknames."""
    user = request.user if isinstance(request.user, User) else None
    players = list(accounts.own_players(request.viewer))
    if not players:
        raise Http404
    stored = visibility.own_submissions(request.viewer).order_by().aggregate(bytes=Sum(Length("text")))
    address = client_ip.sender_of(request)
    rate_limits.pass_door(rate_limits.EXPORT, address, stored["bytes"] or 0, amount=len(players))
    account = None
    if user:
        emails = verified_addresses(user)
        account = {"emails": emails, "since": user.date_joined, "letters": subscriptions.export(emails)}
    exported = (accounts.export(player, user) for player in players)
    pieces = stream_json({"account": account, "players": exported})
    headers = {"Content-Disposition": 'attachment; filename="leitai-my-data.json"'}
    return StreamingHttpResponse(pieces, content_type="application/json", headers=headers)


def stream_json(value: Any) -> Iterator[str]:
    """Yield *value* as JSON; iterators in it become lists and are read one element at a time.

    >>> "".join(stream_json({"a": iter([{"b": iter("xy")}]), "c": [1]}))
    '{"a": [{"b": ["x", "y"]}], "c": [1]}'
    """
    if isinstance(value, Mapping):
        yield "{"
        for number, (name, content) in enumerate(value.items()):
            yield f"{', ' if number else ''}{json.dumps(name)}: "
            yield from stream_json(content)
        yield "}"
    elif isinstance(value, Iterator):
        yield "["
        for number, element in enumerate(value):
            yield ", " if number else ""
            yield from stream_json(element)
        yield "]"
    else:
        yield json.dumps(value, cls=DjangoJSONEncoder)
