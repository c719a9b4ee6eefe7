"""Addresses of pages about the reader, beside allauth's."""

from django.urls import path

from accounts import views

urlpatterns = [
    path("logout/", views.sign_out, name="account_logout"),  # before allauth's own
    path("inbox/", views.inbox, name="inbox"),
    path("notices/", views.notices, name="notices"),
    path("notices/sent/", views.reached, name="reached"),
    path("notices/calendar/", views.calendar_link, name="calendar_link"),
    path("notices/test-mail/", views.test_mail, name="test_mail"),
    path("settings/", views.settings_page, name="settings"),
    path("mail-off/<str:token>/", views.mail_off, name="mail_off"),
]
