"""Render the HTML of all posts again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from contest.outreach import posts


class Command(BaseCommand):
    help = "Make the HTML of all posts anew, as a new version of the site renders it; their texts and dates stay."

    def handle(self, *_args: Any, **_options: Any) -> None:
        changed, refused = posts.render_all()
        self.stdout.write(f"Posts shown otherwise than before: {changed}.")
        if refused:
            names = ", ".join(post.slug for post in refused)
            raise CommandError(f"Left as they were, because their text cannot be rendered any more: {names}.")
