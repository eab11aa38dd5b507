import pytest
from hypothesis import given
from hypothesis import strategies as st

from contest.models import Player
from contest.players import BadName, clean_nickname, name_key
from contest.players.names import are_near, check_new, keys, no_key


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (" Liu  Yi ", "liu yi", True),
        ("ＬＩＵ ＹＩ", "liu yi", True),
        ("Zíka", "Zi\u0301ka", True),
        ("Straße", "STRASSE", True),
        ("ﬁnn", "Finn", True),
        ("İstanbul", "istanbul", False),
        ("Anna", "Аnna", True),
        ("Bob1", "BobI", True),
        ("player", "rival", False),
    ],
)
def test_names_that_look_alike_are_one_player(one, other, same):
    """Rule 4.5."""
    assert (name_key(one) == name_key(other)) == same


@pytest.mark.parametrize("nickname", ["推箱子高手", "👨‍👩‍👧", "क्‍ष", "x" * 32, "Zíka"])
def test_names_of_any_script_are_kept(nickname):
    """Rules 4.3, 4.4."""
    assert clean_nickname(nickname)


@pytest.mark.parametrize("nickname", ["", " ", "x" * 33, "a\u200db", "\u200d", "a\x07", "\ue000", "\u2066a"])
def test_names_nobody_could_read_are_refused(nickname):
    """Rule 4.4."""
    with pytest.raises(BadName):
        clean_nickname(nickname)


@pytest.mark.parametrize("nickname", ["deleted player", "Deleted  PLAYER", "已删除的选手"])
def test_nobody_enters_as_a_deleted_player(nickname):
    """Rule 15.6."""
    with pytest.raises(BadName) as caught:
        clean_nickname(nickname)
    assert caught.value.code == "reserved"


def cleaned(text: str) -> str | None:
    try:
        return clean_nickname(text)
    except BadName:
        return None


@given(st.text(max_size=40))
def test_a_clean_nickname_is_clean_already(text):
    """Rule 4.4."""
    name = cleaned(text)
    assert name is None or clean_nickname(name) == name


@given(st.text(min_size=1, max_size=20), st.sampled_from(["", " ", "\u3000", "\n\t"]))
def test_case_and_outer_blanks_never_make_another_player(text, blank):
    """Rule 4.5."""
    name = cleaned(text)
    if name is not None:
        assert name_key(f"{blank}{name}{blank}") == name_key(name) == name_key(name.casefold())


@given(st.text(max_size=40), st.integers(1, 10**9))
def test_no_nickname_has_the_key_of_a_player_without_a_name(text, number):
    """Rule 15.6."""
    name = cleaned(text)
    assert name is None or name_key(name) != no_key(number)


@given(st.text(max_size=40))
def test_a_key_fits_its_column(text):
    name = cleaned(text)
    assert name is None or len(name_key(name)) <= (Player._meta.get_field("name_key").max_length or 0)


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("liuyi", "liu yi", True),
        ("liu_yi", "liu-yi", True),
        ("martin", "martln", True),
        ("martin", "marttin", True),
        ("martin", "amrtin", True),
        ("martin", "martin", False),
        ("martin", "marston", False),
        ("ann", "ana", False),
        ("推箱子高手", "推箱子髙手", True),
        ("!!!!", "????", False),
    ],
)
def test_names_one_slip_apart_are_near(one, other, near):
    assert are_near(one, other) == are_near(other, one) == near


def taken(nickname: str) -> str:
    """Why nobody can take *nickname*; empty where somebody can."""
    try:
        check_new(clean_nickname(nickname))
    except BadName as bad:
        return bad.code
    return ""


SCRIPTS = "推箱子高手 👨\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3 🇨🇳 👍🏽 क्\u200dष می\u200cخواهم Nguyễn ที่ שָׁלוֹם བསྒྲུབས 1"


@pytest.mark.parametrize("nickname", [*SCRIPTS.split(), "Nguyễn Việt", "x" * 32])
def test_a_name_of_any_script_can_be_taken(nickname):
    """Rules 4.3, 4.4."""
    assert taken(nickname) == ""


@pytest.mark.parametrize(
    ("nickname", "why"),
    [
        *((f"Ann{unseen}", "character") for unseen in "\u200c\u034f\ufe0f\u180b\u3164\u17b4\u2800\ufffc\U000e0100"),
        *((blank, "character") for blank in "\u3164\u115f\u1160\uffa0\u2800\U0001d159"),
        ("!!!", "invisible"),
        ("\u0301", "invisible"),
        ("a" + 3 * "\u0301", "marks"),
        ("a" + 60 * "\u0301", "marks"),
        ("a" + 60 * "\u0e34", "marks"),
        *(
            (title, "reserved")
            for title in ("Organiser", "the staff"[4:], "Stаff", "LEITAI", "LElTAl", "ⓁeitaI", "擂 台", "admin!")
        ),
        *((title, "reserved") for title in ("Organiser", "staff", "Stаff", "LEITAI", "LElTAl", "ⓁeitaI", "admin!")),
        *((title, "reserved") for title in ("擂 台", "组织者", "擂台Leitai", "ΑDΜΙΝ")),
    ],
)
def test_nobody_takes_a_name_that_cannot_be_seen_or_speaks_for_the_site(nickname, why):
    """Rule 4.4."""
    assert taken(nickname) == why


@given(st.text(max_size=40))
def test_what_can_be_taken_has_keys_that_fit_their_columns(text):
    name = cleaned(text)
    if name is not None and taken(name) == "":
        longest = Player._meta.get_field("look_key").max_length or 0
        assert 0 < len(keys(name)["look_key"]) <= longest
