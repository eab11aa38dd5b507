"""Quotas, rate limits and budgets, backups, and thresholds for a late judge."""

from typing import Any

from contest.rules.settings import NEW, parse
from contest.settings.environment import env

# Rule 5.9: how many submissions a player may send in a number of seconds, and in a whole round.
QUOTA_PER_SECONDS = {60: 10, 3_600: 120}
QUOTA_PER_ROUND = 1_000
QUOTA_BYTES_PER_ROUND = 33_554_432
# Rules 5.2, 5.9: a text delays its sender's next turn by this multiple of its cost, so that one player or address gets
# a tenth of a judge while others wait. A text whose turn would be delayed by more than the maximum is refused.
TURN_FACTOR = 10
MOST_AHEAD_SECONDS = env.float("MOST_AHEAD_SECONDS", default=30.0)
# Rule 5.9: bytes stored, and estimated seconds of judging, that a network (IPv4 /24, IPv6 /48) may use at once, and
# then again per day. For a school behind one address: 1,000 pupils may each send 80 texts of 2 KB in a morning, and as
# many again during the day; judging them takes some five minutes. One network alone cannot fill a disk.
STORED_BYTES_PER_DAY = env.int("STORED_BYTES_PER_DAY", default=268_435_456)
JUDGED_SECONDS_PER_DAY = env.int("JUDGED_SECONDS_PER_DAY", default=3_600)
# Rule 5.9: submissions per minute from an address without proof of a nickname, and with a token.
ADDRESS_PER_MINUTE = env.int("ADDRESS_PER_MINUTE", default=30)
TOKEN_PER_MINUTE = env.int("TOKEN_PER_MINUTE", default=120)
# Attempts to sign in or to request a code (contest.infra.attempts): by a browser in which the account was opened before
# (device); otherwise by name and address, by address, by network (IPv4 /24, IPv6 /48), in total, and by account.
ATTEMPTS = {
    "password": {
        "device": "10/300s/key",
        "name": "10/300s/key",
        "address": "20/300s/key",
        "network": "120/600s/key",
        "all": "600/600s/key",
    },
    # These need the right password first.
    "code": {"device": "10/300s/key", "user": "10/300s/key,100/86400s/key"},
    "mail": {
        "device": "5/60s/key",
        "name": "3/60s/key,20/3600s/key",
        "address": "20/60s/key",
        "network": "240/3600s/key",
        "all": "1200/3600s/key",
    },
    # To an address that has not confirmed yet.
    "new-address": {
        "name": "5/3600s/key",
        "address": "20/60s/key",
        "network": "240/3600s/key",
        "all": "1200/3600s/key",
    },
    # Per address: reports about names; votes for one level; comments, and reports about comments. A network may send
    # four times as many comments and reports.
    "report-name": {"address": "10/86400s/key", "network": "40/86400s/key"},
    "vote": {"name": "6/86400s/key"},
    "comment": {"name": "60/86400s/key", "network": "240/86400s/key"},
    "report": {"name": "10/86400s/key", "network": "40/86400s/key"},
    # What waits for the few organisers, under any number of nicknames.
    "question": {"network": "120/86400s/key"},
    "proposal": {"network": "60/86400s/key"},
    # What a network stores or makes the site compute under any nicknames; a school class of thirty may do each several
    # times a day, and start eight runs an hour each.
    "token": {"network": "120/86400s/key"},
    "country": {"network": "120/86400s/key"},
    "seal": {"network": "600/86400s/key"},
    "run": {"network": "240/3600s/key"},
}
# Animations of replays that an address may order per minute; existing ones are free.
FILMS_PER_MINUTE = env.int("FILMS_PER_MINUTE", default=6)
# Strict Klotski questions per network (IPv4 /24, IPv6 /48) and minute; each takes a worker about a second.
KLOTSKI_PER_MINUTE = env.int("KLOTSKI_PER_MINUTE", default=20)
# Forms, searches and links with a puzzle that an address may send per minute, counted before they are read: a school
# class of thirty that sends one every three seconds.
FORMS_PER_MINUTE = env.int("FORMS_PER_MINUTE", default=600)
# Boards an address may send to the editor per minute; each 4 KB more of a request count as another. Drawing sends
# nothing: thirty pupils who press a button every 15 seconds need as many. The largest board, of 38 KB, costs a quarter
# of a second and counts as ten at least: twelve of them use all up.
BOARDS_PER_MINUTE = env.int("BOARDS_PER_MINUTE", default=120)
# Solver questions an address may send per minute, and the memory limit of one (docs/explanation/vetting.md).
QUESTIONS_PER_MINUTE = env.int("QUESTIONS_PER_MINUTE", default=20)
SOLVER_MEGABYTES = env.int("SOLVER_MEGABYTES", default=1024)
# CPU seconds for the longest question, and per person or network and day. 0 turns questions off.
ASKED_SECONDS = env.int("ASKED_SECONDS", default=60)
ASKED_SECONDS_PER_DAY = env.int("ASKED_SECONDS_PER_DAY", default=900)
NETWORK_SECONDS_PER_DAY = env.int("NETWORK_SECONDS_PER_DAY", default=3_600)
HINT_SECONDS = env.int("HINT_SECONDS", default=5)
COACH_SECONDS = env.int("COACH_SECONDS", default=10)
# CPU seconds per level for the study after its reveal; 0 turns it off.
STUDY_SECONDS = env.int("STUDY_SECONDS", default=60)
# Number of nights for which public data dumps are stored (docs/reference/api.md); 0 turns them off.
DUMPS_KEPT = env.int("DUMPS_KEPT", default=7)
# The operator's folder for backups requested on the desk (docs/how-to/operations.md); empty turns them off.
BACKUP_FOLDER = env("BACKUP_FOLDER", default="")
# Newsletter subscriptions that an address may request per minute.
LETTERS_PER_MINUTE = env.int("LETTERS_PER_MINUTE", default=5)
# Rule 17: a new round copies these; deviations from the rulebook's defaults go here.
DEFAULT_ROUND_SETTINGS: dict[str, Any] = parse(NEW).as_json()

# The judge counts as late this long after its last canary, or when a submission has waited this long. Submissions of a
# killed worker wait for a minute (docs/explanation/judging.md), so the second value is longer.
CANARY_SECONDS = env.int("CANARY_SECONDS", default=30)
WAITING_SECONDS = env.int("WAITING_SECONDS", default=120)
# Without a token /metrics answers only requests from this machine.
METRICS_TOKEN = env("METRICS_TOKEN", default="")
