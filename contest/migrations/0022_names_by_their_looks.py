"""What every name is for the eye, so that no new one looks like it (rule 4.5). No name is changed."""

from typing import Any

from django.db import migrations, models

from contest.players.names import keys


def fill(apps: Any, schema_editor: Any) -> None:
    """Rows without a name keep none: their key begins with a tab."""
    players = apps.get_model("contest", "Player").objects.using(schema_editor.connection.alias)
    named = list(players.exclude(name_key__startswith="\t").only("nickname"))
    for player in named:
        player.look_key = keys(player.nickname)["look_key"]
    players.bulk_update(named, ["look_key"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("contest", "0021_keep_one_form_of_an_address")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="look_key",
            field=models.CharField(db_index=True, default="", editable=False, max_length=512),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
