"""Allowed methods and caching of every URL, derived from the URL configuration."""

import re
from collections.abc import Mapping

from django.contrib.auth.models import User
from django.test import RequestFactory
from django.urls import URLPattern

from tests.leaks.addresses import Address, routes

# Pages of other packages, and URLs that redirect or ask for a proof with any method.
EXCLUDED = re.compile(
    r"admin/|\S*account/\S*|\S*desk/(second-factor/(codes/)?|confirm/)$|desk/$|.*round_name>|favicon.ico$|i18n/|$"
)
# All other URLs allow only reading.
METHODS = {
    "POST": """
        add-checkpoint checkpoint-sign comment-delete desk-back-up desk-banner-end desk-clear desk-clone
        desk-comment-act desk-health-mail desk-lookalikes desk-prize-contact desk-publish desk-rejudging-apply
        desk-rejudging-cancel desk-throw-away editor_picture legacy-submit letslogic-collection
        letslogic-collections letslogic-level letslogic-records news-read run-start sealed-open send_offer
        sign_out_everywhere star-collected star-level star-player theme token-end webhook-again webhook-end
        webhook-test
    """,
    "GET, POST": """
        desk-act desk-all-series desk-answer desk-banner desk-bring-rounds desk-level-new desk-library-level
        desk-member-act desk-members desk-one-post-series desk-picture desk-pictures desk-player-act desk-post
        desk-post-mail desk-post-new desk-post-series desk-prize desk-prizes desk-rejudging desk-rejudgings desk-report
        desk-revise desk-round-edit desk-round-new desk-second-look desk-series desk-sponsor desk-sponsors
        desk-resting-name desk-submission-act desk-testers desk-tokens staff-join
    """,
    "GET, HEAD, POST": """
        check claim claim_link close_account coach-collected coach-own coach-replay collected-play collected-talk
        comment-report desk-collection desk-intake
        desk-library desk-proposal desk-publish-collection desk-vetting desk-vettings editor erase film lab-solver
        lab-solver-answer mail mail-confirm mail-end mail-settings my_nickname my_prizes proposal propose questions
        rebuilt report run sealed submit talk test test-play tokens virtual webhooks
    """,
    "OPTIONS": "api-nothing",
    "OPTIONS, POST": """
        api-check api-desk-prepare api-desk-queue api-hint api-rebuild api-sealed-open api-solver api-solver-cancel
        api-webhook-end api-webhook-test
    """,
    "GET, HEAD, OPTIONS, POST": "api-desk-rounds api-sealed api-submissions api-webhook-list",
}
NO_STORE = "max-age=0, no-cache, no-store, must-revalidate, private"
# Exceptions to the usual Cache-Control: NO_STORE for the desk and forms, none for other pages before their lookup.
CACHE_CONTROL = {
    NO_STORE: """
        collected-receipt export following healthz lab-klotski-strict lab-solver-moves me metrics news play readyz
        receipt run-receipt runs sealed-answer
    """,
    "no-cache": "legacy-competition legacy-submissions legacy-submit legacy-table play-worker",
    "private, no-cache": "collected-numbers numbers",
    "private, max-age=30": "search",
    "public, max-age=86400": "app-icon app-manifest",
    "": """
        add-checkpoint checkpoint-sign editor editor_picture letslogic-collection letslogic-collections letslogic-level
        letslogic-records rebuilt staff-join theme token-end webhook-again webhook-end webhook-test
    """,
}
# Cache-Control of other public URLs, checked with GET.
PUBLIC_CACHE_CONTROL = {
    "robots.txt sitemap.xml sitemap-rounds.xml": "public, max-age=3600",
    "lab/klotski/exit.bin": "public, max-age=3600",
    ".well-known/security.txt": "max-age=86400",
    "oembed?url=http://testserver/en/rounds/1/main/": "public, max-age=300",
    "en/feeds/rounds.atom en/feeds/rounds.json rounds.ics en/embed/level/1/main/": "public, max-age=60",
    "en/rounds/1/card.png rounds/1/main/board.png": "public, max-age=300",
    "verify.pyz witness.py": "public, no-cache",
}


def _expected(name: str, pattern: str) -> tuple[str, str]:
    is_api = pattern.startswith("api/v1/")
    methods = _row_with(METHODS, name) or ("GET, HEAD, OPTIONS" if is_api else "GET, HEAD")
    cache_control = _row_with(CACHE_CONTROL, name)
    is_private = "POST" in methods or pattern.startswith("zh-hans/desk/")
    default = "private, no-cache" if is_api else NO_STORE if is_private else ""
    return methods, default if cache_control is None else cache_control


def _row_with(table: Mapping[str, str], name: str) -> str | None:
    return next((row for row, names in table.items() if name in names.split()), None)


def _put_response(pattern: str, route: URLPattern) -> tuple[str, str]:
    """Send PUT, which no URL allows, as a user with all permissions."""
    request = RequestFactory().put("/")
    request.user = User(is_staff=True, is_superuser=True)
    answer = route.callback(request, **dict.fromkeys(Address(pattern).names, 1) | route.default_args)
    return answer.get("Allow", ""), answer.get("Cache-Control", "")


def test_each_url_has_the_expected_methods_and_cache_control():
    ours = [(pattern, route) for pattern, route in routes() if not EXCLUDED.match(pattern)]
    answers = {pattern: _put_response(pattern, route) for pattern, route in ours}
    assert answers == {pattern: _expected(route.name or pattern, pattern) for pattern, route in ours}
    assert len(answers) > 300


def test_public_urls_have_the_expected_cache_control(client, during_round, settings):
    settings.SECURITY_CONTACT = "mailto:security@example.org"
    expected = {
        address: (200, cache_control)
        for addresses, cache_control in PUBLIC_CACHE_CONTROL.items()
        for address in addresses.split()
    }
    answers = {address: client.get(f"/{address}") for address in expected}
    assert {
        address: (answer.status_code, answer.get("Cache-Control")) for address, answer in answers.items()
    } == expected
