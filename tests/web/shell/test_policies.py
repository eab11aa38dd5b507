"""Security headers of every response."""

import re


def test_pages_set_same_origin_and_permissions_policies(client, running):
    for address in ("/en/", "/admin/login/", "/healthz", "/nothing"):
        headers = client.get(address).headers
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin", address
        assert {"camera=()", "microphone=()", "geolocation=()"} <= set(headers["Permissions-Policy"].split(", "))
    assert re.fullmatch(r"([a-z-]+=\((self)?\)(, )?)+", headers["Permissions-Policy"])


def test_shared_content_may_be_loaded_by_other_sites(client, running):
    """A sandboxed page, which has no origin, asks for the icon too."""
    for address in ("/rounds/7/main/board.png", "/static/contest/site.css", "/api/v1/rounds/", "/rounds.ics"):
        answer = client.get(address)
        assert answer.getvalue()  # reading to the end closes a file
        assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin", address
    assert client.get("/favicon.ico").headers["Cross-Origin-Resource-Policy"] == "cross-origin"
