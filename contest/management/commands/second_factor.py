"""Show a staff member's second factors; remove them after the loss of a device; invite the user to set up a new one."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from contest.staff import second_factors


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument(
            "--reset", action="store_true", help="remove every factor, end every session, and invite as --invite does"
        )
        parser.add_argument("--invite", action="store_true", help="create a code for setting one up, valid for a day")
        parser.add_argument(
            "--reason", default="", help="how you verified the identity; required to reset and to invite"
        )

    def handle(self, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['username']}.")
        if not (options["reset"] or options["invite"]):
            held = second_factors.factors_of(user)
            self.stdout.write(
                f"app: {'yes' if held.app_since else 'no'}, passkeys: {len(held.passkeys)}, "
                f"recovery codes left: {held.codes_left}"
            )
            return
        if not options["reason"]:
            raise CommandError("State with --reason how you verified the identity; it is stored in the record.")
        if options["reset"]:
            second_factors.reset(user, None, reason=options["reason"])
            self.stdout.write("Removed, and signed out everywhere; the password stays.")
        if second_factors.has_factor(user):
            raise CommandError(f"{user} has a second factor; remove it first with --reset.")
        self.stdout.write("Give them this invitation. It works once, within a day:")
        self.stdout.write(second_factors.invite(user, None, reason=options["reason"]))
