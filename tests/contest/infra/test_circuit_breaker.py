"""A service that is down is not called for some time."""

import pytest

from contest.infra import circuit_breaker
from contest.infra.circuit_breaker import Breaker


@pytest.mark.parametrize(("seconds", "is_open"), [(0.0, True), (4.9, True), (5.0, False), (60.0, False)])
def test_a_failed_service_is_not_called_for_five_seconds(monkeypatch, seconds, is_open):
    breaker = Breaker()
    assert not breaker.is_open
    monkeypatch.setattr(circuit_breaker.time, "monotonic", lambda: 1_000_000.0)
    breaker.trip()
    monkeypatch.setattr(circuit_breaker.time, "monotonic", lambda: 1_000_000.0 + seconds)
    assert breaker.is_open is is_open
