"""No page reveals hidden data through filters: query lookups are allow-listed."""

import re
from datetime import timedelta

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db.models import Field
from django.urls import get_resolver, reverse

from contest.infra import clock
from contest.models import Certificate, NameReport, Player, Program, Round, Season, Submission, Track
from tests import cast

pytestmark = pytest.mark.django_db

# All allowed query parameters other than the search text, by admin list.
ALLOWED = {
    Certificate: {"kind__exact", "kind__isnull"},
    NameReport: {"decided_at__isempty", "kind__exact", "kind__isnull"},
    Player: {
        "league__exact", "league__isnull", "is_imported__exact", "is_imported__isnull", "merged_into__isempty",
    },
    Program: set(),
    Round: {"track__slug__exact", "track__isnull"},
    Season: set(),
    Submission: {
        "round__id__exact", "round__isnull", "state__exact", "state__isnull", "verdict__exact", "verdict__isnull",
        "door__exact", "door__isnull",
    },
    Track: set(),
    Group: set(),
    User: {
        "is_staff__exact", "is_staff__isnull", "is_superuser__exact", "is_superuser__isnull", "is_active__exact",
        "is_active__isnull",
    },
}  # fmt: skip
LOOKUPS = (
    "", "exact", "iexact", "contains", "icontains", "startswith", "istartswith", "endswith", "iendswith", "regex",
    "iregex", "in", "gt", "gte", "lt", "lte", "range", "isnull", "isempty", "date", "year__gte", "length__gt",
    "id__exact",
)  # fmt: skip
# Lookups on submissions that revealed whole solutions, receipts and addresses.
ATTACKS = ("lurd__regex", "receipt_id__startswith", "text__contains", "sha256", "player__email__regex", "turned")


def _paths(model, depth=2):
    for field in model._meta.get_fields():
        yield field.name
        if isinstance(field, Field):
            yield field.attname
        if depth > 1 and field.is_relation and field.related_model:
            yield from (f"{field.name}__{path}" for path in _paths(field.related_model, depth - 1))


def _asked(model):
    for path in ["pk", *_paths(model)]:
        yield from ("__".join(filter(None, (path, lookup))) for lookup in LOOKUPS)


@pytest.mark.parametrize("model", admin.site._registry, ids=lambda model: model._meta.label)
def test_a_list_of_the_admin_takes_only_its_own_filters(model, rf):
    request = rf.get("/")
    request.user = User(is_superuser=True, is_staff=True, is_active=True)
    allowed = {name for name in _asked(model) if admin.site._registry[model].lookup_allowed(name, "x", request)}
    assert allowed == ALLOWED[model]


def test_the_admin_lists_no_addresses_and_factors():
    """Editing them would take over an account without proof from its owner, and without a record."""
    listed = {model._meta.label for model in admin.site._registry}
    assert not listed & {"account.EmailAddress", "account.EmailConfirmation", "mfa.Authenticator"}


def test_the_address_of_a_players_account_is_not_shown_in_the_admin(organiser):
    """Rule 4.7."""
    user = User.objects.create_user("player-1", email="hidden@example.org")
    pages = [reverse("admin:auth_user_changelist"), reverse("admin:auth_user_change", args=[user.pk])]
    fields = set(organiser.get(pages[1]).context["adminform"].form.fields)
    assert {"is_active", "is_staff", "username"} <= fields
    for page in [*pages, f"{pages[0]}?q=hidden@example.org"]:
        answer = organiser.get(page)
        assert answer.status_code == 200
        assert "hidden@" not in answer.content.decode().replace('value="hidden@example.org"', "")
    assert "player-1" not in organiser.get(f"{pages[0]}?q=hidden@example.org").content.decode()
    User.objects.update(is_staff=True)  # as an organiser can do there
    assert "hidden@" not in organiser.get(pages[1]).text


def _lists():
    """Return URLs of the API and the desk that take no argument except a round."""
    found = []
    for prefix, resolver in (("/api/v1/", "contest.api.urls"), ("/en/desk/", "contest.desk.urls")):
        for pattern in get_resolver(resolver).url_patterns:
            path = str(pattern.pattern)
            arguments = pattern.pattern.converters
            if set(arguments) <= {"number"} and "second-factor" not in path:  # each visit draws a new secret
                found.append(prefix + path.replace("<int:number>", "1"))
    return found


@pytest.mark.parametrize("door", ["/api/v1/", "/en/desk/"])
def test_the_api_and_the_desk_accept_no_lookups(organiser, during_round, door):
    cast.send("Rival", "rR", email="rival@example.org")
    urls = [url for url in _lists() if url.startswith(door)]
    assert len(urls) > 9
    with clock.set_to(cast.DURING + timedelta(hours=1)):
        for url in urls:
            answers = [organiser.get(url), organiser.get(url, dict.fromkeys(ATTACKS, "^x"))]
            plain, asked = ((answer.status_code, _without_query(_body(answer))) for answer in answers)
            assert plain == asked, url
            organiser.cookies.pop("messages", None)  # otherwise the next page would show the messages of this one


def _body(answer):
    return (answer.getvalue() if answer.streaming else answer.content).decode(errors="replace")


def _without_query(text):
    """Return *text* without the lookups in links to the same page and without tokens that differ in every response."""
    text = re.sub(rf"[?&;]*({'|'.join(ATTACKS)})=(%5E|\\^)x(&amp;)?", "", text).replace("<details open>", "<details>")
    return [line for line in text.splitlines() if "csrfmiddlewaretoken" not in line]
