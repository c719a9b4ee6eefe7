"""Addresses of pages about the reader, beside allauth's."""

from allauth.account.views import password_reset_from_key, password_reset_from_key_done
from django.urls import path, re_path
from django.views.generic import RedirectView

from accounts import notice_views, views, without_password

urlpatterns = [
    path("logout/", views.sign_out, name="account_logout"),  # before allauth's own
    path("inbox/", notice_views.inbox, name="inbox"),
    path("notices/", notice_views.notices, name="notices"),
    path("notices/sent/", notice_views.reached, name="reached"),
    path("notices/calendar/", notice_views.calendar_link, name="calendar_link"),
    path("notices/test-mail/", notice_views.test_mail, name="test_mail"),
    path("notices/trial/", notice_views.try_places, name="try_places"),
    path("notices/devices/", notice_views.add_device, name="add_device"),
    path("notices/webhooks/", notice_views.add_webhook, name="add_webhook"),
    path("notices/places/<int:pk>/remove/", notice_views.remove_place, name="remove_place"),
    path("signup/without-password/", without_password.sign_up, name="lean_signup"),
    path("sessions/", views.sessions, name="usersessions_list"),  # before allauth's own
    # The list of passkeys stands with the other ways to sign in; before allauth's own.
    path("2fa/webauthn/", RedirectView.as_view(pattern_name="mfa_index"), name="mfa_list_webauthn"),
    path("delete/", views.delete_account, name="delete_account"),
    # Where a recovery code leads; allauth itself leads there by a mailed code.
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/key/done/",
        password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("recovery/", views.recovery_code, name="recovery_code"),
    path("recover/", views.recover, name="recover"),
    path("data/", views.personal_data, name="personal_data"),
    path("measures/", views.measures, name="measures"),
    path("settings/", views.settings_page, name="settings"),
    path("mail-off/<str:token>/", views.mail_off, name="mail_off"),
]
