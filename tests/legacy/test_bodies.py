import pytest
from hypothesis import given
from hypothesis import strategies as st

from contest.legacy.bodies import charset_of, decode, parse_form

# Known encodings: text, and bytes in the body.
VECTORS = [
    ("油纸成伞", b"%D3%CD%D6%BD%B3%C9%C9%A1"),
    ("Zíka", b"Z%A8%AAka"),
    ("油纸成伞", b"%E6%B2%B9%E7%BA%B8%E6%88%90%E4%BC%9E"),
    ("Z铆ka", b"Z%C3%ADka"),
    ("Tom陆", "Tom陆".encode("gbk")),
    ("朅", b"%96A"),  # its second byte is an ASCII letter: escaped lead byte, literal trail byte
]


@pytest.mark.parametrize(("text", "sent"), VECTORS)
def test_a_name_is_decoded_from_its_bytes(text, sent):
    assert parse_form(b"nickname=" + sent)["nickname"] == text


def test_a_named_charset_takes_precedence():
    assert parse_form(b"nickname=Z%C3%ADka", "utf-8")["nickname"] == "Zíka"
    assert parse_form(b"nickname=%D3%CD", "GBK")["nickname"] == "油"
    assert charset_of('application/x-www-form-urlencoded; charset="utf-8"') == "utf-8"
    assert charset_of("application/x-www-form-urlencoded;charset=GBK") == "GBK"
    assert charset_of("application/x-www-form-urlencoded") == ""


def test_an_unknown_or_unsuitable_charset_is_ignored():
    assert decode(b"\xd3\xcd", "utf-8") == "油"
    assert decode(b"\xd3\xcd", "no-such-charset") == "油"
    assert decode(b"Mnchen-3ya", "punycode") == "Mnchen-3ya", "160 KB would take five seconds of CPU"
    assert decode(b"6c75", "hex") == "6c75"


def test_the_first_of_a_repeated_field_counts_and_an_incomplete_escape_is_literal():
    assert parse_form(b"lurd=r&lurd=l&country=%4&nothing") == {"lurd": "r", "country": "%4", "nothing": ""}


def test_only_the_first_hundred_fields_are_read():
    """Millions of empty ones would take seconds of CPU."""
    assert parse_form(b"nickname=a&" + b"x&" * 98 + b"lurd=r&email=b") == {"nickname": "a", "x": "", "lurd": "r"}


@given(st.binary(max_size=200), st.sampled_from(["", "gbk", "utf-8", "utf-7", "x"]))
def test_any_bytes_can_be_decoded(body, charset):
    assert all(isinstance(value, str) for value in parse_form(body, charset).values())


@given(st.text(alphabet=st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA5), min_size=1))
def test_chinese_is_decoded_in_both_encodings(name):
    assert decode(name.encode("utf-8")) == name or len(name.encode()) % 2 == 0
    assert decode(name.encode("gbk"), "gbk") == name
