"""Security headers, cookies, and limits for the size of a request."""

from csp.constants import NONE, SELF

from contest.settings.environment import BEHIND_PROXY, HTTPS, env

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [
    r"^(healthz|readyz|metrics)$",
    # Older programs follow no redirect (docs/reference/legacy.md).
    r"^(api/competition|submit_result\.php|solution_table\.php)",
]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
# Both bind hosts that may not be this site's, and browsers remember them for a year: the operator decides.
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS and env.bool("HSTS_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = SECURE_HSTS_INCLUDE_SUBDOMAINS and env.bool("HSTS_PRELOAD", default=False)
# `check --deploy` would ask every operator for them.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
if BEHIND_PROXY:
    # Only our own proxy sets this header; it must drop a client's.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# URLs with secrets must not leak to other sites. With "no-referrer" browsers post forms with `Origin: null`, which the
# CSRF check refuses.
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
_PREFIX = "__Host-" if HTTPS else ""
SESSION_ENGINE = "contest.infra.database.sessions"
SESSION_COOKIE_NAME = f"{_PREFIX}session"
CSRF_COOKIE_NAME = f"{_PREFIX}csrf"
CLAIMS_COOKIE_NAME = f"{_PREFIX}claims"
DEVICE_COOKIE_NAME = f"{_PREFIX}device"
CSRF_COOKIE_HTTPONLY = True
# Maximum request bodies for submissions and for all else; the import of level files has its own limit.
MAX_SUBMISSION_BODY = 2_621_440
MAX_BODY = 262_144
# File uploads by organisers: a collection or picture may have 10 MiB. Larger ones are let in, so that the form can
# refuse them without losing the other fields; non-file data is limited by DATA_UPLOAD_MAX_MEMORY_SIZE.
MAX_FILES_BODY = 33_554_432
DATA_UPLOAD_MAX_MEMORY_SIZE = 11_534_336
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
