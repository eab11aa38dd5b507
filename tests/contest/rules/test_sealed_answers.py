import pytest

from contest.rules.sealed_answers import BadSealedText, SealedText


def test_a_sealed_text_reads_back():
    text = SealedText(219, "extra", 4711, "0123456789abcdef" * 4, "lurdLURD")
    assert SealedText.parse(str(text)) == text


SALT = "0" * 32


@pytest.mark.parametrize(
    "text",
    [
        "",
        f"leitai-sealed-2\n1/main\n1\n{SALT}\nrR",
        f"leitai-sealed-1\n01/main\n1\n{SALT}\nrR",
        f"leitai-sealed-1\n1/bonus\n1\n{SALT}\nrR",
        f"leitai-sealed-1\n1/main\n\u0661\n{SALT}\nrR",
        f"leitai-sealed-1\n1/main\n1\n{SALT[1:]}\nrR",
        f"leitai-sealed-1\n1/main\n1\n{32 * 'G'}\nrR",
        f"leitai-sealed-1\n1/main\n1\n{SALT}\n",
        f"leitai-sealed-1\n1/main\n1\n{SALT}\n3r",
        f"leitai-sealed-1\n1/main\n1\n{SALT}\nrR\n",
    ],
)
def test_a_text_with_another_spelling_is_refused(text):
    """Rule 5.11: a salt of at least 128 bits, and only the eight letters."""
    with pytest.raises(BadSealedText):
        SealedText.parse(text)
