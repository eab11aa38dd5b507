"""Apps, middleware, templates and accounts."""

from contest.settings.environment import EMBEDDED, HTTPS, TEXTS_DIR, env
from contest.settings.limits import ATTEMPTS

INSTALLED_APPS = [
    "contest",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.sitemaps",
    "django_countries",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
]
MIDDLEWARE = [
    "contest.web.shell.middleware.name_the_request",
    # Behind a proxy the proxy packs (deploy/Caddyfile); one box stands alone.
    *(["contest.web.shell.middleware.Packing"] if EMBEDDED else []),
    "contest.entrance.pages.answer_early",
    "contest.web.shell.middleware.state_policies",
    "contest.web.shell.middleware.NoNul",
    "contest.legacy.hosts.without_hsts",
    "django.middleware.security.SecurityMiddleware",
    "contest.web.shell.middleware.send_whole_files",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "contest.web.shell.middleware.bound_body",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "contest.web.shell.middleware.Languages",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "contest.web.shell.middleware.name_the_viewer",
    "contest.web.shell.middleware.remember_the_device",
    "allauth.account.middleware.AccountMiddleware",
    "contest.desk.access.second_factor",
    "contest.web.shell.middleware.explain_forms",
]
ROOT_URLCONF = "contest.urls"
WSGI_APPLICATION = "contest.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [TEXTS_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "contest.web.shell.context.page",
            ],
        },
    }
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Accounts are a convenience of players (docs/players.md): a code by email or a passkey, no passwords, nobody else's
# login. Organisers sign in at /admin/ with theirs, and nowhere else (contest.web.account.adapter).

LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "me"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "contest.web.account.adapter.Adapter"
ACCOUNT_FORMS = {
    "request_login_code": "contest.web.account.forms.LoginForm",
    "signup": "contest.web.account.forms.NewAccountForm",
    "add_email": "contest.web.account.forms.NewAddressForm",
}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*"]
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 600
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
# Nobody learns here whether an address has an account: the answer stands in a message to that address.
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Leitai: "
ACCOUNT_MAX_EMAIL_ADDRESSES = 5
ACCOUNT_SESSION_REMEMBER = True
# A code by email does not confirm the change of a passkey (the default since allauth 65.22).
ACCOUNT_REAUTHENTICATION_METHODS = ("password", "mfa")
# Never by name alone, which would let a stranger lock somebody out: contest.infra.attempts counts who asks for a code.
ACCOUNT_RATE_LIMITS = {"request_login_code": None, "confirm_email": "20/m/ip"} | {
    f"contest.{act}.{who}": rate for act, rates in ATTEMPTS.items() for who, rate in rates.items()
}
ACCOUNT_USER_DISPLAY = "contest.web.account.adapter.display"
# Players have passkeys; the staff's second factor may be a code besides (contest.desk.access).
MFA_SUPPORTED_TYPES = ["webauthn"]
MFA_TOTP_ISSUER = "Leitai"
SECOND_FACTOR_FOR_STAFF = True
# Whether making results final and disqualifying wait for a second organiser (rule 15.7).
FOUR_EYES = env.bool("FOUR_EYES", default=False)
AUTHENTICATION_BACKENDS = ["contest.staff.roles.Backend"]
MFA_PASSKEY_LOGIN_ENABLED = True
# Browsers allow passkeys on plain http for localhost alone.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS
