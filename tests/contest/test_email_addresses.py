import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.core.management import call_command
from hypothesis import example, given
from hypothesis import strategies as st

from contest.models import Player
from contest.players import accounts, claims
from contest.players.email_addresses import BadAddress, canonical, canonical_or_none
from contest.staff import audit_log
from tests import cast

_LOCAL = st.text('abIiſıKK.ß@ \0"', min_size=0, max_size=6)
_DOMAIN = st.text("abIiſısSßüÜ.-。xn", min_size=0, max_size=12)


@pytest.mark.parametrize(
    ("given", "canonical_form"),
    [
        (" Li@Example.ORG ", "li@example.org"),
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
        "\u212aate@example.org",  # the kelvin sign, which is "k" in lower case
        "li@example。org",
        "",
        '"li\x01"@example.org',
        f"{'l' * 250}@example.org",
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


def _account(name, *addresses):
    user = User.objects.create(username=name, email=addresses[0])
    for address in addresses:
        EmailAddress.objects.create(user=user, email=address, verified=False)
    return user.pk


@pytest.mark.django_db
def test_the_operator_sees_the_doubtful_ones_masked(capsys):
    usual = _account("usual", "li@example.org")
    doubtful = [
        _account("no form", "victim@gmaıl.com"),
        _account("other letters", "bo@xn--bcher-kva.example"),
        _account("shared", "anna@xn--bcher-kva.example"),
    ]
    player = Player.objects.create(nickname="nobody", name_key="nobody", email="lı@example.org", created_at=cast.OPENS)
    call_command("doubtful_addresses")
    listed = capsys.readouterr().out
    assert all(f"account {number}: " in listed for number in doubtful)
    assert f"account {usual}: " not in listed
    assert f"player {player.pk}: l…@e…" in listed
    assert "victim" not in listed
    assert "example" not in listed


@pytest.mark.django_db
def test_the_operator_ends_what_strangers_hold_of_names_owned_before_the_upgrade(capsys):
    """Rule 4.11: a stranger who made the name with another's address would still read what its owner does under it."""
    user = User.objects.get(pk=_account("owner", "li@example.org"))
    old, renewed, new = (
        Player.objects.create(nickname=name, name_key=name, email="li@example.org", owner=user, created_at=cast.OPENS)
        for name in ("old", "renewed", "new")
    )
    for player in (old, renewed):
        audit_log.record(user, "own", player, after={"by": "e-mail"})
    claims.renew(renewed, user)
    audit_log.record(user, "own", new, after={"by": "e-mail", "held": True})
    before = Player.objects.get(pk=old.pk).claim_sha256
    assert [*accounts.find_unended_names()] == [old]
    call_command("doubtful_addresses", "--end-secrets")
    assert f"player {old.pk}: secrets" in capsys.readouterr().out
    assert not [*accounts.find_unended_names()]
    assert Player.objects.get(pk=old.pk).claim_sha256 != before
