"""What is hidden leaves by no door (docs/rules.md, section 7)."""

import re

import pytest

from tests.leaks import crawl, urls
from tests.leaks.addresses import Address, addresses
from tests.leaks.scene import reopen, scene

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("cluster")]


@pytest.fixture
def planted(db):
    with scene() as made:
        yield made


def test_no_address_shows_anybody_what_they_may_not_see(planted):
    """Rules 2.8, 4.7, 6.14, 7.2, 7.4, 7.5, 7.8, 11.4."""
    found = [f"{leak.role} at {leak.address}: {leak.secret.kind} ({leak.mark})" for leak in crawl.leaks(planted)]
    assert found == []


def test_a_round_that_waits_and_opens_again_shows_no_more_than_an_open_one(planted):
    """Rules 3.10, 7.4, 20.4."""
    reopen(planted)
    among = [address for address in addresses() if re.search("rounds/|program|solver|levels|vetting", address.pattern)]
    found = [f"{leak.role} at {leak.address}: {leak.secret.kind}" for leak in crawl.leaks(planted, among)]
    assert found == []


def test_a_planted_leak_is_found(planted, settings):
    settings.ROOT_URLCONF = urls.__name__
    urls.leaked = " ".join(mark for secret in planted.secrets for mark in secret.marks)
    (leak_,) = [address for address in addresses() if address.pattern == "leak/"]
    found = {(leak.role, leak.secret) for leak in crawl.leaks(planted, [leak_])}
    hidden = {(role, secret) for role in crawl.ROLES for secret in planted.secrets if not crawl.may_see(role, secret)}
    assert {secret.kind for _role, secret in hidden} == {secret.kind for secret in planted.secrets}
    assert found == hidden


def test_every_page_that_may_be_seen_is_reached(planted):
    """A crawl that only ever meets 404 would find nothing: what is public must be among what it reads."""
    anonymous = planted.client("anonymous")
    seen = " ".join(crawl._answer(anonymous, address) for address in crawl._filled(planted, "anonymous"))
    public = [secret for secret in planted.secrets if crawl.may_see("anonymous", secret) and secret.kind == "level"]
    assert public
    assert all(any(crawl.plain(mark) in seen for mark in secret.marks) for secret in public)


def test_an_address_with_a_new_parameter_must_be_thought_of():
    with pytest.raises(LookupError, match="planet"):
        list(Address("worlds/<slug:planet>/").filled({"number": [1]}))


def test_all_doors_are_among_the_addresses():
    patterns = {address.pattern for address in addresses()}
    assert {"zh-hans/rounds/<int:number>/", "api/v1/rounds/", "admin/contest/player/"} <= patterns
