"""Render the HTML of all posts again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from contest.outreach import posts


class Command(BaseCommand):
    help = "Render the HTML of all posts again, for a new version of the site; their texts and dates stay."

    def handle(self, *_args: Any, **_options: Any) -> None:
        changed, refused = posts.render_all()
        self.stdout.write(f"Posts with changed HTML: {changed}.")
        if refused:
            names = ", ".join(post.slug for post in refused)
            raise CommandError(f"Not changed, because their text can no longer be rendered: {names}.")
