"""Texts about a round for forums and chats: BBCode, Markdown and plain, in both languages."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from contest import results, visibility
from contest.infra import identity
from contest.models import Level, Player, Post, Round
from contest.outreach import posts
from contest.rules.phases import Phase
from contest.visibility import Viewer
from contest.wording import times
from contest.wording.verdicts import TITLE_WORDS, with_label


@dataclass(frozen=True)
class Text:
    """One text, ready to copy."""

    markup: str
    lang: str
    text: str


@dataclass(frozen=True)
class Markup:
    """Markup of a forum: how to write a link, and how to escape a name."""

    name: str
    link: Callable[[str, str], str]
    safe: Callable[[str], str]


_PLAIN = Markup("plain", lambda label, url: f"{label} {url}", str)
_MARKUPS = (
    Markup("BBCode", lambda label, url: f"[url={url}]{label}[/url]", lambda text: text.replace("[", "［")),
    Markup(
        "Markdown",
        lambda label, url: f"[{label}]({url})",
        lambda text: re.sub(r"([\\`*_\[\]<>#|~!])", r"\\\1", text),
    ),
    _PLAIN,
)
_LANGUAGES = {"zh-hans": "zh-Hans", "en": "en"}


def round_texts(round_: Round, at: datetime, *, site: str) -> list[Text]:
    """Return every text about the round at *at*, without anything that a stranger may not see (rule 7.4)."""
    all_texts, levels, titled = [], _levels(round_, at), _title_holders(round_, at)
    for language, lang in _LANGUAGES.items():
        with override(language):
            lines = [_headline(round_, at), *map(_describe_level, levels), *map(_describe_title_holder, titled)]
            all_texts += [Text(markup.name, lang, _text(round_, lines, site, markup)) for markup in _MARKUPS]
    return all_texts


def _text(round_: Round, lines: Iterable[str], site: str, markup: Markup) -> str:
    address = site + reverse("round", args=[round_.number])
    return "\n".join([*(markup.safe(line) for line in lines), markup.link(str(round_), address)])


def plain_round_text(round_: Round, at: datetime, *, site: str) -> str:
    """Return the text about the round in the active language, without markup."""
    levels, titled = _levels(round_, at), _title_holders(round_, at)
    lines = [_headline(round_, at), *map(_describe_level, levels), *map(_describe_title_holder, titled)]
    return _text(round_, lines, site, _PLAIN)


def plain_post_text(post: Post, *, site: str) -> tuple[str, str]:
    """Return a post's title, and its first paragraph with its URL, in the active language or else the other."""
    item = posts.in_language(post)
    return item.title, "\n\n".join(filter(None, [item.summary, _PLAIN.link(_("Read more"), site + item.path)]))


def post_texts(post: Post, *, site: str) -> list[Text]:
    """Return a post's title, its first paragraph and its URL in each language it has."""
    translations = []
    for language, code in (("zh-hans", "zh"), ("en", "en")):
        if not posts.is_whole(post, code):
            continue
        with override(language):
            item = posts.in_language(post)
            for markup in _MARKUPS:
                lines = [markup.safe(item.title), markup.safe(item.summary)]
                text = "\n\n".join(filter(None, [*lines, markup.link(_("Read more"), site + item.path)]))
                translations.append(Text(markup.name, item.lang, text))
    return translations


def _headline(round_: Round, at: datetime) -> str:
    values = {
        "round": _name(round_, at),
        "opens": times.format_minute(round_.opens_at),
        "closes": times.format_minute(round_.closes_at),
        "zone": identity.zone_name(),
    }
    if round_.phase(at) is Phase.SCHEDULED:
        return _("%(round)s: open from %(opens)s to %(closes)s (%(zone)s).") % values
    if round_.phase(at) is Phase.OPEN:
        return _("%(round)s is open until %(closes)s (%(zone)s).") % values
    if round_.phase(at) is Phase.FINAL:
        return _("%(round)s: the results are final.") % values
    if round_.phase(at) is Phase.CANCELLED:
        return _("%(round)s was cancelled.") % values
    return _("%(round)s has closed; the results are provisional.") % values


def _name(round_: Round, at: datetime) -> str:
    """Return the round's name, with its title once that is public (rule 2.8)."""
    return f"{round_} · {round_.title}" if round_.title and visibility.is_opened(round_, at) else str(round_)


def _levels(round_: Round, at: datetime) -> Sequence[Level]:
    return list(visibility.levels(Viewer(), at).filter(round=round_))


def _describe_level(level: Level) -> str:
    return " · ".join(filter(None, (str(level.get_slot_display()), level.title, level.author)))


def _title_holders(round_: Round, at: datetime) -> Sequence[tuple[str, Player]]:
    """Return the champions and the lucky player of final results."""
    if round_.phase(at) is not Phase.FINAL or not visibility.may_see_results(round_, at):
        return []
    return results.table(results.current(round_, at)).title_holders


def _describe_title_holder(holder: tuple[str, Player]) -> str:
    title, player = holder
    return with_label(TITLE_WORDS[title], player)
