"""A player's row says the rating that is shown of them, so that names have its colour without another question."""

from collections import Counter

from django.db import migrations, models


def fill_in(apps, schema_editor):
    """As `rankings.ratings` does from now on; its numbers stand here as they were when this was written."""
    newest, rounds = {}, Counter()
    rows = apps.get_model("contest", "Rating").objects.order_by("round__closes_at", "round__number")
    for player, league, mu, sigma in rows.values_list("player", "league", "mu", "sigma"):
        newest[player, league] = mu - 3 * sigma
        rounds[player, league] += 1
    players = apps.get_model("contest", "Player").objects
    found = []
    for player in players.filter(pk__in={player for player, _league in newest}).only("pk", "league", "shown_rating"):
        if rounds[player.pk, player.league] >= 3:
            player.shown_rating = round(BASE + STEP * newest[player.pk, player.league])
            found.append(player)
    players.bulk_update(found, ["shown_rating"], batch_size=500)


BASE, STEP = 1000, 90


class Migration(migrations.Migration):
    dependencies = [("contest", "0030_events")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="shown_rating",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
        migrations.RunPython(fill_in, migrations.RunPython.noop, elidable=True),
    ]
