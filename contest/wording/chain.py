"""The newest link of the receipt chain in words, for wherever the site cannot take it back from (rule 24.2)."""

from django.utils.translation import gettext as _

from contest.models import ChainLink


def chain_words(link: ChainLink | None) -> str:
    """Up to where the chain reaches, and the link; empty where there is none yet."""
    if link is None:
        return ""
    if link.sealed_answer_id is not None:
        return f"{_('Receipt chain up to a sealed answer:')} {link.link}"
    if link.number is None:
        return f"{_('Receipt chain up to the opening of the round:')} {link.link}"
    return f"{_('Receipt chain up to submission %(number)s:') % {'number': link.number}} {link.link}"
