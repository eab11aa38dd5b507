"""One word for one thing (docs/glossary.md): which words say it otherwise, and fail here.

Where a word means something else in a message, `MEANT_OTHERWISE` names the message by how it begins.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CATALOGUE = ROOT / "contest/locale/zh_Hans/LC_MESSAGES/django.po"
# A pattern, and the word for it.
IN_CHINESE = {
    "您": "你",
    "期次|届": "期",
    "回合": "期",
    "定稿|定案|定榜": "成绩已定、确定成绩",
    "最终结果|结果已定": "最终成绩、成绩已定",
    "已预告": "即将开始",
    "地图|题目": "盘面、关卡",
    "关位|副关位置": "关卡位",
    "玩家": "选手",
    "人物": "人",
    "主办者|工作人员": "组织者",
    "机器人": "程序",
    "抹除": "永久删除",
    "帐号|账户|登出": "账号、退出登录",
    "第二验证|第二重验证": "两步验证",
    "安全密钥": "通行密钥",
    "份提交": "次提交",
    "解答|解法": "答案",
    "步骤": "动作",
    "步数|推数": "移动数、推动数",
    "评判|判题|裁判": "判定",
    "观战": "围观答案",
    "编外|表演赛": "不计名次",
    "到位": "归位",
    "棋盘": "盘面",
    "排行榜|历来": "榜单、总榜",
    "次冠军|另一冠军": "第二冠军",
    "幸运数(?!字|据)": "幸运号码",
    "补赛|补时": "虚拟参赛、补交时段",
    "行程编码|游程计数": "游程编码",
    "死箱": "死锁的箱子",
    "你的昵称会仍在|其昵称": "你的昵称",
}
IN_ENGLISH = {
    r"[eE]-mail": "email",
    r"\bopening instant\b": "opens",
    r"\bstaff\b": "organiser",
    r"\bbots\b": "programs",
    r"\bhors concours\b": "unranked",
    r"\bsecond factors?\b": "two-step verification",
    r"\bsecurity keys?\b": "passkey",
    r"\b(off|of|on) the map\b": "board",
    r"\bman\b": "pusher",
    r"\ball-time boards?\b": "all-time ranking",
    r"\bfor ever\b(?! )": "always",
    r"\bfor good\b": "permanently",
    r"\b[Tt]aken? (it )?back\b": "undone, revoked, withdrawn",
    r"\bis no text\b|\bis no board yet\b": "is not a",
    r"\bThat were\b": "That was",
    r"\bletters? (about|by e)": "email",
    r"\b[Hh]eld for staff\b": "waiting for an organiser",
    r"\bmalformed\b": "unreadable",
}
MEANT_OTHERWISE = {
    "棋盘": (
        "Any two squares of any board",  # of a knight
        "The board with the path",
        "A board of more than 24 rows",
        "Two squares apart",
        "The two inner squares",
        "Two rows:",
        "No knight gets there",
        "The board ends at",
        "Cross on square",  # of a game
        "A Klotski board",
        "A board has",
        "To tell pieces apart",
        "Row %(at_row)s",
        "Leapers other",
        "Put on the board",
        "Empty the board",
    ),
    r"[eE]-mail": ("e-mail",),  # a name of a column, which a migration keeps
}


def messages():
    """Each message: its English, plural included, and its Chinese."""
    for block in CATALOGUE.read_text("utf-8").split("\n\n"):
        english, chinese, into = "", "", None
        for line in block.split("\n"):
            if line.startswith(("msgid", "msgstr")):
                into = "chinese" if line.startswith("msgstr") else "english"
                line = line[line.index('"') :]  # noqa: PLW2901
            elif not line.startswith('"'):
                into = None
            if into == "english":
                english += ast.literal_eval(line) + "\n"
            elif into == "chinese":
                chinese += ast.literal_eval(line) + "\n"
        if english.strip():
            yield english, chinese


MESSAGES = list(messages())
# The lab tells of other games, which have boards and steps of their own.
PAGES = [
    ROOT / "docs/rules.zh-hans.md",
    *(path for path in sorted((ROOT / "docs/site").glob("*.zh-hans.md")) if not path.name.startswith("lab-")),
]


def test_the_catalogue_is_read_whole():
    assert len(MESSAGES) == CATALOGUE.read_text("utf-8").count("\nmsgid ") - 1  # without the header


@pytest.mark.parametrize("pattern", IN_CHINESE)
def test_no_chinese_message_has_a_word_to_avoid(pattern):
    found = _with(pattern, [(english, chinese) for english, chinese in MESSAGES])
    assert not found, f"say {IN_CHINESE[pattern]}: {found}"


@pytest.mark.parametrize("pattern", IN_ENGLISH)
def test_no_english_message_has_a_word_to_avoid(pattern):
    found = _with(pattern, [(english, english) for english, _chinese in MESSAGES])
    assert not found, f"say {IN_ENGLISH[pattern]}: {found}"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_no_chinese_page_has_a_word_to_avoid(page):
    text = page.read_text("utf-8")
    assert not [(found[0], IN_CHINESE[pattern]) for pattern in IN_CHINESE if (found := re.search(pattern, text))]


def test_what_is_meant_otherwise_is_there():
    """An exception whose message went is one too many."""
    for pattern, beginnings in MEANT_OTHERWISE.items():
        for beginning in beginnings:
            assert any(
                english.startswith(beginning) and re.search(pattern, english + chinese) for english, chinese in MESSAGES
            ), beginning


def _with(pattern, said):
    meant = MEANT_OTHERWISE.get(pattern, ())
    return [
        words.strip()
        for english, words in said
        if re.search(pattern, words) and not (meant and english.startswith(meant))
    ]
