"""Security headers of every response."""

import re


def test_a_page_of_ours_is_no_part_of_another_site_and_sees_no_device(client, running):
    for address in ("/en/", "/admin/login/", "/healthz", "/nothing"):
        headers = client.get(address).headers
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin", address
        assert {"camera=()", "microphone=()", "geolocation=()"} <= set(headers["Permissions-Policy"].split(", "))
    assert re.fullmatch(r"([a-z-]+=\((self)?\)(, )?)+", headers["Permissions-Policy"])


def test_what_is_there_to_be_shared_may_be_used_by_other_sites(client, running):
    for address in ("/rounds/7/main/board.png", "/static/contest/site.css", "/api/v1/rounds/", "/rounds.ics"):
        answer = client.get(address)
        assert answer.getvalue()  # reading to the end closes a file
        assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin", address
