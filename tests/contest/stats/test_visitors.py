from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import redis
from django.utils import timezone

from contest.infra import clock
from contest.models import VisitorCount, VisitorMonth
from contest.stats import visitors

pytestmark = pytest.mark.django_db
BEIJING = ZoneInfo("Asia/Shanghai")
MONDAY = datetime(2026, 11, 23, 12, tzinfo=BEIJING)
JAPAN, OTHER_JAPAN, HONG_KONG, NOWHERE = "203.178.141.194", "203.178.141.195", "219.76.1.1", "10.9.8.7"
BROWSER = {"HTTP_ACCEPT": "text/html,application/xhtml+xml", "HTTP_USER_AGENT": "Mozilla/5.0"}


@pytest.fixture
def store(own_redis, settings, monkeypatch):
    _child, url = own_redis
    settings.COUNT_VISITORS, settings.LIMITS_URL = True, url
    monkeypatch.setattr(visitors, "_today", None)
    monkeypatch.setattr(visitors.breaker, "rests_until", 0.0)
    visitors._script.cache_clear()
    store = redis.Redis.from_url(url)
    store.flushdb()
    yield store
    visitors._script.cache_clear()


def come(address, at=MONDAY, **more):
    with clock.set_to(at):
        visitors.count_visit({"REQUEST_METHOD": "GET", "REMOTE_ADDR": address, **BROWSER, **more})


def counted(day=MONDAY):
    visitors.keep_counts(day + timedelta(days=1))
    rows = VisitorCount.objects.filter(day=timezone.localdate(day))
    return dict(rows.values_list("country", "visitors"))


def test_each_address_counts_once_a_day_in_its_country(store, monkeypatch):
    """Over all processes; an IPv6 block counts as one address. Storing the counts again days later changes nothing."""
    for address in (JAPAN, OTHER_JAPAN, JAPAN, HONG_KONG, NOWHERE):
        come(address)
    monkeypatch.setattr(visitors, "_today", None)  # as in another process
    come(JAPAN, MONDAY + timedelta(hours=11))
    for number in range(3):
        come(f"2001:200:0:1::{number + 1:x}")
    expected = {"JP": 3, "HK": 1, "ZZ": 1}
    assert counted() == expected
    visitors.keep_counts(MONDAY + timedelta(days=3))
    assert counted() == expected


def test_nothing_is_counted_unless_the_operator_enables_it(store, settings):
    settings.COUNT_VISITORS = False
    come(JAPAN)
    assert (counted(), store.keys(), visitors.of_site(MONDAY)) == ({}, [], None)


@pytest.mark.parametrize(
    "more",
    [
        {"HTTP_DNT": "1"},
        {"HTTP_SEC_GPC": "1"},
        {"HTTP_SEC_PURPOSE": "prefetch;prerender"},
        {"HTTP_USER_AGENT": "Mozilla/5.0 (compatible; Somebot/2.1)"},
        {"HTTP_ACCEPT": "application/json"},
        {"REQUEST_METHOD": "POST"},
    ],
    ids=lambda more: next(iter(more)),
)
def test_opt_outs_programs_and_requests_other_than_page_views_are_not_counted(store, more):
    come(JAPAN, **more)
    assert counted() == {}


def test_no_address_is_stored_and_the_salt_expires_after_its_day(store):
    come(JAPAN, MONDAY + timedelta(hours=11))
    day = timezone.localdate(MONDAY)
    held = {key.decode(): store.dump(key) for key in store.scan_iter()}
    assert set(held) == {f"visitors:{day}:{suffix}" for suffix in ("salt", "codes", "of:JP")}
    assert JAPAN.encode() not in b"".join(held.values())
    assert store.ttl(f"visitors:{day}:salt") <= 3_600  # at eleven
    salt = visitors._today.salt
    come(HONG_KONG, MONDAY + timedelta(days=1))
    assert visitors._today.salt != salt
    assert not {key for key in visitors._today.seen if len(key) != 8}
    assert counted() == {"JP": 1}
    assert not [key for key in store.keys(f"visitors:{day}:*") if not key.endswith(b":salt")]


def test_the_page_shows_whole_weeks_and_hides_small_counts(store):
    day = date(2026, 11, 2)  # a Monday
    VisitorCount.objects.bulk_create(
        [
            VisitorCount(day=day, country="CN", visitors=7),
            VisitorCount(day=day + timedelta(days=13), country="CN", visitors=5),
            VisitorCount(day=day, country="ZZ", visitors=90),
            VisitorCount(day=day + timedelta(days=1), country="DE", visitors=4),
            VisitorCount(day=day - timedelta(days=30), country="FR", visitors=50),  # before the counted weeks
            VisitorCount(day=date(2026, 11, 23), country="JP", visitors=50),  # in a week that is not over
        ]
    )
    shown = visitors.of_site(MONDAY)
    assert (shown.first, shown.last, shown.most) == (day, date(2026, 11, 22), 50)
    assert (shown.since, shown.until) == (date(2026, 10, 1), date(2026, 10, 31))
    assert [(line.code, line.words, line.total_words) for line in shown.lines] == [
        ("FR", "<5", "50"),
        ("CN", "12", "<5"),
        ("DE", "<5", "<5"),
        ("ZZ", "90", "<5"),
    ]
    assert [line.shown for line in shown.lines] == [50, None, None, None], "no bar is longer than the longest"


def test_totals_are_kept_when_their_days_are_added_up(store):
    """The days of a month are replaced by one row per country, once; the page shows the same before and after."""
    for days, count in ((90, 4), (89, 3), (60, 3), (8, 6)):
        VisitorCount.objects.create(day=(MONDAY - timedelta(days=days)).date(), country="CN", visitors=count)
    before = visitors.of_site(MONDAY)
    for _time in range(2):
        visitors.keep_counts(MONDAY)
    assert visitors.of_site(MONDAY) == before
    assert [(row.month, row.country, row.visitors) for row in VisitorMonth.objects.order_by("month")] == [
        (date(2026, 8, 1), "CN", 7),
        (date(2026, 9, 1), "CN", 3),
    ]
    assert [row.visitors for row in VisitorCount.objects.all()] == [6]
    assert [(line.total, line.visitors) for line in before.lines] == [(7, 6)], "three more in September wait"
    later = visitors.of_site(MONDAY + timedelta(days=365))
    assert [(line.total, later.first, later.until) for line in later.lines] == [(16, None, date(2027, 10, 31))]


def test_an_old_count_of_a_day_is_not_lost_with_its_sketch(store):
    VisitorMonth.objects.create(month=date(2024, 2, 1), country="SE", visitors=12)
    visitors.keep_counts(MONDAY)
    assert [(line.code, line.total_words) for line in visitors.of_site(MONDAY).lines] == [("SE", "12")]
