"""Permissions at every URL: role by method, from the URL configuration, so that no URL is forgotten."""

import re
from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client

from tests import sizes
from tests.leaks import crawl
from tests.leaks.addresses import addresses
from tests.leaks.writes import WRITTEN_BY_READING, WRITTEN_BY_VISITS, Writes

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("cluster")]
# All staff pages, except those for signing in and the prompt for a second factor.
_STAFF = r"(?:zh-hans/)?(?:desk|admin)/(?!.*(?:confirm/|invitation)|login/|logout/|jsi18n/)"
# API endpoints: a token, a claim or a key in the body is the proof, or none is needed; cookies are ignored there.
_WITHOUT_COOKIES = re.compile(r"^(?:api/v1/|legacy|letslogic|\w+\.(?:asp|php)|.*mail/<str:token>/end/|theme/)")
_OF_A_ROUND = (
    r"zh-hans/desk/(<round:where>|submissions/|second-looks/|rejudging/|series/<|prizes/<|sponsors/|health/|record/)"
)
# Everybody may request a hint from the solver in practice; the rows belong to nobody.
_WRITTEN_BY_HINTS = {"contest_search"}


def try_urls(
    planted, role: str, *methods: str, where=".*", is_strict=False, in_turn=False
) -> Iterator[tuple[str, str, int, set[str]]]:
    """Yield the result of each URL by method and pattern, with parameters of existing objects where there are any.

    A strict client sends as a browser does for a foreign site: without our CSRF token. *in_turn*: one method each.
    """
    client, rows = planted.client(role), crawl.Rows()
    client.handler.enforce_csrf_checks = is_strict
    form = {"data": "", "content_type": "application/x-www-form-urlencoded"}
    for number, address in enumerate(addresses()):
        if address.pattern not in crawl.LEFT_OUT and re.match(where, address.pattern):
            filled = next(address.filled(crawl._fillers(planted, role, address, rows)))
            for method in [methods[number % len(methods)]] if in_turn else methods:
                yield (
                    method,
                    address.pattern,
                    *send_and_record(client, method, filled, **(form if method == "POST" else {})),
                )


def send_and_record(client: Client, method: str, address: str, **kwargs) -> tuple[int, set[str]]:
    writes = Writes()
    with connection.execute_wrapper(writes):
        answer = client.generic(method, address, **kwargs)
        if answer.streaming:
            answer.getvalue()
    return answer.status_code, writes.tables


@pytest.mark.parametrize(
    ("role", "in_turn"),
    sizes.cases([("organiser", True)], [(role, False) for role in ("organiser", "anonymous", "owner", "bot", "club")]),
)
def test_unused_methods_change_nothing(planted, role, in_turn):
    """Except the last use of a token, which every request with it writes."""
    permitted_tables = WRITTEN_BY_VISITS | {"contest_token"}
    results = try_urls(planted, role, "PUT", "PATCH", "DELETE", is_strict=True, in_turn=in_turn)
    assert [result for result in results if result[3] - permitted_tables or _is_fault(result[2], result[1])] == []


@pytest.mark.parametrize(
    ("role", "where"),
    sizes.cases([("anonymous", f"(?!{_STAFF})")], [(role, "") for role in ("anonymous", "owner", "organiser")]),
)
def test_a_head_request_writes_only_what_reading_writes(planted, role, where):
    results = try_urls(planted, role, "HEAD", where=where)
    assert [result for result in results if result[3] - WRITTEN_BY_READING or _is_fault(result[2], result[1])] == []


@pytest.mark.parametrize("role", sizes.cases(["club"], ["owner", "organiser"]))
def test_a_form_of_another_site_changes_nothing(planted, role):
    """A POST with the visitor's cookies and without our CSRF token is refused, or the endpoint ignores cookies."""
    wrong = []
    for _method, pattern, status, tables in try_urls(planted, role, "POST", is_strict=True):
        is_taken = status < 300 and not _WITHOUT_COOKIES.match(pattern)
        if status >= 500 or tables - WRITTEN_BY_VISITS - _WRITTEN_BY_HINTS or is_taken:
            wrong.append((pattern, status, tables))
    assert wrong == []


@pytest.mark.parametrize("role", sizes.cases(["owner"], ["anonymous", "bot"]))
def test_only_staff_may_use_the_desk_and_the_admin(planted, role):
    results = try_urls(planted, role, "GET", "POST", where=_STAFF)
    assert [result for result in results if result[2] < 300 or result[2] >= 500 or result[3] - WRITTEN_BY_VISITS] == []


@pytest.mark.parametrize(
    ("where", "refused"),
    [(_OF_A_ROUND, (404, 405)), (r"admin/contest/.*<", (302, 403, 404, 405))],
    ids=["desk", "admin"],
)
def test_an_organiser_of_a_track_cannot_see_other_tracks_rounds(planted, where, refused):
    """Rule 2.11: the desk and the admin return 404 for the round, its levels, submissions and series."""
    results = try_urls(planted, "club", "GET", "POST", where=where)
    assert [result for result in results if result[2] not in refused or result[3] - WRITTEN_BY_VISITS] == []


def _is_fault(status: int, pattern: str) -> bool:
    """Without Redis the account pages cannot count attempts and refuse all; a worker's readiness check may fail."""
    cannot_count = status == 503 and re.match(r"(?:zh-hans/)?account/|readyz", pattern)
    return status >= 500 and not cannot_count
