"""Authenticator app of the staff in tests, on the fixed clock of the fixture `codes_stand_still`."""

from allauth.mfa.totp.internal import auth as totp

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
NOW = 1_800_000_000


def code(secret: str = SECRET, steps: int = 0) -> str:
    """Return the code of the current step, or of one so many *steps* later."""
    return totp.format_hotp_value(totp.hotp_value(secret, NOW // 30 + steps))
