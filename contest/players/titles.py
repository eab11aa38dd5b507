"""Names that would appear to speak for the site (rule 4.4).

A name is refused if it consists only of words that organisers and sites use of themselves, with at least one title or
the site's name among them. Numbers, blanks, signs, accents, look-alikes and Traditional characters change nothing. A
few titles are refused as words of any name. Ordinary words that contain a title, such as "Judgement", are not.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from enum import IntFlag
from functools import cache, lru_cache
from string import ascii_lowercase

import regex

from contest.infra import identity
from contest.rules.confusables import look


class _Kind(IntFlag):
    OTHER = 0
    TITLE = 1  # a title, or the whole name of the site
    SITE = 2  # a word for the site
    TEAM = 4  # a word for people who act for it


# Refused as a word of any name: nobody is called so.
_OFFICES = """
    organiser organisers organizer organizers admin admins administrator administrators moderator moderators sysadmin
    webmaster postmaster hostmaster superuser superadmin sysop 组织者 管理员 工作人员 主办方 组委会 承办方 组织方
    官方 超级管理员 仲裁委员会 评审委员会 админ администратор модератор организатор 運営 관리자 운영자
"""
_TITLES = """
    staff mod mods judge judges referee referees official officials deletedplayer jury arbiter umpire operator notice
    announcement announcements organising organizing systemmessage supportteam techsupport technicalsupport 管理者
    管理人员 管理人 裁判 裁判员 评委 评审 仲裁 客服 站长 站务 版主 网管 主办者 已删除的选手 公告 系统通知
    系统消息 运营团队 技术支持 Leitai 擂台
"""
_TEAM = """
    team crew support help helpdesk service committee member members security office news org orga founder director
    owner host hq verifier 团队 小组 服务 支持 管理 运营 通知 组 帮助 小助手 赛
"""
_SITE = "site website contest competition 本站 网站 站点 比赛 大赛 竞赛 赛事"
_OTHER = """
    the a of my our real true chief head main senior super account bot no number nr one two three ii iii iv here desk
    board game puzzle sokoban system 号 第 的 总 副 正 首席 系统 人员 账号 帐号 专用 推箱子 论坛
    一 二 三 四 五 六 七 八 九 十 甲 乙 丙 丁
"""
_TRADITIONAL = str.maketrans(
    "組織員臺檯團隊評審長總號賬帳務網戶統專論壇競賽辦會選刪運點",
    "组织员台台团队评审长总号账账务网户统专论坛竞赛办会选删运点",
)
_LEET = str.maketrans("013457@$!€|", "oieasta" + "sieI")
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_NUMBER = regex.compile(r"\p{N}+")
_LAST_NUMBER = regex.compile(r"\p{N}+(?![\p{L}\p{N}])")
# Emoji with the shape of a letter, and signs that would become letters.
_SIGNS = dict.fromkeys(map(ord, "™℠")) | {
    first + at: letter for first in (0x1F150, 0x1F170, 0x1F1E6) for at, letter in enumerate(ascii_lowercase)
}
_MARK = regex.compile(r"\p{M}")


def speaks_for_site(nickname: str) -> bool:
    """Return True if *nickname* would appear to speak for the site."""
    plain = _MARK.sub("", unicodedata.normalize("NFKD", nickname.translate(_SIGNS))).translate(_TRADITIONAL)
    words = _words(*identity.names(), identity.full_name())
    offices = set(map(_form, _OFFICES.split()))
    for text in dict.fromkeys(_spellings(plain)):
        if _is_official(_form(text), words) or any(_form(word) in offices for word in _WORD.findall(text)):
            return True
        if any(_form(text).startswith(_form(office)) for office in _OFFICES.split() if not office.isascii()):
            return True
    return False


def _spellings(text: str) -> Iterator[str]:
    """Yield *text* with its digits as look-alikes, and without those that number it."""
    for plain in (text, _LAST_NUMBER.sub("", text), _NUMBER.sub("", text)):
        yield plain
        yield plain.translate(_LEET)


def _is_official(text: str, words: dict[str, _Kind]) -> bool:
    """Return True if *text* consists of *words*, and speaks for the site."""
    kinds: list[set[_Kind]] = [{_Kind.OTHER}, *(set() for _letter in text)]
    for at in range(len(text)):
        for word, kind in words.items() if kinds[at] else ():
            if text.startswith(word, at):
                kinds[at + len(word)] |= {known | kind for known in kinds[at]}
    return any(kind & _Kind.TITLE or (kind & _Kind.SITE and kind & _Kind.TEAM) for kind in kinds[-1])


@cache
def _words(*site_names: str) -> dict[str, _Kind]:
    """Return all words in their visual form, with those of the site's own names."""
    of_site = [word for name in site_names for word in _WORD.findall(name)]
    found = dict.fromkeys(_forms(_OTHER.split()), _Kind.OTHER)
    found |= dict.fromkeys(_forms(_TEAM.split()), _Kind.TEAM)
    found |= dict.fromkeys(_forms([*of_site, *_SITE.split()]), _Kind.SITE)
    return found | dict.fromkeys(_forms([*site_names, *_OFFICES.split(), *_TITLES.split()]), _Kind.TITLE)


def _forms(words: Iterable[str]) -> set[str]:
    return {form for word in words if (form := _form(word.translate(_TRADITIONAL)))}


@lru_cache(2_000)
def _form(text: str) -> str:
    """Return the letters and digits of the visual form."""
    return "".join(filter(str.isalnum, look(_MARK.sub("", unicodedata.normalize("NFKD", text)))))
