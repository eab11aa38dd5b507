"""What the contest allows, and when the judge counts as late."""

from typing import Any

from contest.rules.settings import RoundSettings
from contest.settings.environment import env

# Rule 5.9: how many submissions a player may send in a span of seconds, and in a whole round.
QUOTA_PER_SECONDS = {60: 10, 3_600: 120}
QUOTA_PER_ROUND = 1_000
QUOTA_BYTES_PER_ROUND = 33_554_432
# Rules 5.2, 5.9: a text pushes back its sender's next one by so many times what it costs the judge, so that one player
# or address has a tenth of a judge while others wait. Whose next one would come later than this is refused until then.
TURN_FACTOR = 10
MOST_AHEAD_SECONDS = env.float("MOST_AHEAD_SECONDS", default=30.0)
# The same rule: what passes the gate in a minute, from an address without proof of a nickname and under a token.
ADDRESS_PER_MINUTE = env.int("ADDRESS_PER_MINUTE", default=30)
TOKEN_PER_MINUTE = env.int("TOKEN_PER_MINUTE", default=120)
# How often somebody may try to sign in, or have a code sent (contest.infra.attempts): a browser in which the account
# was opened before by itself (device); else a name from an address, an address, all together, and an account.
ATTEMPTS = {
    "password": {"device": "10/300s/key", "name": "10/300s/key", "address": "20/300s/key", "all": "600/600s/key"},
    # It takes the right password to use these up.
    "code": {"device": "10/300s/key", "user": "10/300s/key,100/86400s/key"},
    "mail": {"device": "5/60s/key", "name": "3/60s/key", "address": "20/60s/key", "all": "1200/3600s/key"},
    # To an address that has not shown yet that it wants any.
    "new-address": {"name": "5/3600s/key", "address": "20/60s/key", "all": "1200/3600s/key"},
    # What an address may say of names and levels: so many votes for one level, and so many words about all.
    "report-name": {"address": "10/86400s/key"},
    "vote": {"name": "6/86400s/key"},
    "comment": {"name": "60/86400s/key"},
    "report": {"name": "10/86400s/key"},
}
# How many animations of replays an address may order in a minute; those that are there already cost nothing.
FILMS_PER_MINUTE = env.int("FILMS_PER_MINUTE", default=6)
# How many strict questions of Klotski, a second of a worker each, an address may ask in a minute.
KLOTSKI_PER_MINUTE = env.int("KLOTSKI_PER_MINUTE", default=20)
# How many boards an address may post to the editor in a minute; the largest takes half a second to look at.
BOARDS_PER_MINUTE = env.int("BOARDS_PER_MINUTE", default=30)
# How many questions to the solver an address may send in a minute, and what one may cost (docs/vetting.md).
QUESTIONS_PER_MINUTE = env.int("QUESTIONS_PER_MINUTE", default=20)
SOLVER_MEGABYTES = env.int("SOLVER_MEGABYTES", default=1024)
# The longest question, and what one person, or one network together, may ask for in a day. 0 closes the door.
ASKED_SECONDS = env.int("ASKED_SECONDS", default=60)
ASKED_SECONDS_PER_DAY = env.int("ASKED_SECONDS_PER_DAY", default=900)
NETWORK_SECONDS_PER_DAY = env.int("NETWORK_SECONDS_PER_DAY", default=3_600)
HINT_SECONDS = env.int("HINT_SECONDS", default=5)
# What the program may spend on each level after its reveal; 0: nothing is studied.
STUDY_SECONDS = env.int("STUDY_SECONDS", default=60)
# For how many nights the dump of public data is kept (docs/api.md); 0: none is made.
DUMPS_KEPT = env.int("DUMPS_KEPT", default=7)
# The operator's folder for backups that are asked for on the desk (docs/operations.md); empty: none can be.
BACKUP_FOLDER = env("BACKUP_FOLDER", default="")
# How often an address may ask in a minute that an email address get letters.
LETTERS_PER_MINUTE = env.int("LETTERS_PER_MINUTE", default=5)
# Rule 17: a new round gets a copy of its own; what differs from the rulebook's defaults stands here.
DEFAULT_ROUND_SETTINGS: dict[str, Any] = RoundSettings().as_json()

# When the judge counts as late: so many seconds after its last canary, and with a submission waiting for so long.
# A killed worker's submissions wait for a minute (docs/judging.md), so the second is longer than that.
CANARY_SECONDS = env.int("CANARY_SECONDS", default=30)
WAITING_SECONDS = env.int("WAITING_SECONDS", default=120)
# Without a token /metrics answers this very machine alone.
METRICS_TOKEN = env("METRICS_TOKEN", default="")
