"""Celery carries tasks that may be lost; the submission table is the queue (docs/explanation/judging.md)."""

from contest.settings.databases import redis_url

CELERY_BROKER_URL = redis_url(0, broker=True)
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 120,
    "socket_connect_timeout": 1.0,
    "socket_timeout": 5.0,
    "max_retries": 1,
    "interval_start": 0,
    "interval_max": 0.2,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# Redis out of memory raises another error than Redis down, and a worker must survive both.
CELERY_BROKER_CHANNEL_ERROR_RETRY = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_SOFT_TIME_LIMIT = 240
CELERY_TASK_TIME_LIMIT = 300
CELERY_TASK_DEFAULT_QUEUE = "judge"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_MAX_TASKS_PER_CHILD = 10_000
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 10.0
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Celery closes the database connection around every task unless this limit is set.
CELERY_DB_REUSE_MAX = 1_000
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    name: {"task": task, "schedule": seconds, "options": {"expires": seconds, "queue": queue}}
    for name, task, seconds, queue in [
        ("keep_watch", "contest.tasks.keep_watch", 4.0, "judge"),
        ("advance", "contest.tasks.advance", 60.0, "judge"),
        ("check_compiler", "contest.tasks.check_compiler", 15.0, "solve"),
        ("mail", "contest.tasks.mail", 15.0, "solve"),
        ("tell", "contest.tasks.tell", 15.0, "solve"),
        ("back_up", "contest.tasks.back_up", 60.0, "solve"),
        ("count", "contest.tasks.count", 60.0, "solve"),
        ("prune", "contest.tasks.prune", 3_600.0, "solve"),
        ("dump", "contest.api.feeds.nightly.dump", 300.0, "solve"),
    ]
}
