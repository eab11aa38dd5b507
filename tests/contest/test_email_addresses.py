import pytest
from django.core.mail import EmailMessage
from hypothesis import example, given
from hypothesis import strategies as st

from contest.players.email_addresses import BadAddress, canonical, canonical_or_none

_LOCAL = st.text('abIiſıKK.ß@ \0"', min_size=0, max_size=6)
_DOMAIN = st.text("abIiſısSßüÜ.-。xn", min_size=0, max_size=12)


@pytest.mark.parametrize(
    ("given", "canonical_form"),
    [
        ("li@example.org", "li@example.org"),
        (" Li@Example.ORG ", "li@example.org"),
        ("li@bücher.example", "li@xn--bcher-kva.example"),
        ("li@XN--BCHER-KVA.example", "li@xn--bcher-kva.example"),
        ("li@gmaıl.com", "li@xn--gmal-nza.com"),
        ("li+leitai@example.org", "li+leitai@example.org"),
    ],
)
def test_an_address_has_a_canonical_form(given, canonical_form):
    assert canonical(given) == canonical_form


@pytest.mark.parametrize(
    "address",
    [
        "lı@example.org",
        "ſi@example.org",
        "\u212aate@example.org",  # the kelvin sign, which is "k" in lower case
        "li@faß.example",
        "li@example。org",
        "li@\uff45xample.org",
        "li@a..b",
        "",
        "@example.org",
        '"li\x01"@example.org',
        f"{'l' * 250}@example.org",
        f"li@{'ü' * 70}.example",
        f"li@{'a.' * 10_000}org",
    ],
)
def test_an_ambiguous_address_has_no_canonical_form(address):
    with pytest.raises(BadAddress) as refused:
        canonical(address)
    assert str(refused.value)


@given(_LOCAL, _DOMAIN)
@example("Li", "gmaıl.com")
def test_letters_go_to_the_canonical_form_itself(local, domain):
    """Two spellings with the same form share a mailbox: mail is sent to this form, unchanged."""
    form = canonical_or_none(f"{local}@{domain}")
    if form is not None:
        assert form.isascii()
        assert canonical(form) == form
        message = EmailMessage(to=[form], headers={"Message-ID": "<1@example.org>"}).message()
        assert str(message["To"]) == form


@given(_LOCAL, _DOMAIN, st.data())
def test_only_capitals_and_the_spelling_of_the_domain_are_folded(local, domain, data):
    written = f"{local}@{domain}"
    other = "".join(data.draw(st.sampled_from([letter, letter.swapcase()])) for letter in written)
    forms = canonical_or_none(written), canonical_or_none(other)
    if None not in forms and forms[0] == forms[1]:
        lower = [text.strip().rpartition("@")[0].lower() for text in (written, other)]
        assert lower[0] == lower[1]
