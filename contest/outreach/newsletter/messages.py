"""Text of letters: in the reader's language, without anything a stranger may not see."""

from datetime import datetime
from email.utils import formataddr
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, override

from contest.infra import identity, mail
from contest.judging import receipt_chain
from contest.models import CONFIRMING, Letter, Mailing, Post, Subscriber, Topic
from contest.outreach import announcements
from contest.outreach.newsletter import own_news
from contest.outreach.newsletter.subscriptions import DAYS_TO_CONFIRM, sign_token
from contest.wording.chain import describe_chain


def build_message(letter: Letter, at: datetime) -> EmailMessage | None:
    """Return the letter in its reader's language, without anything a stranger may not see; None if empty."""
    mailing, subscriber = letter.mailing, letter.subscriber
    with override(subscriber.language):
        if mailing.topic == CONFIRMING:
            subject, text = _confirmation_content(subscriber)
            links = ""
        else:
            content = _content(letter, at)
            if content is None:
                return None
            subject, text = content
            links = _footer(subscriber, mailing)
        end_url = _full_url("mail-end", sign_token(subscriber, "end"))
    subject = " ".join(subject.split())  # a header is one line
    host = urlsplit(settings.SITE_URL).hostname
    headers = {
        "List-Unsubscribe": f"<{end_url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "List-Id": formataddr((identity.names()[1], f"letters.{host}")),
        "Auto-Submitted": "auto-generated",
        "Message-ID": f"<letter-{letter.pk}-{subscriber.key[:8]}@{host}>",
    }
    return EmailMessage(subject, f"{text}{links}\n", identity.sender(), [subscriber.email], headers=headers)


def build_preview(post: Post, at: datetime) -> str:
    """Return a preview, for organisers, of the letter about a post, without its footer."""
    content = _post_content(post, at)
    return "\n\n".join(content) if content else ""


def _confirmation_content(subscriber: Subscriber) -> tuple[str, str]:
    """Return the first letter to an address in all languages: a stranger may have chosen the language."""
    if subscriber.confirmed_at is not None and subscriber.stopped_at is None:
        subject = _("%(site)s: you are already subscribed") % {"site": identity.name()}
        text = gettext_noop(
            "Somebody, probably you, asked for emails to this address. It is already subscribed. Change or end "
            "the subscription here:\n"
            "\n"
            "%(url)s"
        )
        link = ("mail-settings", "settings")
    else:
        subject = _("%(site)s: please confirm your subscription") % {"site": identity.name()}
        text = gettext_noop(
            "Somebody, probably you, asked for emails about the Sokoban contest to this address.\n"
            "\n"
            "To subscribe, open this link and press the button there:\n"
            "\n"
            "%(url)s\n"
            "\n"
            "The link works for %(days)s days. If you did not ask for emails, do nothing: the address will then be "
            "deleted."
        )
        link = ("mail-confirm", "confirm")

    def compose() -> str:
        url = _full_url(link[0], sign_token(subscriber, link[1]))
        return _(text) % {"url": url, "days": DAYS_TO_CONFIRM}

    return subject, mail.in_all_languages(compose)


def _content(letter: Letter, at: datetime) -> tuple[str, str] | None:
    mailing = letter.mailing
    if mailing.topic == Topic.BELL:
        return own_news.compose_news(letter.subscriber, mailing, at)
    return _post_content(mailing.post, at) if mailing.post else _round_content(mailing, at)


def _round_content(mailing: Mailing, at: datetime) -> tuple[str, str] | None:
    if mailing.round is None or mailing.round.cancelled_at:
        return None
    subjects = {
        Topic.OPENING: _("%(round)s has opened"),
        Topic.CLOSING: _("%(round)s closes in 24 hours"),
        Topic.RESULTS: _("The results of %(round)s are final"),
    }
    subject = f"{identity.short_name()}: {subjects[Topic(mailing.topic)] % {'round': mailing.round}}"
    return subject, announcements.plain_round_text(mailing.round, at, site=settings.SITE_URL)


def _post_content(post: Post, at: datetime) -> tuple[str, str] | None:
    if post.published_at is None or post.published_at > at:
        return None
    title, text = announcements.plain_post_text(post, site=settings.SITE_URL)
    return f"{identity.short_name()}: {title}", text


def _footer(subscriber: Subscriber, mailing: Mailing) -> str:
    text = _(
        "You get this email because you subscribed to “%(topic)s” at %(site)s.\n"
        "Change topics or language: %(settings)s\nUnsubscribe: %(end)s"
    )
    values = {
        "topic": Topic(mailing.topic).label,
        "site": settings.SITE_URL,
        "settings": _full_url("mail-settings", sign_token(subscriber, "settings")),
        "end": _full_url("mail-end", sign_token(subscriber, "end")),
    }
    lines = [text % values, describe_chain(receipt_chain.newest())]
    return "\n\n-- \n" + "\n".join(filter(None, lines))


def _full_url(name: str, *args: str) -> str:
    return f"{settings.SITE_URL}{reverse(name, args=args)}"
