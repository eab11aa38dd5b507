import pytest

from contest.models import Delivery, Scope, Token, Webhook
from tests import cast
from tests.api.conftest import Bot, code_of, fields_of

WANTED = {"url": "https://hook.example/?x=1", "events": ["opened", "final"]}


@pytest.fixture
def caller(round_):
    return Bot(token=cast.token_of("Caller", [Scope.WEBHOOKS]))


def make(bot, **members):
    return bot.post({**WANTED, **members}, path="webhooks/")


def test_a_webhook_is_created_with_a_secret_that_is_shown_once_and_ends_with_its_deliveries(caller):
    answer = make(caller)
    made = answer.json()
    assert answer.status_code == 201
    assert made.pop("secret") == Webhook.objects.get().secret
    assert (made["url"], made["events"], made["ended_at"]) == (WANTED["url"], ["opened", "final"], None)
    assert answer["Location"].endswith(f"/api/v1/webhooks/{made['id']}/")
    assert caller.get("webhooks/").json() == {"results": [made]}
    assert caller.get(f"webhooks/{made['id']}/").json() == {**made, "deliveries": []}
    caller.post({}, path=f"webhooks/{made['id']}/test/")
    assert caller.post({}, path=f"webhooks/{made['id']}/end/").json()["results"] == []
    assert not Delivery.objects.exists()


def test_webhooks_of_others_cannot_be_read_or_changed(caller):
    """Rule 7.5."""
    number = make(caller).json()["id"]
    rival = Bot(token=cast.token_of("Rival", [Scope.WEBHOOKS]))
    assert rival.get("webhooks/").json() == {"results": []}
    assert rival.get(f"webhooks/{number}/").status_code == 404
    for act in ("test", "end"):
        assert rival.post({}, path=f"webhooks/{number}/{act}/").status_code == 404
    assert (Webhook.objects.count(), Delivery.objects.count()) == (1, 0)


@pytest.mark.parametrize(
    ("members", "refusal", "field"),
    [
        ({"url": "http://hook.example/"}, (422, "webhook_invalid"), "url"),
        ({"url": f"https://hook.example/{'x' * 500}"}, (422, "webhook_invalid"), "url"),
        ({"url": "https://hook.example/\0"}, (400, "invalid"), "url"),
        ({"events": []}, (422, "webhook_no_events"), "events"),
        ({"events": ["opened", "landed"]}, (400, "invalid"), "events"),
    ],
)
def test_an_invalid_webhook_is_refused_with_the_field(caller, members, refusal, field):
    answer = make(caller, **members)
    assert (code_of(answer), fields_of(answer)[1]) == (refusal, [field])
    assert not Webhook.objects.exists()


def test_webhook_requests_count_against_the_token(caller):
    """Rule 5.9: a limit on how often anybody can make the site call an address."""
    number = make(caller).json()["id"]
    Token.objects.update(per_minute=0)
    for path, body in (("webhooks/", WANTED), (f"webhooks/{number}/test/", {}), (f"webhooks/{number}/end/", {})):
        assert code_of(caller.post(body, path=path)) == (413, "too_large")
    assert (Webhook.objects.count(), Delivery.objects.count()) == (1, 0)
