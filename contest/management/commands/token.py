"""Create, list or revoke a player's tokens. The text of a new token is printed once and not stored."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from contest import players
from contest.infra import clock
from contest.models import League, Player, Scope, Token
from contest.players import api_tokens


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("nickname")
        parser.add_argument("--bot", action="store_true", help="create the nickname as a program, if it is unused")
        parser.add_argument("--name", default="", help="purpose of the token")
        parser.add_argument("--scope", action="append", choices=Scope.values, help="default: submit and read")
        parser.add_argument("--days", type=int, help="days until it expires; default: never")
        act = parser.add_mutually_exclusive_group()
        act.add_argument("--list", action="store_true", help="list the player's tokens")
        act.add_argument("--revoke", metavar="ID", help="revoke the token with this public id")

    def handle(self, **options: Any) -> None:
        at = clock.now()
        try:
            player = self._player(options["nickname"], may_make=options["bot"])
            if options["list"]:
                self._list(player)
            elif options["revoke"]:
                self._revoke(player, options["revoke"])
            else:
                expires_at = at + timedelta(days=options["days"]) if options["days"] else None
                scopes = options["scope"] or [Scope.SUBMIT, Scope.READ]
                token = api_tokens.make(player, None, at, name=options["name"], scopes=scopes, expires_at=expires_at)
                self.stdout.write(token.text)
        except (api_tokens.TokenRefused, players.BadName) as reason:
            raise CommandError(str(reason)) from None

    def _player(self, nickname: str, *, may_make: bool) -> Player:
        key = players.name_key(nickname)
        known = Player.objects.filter(name_key=key).select_related("merged_into").first()
        if known and may_make and known.league != League.BOT:
            raise CommandError(f"{known} has entered as a person; --bot needs an unused nickname.")
        if known:
            return known.merged_into or known
        if may_make:
            return api_tokens.make_program(nickname, None, clock.now())[0]
        raise CommandError(f"There is no player {nickname}; --bot creates a program with that name.")

    def _list(self, player: Player) -> None:
        for token in player.tokens.all():
            ended = "revoked" if token.revoked_at else f"until {token.expires_at or 'revoked'}"
            used = f"last used {token.last_used_at}" if token.last_used_at else "never used"
            self.stdout.write(f"{token.public_id}  {','.join(token.scopes)}  {ended}  {used}  {token.name}")

    def _revoke(self, player: Player, public_id: str) -> None:
        token = Token.objects.filter(player=player, public_id=public_id).first()
        if not token:
            raise CommandError(f"{player} has no token {public_id}.")
        api_tokens.revoke(token, None, clock.now())
        self.stdout.write("Revoked.")
