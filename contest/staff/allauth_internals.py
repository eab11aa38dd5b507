"""Private names of django-allauth; tests/contest/staff/test_allauth.py tests them with its newest release."""

from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.internal.stagekit import LOGIN_SESSION_KEY, clear_login
from allauth.mfa.base.internal.flows import post_authentication
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, clear_totp_secret, get_totp_secret, validate_totp_code
from allauth.mfa.webauthn.internal.flows import did_use_passwordless_login

__all__ = [
    "LOGIN_SESSION_KEY", "TOTP", "RecoveryCodes", "clear_login", "clear_totp_secret", "did_use_passwordless_login",
    "get_totp_secret", "perform_login", "post_authentication", "record_authentication", "validate_totp_code",
]  # fmt: skip
