from datetime import timedelta

import pytest

from contest.infra import kept
from tests import cast

MINUTE = timedelta(minutes=1)


def an_answer(body=b"page", etag="", state="as it was", ask=lambda: "as it was"):
    headers = {"ETag": etag} if etag else {}
    return kept.CachedResponse(ask, state, cast.DURING, cast.DURING + MINUTE, headers, body, None)


@pytest.mark.parametrize(
    ("later", "holds"), [(-1, False), (0, True), (59.9, True), (60, False)], ids=["before", "at once", "late", "over"]
)
def test_a_cached_response_is_valid_for_its_time_and_until_its_dependencies_change(later, holds):
    at = cast.DURING + timedelta(seconds=later)
    assert an_answer().holds(at) is holds
    assert not an_answer(ask=lambda: "otherwise").holds(at)
    assert not an_answer(ask=lambda: None).holds(at)


def test_the_least_recently_used_response_is_evicted():
    store = kept.Store(max_bytes=3 * an_answer(b"x" * 1_000).size)
    for name in "abcccc":  # the last one replaces itself
        store.put(name, an_answer(b"x" * 1_000))
    store.find("a")
    store.put("d", an_answer(b"x" * 1_000))
    assert [name for name in "abcd" if store.find(name)] == ["a", "c", "d"]
