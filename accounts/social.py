"""Signing in by an account elsewhere (OpenID Connect), where the operator has named some.

What comes from there is one fact: that it is the same person as the last time. Nothing else is
asked for or kept, and nobody is known here by an address that somebody else vouches for.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.openid_connect import views
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _
from requests import RequestException

from accounts.models import User

LANGUAGE = "language of the page that led to another site"  # in the session


class SocialAdapter(DefaultSocialAccountAdapter):
    """What allauth must know about accounts elsewhere."""

    error_messages: ClassVar = DefaultSocialAccountAdapter.error_messages | {
        "no_password": _("Set a password first, or you could not sign in any more."),
    }

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Keep nothing of what the other site has said beside who it is."""
        account = sociallogin.account
        account.extra_data = {}
        sociallogin.email_addresses = []
        if account.pk:
            account.save(update_fields=["extra_data"])

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: Any) -> User:
        """Return the new person, of whom nothing is known yet."""
        user: User = sociallogin.user
        return user


def login(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Lead to the sign-in of another site."""
    request.session[LANGUAGE] = get_language()
    return _ask(views.login, request, provider_id)


def callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Take in who comes back from there, in the language of the page they came from."""
    with override(request.session.pop(LANGUAGE, get_language())):
        return _ask(views.callback, request, provider_id)


def _ask(view: Callable[..., HttpResponse], request: HttpRequest, site: str) -> HttpResponse:
    """The answer of allauth's view, or that the other site is away."""
    try:
        return view(request, site)
    except RequestException:
        return render(request, "socialaccount/authentication_error.html", status=502)
