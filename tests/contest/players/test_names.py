import string
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contest.models import Player
from contest.players import BadName, check_new, clean_nickname, name_key
from contest.players.names import are_near, keys, no_key
from contest.rules.confusables import confusables, look


def reason(nickname: str) -> str:
    try:
        check_new(clean_nickname(nickname))
    except BadName as bad:
        return bad.code
    return ""


@pytest.mark.parametrize(
    ("name", "other", "same"),
    [
        (" Liu  Yi ", "liu yi", True),
        ("Zíka", "Zi\u0301ka", True),
        ("Straße", "STRASSE", True),
        ("İstanbul", "istanbul", False),
        ("Anna", "Аnna", True),
    ],
)
def test_confusable_names_are_one_player(name, other, same):
    """Rules 1.3, 4.5."""
    assert (name_key(name) == name_key(other)) == same


@pytest.mark.parametrize(
    "nickname",
    ["", " ", "x" * 33, "a\u200db", "\u200d", "a\x07", "\ue000", "\u2066a", "Deleted  PLAYER", "已删除的选手"],
)
def test_unreadable_names_and_names_of_erased_players_are_refused(nickname):
    with pytest.raises(BadName):
        clean_nickname(nickname)


@pytest.mark.parametrize(
    ("name", "other", "near"),
    [
        ("liuyi", "liu yi", True),
        ("martin", "martln", True),
        ("martin", "martin", False),
        ("martin", "marston", False),
        ("推箱子高手", "推箱子髙手", True),
        ("!!!!", "????", False),
    ],
)
def test_names_one_edit_apart_are_near(name, other, near):
    assert are_near(name, other) == are_near(other, name) == near


@pytest.mark.parametrize(
    ("nickname", "why"),
    [
        *((f"Ann{unseen}", "character") for unseen in "\u200c\u034f\ufe0f\u180b\u3164\u17b4\u2800\ufffc\U000e0100"),
        *((blank, "character") for blank in "\u3164\u2800"),
        ("!!!", "invisible"),
        ("\u0301", "invisible"),
        ("a" + 3 * "\u0301", "marks"),
        ("a" + 60 * "\u0301", "marks"),
        ("a" + 60 * "\u0e34", "marks"),
        ("ﷺ" * 28 + "👨‍👩‍👧‍👦" * 2, "too_long"),  # its key has 518 characters
    ],
)
def test_invisible_names_and_names_of_the_site_are_refused(nickname, why):
    assert reason(nickname) == why


def width(column: str) -> int:
    return Player._meta.get_field(column).max_length or 0


@given(st.text(max_size=40), st.sampled_from(["", " ", "\u3000", "\n\t"]), st.integers(1, 10**9))
def test_a_clean_nickname_has_one_key_however_it_is_written_that_fits_its_column(text, blank, number):
    """Rules 4.4, 4.5, 15.6."""
    try:
        name = clean_nickname(text)
    except BadName:
        return
    assert clean_nickname(name) == name
    assert name_key(f"{blank}{name}{blank}") == name_key(name) == name_key(name.casefold()) != no_key(number)
    assert len(name_key(name)) <= width("name_key")
    if reason(name) == "":
        assert 0 < len(keys(name)["look_key"]) <= width("look_key")


@pytest.mark.parametrize("secret", ["", "ann@example.org"])
def test_a_cached_player_has_no_secrets_but_stays_open_or_not(secret):
    player = Player(email=secret, claim_sha256=secret)
    was_open = player.is_open
    cached = player.for_keeping()
    assert (cached.is_open, "example" in cached.email + cached.claim_sha256) == (was_open, False)


