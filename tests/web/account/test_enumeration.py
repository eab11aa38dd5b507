"""Signing up and in do the same work for an address with an account as for one without: time reveals neither."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.web.account.test_accounts import ADDRESS, code, create_known_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cache_of_its_own")]

CONFIRM = {"signup": "/en/account/confirm-email/", "login": "/en/account/login/code/confirm/"}


def statements(client, method, path, **data):
    with CaptureQueriesContext(connection) as queries:
        answer = getattr(client, method)(path, data)
    tables = [re.findall(r'^(?:UPDATE|INSERT|SELECT|SAVEPOINT|RELEASE)|FROM "\w+"', query["sql"]) for query in queries]
    return answer.status_code, sorted(map(str, tables))


@pytest.mark.parametrize("act", ["signup", "login"])
def test_known_and_unknown_addresses_take_the_same_statements(act):
    create_known_user()
    statements(Client(), "post", f"/en/account/{act}/", email="first@example.org")  # fills caches

    def work(address):
        client = Client()
        asked = statements(client, "post", f"/en/account/{act}/", email=address)
        return [asked, statements(client, "get", CONFIRM[act]), statements(client, "post", CONFIRM[act], code="WRONG")]

    assert work(ADDRESS) == work("nobody@example.org")


def test_the_code_opens_the_account_that_it_creates_among_many(client, django_user_model):
    others = [django_user_model(username=f"other {number}") for number in range(40)]
    django_user_model.objects.bulk_create(others)
    client.post("/en/account/signup/?next=/en/rules/", {"email": ADDRESS})
    assert not django_user_model.objects.filter(email=ADDRESS).exists()
    assert client.post(CONFIRM["signup"], {"code": code()}).url == "/en/rules/"
    own = django_user_model.objects.get(email=ADDRESS)
    assert client.session["_auth_user_id"] == str(own.pk)
    assert EmailAddress.objects.get(verified=True).user == own


def test_of_two_codes_for_one_address_the_second_creates_no_account(django_user_model):
    codes = []
    browsers = [Client(), Client()]
    for browser in browsers:
        browser.post("/en/account/signup/", {"email": ADDRESS})
        codes.append(code())
    answers = [browser.post(CONFIRM["signup"], {"code": one}) for browser, one in zip(browsers, codes, strict=True)]
    assert [answer.status_code for answer in answers] == [302, 200]
    assert django_user_model.objects.count() == 1
