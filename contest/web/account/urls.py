"""URLs of the account pages: the subset of django-allauth's views that needs no password."""

from allauth.account import views
from allauth.mfa.webauthn import views as passkeys
from django.urls import path

from contest.web.account.adapter import ask_for_proof, calm

urlpatterns = [
    path("login/", calm(views.request_login_code), name="account_login"),
    path("login/code/", calm(views.request_login_code), name="account_request_login_code"),
    path("login/code/confirm/", calm(views.confirm_login_code), name="account_confirm_login_code"),
    path("signup/", calm(views.signup), name="account_signup"),
    path("confirm-email/", ask_for_proof(views.email_verification_sent), name="account_email_verification_sent"),
    path("email/", ask_for_proof(views.email), name="account_email"),
    path("reauthenticate/", ask_for_proof(views.reauthenticate), name="account_reauthenticate"),
    path("logout/", calm(views.logout), name="account_logout"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("passkeys/", ask_for_proof(passkeys.list_webauthn), name="mfa_list_webauthn"),
    path("passkeys/", ask_for_proof(passkeys.list_webauthn), name="mfa_index"),
    path("passkeys/add/", ask_for_proof(passkeys.add_webauthn), name="mfa_add_webauthn"),
    path("passkeys/login/", calm(passkeys.login_webauthn), name="mfa_login_webauthn"),
    path("passkeys/reauthenticate/", calm(passkeys.reauthenticate_webauthn), name="mfa_reauthenticate_webauthn"),
    path("passkeys/<int:pk>/remove/", ask_for_proof(passkeys.remove_webauthn), name="mfa_remove_webauthn"),
    path("passkeys/<int:pk>/edit/", ask_for_proof(passkeys.edit_webauthn), name="mfa_edit_webauthn"),
]
