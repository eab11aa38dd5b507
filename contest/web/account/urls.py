"""URLs of the account pages: the subset of django-allauth's views that needs no password."""

from allauth.account import views
from allauth.mfa.webauthn import views as passkeys
from django.urls import path

from contest.web.account.adapter import count_challenges, offer_codes, refuse_without_redis, require_fresh_factor
from contest.web.account.signing_up import ConfirmAddress, ConfirmLogin, look_up_nobody

urlpatterns = [
    path("login/", refuse_without_redis(views.request_login_code), name="account_login"),
    path("login/code/", refuse_without_redis(views.request_login_code), name="account_request_login_code"),
    path(
        "login/code/confirm/",
        refuse_without_redis(look_up_nobody(ConfirmLogin.as_view())),
        name="account_confirm_login_code",
    ),
    path("signup/", refuse_without_redis(views.signup), name="account_signup"),
    path("confirm-email/", require_fresh_factor(ConfirmAddress.as_view()), name="account_email_verification_sent"),
    path("email/", require_fresh_factor(views.email), name="account_email"),
    path("reauthenticate/", require_fresh_factor(views.reauthenticate), name="account_reauthenticate"),
    path("logout/", refuse_without_redis(views.logout), name="account_logout"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("passkeys/", require_fresh_factor(passkeys.list_webauthn), name="mfa_list_webauthn"),
    path("passkeys/", require_fresh_factor(passkeys.list_webauthn), name="mfa_index"),
    path("passkeys/add/", require_fresh_factor(offer_codes(passkeys.add_webauthn)), name="mfa_add_webauthn"),
    path(
        "passkeys/login/",
        refuse_without_redis(count_challenges(passkeys.login_webauthn)),
        name="mfa_login_webauthn",
    ),
    path(
        "passkeys/reauthenticate/",
        refuse_without_redis(passkeys.reauthenticate_webauthn),
        name="mfa_reauthenticate_webauthn",
    ),
    path("passkeys/<int:pk>/remove/", require_fresh_factor(passkeys.remove_webauthn), name="mfa_remove_webauthn"),
    path("passkeys/<int:pk>/edit/", require_fresh_factor(passkeys.edit_webauthn), name="mfa_edit_webauthn"),
]
