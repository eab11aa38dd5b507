import string
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contest.rules.confusables import confusables, look

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
