"""Newest link of the receipt chain as text, for places where the site cannot remove it again (rule 24.2)."""

from django.utils.translation import gettext as _

from contest.models import ChainLink


def describe_chain(link: ChainLink | None) -> str:
    """Return where the chain ends, and its newest link; empty if there is none yet."""
    if link is None:
        return ""
    if link.sealed_answer_id is not None:
        return f"{_('Receipt chain up to a sealed answer:')} {link.link}"
    if link.number is None:
        return f"{_('Receipt chain up to the opening of the round:')} {link.link}"
    return f"{_('Receipt chain up to submission %(number)s:') % {'number': link.number}} {link.link}"
