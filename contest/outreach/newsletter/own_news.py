"""Daily letters with a player's notifications (rule 27.6), if the address belongs to an account and there is news.

News marked as read on the site is left out, and rounds have their own letters.
"""

from datetime import datetime, timedelta
from html import unescape

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils.html import strip_tags
from django.utils.translation import ngettext

from contest.infra import identity
from contest.models import Mailing, Player, Subscriber, Topic
from contest.outreach.community import bell
from contest.players import claims

_OF_ROUNDS = (bell.ANNOUNCED, bell.OPENED, bell.FINAL)
_SPAN = timedelta(days=1)


def with_an_account(subscribers: QuerySet[Subscriber]) -> QuerySet[Subscriber]:
    """Return subscribers with an address verified by an account that has a nickname: news is private to its owner."""
    owners = Player.objects.exclude(owner=None).values("owner")
    return subscribers.filter(email__in=EmailAddress.objects.filter(verified=True, user__in=owners).values("email"))


def compose_news(subscriber: Subscriber, mailing: Mailing, at: datetime) -> tuple[str, str] | None:
    """Return subject and text of news since the previous letters that *subscriber* may see at *at*; None if none."""
    user = User.objects.filter(emailaddress__email=subscriber.email, emailaddress__verified=True).first()
    if user is None:
        return None
    before = Mailing.objects.filter(topic=Topic.BELL, made_at__lt=mailing.made_at).order_by("-made_at").first()
    since = max(before.made_at, mailing.made_at - bell.DAYS * _SPAN) if before else mailing.made_at - _SPAN
    listed = bell.list_news(claims.viewer_of_account(user), user, at)
    new = [
        item for item in listed if item.is_new and since < item.at <= mailing.made_at and item.kind not in _OF_ROUNDS
    ]
    if not new:
        return None
    subject = ngettext("%(count)s news item for you", "%(count)s news items for you", len(new))
    return f"{identity.short_name()}: {subject % {'count': len(new)}}", "\n\n".join(map(_sentence, new))


def _sentence(item: bell.News) -> str:
    """Return the sentence shown on the notifications page, with the URL on its own line."""
    text = unescape(strip_tags(render_to_string("contest/community/_news.html", {"one": item})))
    return f"{' '.join(text.split())}\n{settings.SITE_URL}{item.address}"
