import pytest

from tests.contest.players.conftest import reason

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
