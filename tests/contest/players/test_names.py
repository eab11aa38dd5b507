import pytest
from hypothesis import given
from hypothesis import strategies as st

from contest.models import Player
from contest.players import BadName, clean_nickname, name_key
from contest.players.names import are_near, keys, no_key
from tests.contest.players.conftest import reason


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
