"""allauth's forms with our own words on their fields."""

from typing import Any

from allauth.account import forms
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from accounts.models import User

LABELS = {
    "username": _("User name"),
    "login": _("User name"),
    "email": _("E-mail address (optional)"),
    "password": _("Password"),
    "password1": _("Password"),
    "remember": _("Remember me"),
}
PASSWORD_HELP = _("At least 8 characters, not only digits, nothing that is easy to guess.")


class SignupForm(forms.SignupForm):
    """A name and a password; an address only for who wants one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say_it_our_way(self)
        self.fields["password1"].help_text = PASSWORD_HELP

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Store the user, or lead the second press of a form to the login.

        The form has been checked, but two presses can pass the check at once: then the
        database lets one of them through, and the other is sent to the login.
        """
        try:
            with transaction.atomic():
                return super().try_save(request)
        except IntegrityError:
            return None, redirect("account_login")


class LoginForm(forms.LoginForm):
    """The name and the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say_it_our_way(self)
        self.fields["password"].help_text = ""  # the page has its own link for a lost password


def _say_it_our_way(form: Any) -> None:
    for name, field in form.fields.items():
        field.label = LABELS.get(name, field.label)
        field.widget.attrs.pop("placeholder", None)  # the label says it, and stays
