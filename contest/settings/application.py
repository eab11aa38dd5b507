"""Apps, middleware, templates and accounts."""

from django.utils.translation import gettext_lazy as _

from contest.settings.environment import EMBEDDED, HTTPS, TEXTS_DIR, env
from contest.settings.limits import ATTEMPTS

INSTALLED_APPS = [
    "contest",
    "contest.installing",
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
    # Behind a proxy the proxy compresses (deploy/Caddyfile); a single machine has none.
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
    "contest.web.shell.gates.Gates",
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
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["contest.web.shell.template_loader.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
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

# Accounts are optional for players (docs/reference/players.md): a code by email or a passkey; no password.
# Organisers sign in with passwords, only at /admin/ (contest.web.account.adapter).

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
# The page does not reveal whether an address has an account: the answer is in a message to that address.
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_MAX_EMAIL_ADDRESSES = 5
ACCOUNT_SESSION_REMEMBER = True
# A code by email does not authorise changing a passkey (allauth's default since 65.22).
ACCOUNT_REAUTHENTICATION_METHODS = ("password", "mfa")
# Never limit by name alone, which would let a stranger lock a user out: contest.infra.attempts counts by requester.
ACCOUNT_RATE_LIMITS = {"request_login_code": None, "confirm_email": "20/m/ip"} | {
    f"contest.{act}.{scope}": rate for act, rates in ATTEMPTS.items() for scope, rate in rates.items()
}
ACCOUNT_USER_DISPLAY = "contest.web.account.adapter.display"
# Players have passkeys; staff may also use a code as second factor (contest.desk.access).
MFA_SUPPORTED_TYPES = ["webauthn"]
MFA_ADAPTER = "contest.web.account.adapter.FactorAdapter"
MFA_FORMS = {
    "login_webauthn": "contest.web.account.passkeys.LoginForm",
    "reauthenticate_webauthn": "contest.web.account.passkeys.ReauthenticateForm",
    "add_webauthn": "contest.web.account.passkeys.AddForm",
}
MFA_TOTP_TOLERANCE = 1  # steps of 30 s before and after the current one: clocks differ, and people type
SECOND_FACTOR_FOR_STAFF = True
# Whether acts that change results need a second organiser (rule 15.7).
FOUR_EYES = env.bool("FOUR_EYES", default=False)
AUTHENTICATION_BACKENDS = ["contest.staff.roles.Backend"]
MFA_PASSKEY_LOGIN_ENABLED = True
# Browsers allow passkeys over plain http for localhost only.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS

# Countries that django-countries misspells in Chinese: our catalogue has their names.
COUNTRIES_OVERRIDE = {
    "AS": _("American Samoa"),
    "AW": _("Aruba"),
    "BA": _("Bosnia and Herzegovina"),
    "BL": _("Saint Barthélemy"),
    "BQ": _("Bonaire, Sint Eustatius and Saba"),
    "BS": _("Bahamas (The)"),
    "BW": _("Botswana"),
    "CC": _("Cocos (Keeling) Islands"),
    "CD": _("Democratic Republic of the Congo"),
    "CG": _("Congo"),
    "DM": _("Dominica"),
    "FM": _("Micronesia"),
    "GF": _("French Guiana"),
    "GG": _("Guernsey"),
    "GP": _("Guadeloupe"),
    "GS": _("South Georgia"),
    "KG": _("Kyrgyzstan"),
    "KM": _("Comoros"),
    "LR": _("Liberia"),
    "MK": _("North Macedonia"),
    "ML": _("Mali"),
    "MP": _("Northern Mariana Islands"),
    "NP": _("Nepal"),
    "PN": _("Pitcairn"),
    "RE": _("Réunion"),
    "SJ": _("Svalbard and Jan Mayen"),
    "SR": _("Suriname"),
    "TJ": _("Tajikistan"),
    "TK": _("Tokelau"),
    "TT": _("Trinidad and Tobago"),
    "UM": _("United States Minor Outlying Islands"),
    "WF": _("Wallis and Futuna"),
    "WS": _("Samoa"),
}
