"""Who may do what, at every address: role by method, from the URL configuration, so that no address is forgotten."""

import re
from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client

from tests import sizes
from tests.leaks import crawl
from tests.leaks.addresses import Address, addresses
from tests.leaks.scene import scene
from tests.leaks.writes import KEPT_OF_READING, KEPT_OF_VISITS, Writes

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("cluster")]
_STAFF = re.compile(r"^(?:zh-hans/)?(?:desk|admin)/")
# Where the staff come in, or are shown that they must.
_STAFF_DOORS = ("confirm/", "invitation", "admin/login/", "admin/logout/", "admin/jsi18n/")
# Doors of programs: a token, a claim or a key in the body is the proof, or none is needed; cookies prove nothing there.
_WITHOUT_COOKIES = re.compile(r"^(?:api/v1/|legacy|letslogic|\w+\.(?:asp|php)|.*mail/<str:token>/end/|theme/)")


@pytest.fixture
def planted(db):
    with scene() as made:
        yield made


def one_of_each(planted, role: str) -> Iterator[tuple[Address, str]]:
    """An address for each pattern, filled so that something stands there where anything does."""
    rows = crawl.Rows()
    for address in addresses():
        if address.pattern not in crawl.LEFT_OUT:
            fillers = crawl._fillers(planted, role, address, rows)
            yield address, next(address.filled(fillers))


def written(client: Client, method: str, address: str, **kwargs) -> tuple[int, set[str]]:
    """The status of the answer, and the tables that were written to."""
    writes = Writes()
    with connection.execute_wrapper(writes):
        answer = client.generic(method, address, **kwargs)
        if answer.streaming:
            answer.getvalue()
    return answer.status_code, writes.tables


def strict(client: Client) -> Client:
    """The same browser, as another site makes it send: without the token of our own forms."""
    client.handler.enforce_csrf_checks = True
    return client


@pytest.mark.parametrize("role", sizes.cases(["organiser"], ["anonymous", "owner", "bot", "club"]))
def test_methods_nobody_needs_change_nothing_anywhere(planted, role):
    """But when a token was used last, which is written wherever it is sent."""
    client = strict(planted.client(role))
    wrong = []
    for address, filled in one_of_each(planted, role):
        for method in ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
            status, tables = written(client, method, filled)
            if tables - KEPT_OF_VISITS - {"contest_token"} or _is_fault(status, address):
                wrong.append((method, address.pattern, status, tables))
    assert wrong == []


@pytest.mark.parametrize("role", sizes.cases(["organiser"], ["anonymous", "owner"]))
def test_asking_for_the_head_alone_changes_nothing_but_what_reading_does(planted, role):
    client = planted.client(role)
    wrong = []
    for address, filled in one_of_each(planted, role):
        status, tables = written(client, "HEAD", filled)
        if tables - KEPT_OF_READING or _is_fault(status, address):
            wrong.append((address.pattern, status, tables))
    assert wrong == []


@pytest.mark.parametrize("role", sizes.cases(["club"], ["owner", "organiser"]))
def test_a_form_of_another_site_changes_nothing(planted, role):
    """Without our token a post with the visitor's cookies is refused, or it is a door that cookies open nothing at."""
    client = strict(planted.client(role))
    wrong = []
    for address, filled in one_of_each(planted, role):
        status, tables = written(client, "POST", filled, data="", content_type="application/x-www-form-urlencoded")
        is_taken = status < 300 and not _WITHOUT_COOKIES.match(address.pattern)
        if status >= 500 or tables - KEPT_OF_VISITS - _ASKED or is_taken:
            wrong.append((address.pattern, status, tables))
    assert wrong == []


@pytest.mark.parametrize("role", sizes.cases(["owner"], ["anonymous", "bot"]))
def test_only_the_staff_come_in_at_the_desk_and_the_admin(planted, role):
    client = planted.client(role)
    inside = []
    for address, filled in one_of_each(planted, role):
        if _STAFF.match(address.pattern) and not any(door in address.pattern for door in _STAFF_DOORS):
            for method in ("GET", "POST"):
                status, tables = written(client, method, filled)
                if status < 300 or status >= 500 or tables - KEPT_OF_VISITS:
                    inside.append((method, address.pattern, status, tables))
    assert inside == []


def test_an_organiser_of_a_track_finds_nothing_of_another_tracks_rounds(planted):
    """Rule 2.11: whatever the desk or the admin has of a round, its levels, submissions or series is not there."""
    client = planted.client("club")
    found = []
    for address, filled in one_of_each(planted, "club"):
        of_a_round = re.search(
            r"^zh-hans/desk/(<round:where>|submissions/|second-looks/|rejudging/|series/<|prizes/<|sponsors/|health/|record/)",
            address.pattern,
        )
        if of_a_round or re.search(r"admin/contest/.*<", address.pattern):
            refused = (404, 405) if of_a_round else (302, 403, 404, 405)
            for method in ("GET", "POST"):
                status, tables = written(client, method, filled)
                if status not in refused or tables - KEPT_OF_VISITS:
                    found.append((method, address.pattern, status, tables))
    assert found == []


def _is_fault(status: int, address: Address) -> bool:
    """Without Redis the account pages cannot count tries and take none; a worker's readiness may say no."""
    cannot_count = status == 503 and re.match(r"(?:zh-hans/)?account/|readyz", address.pattern)
    return status >= 500 and not cannot_count


# A hint is asked of the solver by whoever practises, and belongs to nobody.
_ASKED = {"contest_search"}
