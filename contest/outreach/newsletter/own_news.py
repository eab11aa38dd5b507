"""Letters of what the bell says (rule 27.6): once a day, to who has an account with the address and something new.

What the reader has marked as read on the site is not told again, and rounds have letters of their own.
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

from contest.models import Mailing, Player, Subscriber, Topic
from contest.outreach.community import bell
from contest.players import claims

_OF_ROUNDS = (bell.ANNOUNCED, bell.OPENED, bell.FINAL)
_SPAN = timedelta(days=1)


def with_an_account(subscribers: QuerySet[Subscriber]) -> QuerySet[Subscriber]:
    """Those whose address an account has verified that owns a nickname: nobody else's news goes to an address."""
    owners = Player.objects.exclude(owner=None).values("owner")
    return subscribers.filter(email__in=EmailAddress.objects.filter(verified=True, user__in=owners).values("email"))


def words(subscriber: Subscriber, mailing: Mailing, at: datetime) -> tuple[str, str] | None:
    """Subject and text of what is new to *subscriber* since the letters before, as they may see it at *at*, if any."""
    user = User.objects.filter(emailaddress__email=subscriber.email, emailaddress__verified=True).first()
    if user is None:
        return None
    before = Mailing.objects.filter(topic=Topic.BELL, made_at__lt=mailing.made_at).order_by("-made_at").first()
    since = max(before.made_at, mailing.made_at - bell.DAYS * _SPAN) if before else mailing.made_at - _SPAN
    listed = bell.news(claims.viewer_of_account(user), user, at)
    new = [one for one in listed if one.is_new and since < one.at <= mailing.made_at and one.kind not in _OF_ROUNDS]
    if not new:
        return None
    subject = ngettext("%(count)s piece of news for you", "%(count)s pieces of news for you", len(new))
    return f"Leitai: {subject % {'count': len(new)}}", "\n\n".join(map(_sentence, new))


def _sentence(one: bell.News) -> str:
    """As the page of the bell says it, with the address in a line of its own."""
    said = unescape(strip_tags(render_to_string("contest/community/_news.html", {"one": one})))
    return f"{' '.join(said.split())}\n{settings.SITE_URL}{one.address}"