OFFICIAL = (
    "staff;Stаff;LEITAI;LElTAl;ⓁeitaI;admin!;擂 台;擂台Leitai;ΑDΜΙΝ;"
    "Leitai Team;site admin;擂台官方;组织者1;Organiser 1;Organizers;0rganiser;Adm1n;@dmin;4dm1n 2;ADMIN_2;Site Support;"
    "Leitai 2;L3itai;擂臺官方;組織者;組織者二號;管理員;管理员小明;Admin Bob;Bob (admin);moderator;Moderаtor;Judge;"
    "The Judge;judge 7;裁判一号;官方客服;ádmin;staff team;本站团队;Leitai-Official;Leitai官方;Organiser Ⅱ;①组织者;"
    "A.d.m.i.n;админ;Mod;Deleted player 2;system admin;系統管理員;official;"
    "Leitai Organising Team;leitai_org;Leitai Security;Staff Member;Support Team;Contest Director;Jury;Arbiter;sysop;"
    "System message;Announcements;官方小王;小王(官方);擂台小助手;组织方;仲裁;裁判组;擂台管理;系統通知;公告;站务;"
    "超级管理员;\U0001f170dmin;\U0001f1e6\U0001f1e9\U0001f1f2\U0001f1ee\U0001f1f3;Leitai™"
)
HONEST = (
    "Adminah;Judgement;teamwork;Modest;Modena;Staffan;Staffordshire;Organist;Organic;Judgy;Mike Judge;Judge Dredd;"
    "Officialdom;Team Rocket;Siteman;Leitai lover;Leitaifan;擂台高手;打擂台;仓库管理员;图书管理员;推箱子高手;小裁判;"
    "总裁;官官;副本;Refereeing;Help;No. 7;The Player;三号;甲乙;Contest;hostess;root;Sokoban bot;"
    "Security Guard;Supporter;Hostel;Member;三组;Ann \U0001f1e9\U0001f1ea"
)
ACCENTED = (
    "Øystein;Łukasz;Søren;Đặng Thị Ái;Nguyễn Việt;n\u0329;a\u030d;o\u0358;g\u0303;ạ\u0301;Ⲁⲛⲛⲁ;Ελένη;Ёлка;שָׁלוֹם;ที่;بِسْمِ;"
    "1\ufe0f\u20e3;が;한글;Tom喵;ᏣᎳᎩ;Ann Ⲁ;ⵜⵉⴼⵉⵏⴰⵖ"
)
SCRIPTS = "推箱子高手 👨\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3 🇨🇳 👍🏽 क्\u200dष می\u200cخواهم Nguyễn ที่ שָׁלוֹם བསྒྲུབས 1"
# Coptic letters, a low line, overlays, and marks and letters of other scripts.
IMITATIONS = (
    "ⲁnna;Ⲁnna;a\u0332nna;a\u0333nna;a\u0336nna;A\u0338nna;a\u20d2nna;a\u20ddnna;Anna\u0489;Anna\u064b;annꓮ;Ꭺnna;𐌀nna"
)


def test_titles_and_names_of_the_site_are_refused_in_any_spelling():
    """The attack: a player who seems to be an organiser asks others for their claims."""
    assert {name: reason(name) for name in OFFICIAL.split(";")} == dict.fromkeys(OFFICIAL.split(";"), "reserved")


def test_honest_names_of_any_script_are_accepted():
    """Rules 4.3, 4.4."""
    names = [*HONEST.split(";"), *ACCENTED.split(";"), *SCRIPTS.split(), "x" * 32]
    assert {name: reason(name) for name in names} == dict.fromkeys(names, "")


def test_words_of_the_sites_own_name_are_titles_with_a_team(settings):
    settings.SITE_NAME, settings.SITE_NAME_ZH_HANS = "Puzzle Harbour", "谜港"
    refused = [
        "Puzzle Harbour",
        "Harbour Team",
        "Puzzle Harbour 3",
        "谜港官方",
        "谜港1",
        "谜港 Puzzle Harbour",
        "Leitai Team",
    ]
    assert {name: reason(name) for name in refused} == dict.fromkeys(refused, "reserved")
    assert [reason(name) for name in ("Harbour", "Puzzle fan", "Harbourmaster")] == ["", "", ""]


@pytest.mark.parametrize("nickname", IMITATIONS.split(";"))
def test_marks_and_letters_that_imitate_others_are_refused(nickname):
    assert reason(nickname) == "character"


# Unicode's comparison decomposes these pairs before the lookup: the first two have marks of their own, the points of
# the others are separate from their letters.
NOT_CONFUSABLE = {"ꭴ", "ώ", "\ufb2f", "\ufb30", "\ufb39", "\ufb49"}


def test_every_pair_of_the_table_is_confusable():
    apart = {character: other for character, other in confusables().items() if look(character) != look(other)}
    assert {unicodedata.normalize("NFC", character) for character in apart} == {
        unicodedata.normalize("NFC", character) for character in NOT_CONFUSABLE
    }


def test_only_case_and_il1_and_o0_of_the_latin_letters_and_digits_are_confusable():
    confusable: dict[str, str] = {}
    for letter in string.ascii_lowercase + string.digits:
        confusable[look(letter)] = confusable.get(look(letter), "") + letter
    assert sorted(found for found in confusable.values() if len(found) > 1) == ["il1", "o0"]
    assert [look(letter) for letter in string.ascii_lowercase] == [look(letter) for letter in string.ascii_uppercase]


@pytest.mark.parametrize(
    ("character", "other"),
    [
        ("NINA", "ΝΙΝΑ"),  # Greek capitals; their small letters resemble other letters
        ("Bernd", "Bemd"),
        ("Ann", "𝓐𝓷𝓷"),
        ("Ann", "Ann\u034f"),
        ("Liu Yi", "ＬＩＵ　ＹＩ"),
    ],
)
def test_confusable_names_have_the_same_look(character, other):
    assert look(character) == look(other)


@pytest.mark.parametrize(
    ("character", "other"), [("Ann", "Ana"), ("Nick", "Vick"), ("推箱子", "推箱手"), ("Jose", "José")]
)
def test_other_names_have_other_looks(character, other):
    assert look(character) != look(other)


@given(st.text(max_size=40))
def test_any_text_has_a_look_of_bounded_length(text):
    assert len(look(text)) <= 20 * len(text)
