"""Keep every e-mail address in the one form that is compared (rule 4.11), and let what was doubtful be proved anew.

Nothing is merged or deleted: accounts keep their nicknames. An address of an account that was written in other letters,
or that several accounts turn out to share, is unproved until a code that went to it comes back. What has no canonical
form stays as it is and proves nothing. `manage.py doubtful_addresses` lists both.
"""

from collections import Counter
from typing import Any

from django.db import migrations
from django.utils import timezone

from contest.players.email_addresses import canonical_or_none


def keep_one_form(apps: Any, schema_editor: Any) -> None:
    using = schema_editor.connection.alias
    _mend_players(apps, using)
    _mend_accounts(apps, using)
    _mend_subscribers(apps, using)


def _mend_players(apps: Any, using: str) -> None:
    rows = apps.get_model("contest", "Player").objects.using(using)
    changed = []
    for player in rows.exclude(email="").only("email").iterator():
        form = canonical_or_none(player.email)
        if form not in (None, player.email):
            player.email = form
            changed.append(player)
    rows.bulk_update(changed, ["email"], batch_size=200)


def _mend_accounts(apps: Any, using: str) -> None:
    rows = apps.get_model("account", "EmailAddress").objects.using(using)
    users = apps.get_model("auth", "User").objects.using(using)
    given = dict(rows.values_list("pk", "email"))
    forms = {pk: canonical_or_none(email) for pk, email in given.items()}
    sharing = Counter(form for form in forms.values() if form)
    doubtful = {pk for pk, form in forms.items() if not (form and given[pk].isascii()) or sharing[form] > 1}
    rows.filter(pk__in=doubtful).update(verified=False)
    for row in rows.exclude(pk__in=[pk for pk, form in forms.items() if form in (None, given[pk])]):
        form = forms[row.pk]
        # Two addresses of one account that turn out to be one: the second stays as it was written, and unproved.
        if not rows.filter(user=row.user_id, email=form).exists():
            rows.filter(pk=row.pk).update(email=form)
            users.filter(pk=row.user_id, email=given[row.pk]).update(email=form)
    if doubtful:
        print(f"\n  {len(doubtful)} addresses of accounts have to be proved anew: see manage.py doubtful_addresses")


def _mend_subscribers(apps: Any, using: str) -> None:
    """Letters to an address without a canonical form, or to one twice, rest until its owner asks for them again."""
    rows = apps.get_model("contest", "Subscriber").objects.using(using)
    for pk, email in list(rows.order_by("pk").values_list("pk", "email")):
        form = canonical_or_none(email)
        if form == email:
            continue
        if form and not rows.filter(email=form).exists():
            rows.filter(pk=pk).update(email=form)
        else:
            rows.filter(pk=pk, stopped_at=None).update(stopped_at=timezone.now())


class Migration(migrations.Migration):
    dependencies = [
        ("contest", "0020_let_organisers_write_posts"),
        ("account", "0009_emailaddress_unique_primary_email"),
    ]

    operations = [migrations.RunPython(keep_one_form, migrations.RunPython.noop)]
